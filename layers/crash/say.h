/* Lines of the layers, and what becomes of those that can't be said. Nothing here allocates. */
#pragma once

#include "dump.h"

#include <annot/dump.h>

/* "annot: REASON; wrote PATH" on stderr, or why there is no dump; nothing when it is to be quiet.
 */
void crash_dump_say(const struct crash_settings *settings, annot_result result, const char *reason,
                    const char *path);
/* Adds facts to a dump, which nobody may be told of: what could not be said until now, and whether
 * stderr takes a line [ANN-LEAVE-05]. */
void crash_dump_add_unsaid(struct crash_dump *dump, const struct crash_settings *settings);

/* "annot: TEXT" on stderr; nothing when it is to be quiet. */
void crash_say(const struct crash_settings *settings, const char *text);
