/* Reads characters of a blob and writes them as UTF-8 into a name. A blob is untrusted input: every
 * index is checked against the slice, and a slice only ever covers bytes that the caller passed. */
#include "pix/pix_text.h"
#include "base/little.h"
#include "base/utf.h"

#include <annot/pix.h>

/* ---- output ---- */

/* Returns how many of `count` more bytes fit, with room for the NUL. */
static size_t room_for(const struct annot__pix_out *out, size_t count)
{
    if (out->length + 1 >= out->capacity)
        return 0;
    const size_t room = out->capacity - 1 - out->length;
    return count < room ? count : room;
}

void annot__pix_out_bytes(struct annot__pix_out *out, const char *bytes, size_t count)
{
    const size_t room = room_for(out, count);
    if (room > 0)
        memcpy(out->name + out->length, bytes, room);
    out->length += count;
}

void annot__pix_out_fill(struct annot__pix_out *out, char byte, size_t count)
{
    const size_t room = room_for(out, count);
    if (room > 0)
        memset(out->name + out->length, byte, room);
    out->length += count;
}

/* Writes a character as UTF-8; an invalid number becomes U+FFFD. */
static void put_utf8(struct annot__pix_out *out, uint32_t c)
{
    char bytes[4];
    if (annot__is_surrogate(c)) {
        c = ANNOT__PIX_REPLACEMENT;
        out->flags |= ANNOT_PIX_INVALID_TEXT;
    }
    annot__pix_out_bytes(out, bytes, annot__utf8_encode(bytes, c));
}

/* ---- characters ---- */

static int32_t next_utf16(const struct annot__pix_text *text, size_t *i)
{
    const uint32_t unit = annot__pix_unit(text, (*i)++);
    if (unit >= 0xd800 && unit < 0xdc00 && *i < text->units) {
        const uint32_t low = annot__pix_unit(text, *i);
        if (low >= 0xdc00 && low < 0xe000) {
            *i += 1;
            return (int32_t)(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
        }
    }
    return (int32_t)unit;
}

int32_t annot__pix_next_char(const struct annot__pix_text *text, size_t *i)
{
    if (text->is_wide)
        return next_utf16(text, i);
    return (int32_t)annot__utf8_next(text->bytes, text->units, i); /* ANNOT__UTF_INVALID is -1 */
}

/* Returns the number of ASCII bytes from `i` on. */
static size_t ascii_run(const struct annot__pix_text *text, size_t i)
{
    const size_t from = i;
    for (uint64_t word; i + 8 <= text->units; i += 8) {
        memcpy(&word, text->bytes + i, 8);
        if (word & 0x8080808080808080u)
            break;
    }
    while (i < text->units && text->bytes[i] < 0x80)
        i++;
    return i - from;
}

void annot__pix_out_text(struct annot__pix_out *out, const struct annot__pix_text *text)
{
    for (size_t i = 0; i < text->units;) {
        if (!text->is_wide) {
            const size_t run = ascii_run(text, i);
            annot__pix_out_bytes(out, (const char *)text->bytes + i, run);
            i += run;
            if (i == text->units)
                break;
        }
        const size_t at = i;
        const int32_t c = annot__pix_next_char(text, &i);
        if (c >= 0) {
            put_utf8(out, (uint32_t)c);
            continue;
        }
        out->is_invalid = true;
        i = at + 1; /* invalid bytes are skipped one by one */
        put_utf8(out, text->bytes[at]);
    }
}

/* ---- words and strings ---- */

bool annot__pix_read_word(struct annot__pix_reader *reader, uint64_t *word)
{
    const size_t left = reader->end - reader->at;
    if (left < 8) {
        if (left > 0)
            reader->flags |= ANNOT_PIX_TRUNCATED;
        return false;
    }
    *word = annot__little_u64(reader->data + reader->at);
    reader->at += 8;
    return true;
}

/* Returns the number of units before the NUL, or `count` without a NUL. */
static size_t find_nul(const struct annot__pix_text *text)
{
    if (!text->is_wide) {
        const uint8_t *nul = memchr(text->bytes, 0, text->units);
        return nul ? (size_t)(nul - text->bytes) : text->units;
    }
    size_t i = 0;
    while (i < text->units && annot__pix_unit(text, i) != 0)
        i++;
    return i;
}

struct annot__pix_text annot__pix_read_chars(struct annot__pix_reader *reader, bool is_wide,
                                             size_t chunk)
{
    const size_t unit = is_wide ? 2 : 1;
    const size_t left = reader->end - reader->at;
    struct annot__pix_text text = {reader->data + reader->at, left / unit, is_wide};
    const size_t length = find_nul(&text);
    if (length == text.units) {
        reader->flags |= ANNOT_PIX_TRUNCATED;
        reader->at = reader->end;
        return text;
    }
    text.units = length;
    const size_t bytes = (length + 1) * unit;
    const size_t padding = (0 - bytes) & (chunk - 1);
    reader->at += padding < left - bytes ? bytes + padding : left;
    return text;
}

/* Returns true for a string info word: bits 0-52 are zero, and chunk and alignment are values that
 * encoders use. */
static bool is_string_info(uint64_t word)
{
    const uint64_t chunk = word >> 55 & 0x1f;
    return (word & (((uint64_t)1 << 53) - 1)) == 0 && (chunk == 8 || chunk == 16) &&
           word >> 60 < chunk;
}

/* Skips alignment. Encoders copy from aligned addresses, so `alignment` bytes in front of the
 * characters are not in the string. Microsoft's decoder expects the next word at the same place. */
static void read_aligned(struct annot__pix_reader *reader, uint64_t info,
                         struct annot__pix_text *text)
{
    const size_t from = reader->at, chunk = info >> 55 & 0x1f, alignment = (size_t)(info >> 60);
    const size_t left = reader->end - from;
    reader->at += alignment < left ? alignment : left;
    *text = annot__pix_read_chars(reader, (info & ANNOT__PIX_INFO_8BIT) == 0, chunk);
    const size_t used = (reader->at - from) & ~(size_t)7;
    if (reader->at < reader->end)
        reader->at = from + used;
}

enum annot__pix_string annot__pix_read_string(struct annot__pix_reader *reader,
                                              struct annot__pix_text *text)
{
    const size_t at = reader->at;
    uint64_t info;
    if (!annot__pix_read_word(reader, &info))
        return ANNOT__PIX_STRING_MISSING;
    if (info == 0) {
        reader->at = at;
        return ANNOT__PIX_STRING_NULL;
    }
    if (is_string_info(info))
        read_aligned(reader, info, text);
    else
        reader->flags |= ANNOT_PIX_FORMAT_INVALID;
    return ANNOT__PIX_STRING_OK;
}
