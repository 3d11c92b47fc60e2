/* The reader's state while it makes a dump's model: counts of the first pass, and the place that
 * the second pass has reached. Each kind of record has a function annot__read_NAME. */
#pragma once

#include "base/compiler.h"
#include "dump/dump_decode.h"
#include "dump_read/dump_model.h"

#define ANNOT__LIST_BYTES 16u /* size in bytes of a list in a SUBMISSION record */

struct annot__census {
    uint64_t of[ANNOT__DUMP_RECORD_SLOTS]; /* number of records of each kind, by ANNOT__DUMP_SLOT */
    uint64_t lists;                        /* number of command lists in all submissions */
    uint64_t op_blocks;         /* number of ANNOT__OP_BLOCKs that OPS records fill or begin */
    uint64_t runs;              /* largest number of annot__event_run */
    uint64_t last_event;        /* EventID of the last marker that was counted; 0: none */
    uint64_t sections, records; /* unknown ones too */
};

struct annot__builder {
    annot_reader *reader;
    struct annot__record_view record; /* the record that the reader decodes now */
    struct annot__stream *stream;     /* stream of the records that are being read, or NULL */
    uint32_t open;                    /* innermost open scope of `stream`, or ANNOT__NONE */
    uint64_t open_id;                 /* EventID of the innermost scope that is open so far */
    uint64_t last_id;                 /* EventID of the last marker that was read, in any stream */
    uint32_t position;                /* position of the last marker operation read so far */
    uint32_t last_marker;
    uint32_t called; /* index in reader->called of the queue's current name, or NONE */
    uint32_t kind;   /* kind of the section */
    uint32_t thread; /* thread that made the queue's next calls; 0: unknown */
    bool is_damaged;
    const struct annot__census *census;
};

/* Defined in census.c. Counts the file's records, and collects findings about sections and
 * records. */
void annot__census_take(annot_reader *reader, size_t sections, struct annot__census *census);

/* Sets each array's capacity from the counts. Returns false if 32 bits can't index an array. */
bool annot__census_size_arrays(annot_reader *reader, const struct annot__census *census);

/* Defined in read_streams.c. Ends the current stream, because all its records were read. */
void annot__finish_stream(struct annot__builder *builder);

/* Ends the current stream as damaged, because its next records may be lost. */
void annot__break_stream(struct annot__builder *builder);

#define ANNOT__READ_RECORD(name, kind, doc, variable)                                              \
    void annot__read_##name(struct annot__builder *builder);
ANNOT__DUMP_RECORDS(ANNOT__READ_RECORD)

/* Begins the definition of annot__read_NAME. `fields` points to the decoded record; `reader` is the
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
