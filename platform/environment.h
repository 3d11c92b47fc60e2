/* The only place in the emulator, the layers and the tools that reads environment variables. The
 * library in lib/ reads none.
 *
 * In a process with more rights than its user (set-user-ID, set-group-ID, file capabilities), all
 * these functions say that no variable is set. Otherwise the user would choose its drivers and the
 * files that it writes [ANN-SEC-01]. Windows has no such processes.
 */
#pragma once

#include <stdbool.h>

/* The variable's value, malloc'd, UTF-8 on Windows. NULL: it isn't set, it is empty, or there is no
 * memory; only the last case sets *out_of_memory. */
char *os_environment(const char *name, bool *out_of_memory);

/* The variable's value without a copy, valid until the environment changes; an empty value is
 * "". */
const char *os_environment_borrow(const char *name);

/* All variables as "NAME=value", with NULL at the end; valid until the environment is changed. */
char **os_environment_all(void);

/* Whether the current folder can be trusted: false in a process with more rights than its starter,
 * who chose that folder. */
bool os_environment_is_trusted(void);
