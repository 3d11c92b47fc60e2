/* Reads an .annottrace file: the records of all threads, in the order in which the calls began. The
 * reader checks all bytes. Damage becomes a finding, and the reader still returns intact records.
 * It needs memory for an index entry of each chunk, and for one chunk of each thread. */
#pragma once

#include "format.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct trace;

/* Reads `size` bytes of the trace at `offset` into `buffer`. Returns the number of bytes that it
 * read; if this is less than `size`, it sets errno. */
typedef size_t (*trace_read_at)(void *user, uint64_t offset, void *buffer, size_t size);

/* Opens a trace; `size` is the file's size. NULL: the file is not a trace, or memory ran out; *why
 * is then a static text that says what to do. */
struct trace *trace_open(trace_read_at read_at, void *user, uint64_t size, const char **why);
struct trace *trace_open_file(const char *path, const char **why);
void trace_close(struct trace *trace);

const struct trace_header *trace_get_header(const struct trace *trace);

struct trace_item {
    struct trace_record record;
    uint32_t thread;
    int method;          /* an enum schema_method; -1: an unknown method, or none */
    const uint8_t *data; /* the bytes that follow the header; valid until the next trace_next */
    size_t size;
};

/* Returns the i-th word of the record's data, or 0 if the data is shorter. */
static inline uint64_t word_at(const struct trace_item *item, size_t i)
{
    uint64_t word = 0;
    if (item->size / 8 > i)
        memcpy(&word, item->data + i * 8, sizeof word);
    return word;
}

/* Gets the trace's next record. Returns false after the last record. */
bool trace_next(struct trace *trace, struct trace_item *item);

/* Goes back to the trace's first record. */
void trace_rewind(struct trace *trace);

/* A call that never returned; trace_get_flight finds such calls after the last record. */
struct trace_flight {
    uint64_t call;
    uint32_t thread;
    int method;
};
bool trace_get_flight(const struct trace *trace, size_t i, struct trace_flight *flight);

/* Returns a line about the i-th damage or gap, or NULL if there are fewer. The line is valid until
 * the next call. The last line may say why the system could not read the file. */
const char *trace_get_finding(const struct trace *trace, size_t i);

/* Whether the file lost records. A program that did not close its trace lost none. */
bool trace_is_damaged(const struct trace *trace);

struct trace_totals {
    /* `stored` is the records' size in the file, in bytes; `used` is their uncompressed size. */
    uint64_t file_size, chunks, stored, used, last_call;
    uint32_t threads;
};
struct trace_totals trace_get_totals(const struct trace *trace);
