/* Reads environment variables. The emulator, the layers and the tools use only these functions to
 * read variables. The library in lib/ reads no variables.
 *
 * In a process with more rights than its user (set-user-ID, set-group-ID, file capabilities), these
 * functions say that no variable is set. Otherwise the user could choose the process's drivers and
 * the files that it writes [ANN-SEC-01]. Windows has no such processes. */
#pragma once

#include <stdbool.h>

/* Returns a copy of the variable's value (malloc'd, UTF-8 on Windows). Returns NULL if the variable
 * isn't set or is empty, or if memory runs out; a lack of memory sets *out_of_memory. */
char *os_environment(const char *name, bool *out_of_memory);

/* Returns the variable's value, which may be "", or NULL. The value is not a copy, and is valid
 * until the environment changes. */
const char *os_environment_borrow(const char *name);

/* Returns all variables as "NAME=value", then NULL; valid until the environment changes. */
char **os_environment_all(void);

/* Returns whether the current folder can be trusted. A process with more rights than its starter
 * can't trust the folder, because the starter chose the folder. */
bool os_environment_is_trusted(void);
