/* A program that a command starts, and waits for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* For the programs that are started from here on. False: no memory. */
bool child_set_variable(const char *name, const char *value);

/* Ctrl-C is the program's, which is told to end when this process ends. Returns its exit code, 128
 * and the signal's number where one ended it; EXIT_UNUSABLE, having said why, when it can't be
 * started. */
int child_run(const char *command, char **program);

/* This program's own file. False: it can't be told. */
bool child_own_path(char *path, size_t size);

/* A function of the D3D12 library that a program which is started like this one gets; NULL: there
 * is none. */
void *child_library_function(const char *name);
