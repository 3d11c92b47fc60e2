/* Set-up that every program does before it reads its arguments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The arguments as UTF-8, for as long as the process lives; standard output takes bytes as they
 * are. A closed pipe and the limit of file sizes make writing fail. A closed standard stream makes
 * its use fail: no file that is opened later gets its number. Call it first. */
char **program_set_up(int argc, char **argv);

/* Undoes it for a program that is executed now. */
void program_leave(void);

/* The folder that this program lies in, with a separator at its end. False means not known. Not on
 * Windows. */
bool program_folder(char *path, size_t size);
