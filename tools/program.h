/* Prepares the process; every program does this before it reads its arguments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Call it first. Returns the arguments as UTF-8, valid until the process ends. From then on
 * standard output writes bytes unchanged, and writing to a closed pipe or above the limit of file
 * sizes fails. Closed standard streams stay closed: no later file gets their number. */
char **program_set_up(int argc, char **argv);

/* Undoes program_set_up before another program is executed. */
void program_leave(void);

/* Finds the folder of this program, with a separator at its end. Returns false if the folder is not
 * known. Not for Windows. */
bool program_folder(char *path, size_t size);
