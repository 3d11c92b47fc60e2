/* Libraries, and other services of the operating system for the layers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The library's calls of its own exports stay in it. If it fails, os_library_error says why. */
void *library_load(const char *path);
/* Keeps this library loaded, because a thread of it runs. */
void library_stay(void);

/* The path of the system's own D3D12 library, where there is one place for it: Windows. False means
 * that there is none. */
bool library_find_system(char *path, size_t size);
/* This library itself, which is there as long as its code runs. */
void *library_self(void);
/* Why programs that this library serves can't call that one: it has another binary interface.
 * NULL: no reason is known. */
const char *library_foreign(void *library);
/* The file of a library, and the version that it says it has, UTF-8. NULL: empty. */
void library_describe(void *library, char *text, size_t size);
/* Does the same for the library of that name in this process. Empty: no such library is loaded. */
void library_describe_loaded(const char *name, char *text, size_t size);
/* An existing file, to be written; NULL: it is not there. */
FILE *library_open_file(const char *path);
