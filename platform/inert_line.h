/* A line without control characters, which is safe to show on a terminal. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Writes the line with a newline and a NUL, cut if there is no room; returns its length. Control
 * characters and bytes that are no UTF-8 become '?'. */
size_t inert_line(char *to, size_t capacity, const char *format, va_list arguments);
