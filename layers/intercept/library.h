/* Loads, finds and describes libraries, for the layers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Loads a library in such a way that it uses its own exports before exports of other libraries.
 * After a failure os_library_error has the reason. */
void *library_load(const char *path);
/* Keeps this library loaded, because one of its threads runs. */
void library_stay(void);

/* Finds the path of the system's own D3D12 library, which only Windows has. False: the system has
 * no such library. */
bool library_find_system(char *path, size_t size);
/* Returns the handle of this library itself. */
void *library_self(void);
/* Returns why programs of this library can't call `library`, if `library` has another binary
 * interface. NULL: no reason is known. */
const char *library_foreign(void *library);
/* Writes a library's file and version in UTF-8; for NULL an empty text. */
void library_describe(void *library, char *text, size_t size);
/* Does the same as library_describe for the library `name` of this process. The text is empty if
 * `name` is not loaded. */
void library_describe_loaded(const char *name, char *text, size_t size);
/* Opens an existing file for writing; NULL: the file doesn't exist. */
FILE *library_open_file(const char *path);
