/* A program is played and judged, in this process or in one of its own, which may crash or hang. */
#pragma once

#include "check.h"

/* Plays and checks it here. `keep`: where to put a copy of the dump, or NULL. */
void judge_here(const struct program *program, const char *folder, const char *keep,
                struct verdict *verdict);

/* In a child process. One that crashes or hangs has a complaint of that kind. */
void judge_apart(const struct program *program, const char *folder, struct verdict *verdict);

/* Whether there is a complaint of this kind. */
bool verdict_has(const struct verdict *verdict, const char *kind);

/* Makes a program smaller, as long as it has a complaint of this kind. */
void program_shrink(struct program *program, const char *folder, const char *kind);

/* The program as a row for cases.c, with what is false in a comment. */
void program_print(const struct program *program, const char *kind);
