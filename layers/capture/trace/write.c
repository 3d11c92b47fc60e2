#include "write.h"

#include "array.h"

#include <errno.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#ifdef CAPTURE_HAVE_ZSTD
#include <zstd.h>
#endif

#define CHUNK_BYTES (TRACE_CHUNK_SIZE - sizeof(struct trace_chunk))

struct lane { /* a thread */
    struct trace_chunk chunk;
    uint8_t *bytes;
    size_t capacity;
};

struct trace_writer {
    FILE *file;
    struct lane *lanes;
    size_t lane_count;
    uint64_t serial, size;
    bool is_plain, has_failed;
};

/* ---- chunks ---- */

void *trace_chunk_close(struct trace_chunk *chunk, const void *records, bool is_plain)
{
    void *packed = NULL;
    chunk->state = CHUNK_STORED;
    chunk->codec = CODEC_NONE;
    chunk->stored = chunk->used;
#ifdef CAPTURE_HAVE_ZSTD
    const size_t bound = ZSTD_compressBound(chunk->used);
    packed = is_plain ? NULL : malloc(bound);
    const size_t size = packed ? ZSTD_compress(packed, bound, records, chunk->used, 1) : bound;
    if (packed && !ZSTD_isError(size) && size < chunk->used) {
        chunk->codec = CODEC_ZSTD;
        chunk->stored = (uint32_t)size;
    } else {
        free(packed);
        packed = NULL;
    }
#else
    (void)is_plain;
#endif
    chunk->hash = XXH64(packed ? packed : records, chunk->stored, 0);
    return packed;
}

static void put(struct trace_writer *w, const void *bytes, size_t size)
{
    w->has_failed |= size && fwrite(bytes, 1, size, w->file) != size;
    w->size += size;
}

static void flush(struct trace_writer *w, struct lane *l)
{
    static const uint8_t zeros[8];
    if (l->chunk.used == 0)
        return;
    struct trace_chunk chunk = l->chunk;
    chunk.magic = TRACE_CHUNK_MAGIC;
    chunk.serial = ++w->serial;
    void *packed = trace_chunk_close(&chunk, l->bytes, w->is_plain);
    put(w, &chunk, sizeof chunk);
    put(w, packed ? packed : l->bytes, chunk.stored);
    put(w, zeros, (8 - chunk.stored % 8) % 8);
    free(packed);
    l->chunk = (struct trace_chunk){.thread = chunk.thread, .left = chunk.left};
}

static struct lane *lane_of(struct trace_writer *w, uint32_t thread)
{
    for (size_t i = 0; i < w->lane_count; i++)
        if (w->lanes[i].chunk.thread == thread)
            return &w->lanes[i];
    struct lane *grown = realloc(w->lanes, (w->lane_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    w->lanes = grown;
    grown[w->lane_count] = (struct lane){.chunk = {.thread = thread}};
    return &grown[w->lane_count++];
}

bool trace_writer_add(struct trace_writer *w, const struct trace_item *item)
{
    struct lane *l = lane_of(w, item->thread);
    const size_t size = sizeof item->record + item->size;
    if (l && l->chunk.used && CHUNK_BYTES < l->chunk.used + size)
        flush(w, l);
    if (!l || !ARRAY_RESERVE(l->bytes, l->capacity, size > CHUNK_BYTES ? size : CHUNK_BYTES)) {
        w->has_failed = true;
        return false;
    }
    memcpy(l->bytes + l->chunk.used, &item->record, sizeof item->record);
    memcpy(l->bytes + l->chunk.used + sizeof item->record, item->data, item->size);
    l->chunk.used += (uint32_t)size;
    if (!l->chunk.first_call)
        l->chunk.first_call = item->record.call;
    if (item->record.call > l->chunk.last_call)
        l->chunk.last_call = item->record.call;
    l->chunk.left = l->chunk.last_call;
    return !w->has_failed;
}

void trace_writer_in_flight(struct trace_writer *w, const struct trace_flight *flight)
{
    struct lane *l = lane_of(w, flight->thread);
    if (l && l->chunk.left >= flight->call)
        l->chunk.left = flight->call - 1;
}

/* ---- the file ---- */

struct trace_writer *trace_writer_open(FILE *file, const struct trace_header *like, bool is_plain)
{
    uint8_t page[TRACE_HEADER_SIZE] = {0};
    struct trace_header header = *like;
    struct trace_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->file = file;
    w->is_plain = is_plain;
    header.header_size = TRACE_HEADER_SIZE;
    header.slot_count = 0;
    header.chunk_size = TRACE_CHUNK_SIZE;
    header.is_finished = 1;
    memcpy(page, &header, sizeof header);
    put(w, page, sizeof page);
    return w;
}

bool trace_writer_close(struct trace_writer *w)
{
    for (size_t i = 0; i < w->lane_count; i++) {
        flush(w, &w->lanes[i]);
        free(w->lanes[i].bytes);
    }
    const bool ok = fflush(w->file) == 0 && !w->has_failed &&
                    fseek(w->file, offsetof(struct trace_header, file_size), SEEK_SET) == 0 &&
                    fwrite(&w->size, sizeof w->size, 1, w->file) == 1 && fflush(w->file) == 0;
    const int error = errno;
    free(w->lanes);
    free(w);
    errno = error;
    return ok;
}
