/* All memory of a reader, within a limit: the sizes in a dump are not trusted. */
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/os.h"
#include "dump_read/dump_model.h"

#include <stddef.h>
#include <string.h>

void *annot__reader_allocate(annot_reader *reader, uint64_t count, size_t size)
{
    if (count == 0)
        return NULL;
    uint64_t left = reader->memory_limit - reader->memory_used;
    /* the second is equivalent where size_t has 64 bits */
    if (count > left / size || count > SIZE_MAX / size) {
        reader->allocation = ANNOT_ERROR_TOO_LARGE;
        return NULL;
    }
    size_t bytes = (size_t)count * size;
    void *memory = reader->allocator.allocate(reader->allocator.user, bytes, ANNOT__MAX_ALIGN);
    if (!memory) {
        reader->allocation = ANNOT_ERROR_OUT_OF_MEMORY;
        return NULL;
    }
    reader->memory_used += bytes;
    annot__memory_expect(memory, bytes);
    return memory;
}

void annot__reader_release(annot_reader *reader, void *memory, uint64_t count, size_t size)
{
    if (!memory)
        return;
    reader->memory_used -= count * size;
    reader->allocator.release(reader->allocator.user, memory, (size_t)count * size);
}

/* ARRAY(member, count, capacity): everything that the counting pass sizes. */
#define ARRAYS(ARRAY)                                                                              \
    ARRAY(kinds, kinds_capacity)                                                                   \
    ARRAY(kind_index.entries, kinds_capacity)                                                      \
    ARRAY(shaders, shaders_capacity)                                                               \
    ARRAY(resources, resources_capacity)                                                           \
    ARRAY(resource_index.entries, resources_capacity)                                              \
    ARRAY(shader_index.entries, shaders_capacity)                                                  \
    ARRAY(operations, operations_capacity)                                                         \
    ARRAY(facts, facts_capacity)                                                                   \
    ARRAY(objects, objects_capacity)                                                               \
    ARRAY(blobs, blobs_capacity)                                                                   \
    ARRAY(pieces, pieces_capacity)                                                                 \
    ARRAY(streams, streams_capacity)                                                               \
    ARRAY(entries, entries_capacity)                                                               \
    ARRAY(unclosed, unclosed_capacity)                                                             \
    ARRAY(surplus, surplus_capacity)                                                               \
    ARRAY(bundles, bundles_capacity)                                                               \
    ARRAY(submissions, submissions_capacity)                                                       \
    ARRAY(executions, executions_capacity)                                                         \
    ARRAY(called, called_capacity)                                                                 \
    ARRAY(threads, threads_capacity)                                                               \
    ARRAY(rows, rows_capacity)                                                                     \
    ARRAY(crumbs, crumbs_capacity)                                                                 \
    ARRAY(crumb_index.entries, crumbs_capacity)                                                    \
    ARRAY(ops, ops_capacity)                                                                       \
    ARRAY(ranges, ranges_capacity)                                                                 \
    ARRAY(held, held_capacity)                                                                     \
    ARRAY(formers, formers_capacity)                                                               \
    ARRAY(former_index.entries, formers_capacity)                                                  \
    ARRAY(clocks, clocks_capacity)                                                                 \
    ARRAY(submitted, submitted_capacity)                                                           \
    ARRAY(histories, histories_capacity)                                                           \
    ARRAY(op_sums, op_sums_capacity)                                                               \
    ARRAY(ops_index.entries, ops_capacity)                                                         \
    ARRAY(object_index.entries, objects_capacity)                                                  \
    ARRAY(recording_index.entries, streams_capacity)                                               \
    ARRAY(queue_index.entries, streams_capacity)                                                   \
    ARRAY(runs, runs_capacity)                                                                     \
    ARRAY(event_index.entries, runs_capacity)

#define ALLOCATE(member, capacity)                                                                 \
    reader->member = annot__reader_allocate(reader, reader->capacity, sizeof *reader->member);     \
    if (reader->allocation != ANNOT_OK)                                                            \
        return false;

bool annot__reader_allocate_arrays(annot_reader *reader)
{
    ARRAYS(ALLOCATE)
    return true;
}

#define RELEASE(member, capacity)                                                                  \
    annot__reader_release(reader, reader->member, reader->capacity, sizeof *reader->member);

static void release_arrays(annot_reader *reader)
{
    annot__reader_release(reader, reader->crossings, reader->crossings_capacity,
                          sizeof *reader->crossings);
    annot__reader_release(reader, reader->stops, reader->stops_capacity, sizeof *reader->stops);
    annot__reader_release(reader, reader->suspects, reader->suspects_capacity,
                          sizeof *reader->suspects);
    annot__reader_release(reader, reader->waits, reader->waits_capacity, sizeof *reader->waits);
    ARRAYS(RELEASE)
}

/* ---- the reader ---- */

annot_result annot__reader_create(const annot_reader_desc *desc, annot_reader **out,
                                  uint64_t *file_limit)
{
    annot_allocator allocator = desc->allocator;
    if (!annot__allocator_complete(&allocator))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_reader *reader =
        allocator.allocate(allocator.user, sizeof *reader, _Alignof(annot_reader));
    if (!reader)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *reader = (annot_reader){
        .allocator = allocator,
        .order_window = ANNOT_ORDER_UNKNOWN,
        .memory_limit = desc->memory_limit ? desc->memory_limit : ANNOT_READER_MEMORY_LIMIT,
    };
    *file_limit = desc->file_limit ? desc->file_limit : ANNOT_READER_FILE_LIMIT;
    *out = reader;
    return ANNOT_OK;
}

void annot__reader_destroy(annot_reader *reader)
{
    release_arrays(reader);
    annot__reader_release(reader, reader->owned, reader->owned_size, 1);
    annot_allocator allocator = reader->allocator;
    allocator.release(allocator.user, reader, sizeof *reader);
}
