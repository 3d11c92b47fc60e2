/* The kind of failure. */
#pragma once

#include "reader/ask.h"

#define ANNOT__SOURCE_BIT(name, bit, word) | bit
enum { ANNOT__SOURCES_ALL = 0 ANNOT_SOURCES(ANNOT__SOURCE_BIT) };

/* Fills reader->hang's kind of failure, its certainty and the evidence that there is. The suspects
 * and the waits are found. */
void annot__settle_failure(annot_reader *reader);
