/*
 * A dump being written: one preallocated buffer that gathers a section's records, and what the writing itself could not
 * get at. Nothing here allocates.
 */
#ifndef ANNOT_LIB_DUMP_WRITER_H
#define ANNOT_LIB_DUMP_WRITER_H

#include "base/process.h"
#include "dump/dump_format.h"
#include "record/record.h"

#include <annot/dump.h>

/* Of a dump as a file, suffixes included. */
#define ANNOT__DUMP_PATH_MAX 4096

struct annot_dump_writer {
    annot_device *device;
    const annot_dump_sink *sink;
    const annot_dump_info *info;
    struct annot__process process;
    bool failed;
    uint32_t section_kind;
    uint32_t section_index;
    uint64_t records, markers;
    uint64_t locked_arenas, unknown_rows;
    bool locked_children;
    uint64_t unreadable; /* parts of what is pointed at */
    uint64_t wait_left;  /* nanoseconds that locks may still be waited for */
    size_t used;         /* bytes of `section`, its header included */
    char section[ANNOT__DUMP_SECTION_HEADER + ANNOT__DUMP_SECTION_MAX];
    char referenced[ANNOT__REFERENCE_PIECE]; /* copied from memory that may not be there */
    char temporary[ANNOT__DUMP_PATH_MAX];
    char path[ANNOT__DUMP_PATH_MAX]; /* of the whole dump that was written last; "": none */
};

/* ---- frame.c: header, sections, records ---- */

/* The file header without its magic, which only the finished dump gets. */
void annot__write_header(annot_dump_writer *writer);

/* Records written from here on go into a section of this kind; what was gathered before goes to the sink. */
void annot__section_begin(annot_dump_writer *writer, uint32_t kind);
void annot__section_flush(annot_dump_writer *writer);

/* Room for a record in the section, whose header is written; the caller writes the fixed and the variable part. */
char *annot__record_begin(annot_dump_writer *writer, uint32_t kind, uint32_t fixed,
                          uint32_t variable);
/* The variable part and the padding behind it; `fixed` bytes came before. */
void annot__put_variable(char *at, uint32_t fixed, const void *data, uint32_t size);

/* Little-endian integers; they return where the next one goes. */
char *annot__put_u16(char *at, uint16_t value);
char *annot__put_u32(char *at, uint32_t value);
char *annot__put_u64(char *at, uint64_t value);

/* annot__put_DEVICE(at, &fields), annot__write_DEVICE(writer, &fields, data, size), ...: one record each. */
#define ANNOT__WRITE_RECORD(name, kind, doc, variable)                                             \
    char *annot__put_##name(char *at, const struct annot__dump_##name *fields);                    \
    void annot__write_##name(annot_dump_writer *writer, const struct annot__dump_##name *fields,   \
                             const void *data, uint32_t size);
ANNOT__DUMP_RECORDS(ANNOT__WRITE_RECORD)

/* How much of `size` bytes goes into one record; text is not cut inside of a character. */
uint32_t annot__cut_bytes(uint64_t size);
uint32_t annot__cut_text(const char *text, uint64_t size);

/* Notes that `count` of something are not in the dump; 0 writes nothing. */
void annot__write_loss(annot_dump_writer *writer, uint32_t what, uint64_t object, uint64_t count);

/* Waits for as long as this dump may still wait. False: the dump will say so. */
static inline bool annot__lock_children(annot_dump_writer *writer)
{
    bool is_locked = annot__mutex_try_for(&writer->device->children, &writer->wait_left);
    writer->locked_children |= !is_locked;
    return is_locked;
}

/* ---- sections, in the format's order: each begins its section and writes its records ---- */

#define ANNOT__WRITE_SECTION(name, kind, doc)                                                      \
    void annot__write_section_##name(annot_dump_writer *writer);
ANNOT__DUMP_SECTIONS(ANNOT__WRITE_SECTION)

#endif
