/* A line that a terminal shows and doesn't obey. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* Writes the line with its end and a NUL, cut if there is no room; returns its length. Control
 * characters and bytes that are no UTF-8 become '?'. */
size_t inert_line(char *to, size_t capacity, const char *format, va_list arguments);
