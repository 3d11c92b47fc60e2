/* The names of dumps in a folder, and the number of dumps that are kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUMP_FOLDER_KEPT 32u /* the number of newest dumps that are kept */
#define DUMP_FOLDER_BYTES                                                                          \
    ((uint64_t)1 << 30) /* limit of the bytes of all dumps in a folder together */

/* Whether the path names a folder: then it ends in a separator. */
bool dump_folder_is(const char *path);

/* Makes the folder and its parents, for this user only. If that fails, the dump's writer later
 * reports that it can't write the file. */
void dump_folder_make(const char *folder);

/* Makes the name "FOLDER/Exe-2026-11-22-08-15-30.annotdmp" from the executable's name without
 * extension and the time in UTC [DirectX dump files v0.02]. The name is cut if it doesn't fit.
 * Allocates nothing. */
void dump_folder_name(const char *folder, const char *application, uint64_t time_ns, char *out,
                      size_t capacity);

/* Removes the oldest dumps of the folder, so that there is room for one more. Files with other
 * names stay. Don't call it in a crash. */
void dump_folder_make_room(const char *folder);
