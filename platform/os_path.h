/* Finds the paths of settings, dumps and the running program, and joins paths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* ---- places: malloc'd; NULL: there is none, or no memory, which sets *out_of_memory ---- */

char *os_user_path(bool *out_of_memory); /* d3dconfig's files */
char *os_system_path(bool *out_of_memory);

/* The folder for dumps without a given path, with a separator at its end: annot/dumps below
 * XDG_STATE_HOME (~/.local/state), on Windows %LOCALAPPDATA%\CrashDumps. */
char *os_dump_folder(bool *out_of_memory);

/* ---- programs and paths ---- */

/* The executable's path; empty if it is not known. */
void os_program_path(char *path, size_t size);

bool os_is_separator(char c);
bool os_is_absolute(const char *path);
bool os_same_character(char a, char b); /* of two paths */
bool os_exists(const char *path, bool *is_directory);

/* Joins two parts; malloc'd. NULL: no memory. */
char *os_path_join(const char *path, const char *end);
/* The absolute path without links, malloc'd. NULL: nothing has this path, or no memory. */
char *os_full_path(const char *path);
