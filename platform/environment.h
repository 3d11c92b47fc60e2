/*
 * The only place that asks for environment variables: of the emulator, the layers and the tools.
 * The library in lib/ reads none.
 *
 * In a process with more rights than the user who started it (set-user-ID, set-group-ID, file
 * capabilities) no variable is set, for all of these: its starter would choose which driver it
 * loads and which files it writes [ANN-SEC-01]. Windows has no such processes.
 */
#pragma once

#include <stdbool.h>

/* The variable's value, malloc'd, UTF-8 on Windows. NULL: it isn't set, or is empty, or there is no
 * memory, which sets *out_of_memory and is otherwise left alone. */
char *os_environment(const char *name, bool *out_of_memory);

/* The same where it lies, valid until the environment is changed; an empty one is empty. */
const char *os_environment_borrow(const char *name);

/* All of them as "NAME=value", with NULL at the end; valid until the environment is changed. */
char **os_environment_all(void);

/* False in a process with more rights than its starter, who chose the current folder, too. */
bool os_environment_is_trusted(void);
