/* The only place in emu/ that reads environment variables. The library in lib/ reads none. */
#ifndef EMU_CONFIG_ENVIRONMENT_H
#define EMU_CONFIG_ENVIRONMENT_H

#include <stdbool.h>

/*
 * The variable's value, malloc'd, UTF-8 on Windows. NULL: it isn't set, or is empty, or there is no
 * memory, which sets *out_of_memory and is otherwise left alone.
 *
 * NULL for every variable in a process with more rights than the user who started it (set-user-ID,
 * set-group-ID, file capabilities): its starter would choose which driver it loads and which files
 * it writes [ANN-SEC-01]. Windows has no such processes.
 */
char *emu_environment(const char *name, bool *out_of_memory);

#endif
