#include "report/report.h"

#include "base/utf.h"

#include <annot/pix.h>

#include <stdio.h>
#include <string.h>

/* ---- output ---- */

bool annot__out_flush(struct annot__out *out)
{
    if (out->used > 0 && !out->has_failed &&
        !out->sink->write(out->sink->user, out->buffer, out->used))
        out->has_failed = true;
    out->used = 0;
    return !out->has_failed;
}

void annot__out_bytes(struct annot__out *out, const char *bytes, size_t size)
{
    while (size > 0) {
        if (out->used == sizeof out->buffer && !annot__out_flush(out))
            return;
        size_t room = sizeof out->buffer - out->used;
        size_t part = size < room ? size : room;
        memcpy(out->buffer + out->used, bytes, part);
        out->used += part;
        bytes += part;
        size -= part;
    }
}

void annot__out_text(struct annot__out *out, const char *text)
{
    annot__out_bytes(out, text, strlen(text));
}

void annot__out_format(struct annot__out *out, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size > 0)
        annot__out_bytes(out, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

/* ---- names ---- */

/* The units hold no NUL, so that zeros at the end tell where a cut name's last character ended. */
static void name_from_units(const void *units, size_t count, annot_text_unit unit, char *buffer,
                            size_t capacity, struct annot__name *name)
{
    size_t tail = capacity < 4 ? capacity : 4;
    if (tail > 0)
        memset(buffer + capacity - tail, 0, tail);
    size_t whole = annot__utf8_from(buffer, capacity, units, count, unit);
    name->text = buffer;
    name->size = whole <= capacity ? whole : capacity;
    name->is_cut |= whole > capacity;
    while (whole > capacity && name->size > 0 && buffer[name->size - 1] == 0)
        name->size--;
}

void annot__name_of_text(annot_text text, char *buffer, size_t capacity, struct annot__name *name)
{
    *name = (struct annot__name){0};
    size_t size = text.data ? text.size : 0;
    const char *nul = size > 0 ? memchr(text.data, 0, size) : NULL;
    if (nul)
        size = (size_t)(nul - text.data);
    name_from_units(text.data, size, ANNOT_TEXT_UTF8, buffer, capacity, name);
}

static size_t utf16_length(struct annot__bytes payload)
{
    size_t count = 0;
    while (2 * count + 1 < payload.size && (payload.data[2 * count] || payload.data[2 * count + 1]))
        count++;
    return count;
}

/* Metadata 0: UTF-16LE in unaligned bytes; converted in aligned pieces that don't part a surrogate pair. */
static void name_from_utf16(struct annot__bytes payload, char *buffer, size_t capacity,
                            struct annot__name *name)
{
    uint16_t units[256];
    size_t count = utf16_length(payload), at = 0;
    name->text = buffer;
    while (at < count && !name->is_cut) {
        size_t part = count - at < 256 ? count - at : 256;
        for (size_t i = 0; i < part; i++)
            units[i] = (uint16_t)(payload.data[2 * (at + i)] | payload.data[2 * (at + i) + 1] << 8);
        if (part == 256 && at + part < count && (units[255] & 0xFC00) == 0xD800)
            part--;
        struct annot__name piece = {0};
        name_from_units(units, part, ANNOT_TEXT_UTF16, buffer + name->size, capacity - name->size,
                        &piece);
        name->size += piece.size;
        name->is_cut |= piece.is_cut;
        at += part;
    }
}

static void name_from_pix(uint32_t metadata, struct annot__bytes payload, char *buffer,
                          size_t capacity, struct annot__name *name)
{
    annot_pix_event event;
    if (annot_pix_decode(metadata, payload.data, payload.size, buffer, capacity, &event) !=
        ANNOT_PIX_OK) {
        int size = snprintf(buffer, capacity, "(metadata %u, %zu bytes)", metadata, payload.size);
        name->text = buffer;
        name->size = size > 0 && (size_t)size < capacity ? (size_t)size : 0;
        return;
    }
    name->text = buffer;
    name->size = event.name_length < capacity ? event.name_length : strlen(buffer);
    name->is_cut |= event.name_length >= capacity || (event.flags & ANNOT_PIX_TRUNCATED);
    name->has_color = event.color_kind == ANNOT_PIX_COLOR_KIND_ARGB;
    name->color = event.color;
}

static void name_from_words(const char *words, char *buffer, size_t capacity,
                            struct annot__name *name)
{
    size_t size = strlen(words);
    if (size >= capacity)
        return;
    memcpy(buffer, words, size + 1);
    name->text = buffer;
    name->size = size;
}

void annot__name_of_entry(const annot_reader *reader, uint32_t index, char *buffer, size_t capacity,
                          struct annot__name *name)
{
    const struct annot__entry *entry = &reader->entries[index];
    struct annot__dump_BEGIN fields;
    struct annot__bytes payload;
    *name = (struct annot__name){0};
    annot__entry_marker(reader, entry, &fields, &payload);
    annot_payload origin = annot__payload_of(fields.flags);
    if (origin == ANNOT_PAYLOAD_UNREADABLE)
        name_from_words("(memory gone)", buffer, capacity, name);
    else if (fields.metadata == ANNOT_PIX_METADATA_UTF16)
        name_from_utf16(payload, buffer, capacity, name);
    else if (fields.metadata == ANNOT_PIX_METADATA_UTF8)
        annot__name_of_text((annot_text){(const char *)payload.data, payload.size}, buffer,
                            capacity, name);
    else
        name_from_pix(fields.metadata, payload, buffer, capacity, name);
    name->is_cut |= origin != ANNOT_PAYLOAD_UNREADABLE && fields.size > payload.size;
    name->payload = origin;
    if (name->size == 0)
        name_from_words("(no name)", buffer, capacity, name);
}

/* ---- characters that may go out ---- */

/* One character of valid UTF-8. */
static size_t next_character(const char *text, size_t size, uint32_t *character)
{
    uint8_t lead = (uint8_t)text[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length > size)
        length = size;
    uint32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        value = value << 6 | ((uint8_t)text[i] & 0x3Fu);
    *character = value;
    return length;
}

/* Control characters, line and paragraph separators, and what reorders the text around it. */
static bool is_unprintable(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

static size_t escape(uint32_t c, char to[16])
{
    int size;
    if (c == '\n' || c == '\r' || c == '\t')
        size = snprintf(to, 16, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    else
        size = snprintf(to, 16, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
    return (size_t)size;
}

/* The next piece of printable output: as it stands, or escaped. */
static size_t printable_piece(const char *text, size_t size, char escaped[16], const char **piece,
                              size_t *piece_size)
{
    uint32_t c;
    size_t step = next_character(text, size, &c);
    *piece = text;
    *piece_size = step;
    if (is_unprintable(c)) {
        *piece = escaped;
        *piece_size = escape(c, escaped);
    }
    return step;
}

void annot__out_printable(struct annot__out *out, const char *text, size_t size, size_t limit)
{
    char escaped[16];
    const char *piece;
    size_t piece_size, written = 0;
    for (size_t at = 0; at < size;) {
        at += printable_piece(text + at, size - at, escaped, &piece, &piece_size);
        if (written + piece_size > limit) {
            annot__out_text(out, "...");
            return;
        }
        annot__out_bytes(out, piece, piece_size);
        written += piece_size;
    }
}

size_t annot__printable(char *to, size_t capacity, const char *text, size_t size)
{
    char escaped[16];
    const char *piece;
    size_t piece_size, written = 0;
    if (capacity == 0)
        return 0;
    for (size_t at = 0; at < size;) {
        at += printable_piece(text + at, size - at, escaped, &piece, &piece_size);
        if (written + piece_size >= capacity)
            break;
        memcpy(to + written, piece, piece_size);
        written += piece_size;
    }
    to[written] = 0;
    return written;
}

void annot__out_json(struct annot__out *out, const char *text, size_t size)
{
    annot__out_bytes(out, "\"", 1);
    for (size_t at = 0; at < size;) {
        uint32_t c;
        size_t step = next_character(text + at, size - at, &c);
        if (c == '"' || c == '\\')
            annot__out_format(out, "\\%c", (char)c);
        else if (is_unprintable(c))
            annot__out_format(out, "\\u%04x", c);
        else
            annot__out_bytes(out, text + at, step);
        at += step;
    }
    annot__out_bytes(out, "\"", 1);
}

size_t annot_reader_entry_name(const annot_reader *reader, uint32_t entry, char *buffer,
                               size_t capacity)
{
    char scratch[4096];
    struct annot__name name = {0};
    if (entry >= reader->entry_count || capacity == 0)
        return 0;
    buffer[0] = 0;
    if (!annot__entry_is_marker(&reader->entries[entry]))
        return 0;
    annot__name_of_entry(reader, entry, scratch, sizeof scratch, &name);
    return annot__printable(buffer, capacity, name.text, name.size);
}
