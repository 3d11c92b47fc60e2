/* Decodes data on request from the file's bytes: EventIDs and payloads of markers, bundles,
 * blobs. */
#include "dump/dump_decode.h"
#include "dump_read/dump_model.h"

#include <string.h>

/* ---- markers and bundles ---- */

static annot_payload payload_of(uint32_t flags)
{
    if ((flags & ANNOT__DUMP_MARKER_BY_REFERENCE) == 0)
        return ANNOT_PAYLOAD_COPIED;
    if (flags & ANNOT__DUMP_MARKER_UNREADABLE)
        return ANNOT_PAYLOAD_UNREADABLE;
    return flags & ANNOT__DUMP_MARKER_CHANGED ? ANNOT_PAYLOAD_CHANGED : ANNOT_PAYLOAD_REFERENCED;
}

void annot__entry_marker(const annot_reader *reader, const struct annot__entry *entry,
                         struct annot__marker_view *out)
{
    struct annot__record_view record = annot__record_at(reader->file, (size_t)entry->offset);
    struct annot__dump_BEGIN fields;
    annot__decode_BEGIN(record.fixed, &fields);
    *out = (struct annot__marker_view){
        .metadata = fields.metadata,
        .size = fields.size,
        .payload = payload_of(fields.flags),
        .bytes = record.variable,
    };
}

uint64_t annot__entry_event_id(const annot_reader *reader, uint32_t entry)
{
    const struct annot__entry *of = &reader->entries[entry];
    if (!annot__entry_is_marker(of))
        return 0;
    struct annot__bytes fixed = annot__record_at(reader->file, (size_t)of->offset).fixed;
    return annot__bytes_u64(&fixed); /* the first field of both */
}

struct annot__dump_BUNDLE annot__entry_bundle(const annot_reader *reader, uint32_t entry)
{
    const size_t offset = (size_t)reader->entries[entry].offset;
    struct annot__dump_BUNDLE fields;
    annot__decode_BUNDLE(annot__record_at(reader->file, offset).fixed, &fields);
    return fields;
}

bool annot__entry_bundle_name(const annot_reader *reader, uint32_t entry, struct annot__called *out)
{
    const size_t offset = (size_t)reader->entries[entry].offset;
    const struct annot__bytes name = annot__record_at(reader->file, offset).variable;
    const struct annot__dump_BUNDLE fields = annot__entry_bundle(reader, entry);
    if (!(fields.flags & 1))
        return false;
    *out = (struct annot__called){.name = {(const char *)name.data, name.size},
                                  .is_cut = fields.name_size > name.size};
    return true;
}

/* ---- blobs ---- */

/* Copies the bytes of one piece that are in [offset, offset + capacity). */
static void read_piece(struct annot__bytes file, size_t record_offset, uint64_t offset, uint8_t *to,
                       size_t capacity)
{
    struct annot__record_view record = annot__record_at(file, record_offset);
    struct annot__dump_BLOB fields;
    annot__decode_BLOB(record.fixed, &fields);
    uint64_t start = fields.offset;
    uint64_t size = record.variable.size;
    if (start + size <= offset ||
        start >= offset + capacity) /* an overflow gives the same result */
        return;
    uint64_t from = start > offset ? start : offset;
    uint64_t end = start + size < offset + capacity ? start + size : offset + capacity;
    memcpy(to + (from - offset), record.variable.data + (from - start), (size_t)(end - from));
}

size_t annot__blob_read(const annot_reader *reader, const struct annot__blob_entry *blob,
                        uint64_t offset, void *buffer, size_t capacity)
{
    if (offset >= blob->blob.size)
        return 0;
    if (capacity > blob->blob.size - offset)
        capacity = (size_t)(blob->blob.size - offset);
    if (capacity > 0)
        memset(buffer, 0, capacity);
    for (uint32_t i = 0; i < blob->pieces.count; i++)
        read_piece(reader->file, (size_t)reader->pieces[blob->pieces.first + i], offset, buffer,
                   capacity);
    return capacity;
}
