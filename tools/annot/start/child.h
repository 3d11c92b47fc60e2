/* Starts a program for a command, and waits for the program's end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sets a variable for programs that are started later. False means out of memory. */
bool child_set_variable(const char *name, const char *value);

/* Puts `first` in front of a variable's elements; the variable is a list with this separator. Not
 * on Windows. */
bool child_prepend(const char *name, const char *first, char separator);

/* Runs a program and waits for its end. Ctrl-C goes to the program, and the program ends when this
 * process ends. Returns the program's exit code, or 128 plus the number of the signal that ended
 * it. If the program can't be started, prints a message and returns EXIT_UNUSABLE. */
int child_run(const char *command, char **program);

/* Does the same as child_run, and checks whether a layer saw the program. If no layer saw it, and
 * the program ended with 0, prints `unseen` with the program's name, and returns 1. Not on Windows.
 */
int child_run_watched(const char *command, char **program, const char *unseen);

/* Finds a function of the D3D12 library that a program would load if it were started like this
 * program. NULL: there is no such library or function. */
void *child_library_function(const char *name);
