/* Decodes a blob to an event. Metadata says which of four encodings the blob claims. Each encoding
 * has a function that reads the header and leaves the reader at the arguments. Missing parts set a
 * flag; the blob is refused only if it is no event of the claimed encoding. */
#include <annot/pix.h>

#include "base/utf.h"
#include "pix/pix_text.h"

/* The text that a header points to. */
struct payload {
    struct annot__pix_text text;
    bool is_format; /* arguments follow, so percent signs mean something */
};

static const char invalid_utf8_name[] = "<invalid UTF8 string>";

static void read_context(struct annot__pix_reader *reader, annot_pix_event *event)
{
    if (annot__pix_read_word(reader, &event->context))
        reader->flags |= ANNOT_PIX_HAS_CONTEXT;
    else
        reader->flags |= ANNOT_PIX_TRUNCATED;
}

/* Reads the colour word of either version. */
static void read_color(struct annot__pix_reader *reader, annot_pix_event *event, bool may_be_index)
{
    uint64_t color;
    if (!annot__pix_read_word(reader, &color)) {
        reader->flags |= ANNOT_PIX_TRUNCATED;
        return;
    }
    event->color = (uint32_t)color;
    event->color_kind =
        may_be_index && color <= 0xff ? ANNOT_PIX_COLOR_KIND_INDEX : ANNOT_PIX_COLOR_KIND_ARGB;
}

static annot_pix_status read_v1(struct annot__pix_reader *reader, annot_pix_event *event,
                                struct payload *out)
{
    uint64_t header;
    if (!annot__pix_read_word(reader, &header))
        return ANNOT_PIX_TOO_SHORT;
    const uint32_t opcode = header >> 10 & 0x3ff;
    const uint32_t plain = opcode & ~0x10u;
    if ((header & 0x7f) != 0 || (plain != 1 && plain != 2 && plain != 7 && plain != 8))
        return ANNOT_PIX_NOT_V1;
    event->kind = plain < 7 ? ANNOT_PIX_KIND_BEGIN : ANNOT_PIX_KIND_MARKER;
    event->timestamp = header >> 20;
    out->is_format = plain == 1 || plain == 7;

    read_color(reader, event, true);
    if (opcode & 0x10)
        read_context(reader, event);
    if (annot__pix_read_string(reader, &out->text) == ANNOT__PIX_STRING_MISSING)
        reader->flags |= ANNOT_PIX_TRUNCATED;
    return ANNOT_PIX_OK;
}

static annot_pix_status read_v2(struct annot__pix_reader *reader, annot_pix_event *event,
                                struct payload *out)
{
    static const annot_pix_kind kinds[] = {ANNOT_PIX_KIND_END, ANNOT_PIX_KIND_BEGIN,
                                           ANNOT_PIX_KIND_MARKER};
    uint64_t header;
    if (!annot__pix_read_word(reader, &header))
        return ANNOT_PIX_TOO_SHORT;
    const size_t size = (header & 0x7f) * 8;
    const uint32_t type = header >> 7 & 0x1f;
    const uint32_t bits = header >> 12 & 0xff;
    if (size == 0 || type > 2)
        return ANNOT_PIX_NOT_V2;
    event->kind = kinds[type];
    event->timestamp = header >> 20;
    if (size > reader->end)
        reader->flags |= ANNOT_PIX_TRUNCATED;
    else
        reader->end = size;

    if ((bits & 0xf0) == 0xf0) {
        read_color(reader, event, false);
    } else {
        event->color = bits >> 4 & 7;
        event->color_kind = ANNOT_PIX_COLOR_KIND_INDEX;
    }
    if (bits & 1)
        read_context(reader, event);
    if (event->kind == ANNOT_PIX_KIND_END)
        return ANNOT_PIX_OK;
    const uint32_t earlier = reader->flags & ANNOT_PIX_TRUNCATED;
    reader->flags &= ~(uint32_t)ANNOT_PIX_TRUNCATED;
    out->text = annot__pix_read_chars(reader, (bits & 2) == 0, 8);
    const bool has_end = (reader->flags & ANNOT_PIX_TRUNCATED) == 0;
    out->is_format = has_end && reader->at < size;
    reader->flags |= earlier;
    return ANNOT_PIX_OK;
}

/* Reads the blob of Metadata 0 and 1: a string, with or without a NUL. Only half a character is
 * cut. */
static void read_plain(struct annot__pix_reader *reader, struct payload *out, bool is_wide)
{
    const size_t size = reader->end;
    out->text = annot__pix_read_chars(reader, is_wide, 1);
    if (!is_wide || size % 2 == 0)
        reader->flags &= ~(uint32_t)ANNOT_PIX_TRUNCATED;
}

static annot_pix_status read_payload(uint32_t metadata, struct annot__pix_reader *reader,
                                     annot_pix_event *event, struct payload *out)
{
    switch (metadata) {
    case ANNOT_PIX_METADATA_UTF16:
    case ANNOT_PIX_METADATA_UTF8:
        read_plain(reader, out, metadata == ANNOT_PIX_METADATA_UTF16);
        return ANNOT_PIX_OK;
    case ANNOT_PIX_METADATA_V1:
        return read_v1(reader, event, out);
    case ANNOT_PIX_METADATA_V2:
        return read_v2(reader, event, out);
    default:
        return ANNOT_PIX_UNKNOWN_METADATA;
    }
}

static void finish_name(struct annot__pix_out *out)
{
    out->flags |= out->is_invalid ? ANNOT_PIX_INVALID_TEXT : 0u;
    if (out->is_invalid && !out->has_bytes) {
        out->length = 0;
        annot__pix_out_bytes(out, invalid_utf8_name, sizeof invalid_utf8_name - 1);
    }
    if (out->capacity > 0) {
        const size_t stored = out->length < out->capacity
                                  ? out->length
                                  : annot__utf8_prefix(out->name, out->capacity - 1);
        out->name[stored] = '\0';
    }
}

static annot_pix_status decode(uint32_t metadata, const void *data, size_t size, char *name,
                               size_t capacity, bool has_bytes, annot_pix_event *event)
{
    static const uint8_t nothing[1];
    struct annot__pix_reader reader = {data ? data : nothing, 0, data ? size : 0, 0};
    struct annot__pix_out out = {name, name ? capacity : 0, 0, 0, false, has_bytes};
    struct payload content = {{nothing, 0, false}, false};

    memset(event, 0, sizeof *event);
    const annot_pix_status status = read_payload(metadata, &reader, event, &content);
    if (content.is_format)
        annot__pix_interpret(&out, &reader, &content.text);
    else
        annot__pix_out_text(&out, &content.text);
    finish_name(&out);
    event->name_length = out.length;
    event->flags = status == ANNOT_PIX_OK ? out.flags | reader.flags : 0;
    return status;
}

annot_pix_status annot_pix_decode(uint32_t metadata, const void *data, size_t size, char *name,
                                  size_t capacity, annot_pix_event *event)
{
    return decode(metadata, data, size, name, capacity, false, event);
}

annot_pix_status annot_pix_decode_bytes(uint32_t metadata, const void *data, size_t size,
                                        char *name, size_t capacity, annot_pix_event *event)
{
    return decode(metadata, data, size, name, capacity, true, event);
}

const char *annot_pix_status_text(annot_pix_status status)
{
    static const char *const texts[] = {
        "decoded",
        "this Metadata is not a PIX encoding; use 0 (UTF-16), 1 (UTF-8), 2 (v1) or 6345127 (v2)",
        "the payload is too short: a v1 or v2 event has at least 8 "
        "bytes; check the Size that was recorded",
        "Metadata says v1, but the first word is not a v1 event; if bits 0-6 are not zero, try "
        "Metadata 6345127 (v2)",
        "Metadata says v2, but the first word is not a v2 event; if bits 0-6 are zero, try "
        "Metadata 2 (v1)"};
    return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "an unknown status";
}
