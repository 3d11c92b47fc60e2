/* The model that the reader makes of a dump's bytes, before anything is concluded from it. */
#pragma once

#include "dump_builder.h"
#include "unit_kit.h"

#include "dump_read/builder.h"

/* Finishes the dump unless it is. */
static inline annot_reader *model_of(struct dump *dump)
{
    uint64_t file_limit;
    annot_reader *reader;
    if (dump->section)
        dump_finish(dump);
    cr_assert_eq(annot__reader_create(&guarded_memory, &reader, &file_limit), ANNOT_OK);
    reader->file = (struct annot__bytes){dump->data, dump->size};
    cr_assert_eq(annot__read_model(reader), ANNOT_OK);
    return reader;
}

static inline void model_done(annot_reader *reader, struct dump *dump)
{
    annot__reader_destroy(reader);
    dump_free(dump);
}

#define MODEL_FOUND(reader, name) ((reader)->findings.of[ANNOT__FINDING_SLOT_##name].count)
