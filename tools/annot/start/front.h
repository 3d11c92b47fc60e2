/* Starts a program so that it uses this project's library instead of its D3D12 library. */
#pragma once

#include <stdbool.h>

enum { FRONT_PATH = 4096 };
struct front {
    const char *command;      /* name of the command for messages, such as "capture" */
    char library[FRONT_PATH]; /* the path of this project's library */
    char runtime[FRONT_PATH]; /* the path of the D3D12 library that `library` calls */
};

/* Finds the two libraries. `given` is the user's path of the real D3D12 library. If it is NULL, the
 * function searches for this library; on Windows, in the folders of `program`. `program` is NULL if
 * it has no such library. Returns an exit code; after a failure, standard error has the reason. */
int front_find(struct front *front, const char *given, const char *program);

/* Runs the program and waits until it ends. Returns its exit code, or EXIT_UNUSABLE if it can't be
 * started. If the program ended with 0, but never called the library, says so and returns 1. */
int front_run(const struct front *front, char **program);

/* Finds the path of the emulator that was installed with this program. Returns false if the
 * emulator is not installed. */
bool front_find_emulator(char path[FRONT_PATH]);

#define OPTION_RUNTIME                                                                             \
    OPTION("--runtime", "PATH", runtime,                                                           \
           "the real D3D12 library. Default: the first libd3d12.so on LD_LIBRARY_PATH, else the "  \
           "emulator; on Windows the one that the program would load")
