/* Makes names of markers, and other texts of a dump, in UTF-8. */
#include "reader/ask.h"

#include "base/utf.h"

#include <annot/pix.h>

#include <stdio.h>

/* Makes a name from units without a NUL; so zeros at the end show where a cut name ends. */
static void name_from_units(const void *units, size_t count, annot_text_unit unit, char *buffer,
                            size_t capacity, struct annot__name *name)
{
    capacity--; /* room for the NUL that PIX names have */
    size_t tail = capacity < 4 ? capacity : 4;
    memset(buffer + capacity - tail, 0, tail);
    size_t whole = annot__utf8_from(buffer, capacity, units, count, unit);
    name->text = buffer;
    name->size = whole <= capacity ? whole : capacity;
    name->is_short |= whole > capacity;
    while (name->size > 0 && buffer[name->size - 1] == 0)
        name->size--;
}

void annot__name_of_text(annot_text text, char *buffer, size_t capacity, struct annot__name *name)
{
    *name = (struct annot__name){0};
    size_t size = text.size;
    if (size > capacity) /* the name doesn't fit, because each byte makes at least one */
        size = capacity;
    const char *nul = size > 0 ? memchr(text.data, 0, size) : NULL;
    if (nul)
        size = (size_t)(nul - text.data);
    name_from_units(text.data, size, ANNOT_TEXT_UTF8, buffer, capacity, name);
}

/* Returns the number of units before the NUL, at most `limit`. */
static size_t utf16_length(struct annot__bytes payload, size_t limit)
{
    size_t count = 0;
    while (count < limit && 2 * count + 1 < payload.size &&
           (payload.data[2 * count] || payload.data[2 * count + 1]))
        count++;
    return count;
}

/* Reads a payload of metadata 0: UTF-16LE in unaligned bytes, converted in aligned pieces that
 * don't cut a surrogate pair. */
static void name_from_utf16(struct annot__bytes payload, char *buffer, size_t capacity,
                            struct annot__name *name)
{
    uint16_t units[256];
    size_t count = utf16_length(payload, capacity), at = 0;
    name->text = buffer;
    while (at < count && !name->is_short) {
        size_t part = count - at < 256 ? count - at : 256;
        for (size_t i = 0; i < part; i++)
            units[i] = (uint16_t)(payload.data[2 * (at + i)] | payload.data[2 * (at + i) + 1] << 8);
        if (part == 256 && (units[255] & 0xFC00) == 0xD800)
            part--;
        struct annot__name piece = {0};
        name_from_units(units, part, ANNOT_TEXT_UTF16, buffer + name->size, capacity - name->size,
                        &piece);
        name->size += piece.size;
        name->is_short |= piece.is_short;
        at += part;
    }
}

/* Adds bytes to the name: all if they should be UTF-8, otherwise only the printable ones. */
static void add_bytes(struct annot__bytes bytes, bool is_text, bool has_end, size_t capacity,
                      struct annot__name *name)
{
    for (size_t at = 0; at < bytes.size && !name->is_short;) {
        const size_t from = at;
        char encoded[4];
        uint32_t c = annot__utf8_next(bytes.data, bytes.size, &at);
        if (c == ANNOT__UTF_INVALID && at == bytes.size && !has_end)
            break; /* half a character */
        if (c == ANNOT__UTF_INVALID) {
            c = bytes.data[from];
            at = from + 1;
            name->is_no_utf8 = true;
        }
        if (!is_text && (c < 0x20 || (c >= 0x7F && c < 0xA0)))
            continue;
        const unsigned size = annot__utf8_encode(encoded, c);
        name->is_short = size >= capacity - name->size;
        memcpy(name->text + name->size, encoded, name->is_short ? 0 : size);
        name->size += name->is_short ? 0 : size;
    }
}

/* Reads a payload of metadata 1. */
static void name_from_utf8(struct annot__bytes payload, char *buffer, size_t capacity,
                           struct annot__name *name)
{
    const bool is_long = payload.size > capacity; /* each byte makes at least one */
    if (is_long)
        payload.size = capacity;
    const void *nul = payload.size > 0 ? memchr(payload.data, 0, payload.size) : NULL;
    if (nul)
        payload.size = (size_t)((const uint8_t *)nul - payload.data);
    name->text = buffer;
    add_bytes(payload, true, nul || (!is_long && !name->is_cut), capacity, name);
    name->is_short |= is_long && !nul;
}

/* Reads a payload that no decoder knows. */
static void name_from_any(uint32_t metadata, struct annot__bytes payload, char *buffer,
                          size_t capacity, struct annot__name *name)
{
    const int length =
        snprintf(buffer, capacity, "(metadata %u, %zu bytes) ", metadata, payload.size);
    name->text = buffer;
    name->is_opaque = true;
    name->size = strlen(buffer);
    name->is_short = (size_t)length >= capacity;
    if (name->is_short)
        return;
    add_bytes(payload, false, true, capacity, name);
    name->is_no_utf8 = false;
    name->size -= name->size == (size_t)length;
}

static void name_from_pix(uint32_t metadata, struct annot__bytes payload, char *buffer,
                          size_t capacity, struct annot__name *name)
{
    annot_pix_event event;
    if (annot_pix_decode_bytes(metadata, payload.data, payload.size, buffer, capacity, &event) !=
        ANNOT_PIX_OK) {
        name_from_any(metadata, payload, buffer, capacity, name);
        return;
    }
    name->text = buffer;
    name->size = strlen(buffer);
    name->is_short |= event.name_length >= capacity;
    name->is_cut |= (event.flags & ANNOT_PIX_TRUNCATED) != 0;
    name->is_no_utf8 |= (event.flags & ANNOT_PIX_INVALID_TEXT) != 0;
    name->has_color = event.color_kind == ANNOT_PIX_COLOR_KIND_ARGB;
    name->color = event.color;
}

static void name_from_words(const char *words, char *buffer, size_t capacity,
                            struct annot__name *name)
{
    snprintf(buffer, capacity, "%s", words);
    name->text = buffer;
    name->size = strlen(buffer);
}

void annot__name_of_marker(const struct annot__marker_view *marker, char *buffer, size_t capacity,
                           struct annot__name *name)
{
    *name = (struct annot__name){.is_cut = annot__is_payload_cut(marker)};
    if (marker->payload == ANNOT_PAYLOAD_UNREADABLE)
        name_from_words("(memory gone)", buffer, capacity, name);
    else if (marker->metadata == ANNOT_PIX_METADATA_UTF16)
        name_from_utf16(marker->bytes, buffer, capacity, name);
    else if (marker->metadata == ANNOT_PIX_METADATA_UTF8)
        name_from_utf8(marker->bytes, buffer, capacity, name);
    else
        name_from_pix(marker->metadata, marker->bytes, buffer, capacity, name);
    name->payload = marker->payload;
    if (name->size == 0)
        name_from_words("(no name)", buffer, capacity, name);
}

void annot__name_of_entry(const annot_reader *reader, uint32_t index, char *buffer, size_t capacity,
                          struct annot__name *name)
{
    struct annot__marker_view marker;
    annot__entry_marker(reader, &reader->entries[index], &marker);
    annot__name_of_marker(&marker, buffer, capacity, name);
}

void annot__printable_add(char *to, size_t *capacity, size_t *used, const char *text, size_t size)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, size - at, piece, &piece_size);
        if (piece_size >= *capacity - *used) {
            *capacity = *used + 1;
            break;
        }
        memcpy(to + *used, piece, piece_size);
        *used += piece_size;
    }
    to[*used] = 0;
}

size_t annot__printable(char *to, size_t capacity, const char *text, size_t size)
{
    size_t used = 0;
    if (capacity > 0)
        annot__printable_add(to, &capacity, &used, text, size);
    return used;
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
