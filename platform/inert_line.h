/* A line that a terminal shows and doesn't obey. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* The line with its end and a NUL, cut where there is no room; its length. Control characters and
 * what is no UTF-8 are '?'. */
size_t inert_line(char *to, size_t capacity, const char *format, va_list arguments);
