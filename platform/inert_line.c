#include "inert_line.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Returns the bytes of the character at `text`, or 0 if a terminal must not get it. */
static size_t character(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = *text < 0x80   ? 1
                        : *text < 0xC2 ? 0
                        : *text < 0xE0 ? 2
                        : *text < 0xF0 ? 3
                        : *text < 0xF5 ? 4
                                       : 0;
    uint32_t code = size < 2 ? *text : *text & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0; /* also at the end */
        code = code << 6 | (text[i] & 0x3Fu);
    }
    const int is_control = code < 0x20 || (code >= 0x7F && code < 0xA0) ||
                           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return is_control || code < least[size] || code > 0x10FFFF || code >> 11 == 0x1B ? 0 : size;
}

size_t inert_line(char *to, size_t capacity, const char *format, va_list arguments)
{
    const int length = vsnprintf(to, capacity - 1, format, arguments);
    size_t size = length < 0 ? 0 : strlen(to);
    for (size_t at = 0; at < size;) {
        const size_t bytes = character((const unsigned char *)to + at);
        if (bytes == 0)
            to[at] = '?';
        at += bytes ? bytes : 1;
    }
    memcpy(to + size, "\n", 2);
    return size + 1;
}
