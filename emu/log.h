/* Appends lines to log files: the file for the debug layer's messages, and WARP's log. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether the process may write `size` more bytes to the file. Above the process's limit of file
 * sizes, the system would end the program (SIGXFSZ). The first refusal prints a message with
 * `name`, the environment variable that names the file. Any thread may call this function. */
bool emu_log_has_room(FILE *file, size_t size, const char *name);
