/* Writes header, sections and records of a dump. A buffer gathers the records of one section; a
 * full buffer is hashed and given to the sink. */
#include "dump_write/writer.h"
#include "base/utf.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

/* ---- sections ---- */

static void sink_write(annot_dump_writer *writer, const void *data, size_t size)
{
    if (!writer->failed && !writer->sink->write(writer->sink->user, data, size))
        writer->failed = true;
}

void annot__section_flush(annot_dump_writer *writer)
{
    if (writer->used == ANNOT__DUMP_SECTION_HEADER)
        return;
    size_t payload = writer->used - ANNOT__DUMP_SECTION_HEADER;
    uint64_t seed = (uint64_t)writer->counts.sections << 32 | writer->section_kind;
    uint64_t hash = XXH64(writer->section + ANNOT__DUMP_SECTION_HEADER, payload, seed);
    char *at = writer->section;
    memcpy(at, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    at = annot__put_u32(at + ANNOT__DUMP_MAGIC_SIZE, writer->section_kind);
    at = annot__put_u32(at, writer->counts.sections);
    at = annot__put_u64(at, payload);
    annot__put_u64(at, hash);
    sink_write(writer, writer->section,
               writer->used); /* the payload is padded, because records are */
    writer->counts.sections++;
    writer->used = ANNOT__DUMP_SECTION_HEADER;
}

void annot__section_begin(annot_dump_writer *writer, uint32_t kind)
{
    annot__section_flush(writer);
    writer->section_kind = kind;
}

uint32_t annot__cut_bytes(uint64_t size)
{
    return size < ANNOT__DUMP_VARIABLE_MAX ? (uint32_t)size : ANNOT__DUMP_VARIABLE_MAX;
}

uint32_t annot__cut_text(const char *text, uint64_t size)
{
    return size > ANNOT__DUMP_VARIABLE_MAX
               ? (uint32_t)annot__utf8_prefix(text, ANNOT__DUMP_VARIABLE_MAX)
               : (uint32_t)size;
}

void annot__write_loss(annot_dump_writer *writer, uint32_t what, uint64_t object, uint64_t count)
{
    if (count)
        ANNOT__WRITE(writer, LOSS, NULL, 0, .what = what, .object = object, .count = count);
}

/* ---- the file header ---- */

void annot__write_header(annot_dump_writer *writer)
{
    char header[ANNOT__DUMP_HEADER_SIZE] = {0};
    char *checked = header + ANNOT__DUMP_MAGIC_SIZE;
    char *at = annot__put_u16(checked, ANNOT__DUMP_MAJOR);
    at = annot__put_u16(at, ANNOT__DUMP_MINOR);
    at = annot__put_u32(at, ANNOT__DUMP_HEADER_SIZE);
    at = annot__put_u64(at, 0);
    annot__put_u64(at, XXH64(checked, (size_t)(at - checked), 0));
    sink_write(writer, header, sizeof header);
}
