/*
 * Lines for whoever started the program, on its stderr, from code that lives in somebody else's
 * process [ANN-LEAVE-05]: they never block, raise no signal, change no flag of a descriptor that
 * others share, and land in no file of the program's.
 */
#pragma once

#include <stddef.h>

/* One line, whose end is written too; what a terminal could take for a command is '?'. NULL: it was
 * said; else why not, static. Allocates nothing. */
__attribute__((format(printf, 1, 2))) const char *os_say(const char *format, ...);

/* Why a line could not be said now, static; NULL: it could. */
const char *os_say_obstacle(void);

/* What descriptor 2 leads to now is the program's stderr. Called when the code is loaded: a program
 * that closes it and opens a file in its place gets no line into that. */
void os_say_begin(void);

/* For a command that starts a program: what stderr is, as the value of this variable for the
 * program. */
#define OS_SAY_VARIABLE "ANNOT_STDERR"
void os_say_describe(char *to, size_t size);
