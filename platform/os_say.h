/* Writes lines on stderr for code in another program's process [ANN-LEAVE-05]. These functions
 * never block, raise no signal, change no flag of a shared descriptor, and never write into a file
 * of the program. */
#pragma once

#include <stddef.h>

/* Writes a line with a newline. A control character becomes '?'. Returns NULL if the line was
 * written, otherwise a static reason. Allocates nothing. */
__attribute__((format(printf, 1, 2))) const char *os_say(const char *format, ...);

/* Returns a static text that says why no line can be written now, or NULL if one can be written. */
const char *os_say_obstacle(void);

/* Notes that descriptor 2 is stderr. Call the function when the code is loaded. If the program
 * later closes stderr and a file gets descriptor 2, no line goes into that file. */
void os_say_begin(void);

/* The environment variable that says what stderr is. The commands of annot that start a program set
 * this variable. */
#define OS_SAY_VARIABLE "ANNOT_STDERR"
void os_say_describe(char *to, size_t size);
