/* Lines on stderr for the person who started the program, from code in another program's process
 * [ANN-LEAVE-05]. They never block, raise no signal, change no flag of a shared descriptor, and
 * never go into a file of the program. */
#pragma once

#include <stddef.h>

/* Writes one line and its end; a character that a terminal could take for a command becomes '?'.
 * NULL: it was written; else a static reason. Allocates nothing. */
__attribute__((format(printf, 1, 2))) const char *os_say(const char *format, ...);

/* Why a line could not be written now, static; NULL: it could. */
const char *os_say_obstacle(void);

/* Remembers that descriptor 2 is stderr. Call it when the code is loaded. If the program later
 * closes stderr and a file gets its number, no line goes into that file. */
void os_say_begin(void);

/* A command that starts a program sets this variable, which describes stderr. */
#define OS_SAY_VARIABLE "ANNOT_STDERR"
void os_say_describe(char *to, size_t size);
