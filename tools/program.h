/* Prepares the process. Every program does this before it reads its arguments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Call this function first. Returns the arguments in UTF-8, valid until the process ends. From then
 * on standard output writes bytes unchanged, and a write to a closed pipe or above the limit of
 * file sizes fails. Closed standard streams stay closed: no later file gets their number. */
char **program_set_up(int argc, char **argv);

/* Undoes program_set_up; call this function before you execute another program. */
void program_leave(void);

/* Finds the folder that has this program, with a separator at the end. Returns false if the folder
 * is not known. Not available on Windows. */
bool program_folder(char *path, size_t size);
