/*
 * Lines on stderr for the person who started the program, from code in another program's process
 * [ANN-LEAVE-05]. They never block, raise no signal, and change no flag of a shared descriptor.
 * They never go into a file of the program's.
 */
#pragma once

#include <stddef.h>

/* Writes one line and its end; a character that a terminal could take for a command becomes '?'.
 * NULL: it was written; else the reason, static. Allocates nothing. */
__attribute__((format(printf, 1, 2))) const char *os_say(const char *format, ...);

/* Why a line could not be said now, static; NULL: it could. */
const char *os_say_obstacle(void);

/* Notes that descriptor 2 is the program's stderr now. Called when the code is loaded: if the
 * program later closes it and opens a file in its place, no line goes into that file. */
void os_say_begin(void);

/* For a command that starts a program: what stderr is, as the value of this variable for the
 * program. */
#define OS_SAY_VARIABLE "ANNOT_STDERR"
void os_say_describe(char *to, size_t size);
