/* Appends lines to files: to the file of the debug layer's messages, and to WARP's log. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether `size` more bytes fit into the process's limit of file sizes; above the limit the system
 * would end the program (SIGXFSZ). The first refusal prints a message with `name`, the variable
 * that names the file. Any thread may call it. */
bool emu_log_has_room(FILE *file, size_t size, const char *name);
