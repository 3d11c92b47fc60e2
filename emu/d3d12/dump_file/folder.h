/* Dumps in a folder: their names, and how many of them stay. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUMP_FOLDER_KEPT  32u                 /* dumps, the newest */
#define DUMP_FOLDER_BYTES ((uint64_t)1 << 30) /* of all of them */

/* A path that ends in a separator names a folder. */
bool dump_folder_is(const char *path);

/* Makes the folder and those above it, for this user only. If that fails, no file can be written
 * there, and the writer says so. */
void dump_folder_make(const char *folder);

/* "FOLDER/Exe-2026-11-22-08-15-30.annotdmp", the executable without its extension, UTC [DirectX
 * dump files v0.02]. Cut when it doesn't fit. Allocates nothing. */
void dump_folder_name(const char *folder, const char *application, uint64_t time_ns, char *out,
                      size_t capacity);

/* Removes the oldest files with names as above, so that there is room for one more; others stay.
 * Not for a crash. */
void dump_folder_make_room(const char *folder);
