/* Finds the paths of settings, dumps and the running program. Joins parts of paths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* ---- malloc'd paths; NULL: the path is unknown, or *out_of_memory is set ---- */

char *os_user_path(bool *out_of_memory); /* d3dconfig's files */
char *os_system_path(bool *out_of_memory);

/* Returns the default folder for dumps, with a separator at the end: annot/dumps in XDG_STATE_HOME
 * (~/.local/state), or on Windows %LOCALAPPDATA%\CrashDumps. */
char *os_dump_folder(bool *out_of_memory);

/* ---- programs and paths ---- */

/* Gets the path of the running program; `path` becomes "" if it is not known. */
void os_program_path(char *path, size_t size);

static inline bool os_is_separator(char c)
{
#ifdef _WIN32
    return c == '\\' || c == '/';
#else
    return c == '/';
#endif
}
/* Returns the last part of the path, behind the last separator. */
const char *os_file_name(const char *path);
bool os_is_absolute(const char *path);
bool os_same_character(char a, char b); /* of two paths */
bool os_exists(const char *path, bool *is_directory);

/* Joins two parts of a path. Returns a malloc'd path, or NULL if memory runs out. */
char *os_path_join(const char *path, const char *end);
/* Returns the absolute path without links (malloc'd). Returns NULL on failure, or if no file or
 * folder has the path. */
char *os_full_path(const char *path);
