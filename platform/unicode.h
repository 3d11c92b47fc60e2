/* Decodes characters of UTF-16 or UTF-32, and encodes characters in UTF-8. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the text's unit with this index. `unit` is the size of a unit in bytes: 2 or 4. The text
 * needs no alignment, because texts in traces have none. */
static inline uint32_t unicode_unit(const void *text, size_t unit, size_t index)
{
    uint16_t narrow;
    uint32_t wide;
    memcpy(&narrow, (const char *)text + unit * index, sizeof narrow);
    if (unit == sizeof narrow)
        return narrow;
    memcpy(&wide, (const char *)text + unit * index, sizeof wide);
    return wide;
}

/* Returns the character at *index, and moves *index to the next character. `count` is the number of
 * units, or SIZE_MAX if a 0 ends the text. Half a surrogate pair and an invalid value are returned
 * as they are. */
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

/* Encodes a value up to U+10FFFF in UTF-8. Returns the number of bytes. */
static inline size_t unicode_encode(uint32_t c, char to[4])
{
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(size == 1 ? c : (0xF00u >> size & 0xF0u) | c);
    return size;
}
