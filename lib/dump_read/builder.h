/* The state of making a dump's model: the counts of the first pass over the dump, and the place of
 * the second pass. Each kind of record has a function annot__read_NAME. */
#pragma once

#include "base/compiler.h"
#include "dump/dump_decode.h"
#include "dump_read/dump_model.h"

#define ANNOT__LIST_BYTES 16u /* number of bytes that a list takes in a SUBMISSION record */

struct annot__census {
    uint64_t of[ANNOT__DUMP_RECORD_SLOTS]; /* number of records of each kind, by the kind's index in
                                              the format's table */
    uint64_t lists;                        /* number of command lists of all submissions */
    uint64_t op_blocks;         /* number of ANNOT__OP_BLOCKs that the OPS records fill or begin */
    uint64_t runs;              /* largest number of annot__event_run */
    uint64_t last_event;        /* EventID of the last counted marker; 0: no marker yet */
    uint64_t sections, records; /* unknown ones too */
};

struct annot__builder {
    annot_reader *reader;
    struct annot__record_view record; /* the record that the reader reads now */
    struct annot__stream *stream;     /* the stream of the next records, or NULL */
    uint32_t open;                    /* innermost open scope of `stream`, or ANNOT__NONE */
    uint64_t open_id;                 /* EventID of the open scope */
    uint64_t last_id;                 /* EventID of the last marker of any stream */
    uint32_t position;                /* position of the last marker operation */
    uint32_t last_marker;
    uint32_t called; /* index of the queue's present name in reader->called, or ANNOT__NONE */
    uint32_t kind;   /* kind of the section */
    uint32_t thread; /* thread of the queue's next calls; 0: not known */
    bool is_damaged;
    const struct annot__census *census;
};

/* Defined in census.c. Counts the file's records, and collects findings about sections and records.
 */
void annot__census_take(annot_reader *reader, size_t sections, struct annot__census *census);

/* Sets every array's capacity. Returns false if an array needs more than 32-bit indices. */
bool annot__census_size_arrays(annot_reader *reader, const struct annot__census *census);

/* Defined in read_streams.c. Ends the current stream, which has no more records. */
void annot__finish_stream(struct annot__builder *builder);

/* Ends the current stream, whose next records may be lost; the stream may be incomplete. */
void annot__break_stream(struct annot__builder *builder);

#define ANNOT__READ_RECORD(name, kind, doc, variable)                                              \
    void annot__read_##name(struct annot__builder *builder);
ANNOT__DUMP_RECORDS(ANNOT__READ_RECORD)

/* Begins the definition of annot__read_NAME: `fields` has the record's fields, and `reader` is the
 * builder's reader. */
#define ANNOT__READ(name)                                                                          \
    static void read_##name(struct annot__builder *builder, annot_reader *reader,                  \
                            struct annot__dump_##name *fields);                                    \
    void annot__read_##name(struct annot__builder *builder)                                        \
    {                                                                                              \
        struct annot__dump_##name fields;                                                          \
        annot__decode_##name(builder->record.fixed, &fields);                                      \
        read_##name(builder, builder->reader, &fields);                                            \
    }                                                                                              \
    static void read_##name(struct annot__builder *builder, annot_reader *reader,                  \
                            struct annot__dump_##name *fields)
