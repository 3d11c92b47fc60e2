/* Makes a line without control characters, which is safe to show on a terminal. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Writes a line with a newline and a NUL, and returns its length. A line that doesn't fit is cut.
 * Control characters and bytes that aren't UTF-8 become '?'. */
size_t inert_line(char *to, size_t capacity, const char *format, va_list arguments);
