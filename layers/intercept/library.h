/* Loads, finds and describes libraries, for all layers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Loads a library that then uses its own exports before other libraries' exports. After a failure,
 * os_library_error has the reason. */
void *library_load(const char *path);
/* Keeps the layer library loaded, because a thread runs the library's code. */
void library_stay(void);

/* Finds the path of the system's D3D12 library. Only Windows has such a library. Returns false if
 * the system has no such library. */
bool library_find_system(char *path, size_t size);
/* Returns the handle of the layer library. */
void *library_self(void);
/* Compares the binary interfaces of the layer and of `library`. If they differ, the layer can't
 * call `library`, and the function returns the reason. NULL: no difference is known. */
const char *library_foreign(void *library);
/* Writes a library's file and version in UTF-8. If `library` is NULL, writes an empty text. */
void library_describe(void *library, char *text, size_t size);
/* Does the same as library_describe, for the process's library `name`. The text is empty if the
 * library is not loaded. */
void library_describe_loaded(const char *name, char *text, size_t size);
/* Opens an existing file for writing. Returns NULL if the file doesn't exist. */
FILE *library_open_file(const char *path);
