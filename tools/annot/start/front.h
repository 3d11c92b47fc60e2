/* Starting a program with our library in front of the D3D12 library that it uses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FRONT_PATH = 4096 };
struct front {
    const char *command;      /* "capture", for messages */
    char library[FRONT_PATH]; /* ours */
    char runtime[FRONT_PATH]; /* the one behind it */
};

/* `given`: the path that the user gave for the one behind it, NULL: it is looked for, on Windows
 * where `program` would find it; a program that is NULL has none of its own. False: said why on
 * standard error. */
bool front_find(struct front *front, const char *given, const char *program);

/* Runs it and waits for its end. Returns its exit code; EXIT_UNUSABLE when it can't be started; and
 * 1, with a line on standard error, where it ended well and none of its calls came by. */
int front_run(const struct front *front, char **program);

/* The path of the emulator that belongs to this program. False: it is not installed. */
bool front_find_emulator(char *path, size_t size);
