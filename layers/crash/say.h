/* Writes the layers' lines to stderr, and counts lines that can't be written. These functions
 * allocate nothing. */
#pragma once

#include <annot/annot.h>

#include <stdbool.h>
#include <stddef.h>

/* Writes "annot: REASON; wrote PATH" to stderr, or the reason why there is no dump. Writes nothing
 * if `is_quiet`. */
void crash_dump_say(bool is_quiet, annot_result result, const char *reason, const char *path);
/* Writes the first lost line and the number of other lost lines; "" if none was lost. */
void crash_unsaid(char *to, size_t size);

/* Writes "annot: TEXT" to stderr. Writes nothing if `is_quiet`. */
void crash_say(bool is_quiet, const char *text);
