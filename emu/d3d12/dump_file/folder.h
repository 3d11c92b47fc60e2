/* Makes names for the dumps in a folder, and limits the number of the dumps in the folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUMP_FOLDER_KEPT 32u /* how many dumps a folder keeps; older dumps are removed */
/* Limit of the bytes that all dumps of a folder have together. */
#define DUMP_FOLDER_BYTES ((uint64_t)1 << 30)

/* Returns whether the path names a folder. The path of a folder ends in a separator. */
bool dump_folder_is(const char *path);

/* Makes the folder and its parents, which only this user may read. If that fails, the dump's writer
 * later reports that it can't write the file. */
void dump_folder_make(const char *folder);

/* Makes a path like "FOLDER/Exe-2026-11-22-08-15-30.annotdmp" from the executable's name without
 * extension and the time in UTC [DirectX dump files v0.02]. A path that doesn't fit is cut.
 * Allocates nothing. */
void dump_folder_name(const char *folder, const char *application, uint64_t time_ns, char *out,
                      size_t capacity);

/* Removes the oldest dumps of the folder to make room for another dump. Files with other names
 * stay. Don't call the function in a crash. */
void dump_folder_make_room(const char *folder);
