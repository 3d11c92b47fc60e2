/* The line that tells of a dump. Nothing here allocates. */
#pragma once

#include "settings.h"

#include <annot/dump.h>

/* "annot: REASON; wrote PATH" on stderr, or why there is no dump; nothing when it is to be quiet.
 */
void crash_dump_say(const struct crash_settings *settings, annot_result result, const char *reason,
                    const char *path);

/* "annot: TEXT" on stderr; nothing when it is to be quiet. */
void crash_say(const struct crash_settings *settings, const char *text);
