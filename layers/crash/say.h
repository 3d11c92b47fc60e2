/* Lines of the layers on stderr, and counts of lines that can't be written. These functions
 * allocate nothing. */
#pragma once

#include <annot/annot.h>

#include <stdbool.h>
#include <stddef.h>

/* Writes "annot: REASON; wrote PATH" to stderr, or why there is no dump; nothing if the settings
 * say quiet.
 */
void crash_dump_say(bool is_quiet, annot_result result, const char *reason, const char *path);
/* Writes the first lost line, and how many others were lost; "": none. */
void crash_unsaid(char *to, size_t size);

/* Writes "annot: TEXT" to stderr; nothing if the settings say quiet. */
void crash_say(bool is_quiet, const char *text);
