/* Lines of the layers, and what becomes of those that can't be said. Nothing here allocates. */
#pragma once

#include <annot/annot.h>

#include <stdbool.h>
#include <stddef.h>

/* "annot: REASON; wrote PATH" on stderr, or why there is no dump; nothing when it is to be quiet.
 */
void crash_dump_say(bool is_quiet, annot_result result, const char *reason, const char *path);
/* The first line that was lost, and how many others were; "": none. */
void crash_unsaid(char *to, size_t size);

/* "annot: TEXT" on stderr; nothing when it is to be quiet. */
void crash_say(bool is_quiet, const char *text);
