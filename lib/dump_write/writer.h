/* Writes a dump. The writer owns a buffer for one section's records, allocated beforehand, and a
 * list of memory that could not be read. These functions allocate nothing. */
#pragma once

#include "base/process.h"
#include "dump/dump_encode.h"
#include "record/record.h"

#include <annot/dump.h>

/* The largest size of a dump's path in bytes, with suffixes. */
#define ANNOT__DUMP_PATH_MAX 4096

struct annot__dump_counts {
    uint64_t records, markers;
    uint32_t sections;
};

struct annot_dump_writer {
    annot_device *device;
    const annot_dump_sink *sink;
    const annot_dump_info *info;
    struct annot__process process;
    bool failed;
    uint32_t section_kind;
    /* A dump in memory after the file changes only `counts`; the file's end needs its own. */
    struct annot__dump_counts counts, file_counts;
    uint64_t locked_arenas, unknown_rows;
    uint32_t thread; /* thread that made a queue's next records; 0: not known */
    bool are_objects_locked;
    uint64_t rows_cut;   /* number of progress rows above ANNOT_CRASH_REPORT_MAX_ROWS, left out */
    uint64_t unreadable; /* number of memory ranges that could not be read */
    uint64_t wait_left;  /* ns for which this dump may still wait for locks */
    size_t used;         /* bytes of `section` that are filled, with its header */
    char section[ANNOT__DUMP_SECTION_HEADER + ANNOT__DUMP_SECTION_MAX];
    char referenced[ANNOT__REFERENCE_PIECE]; /* copy of a payload whose memory may vanish */
    uint64_t file_size, file_last; /* size of the last file, and offset of its last section */
    annot_wait waits[64];          /* of annot_device_desc.waits */
    char temporary[ANNOT__DUMP_PATH_MAX];
    char path[ANNOT__DUMP_PATH_MAX]; /* path of the last dump that was completed; "": none yet */
};

/* ---- frame.c: writes the header, sections and records ---- */

/* Writes the file header without the magic. Only a finished dump has the magic. */
void annot__write_header(annot_dump_writer *writer);

/* Sends the earlier records to the sink, and begins a section of this kind for the next records. */
void annot__section_begin(annot_dump_writer *writer, uint32_t kind);
void annot__section_flush(annot_dump_writer *writer);

/* Makes room for a record, and writes its header and padding. The caller writes the fixed part and
 * the variable part. */
static inline char *annot__record_begin(annot_dump_writer *writer, uint32_t kind, uint32_t fixed,
                                        uint32_t variable)
{
    size_t size = ((size_t)ANNOT__DUMP_RECORD_HEADER + fixed + variable + 7) & ~(size_t)7;
    if (size > sizeof writer->section - writer->used)
        annot__section_flush(writer);
    char *at = writer->section + writer->used;
    writer->used += size;
    writer->counts.records++;
    memset(at + size - 8, 0, 8); /* padding first, because the record's data may overwrite it */
    at = annot__put_u16(at, (uint16_t)kind);
    at = annot__put_u16(at, (uint16_t)fixed);
    return annot__put_u32(at, variable);
}

/* Makes annot__write_DEVICE(writer, &fields, data, size) and so on. Each function writes one
 * record. The functions are inline, because a crash handler calls one for each marker. */
#define ANNOT__WRITE_RECORD(name, kind, doc, variable)                                             \
    static inline void annot__write_##name(annot_dump_writer *writer,                              \
                                           const struct annot__dump_##name *fields,                \
                                           const void *data, uint32_t size)                        \
    {                                                                                              \
        const uint32_t fixed = ANNOT__DUMP_##name##_FIXED;                                         \
        char *at = annot__record_begin(writer, ANNOT__DUMP_##name, fixed, size);                   \
        at = annot__put_##name(at, fields);                                                        \
        if (size > 0)                                                                              \
            memcpy(at, data, size);                                                                \
    }
ANNOT__DUMP_RECORDS(ANNOT__WRITE_RECORD)
/* Writes a record of the kind `name`, with fields given as `.field = value, ...`. */
#define ANNOT__WRITE(writer, name, data, size, ...)                                                \
    annot__write_##name(writer, &(struct annot__dump_##name){__VA_ARGS__}, data, size)

/* Returns how many of `size` bytes fit into one record. A text is never cut inside a character. */
uint32_t annot__cut_bytes(uint64_t size);
uint32_t annot__cut_text(const char *text, uint64_t size);

void annot__write_fact(annot_dump_writer *writer, uint32_t source, const char *key,
                       const char *value);

/* Adds one fact to a complete dump, by overwriting the dump's end with the fact and a new end. */
annot_result annot__dump_continue(annot_dump_writer *writer, const annot_dump_sink *sink,
                                  const char *key, const char *value);

/* Writes that `count` items of `what` are missing in the dump; nothing if `count` is 0. */
void annot__write_loss(annot_dump_writer *writer, uint32_t what, uint64_t object, uint64_t count);

/* Locks the device's objects. Waits only for the rest of the dump's time limit. Returns false if
 * the time runs out; the dump then says that the objects are missing. */
static inline bool annot__lock_objects(annot_dump_writer *writer)
{
    bool is_locked = annot__mutex_try_for(&writer->device->objects_lock, &writer->wait_left);
    writer->are_objects_locked |= !is_locked;
    return is_locked;
}

/* Defined in write_crumbs.c. Writes the operations of a recording, if the recording has any. */
void annot__write_ops_of(annot_dump_writer *writer, const annot_crumbs *crumbs);

/* ---- one function for each section, which writes its records in the format's order ---- */

#define ANNOT__WRITE_SECTION(name, kind, doc)                                                      \
    void annot__write_section_##name(annot_dump_writer *writer);
ANNOT__DUMP_SECTIONS(ANNOT__WRITE_SECTION)
