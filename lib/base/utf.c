#include "base/utf.h"

#include <string.h>

#define REPLACEMENT 0xFFFDu

static uint32_t unit_at(const void *text, size_t index, annot_text_unit unit)
{
    switch (unit) {
    case ANNOT_TEXT_UTF8:
        return ((const unsigned char *)text)[index];
    case ANNOT_TEXT_UTF16: {
        uint16_t value;
        memcpy(&value, (const char *)text + index * 2, 2);
        return value;
    }
    case ANNOT_TEXT_UTF32:
        break;
    }
    uint32_t value;
    memcpy(&value, (const char *)text + index * 4, 4);
    return value;
}

size_t annot__text_length(const void *text, annot_text_unit unit)
{
    size_t count = 0;
    while (unit_at(text, count, unit))
        count++;
    return count;
}

uint32_t annot__utf8_next(const void *bytes, size_t count, size_t *index)
{
    const unsigned char *text = bytes;
    /* The lead byte gives the number of continuation bytes and the range of the first continuation
     * byte. The range excludes overlong forms, surrogates and values past U+10FFFF. */
    unsigned lead = text[(*index)++];
    if (lead < 0x80)
        return lead;
    unsigned needed = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    unsigned low = 0x80, high = 0xBF;
    if (lead < 0xC2 || lead > 0xF4)
        return ANNOT__UTF_INVALID;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    uint32_t value = lead & (0x3Fu >> needed);
    while (needed-- > 0) {
        if (*index == count || text[*index] < low || text[*index] > high)
            return ANNOT__UTF_INVALID;
        value = value << 6 | (text[(*index)++] & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return value;
}

static uint32_t next_character(const void *text, size_t count, annot_text_unit unit, size_t *index)
{
    if (unit == ANNOT_TEXT_UTF8) {
        uint32_t character = annot__utf8_next(text, count, index);
        return character == ANNOT__UTF_INVALID ? REPLACEMENT : character;
    }
    uint32_t value = unit_at(text, (*index)++, unit);
    if (unit == ANNOT_TEXT_UTF16 && value >= 0xD800 && value <= 0xDBFF && *index < count) {
        uint32_t low = unit_at(text, *index, unit);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            (*index)++;
            return 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return annot__is_surrogate(value) || value > 0x10FFFF ? REPLACEMENT : value;
}

unsigned annot__utf8_encode(char out[4], uint32_t value)
{
    if (value < 0x80) {
        out[0] = (char)value;
        return 1;
    }
    unsigned size = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    for (unsigned i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (value & 0x3F));
        value >>= 6;
    }
    out[0] = (char)(0xF00u >> size | value);
    return size;
}

size_t annot__utf8_from(char *to, size_t capacity, const void *text, size_t count,
                        annot_text_unit unit)
{
    size_t total = 0, written = 0;
    bool full = false;
    for (size_t index = 0; index < count;) {
        char bytes[4];
        unsigned size = annot__utf8_encode(bytes, next_character(text, count, unit, &index));
        total += size;
        if (full || size > capacity - written) {
            full = true;
            continue;
        }
        memcpy(to + written, bytes, size);
        written += size;
    }
    return total;
}

static void put_unit(void *to, annot_text_unit unit, size_t index, uint32_t value)
{
    uint16_t half = (uint16_t)value;
    if (to && unit == ANNOT_TEXT_UTF16)
        memcpy((char *)to + index * 2, &half, 2);
    else if (to)
        memcpy((char *)to + index * 4, &value, 4);
}

size_t annot__utf8_to(void *to, annot_text_unit unit, const char *text, size_t count)
{
    size_t units = 0;
    for (size_t index = 0; index < count;) {
        uint32_t value = next_character(text, count, ANNOT_TEXT_UTF8, &index);
        if (unit == ANNOT_TEXT_UTF16 && value >= 0x10000) {
            put_unit(to, unit, units++, 0xD800 + ((value - 0x10000) >> 10));
            value = 0xDC00 + (value & 0x3FF);
        }
        put_unit(to, unit, units++, value);
    }
    return units;
}

size_t annot__utf8_prefix(const char *text, size_t size)
{
    size_t lead = size;
    while (lead > 0 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead == 0)
        return 0;
    unsigned char byte = (unsigned char)text[lead - 1];
    size_t needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return size - (lead - 1) < needed ? lead - 1 : size;
}
