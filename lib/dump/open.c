/*
 * A reader from file or memory, and all memory that it has: within a limit, because a dump's own sizes are anybody's.
 */
#include "dump/dump_model.h"
#include "base/os.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

void *annot__reader_allocate(annot_reader *reader, uint64_t count, size_t size)
{
    reader->allocation = ANNOT_OK;
    if (count == 0)
        return NULL;
    uint64_t left = reader->memory_limit - reader->memory_used;
    if (count > left / size || count > SIZE_MAX / size) {
        reader->allocation = ANNOT_ERROR_TOO_LARGE;
        return NULL;
    }
    size_t bytes = (size_t)count * size;
    void *memory = reader->allocator.allocate(reader->allocator.user, bytes, _Alignof(max_align_t));
    if (!memory) {
        reader->allocation = ANNOT_ERROR_OUT_OF_MEMORY;
        return NULL;
    }
    reader->memory_used += bytes;
    return memset(memory, 0, bytes);
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
    ARRAY(rows, rows_capacity)                                                                     \
    ARRAY(object_index.entries, objects_capacity)                                                  \
    ARRAY(recording_index.entries, streams_capacity)                                               \
    ARRAY(queue_index.entries, streams_capacity)                                                   \
    ARRAY(event_index.entries, unclosed_capacity)

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
    ARRAYS(RELEASE) RELEASE(crossings, crossings_capacity) RELEASE(stops, stops_capacity)
}

/* ---- opening ---- */

static annot_result reader_create(const annot_reader_desc *desc, annot_reader **out,
                                  uint64_t *file_limit)
{
    static const annot_reader_desc defaults;
    if (!desc)
        desc = &defaults;
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

void annot_reader_close(annot_reader *reader)
{
    if (!reader)
        return;
    release_arrays(reader);
    annot__reader_release(reader, reader->owned, reader->owned_size, 1);
    annot_allocator allocator = reader->allocator;
    allocator.release(allocator.user, reader, sizeof *reader);
}

static annot_result reader_finish(annot_reader *reader, annot_result result, annot_reader **out)
{
    if (result == ANNOT_OK)
        result = annot__read_model(reader);
    if (result == ANNOT_OK || result == ANNOT_ERROR_INCOMPLETE)
        *out = reader;
    else
        annot_reader_close(reader);
    return result;
}

annot_result annot_reader_open_memory(const annot_reader_desc *desc, const void *data, size_t size,
                                      annot_reader **out)
{
    assert(out && (data || size == 0));
    annot_reader *reader;
    uint64_t limit;
    *out = NULL;
    annot_result result = reader_create(desc, &reader, &limit);
    if (result != ANNOT_OK)
        return result;
    reader->file = (struct annot__bytes){data, size};
    return reader_finish(reader, size > limit ? ANNOT_ERROR_TOO_LARGE : ANNOT_OK, out);
}

/* A guess at how much there is to read, plus the byte whose absence shows the end. */
static uint64_t first_size(FILE *file, uint64_t limit)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    rewind(file);
    return size > 0 && (uint64_t)size <= limit ? (uint64_t)size + 1 : 1u << 16;
}

/* What tells a dump from another file. */
#define FIRST_PART       4096u
#define HEADER_AND_MAGIC (ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_MAGIC_SIZE)

static bool is_dump(struct annot__bytes file)
{
    struct annot__findings findings = {0};
    size_t sections;
    return annot__dump_header(file, &findings, &sections) != ANNOT_ERROR_NOT_A_DUMP;
}

/* The whole file, read in pieces, the first one small enough to turn other files down by: its size is not trusted, pipes
 * have none. Memory doubles, within the limit. */
static annot_result read_file(annot_reader *reader, FILE *file, uint64_t limit)
{
    const uint64_t guess = first_size(file, limit);
    for (;;) {
        if (reader->file.size == reader->owned_size) {
            uint64_t size = (uint64_t)reader->owned_size * 2;
            if (reader->owned_size == 0)
                size = FIRST_PART;
            else if (reader->owned_size == FIRST_PART && guess > size)
                size = guess;
            uint8_t *memory = annot__reader_allocate(reader, size, 1);
            if (!memory)
                return reader->allocation;
            if (reader->owned)
                memcpy(memory, reader->owned, reader->file.size);
            annot__reader_release(reader, reader->owned, reader->owned_size, 1);
            reader->owned = memory;
            reader->owned_size = (size_t)size;
            reader->file.data = memory;
        }
        size_t room = reader->owned_size - reader->file.size;
        size_t got = fread((uint8_t *)reader->owned + reader->file.size, 1, room, file);
        bool is_start = reader->file.size < HEADER_AND_MAGIC;
        reader->file.size += got;
        if (is_start && reader->file.size >= HEADER_AND_MAGIC && !is_dump(reader->file))
            return ANNOT_ERROR_NOT_A_DUMP;
        if (reader->file.size > limit)
            return ANNOT_ERROR_TOO_LARGE;
        if (got == 0)
            return ferror(file) ? ANNOT_ERROR_IO : ANNOT_OK;
    }
}

annot_result annot_reader_open_file(const annot_reader_desc *desc, const char *path,
                                    annot_reader **out)
{
    assert(path && out);
    annot_reader *reader;
    uint64_t limit;
    *out = NULL;
    annot_result result = reader_create(desc, &reader, &limit);
    if (result != ANNOT_OK)
        return result;
    FILE *file = annot__file_open_to_read(path);
    if (file) {
        setvbuf(file, NULL, _IONBF, 0);
        result = read_file(reader, file, limit);
        int error = errno;
        fclose(file);
        errno = error;
    } else {
        result = ANNOT_ERROR_IO;
    }
    return reader_finish(reader, result, out);
}
