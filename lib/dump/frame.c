/*
 * The framing of a dump from the writer's side. Records are gathered in a buffer of one section; a full buffer is hashed
 * and handed to the sink.
 */
#include "dump/writer.h"
#include "base/utf.h"

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

#include <string.h>

/* ---- little-endian ---- */

char *annot__put_u16(char *at, uint16_t value)
{
    at[0] = (char)value;
    at[1] = (char)(value >> 8);
    return at + 2;
}

char *annot__put_u32(char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(value >> (8 * i));
    return at + 4;
}

char *annot__put_u64(char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (char)(value >> (8 * i));
    return at + 8;
}

static size_t padding(size_t size)
{
    return (8 - size % 8) % 8;
}

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
    uint64_t seed = (uint64_t)writer->section_index << 32 | writer->section_kind;
    uint64_t hash = XXH64(writer->section + ANNOT__DUMP_SECTION_HEADER, payload, seed);
    char *at = writer->section;
    memcpy(at, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    at = annot__put_u32(at + ANNOT__DUMP_MAGIC_SIZE, writer->section_kind);
    at = annot__put_u32(at, writer->section_index);
    at = annot__put_u64(at, payload);
    annot__put_u64(at, hash);
    sink_write(writer, writer->section, writer->used); /* records are padded: so is the payload */
    writer->section_index++;
    writer->used = ANNOT__DUMP_SECTION_HEADER;
}

void annot__section_begin(annot_dump_writer *writer, uint32_t kind)
{
    annot__section_flush(writer);
    writer->section_kind = kind;
}

char *annot__record_begin(annot_dump_writer *writer, uint32_t kind, uint32_t fixed,
                          uint32_t variable)
{
    size_t size = ANNOT__DUMP_RECORD_HEADER + (size_t)fixed + variable;
    size += padding(size);
    if (size > sizeof writer->section - writer->used)
        annot__section_flush(writer);
    char *at = writer->section + writer->used;
    writer->used += size;
    writer->records++;
    at = annot__put_u16(at, (uint16_t)kind);
    at = annot__put_u16(at, (uint16_t)fixed);
    return annot__put_u32(at, variable);
}

void annot__put_variable(char *at, uint32_t fixed, const void *data, uint32_t size)
{
    if (size > 0)
        memcpy(at, data, size);
    memset(at + size, 0, padding(ANNOT__DUMP_RECORD_HEADER + (size_t)fixed + size));
}

#define PUT_U32(name, doc) at = annot__put_u32(at, fields->name);
#define PUT_U64(name, doc) at = annot__put_u64(at, fields->name);
#define WRITE_RECORD(name, kind, doc, variable)                                                    \
    char *annot__put_##name(char *at, const struct annot__dump_##name *fields)                     \
    {                                                                                              \
        ANNOT__DUMP_FIELDS_##name(PUT_U32, PUT_U64) return at;                                     \
    }                                                                                              \
    void annot__write_##name(annot_dump_writer *writer, const struct annot__dump_##name *fields,   \
                             const void *data, uint32_t size)                                      \
    {                                                                                              \
        const uint32_t fixed = ANNOT__DUMP_##name##_FIXED;                                         \
        char *at = annot__record_begin(writer, ANNOT__DUMP_##name, fixed, size);                   \
        annot__put_variable(annot__put_##name(at, fields), fixed, data, size);                     \
    }
ANNOT__DUMP_RECORDS(WRITE_RECORD)

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
        annot__write_LOSS(
            writer, &(struct annot__dump_LOSS){.what = what, .object = object, .count = count},
            NULL, 0);
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
