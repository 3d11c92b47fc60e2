/* Finds files that were built beside the program: programs, and shared objects with a copy of
 * libannot. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Loads lib/NAME beside the program's bin/. Returns NULL, with a note for people, on failure. */
void *bench_module_open(const char *name);
/* Makes the path of FOLDER/NAME beside bin/. Returns false if the program's path is not known. */
bool bench_module_path(const char *name, char *path, size_t size);
