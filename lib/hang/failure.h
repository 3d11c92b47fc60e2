/* Finds what kind of failure the dump shows. */
#pragma once

#include "reader/ask.h"

#define ANNOT__SOURCE_BIT(name, bit, word) | bit
enum { ANNOT__SOURCES_ALL = 0 ANNOT_SOURCES(ANNOT__SOURCE_BIT) };

/* Sets the kind of failure, its certainty and the evidence for it in reader->hang. Call this after
 * suspects and waits were found. */
void annot__settle_failure(annot_reader *reader);
