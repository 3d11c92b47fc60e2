/* Durations that a user writes: "8", "0.5s", "500ms". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define DURATION_MS  ((uint64_t)1000000)
#define DURATION_S   (1000 * DURATION_MS)
#define DURATION_MAX (86400 * DURATION_S)

/* Reads a number with "ms", "s" or no unit into nanoseconds; a number without a unit counts `unit`.
 * False: the text is no duration, or is longer than DURATION_MAX. No locale matters. */
bool duration_read(const char *text, uint64_t unit, uint64_t *ns);
