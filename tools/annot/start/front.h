/* Starts a program with this project's library in front of its D3D12 library. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FRONT_PATH = 4096 };
struct front {
    const char *command;      /* the command's name for messages: "capture" */
    char library[FRONT_PATH]; /* path of this project's library */
    char runtime[FRONT_PATH]; /* path of the D3D12 library that this project's library calls */
};

/* Finds the libraries. `given` is the user's path of the real D3D12 library. If `given` is NULL,
 * the function searches for the library, on Windows in the folders of `program`. `program` is NULL
 * if it has no such library. If it fails, standard error has the reason. */
bool front_find(struct front *front, const char *given, const char *program);

/* Runs the program and waits for its end. Returns its exit code, or EXIT_UNUSABLE if it can't be
 * started. If the program ended with 0 but made no call of the library, prints a line and
 * returns 1. */
int front_run(const struct front *front, char **program);

/* Finds the path of the emulator that belongs to this program. Returns false if the emulator is not
 * installed. */
bool front_find_emulator(char *path, size_t size);

#define OPTION_RUNTIME                                                                             \
    OPTION("--runtime", "PATH", runtime,                                                           \
           "the real D3D12 library. Default: the first libd3d12.so on LD_LIBRARY_PATH, else the "  \
           "emulator; on Windows the one that the program would load")
