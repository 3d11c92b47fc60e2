/* Makes a line that is safe to show on a terminal, because it has no control characters. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Writes a line, then a newline and a NUL. Returns the line's length. A line that doesn't fit is
 * cut. Control characters, and bytes that aren't UTF-8, become '?'. */
size_t inert_line(char *to, size_t capacity, const char *format, va_list arguments);
