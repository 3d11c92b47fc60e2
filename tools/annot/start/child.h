/* Starts a program for a command, and waits until the program ends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sets an environment variable for programs that start later. Returns false if memory runs out. */
bool child_set_variable(const char *name, const char *value);

/* Puts `first` in front of the elements of a variable, which is a list with this separator. Not
 * available on Windows. */
bool child_prepend(const char *name, const char *first, char separator);

/* Runs a program and waits until it ends. Ctrl-C goes to the program, and the program ends when
 * this process ends. Returns the program's exit code, or 128 plus the number of the signal that
 * ended it. If the program can't be started, prints a message and returns EXIT_UNUSABLE. */
int child_run(const char *command, char **program);

#define CHILD_LACKS_CALLS                                                                          \
    "the trace lacks calls (a message above has the reason), or annot's temporary file was "       \
    "removed"

/* Does the same as child_run, and checks whether a layer has seen the program. If no layer has seen
 * it, and it ended with 0, prints `unseen` with the program's name, and returns 1. If a recorder
 * lost calls, prints CHILD_LACKS_CALLS instead. Not available on Windows. */
int child_run_watched(const char *command, char **program, const char *unseen);

/* Returns what the layers wrote about the last run of child_run_watched: in lines, the paths of the
 * files that they left. NULL: nothing can be read. Not available on Windows. */
char *child_told(void);

/* Finds a function of the D3D12 library that a program would load if it were started like this
 * program. Returns NULL if this library or function doesn't exist. */
void *child_library_function(const char *name);
