/* What the specification says, in a sentence for each requirement: for people who don't have the
 * project's list. */
#pragma once

#include <stddef.h>

/* Returns the sentence of the requirement whose ID has these bytes ("ANN-MODE-01"), or NULL. Static
 * text. */
const char *requirement_text(const char *id, size_t length);
