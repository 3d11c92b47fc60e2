/* Growing files of lines: the messages of the debug layer, WARP's log. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether `size` more bytes fit into the process's limit of file sizes; above it the system would
 * end the program (SIGXFSZ). The first time that they don't fit, a message has `name`, the file's
 * variable. Any thread. */
bool emu_log_has_room(FILE *file, size_t size, const char *name);
