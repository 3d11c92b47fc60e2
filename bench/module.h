/* Files built beside the program: shared objects with a libannot of their own, programs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Loads lib/NAME, from where the program lies in bin/. NULL, and a note for people, when it
 * can't. */
void *bench_module_open(const char *name);
/* The path of FOLDER/NAME there; false: it is not known where that is. */
bool bench_module_path(const char *name, char *path, size_t size);
