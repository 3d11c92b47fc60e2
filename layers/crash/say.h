/* Writes lines of the layers to stderr, and counts lines that can't be written. The functions
 * allocate nothing. */
#pragma once

#include <annot/annot.h>

/* Writes "annot: REASON; wrote PATH" to stderr, or why no dump was written. If `is_quiet`, writes
 * nothing. */
void crash_dump_say(bool is_quiet, annot_result result, const char *reason, const char *path);
/* Writes the first lost line and how many lines were lost after it; "" if no line was lost. */
void crash_unsaid(char *to, size_t size);

/* Writes "annot: TEXT" to stderr, unless `is_quiet` is set. */
void crash_say(bool is_quiet, const char *text);
