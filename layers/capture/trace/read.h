/* Reads an .annottrace file: records of all threads in the order in which calls began. All bytes
 * are checked; damage becomes a finding, and intact records are still returned. The reader needs
 * memory for an index entry per chunk, and for a chunk per thread. */
#pragma once

#include "format.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct trace;

/* Reads bytes of the trace into `buffer`. Returns how many of the `size` bytes at `offset` it read;
 * if it read too few, it sets errno. */
typedef size_t (*trace_read_at)(void *user, uint64_t offset, void *buffer, size_t size);

/* Opens a trace; `size` is the file's size. NULL: the file is no trace, or memory ran out; *why is
 * a static text that says what to do. */
struct trace *trace_open(trace_read_at read_at, void *user, uint64_t size, const char **why);
struct trace *trace_open_file(const char *path, const char **why);
void trace_close(struct trace *trace);

const struct trace_header *trace_get_header(const struct trace *trace);

struct trace_item {
    struct trace_record record;
    uint32_t thread;
    int method;          /* an enum schema_method; -1: no method, or an unknown method */
    const uint8_t *data; /* the bytes after the header; valid until the next trace_next */
    size_t size;
};

/* Returns the i-th word of the data, or 0 past the end. */
static inline uint64_t word_at(const struct trace_item *item, size_t i)
{
    uint64_t word = 0;
    if (item->size / 8 > i)
        memcpy(&word, item->data + i * 8, sizeof word);
    return word;
}

/* Gets the next record. Returns false after the last record. */
bool trace_next(struct trace *trace, struct trace_item *item);

/* Starts again with the first record. */
void trace_rewind(struct trace *trace);

/* A call that never returned. trace_get_flight finds it after the last record. */
struct trace_flight {
    uint64_t call;
    uint32_t thread;
    int method;
};
bool trace_get_flight(const struct trace *trace, size_t i, struct trace_flight *flight);

/* Returns a line about the i-th damage or gap, which is valid until the next call. The last line
 * may be the system's reason for a failed read. NULL: there are fewer lines. */
const char *trace_get_finding(const struct trace *trace, size_t i);

struct trace_totals {
    uint64_t file_size, chunks, stored,
        used; /* number of bytes of records: as stored in the file, and uncompressed */
    uint32_t threads;
};
struct trace_totals trace_get_totals(const struct trace *trace);
