/* Reads characters of UTF-16 or UTF-32, and encodes UTF-8. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns unit `index` of a text whose units have `unit` (2 or 4) bytes. */
static inline uint32_t unicode_unit(const void *text, size_t unit, size_t index)
{
    return unit == 2 ? ((const uint16_t *)text)[index] : ((const uint32_t *)text)[index];
}

/* Returns the character at *index, and moves *index behind it. `count` is the number of units, or
 * SIZE_MAX if a 0 ends the text. Half of a surrogate pair, or an invalid value, is returned as its
 * number. */
static inline uint32_t unicode_next(const void *text, size_t unit, size_t count, size_t *index)
{
    const uint32_t first = unicode_unit(text, unit, (*index)++);
    const uint32_t second =
        first >> 10 == 0x36 && *index < count ? unicode_unit(text, unit, *index) : 0;
    if (second >> 10 != 0x37)
        return first;
    ++*index;
    return 0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF);
}

/* Encodes a value up to U+10FFFF. Returns the number of bytes. */
static inline size_t unicode_encode(uint32_t c, char to[4])
{
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(size == 1 ? c : (0xF00u >> size & 0xF0u) | c);
    return size;
}
