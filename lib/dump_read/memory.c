/* Allocates a reader's memory within a limit, because the sizes in a dump are not trusted. */
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/os.h"
#include "dump_read/dump_model.h"

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

/* Indices, by the array that each leads to. */
#define INDICES(ARRAY)                                                                             \
    ARRAY(kind_index, kinds)                                                                       \
    ARRAY(shader_index, shaders)                                                                   \
    ARRAY(resource_index, resources)                                                               \
    ARRAY(object_index, objects)                                                                   \
    ARRAY(recording_index, streams)                                                                \
    ARRAY(queue_index, streams)                                                                    \
    ARRAY(crumb_index, crumbs)                                                                     \
    ARRAY(ops_index, ops)                                                                          \
    ARRAY(former_index, formers)                                                                   \
    ARRAY(event_index, runs)

#define ALLOCATE(member, capacity)                                                                 \
    reader->member = annot__reader_allocate(reader, capacity, sizeof *reader->member);             \
    if (reader->allocation != ANNOT_OK)                                                            \
        return false;
#define ALLOCATE_ARRAY(member, elements) ALLOCATE(member, reader->member##_capacity)
#define ALLOCATE_INDEX(member, array)    ALLOCATE(member.entries, reader->array##_capacity)

bool annot__reader_allocate_arrays(annot_reader *reader)
{
    ANNOT__READER_ARRAYS(ALLOCATE_ARRAY)
    INDICES(ALLOCATE_INDEX)
    return true;
}

#define RELEASE(member, capacity)                                                                  \
    annot__reader_release(reader, reader->member, capacity, sizeof *reader->member);
#define RELEASE_ARRAY(member, elements) RELEASE(member, reader->member##_capacity)
#define RELEASE_INDEX(member, array)    RELEASE(member.entries, reader->array##_capacity)

static void release_arrays(annot_reader *reader){
    ANNOT__READER_ARRAYS(RELEASE_ARRAY) ANNOT__LATER_ARRAYS(RELEASE_ARRAY) INDICES(RELEASE_INDEX)}

/* ---- the reader ---- */

annot_result
    annot__reader_create(const annot_reader_desc *desc, annot_reader **out, uint64_t *file_limit)
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
