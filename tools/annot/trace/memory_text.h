/* A stream whose text is read back from memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The caller must free *bytes after fclose. NULL: no memory, or no temporary file on Windows. */
FILE *memory_text_open(char **bytes, size_t *size);
/* * Fills *bytes with what was written before the stream's position. False: no memory. */
bool memory_text_flush(FILE *file, char **bytes, size_t *size);
