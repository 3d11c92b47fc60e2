/* Functions for strings of WCHAR. The C library has such functions only in some ABIs. */
#pragma once

#include "base/com.h"

static inline size_t wide_length(const WCHAR *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Converts the text up to its first NUL, but at most `size` bytes, and adds a NUL. The caller frees
 * the result. Bytes that aren't UTF-8 become U+FFFD. NULL means out of memory. */
WCHAR *wide_from_utf8(const void *data, size_t size);
