/* A program that a command starts, and waits for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sets a variable for programs that are started later. False means out of memory. */
bool child_set_variable(const char *name, const char *value);

/* Puts `first` at the front of a variable that holds a list with this separator. Not on Windows. */
bool child_prepend(const char *name, const char *first, char separator);

/* Runs a program and waits for it. Ctrl-C goes to the program, and the program ends when this
 * process ends. Returns its exit code; 128 plus the number of a signal that ended it;
 * EXIT_UNUSABLE after a message if it can't be started. */
int child_run(const char *command, char **program);

/* Does the same, and checks whether a layer saw the program. If not, and the program ended well,
 * prints `unseen` with the program's name, and returns 1. Not on Windows. */
int child_run_watched(const char *command, char **program, const char *unseen);

/* A function of the D3D12 library that a program would load if it were started like this one;
 * NULL: there is none. */
void *child_library_function(const char *name);
