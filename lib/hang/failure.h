/* Finds the kind of failure. */
#pragma once

#include "reader/ask.h"

#define ANNOT__SOURCE_BIT(name, bit, word) | bit
enum { ANNOT__SOURCES_ALL = 0 ANNOT_SOURCES(ANNOT__SOURCE_BIT) };

/* Sets the kind of failure, its certainty and the available evidence in reader->hang. Call this
 * function after the suspects and the waits were found. */
void annot__settle_failure(annot_reader *reader);
