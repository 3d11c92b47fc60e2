/* Strings of WCHAR, which the C library has functions for in some ABIs only. */
#pragma once

#include "base/com.h"

static inline size_t wide_length(const WCHAR *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Text up to its first NUL or `size` bytes, with a NUL behind it; the caller frees it. Bytes that
 * are no UTF-8 become U+FFFD. NULL when out of memory. */
WCHAR *wide_from_utf8(const void *data, size_t size);
