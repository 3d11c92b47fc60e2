/* A stream whose text is read back from memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The caller frees *bytes behind fclose. NULL: no memory, or no temporary file on Windows. */
FILE *memory_text_open(char **bytes, size_t *size);
/* *bytes has what was written in front of the place where the stream stands. False: no memory. */
bool memory_text_flush(FILE *file, char **bytes, size_t *size);
