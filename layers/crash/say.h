/* Lines of the layers on stderr, and counts of those that can't be written. Nothing here
 * allocates. */
#pragma once

#include <annot/annot.h>

#include <stdbool.h>
#include <stddef.h>

/* Writes "annot: REASON; wrote PATH" to stderr, or why there is no dump; nothing if the settings
 * say quiet.
 */
void crash_dump_say(bool is_quiet, annot_result result, const char *reason, const char *path);
/* The first line that was lost, and how many others were; "": none. */
void crash_unsaid(char *to, size_t size);

/* Writes "annot: TEXT" to stderr; nothing if the settings say quiet. */
void crash_say(bool is_quiet, const char *text);
