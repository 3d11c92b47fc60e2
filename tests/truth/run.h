/* Plays a program on the emulator until its device is removed or it ends. */
#pragma once

#include "outcome.h"

/* Dumps go to this folder. Seeds of the emulator are the program's. */
void run_program(const struct program *program, const char *folder, struct outcome *outcome);
/* Removes the dump, too. */
void run_finish(struct outcome *outcome);
