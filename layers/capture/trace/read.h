/*
 * Reading an .annottrace file: records of all threads in the order in which calls began. No byte is
 * trusted; damage becomes a finding, and intact records are still returned. Memory: an index entry
 * per chunk, a chunk per thread that is being read.
 */
#pragma once

#include "format.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct trace;

/* Reads bytes of the trace. Returns how many of the `size` bytes at `offset` it read; sets errno
 * if there are more. */
typedef size_t (*trace_read_at)(void *user, uint64_t offset, void *buffer, size_t size);

/* NULL: not a trace, or out of memory; *why is a static text that says what to do. `size`: of the
 * file. */
struct trace *trace_open(trace_read_at read_at, void *user, uint64_t size, const char **why);
struct trace *trace_open_file(const char *path, const char **why);
void trace_close(struct trace *trace);

const struct trace_header *trace_get_header(const struct trace *trace);

struct trace_item {
    struct trace_record record;
    uint32_t thread;
    int method;          /* enum schema_method; -1: none, or not in this table */
    const uint8_t *data; /* after the record's header; valid until the next call of trace_next */
    size_t size;
};

/* 0 after the last whole one. */
static inline uint64_t word_at(const struct trace_item *item, size_t i)
{
    uint64_t word = 0;
    if (item->size / 8 > i)
        memcpy(&word, item->data + i * 8, sizeof word);
    return word;
}

/* The next record; false after the last. */
bool trace_next(struct trace *trace, struct trace_item *item);

/* Starts again. */
void trace_rewind(struct trace *trace);

/* After the last record: calls that began and never returned. False means that there is no i-th. */
struct trace_flight {
    uint64_t call;
    uint32_t thread;
    int method;
};
bool trace_get_flight(const struct trace *trace, size_t i, struct trace_flight *flight);

/* The damage and the gaps, one line each. The last may be the system's reason for a failed read;
 * it is valid until the next call. NULL: there is no i-th. */
const char *trace_get_finding(const struct trace *trace, size_t i);

struct trace_totals {
    uint64_t file_size, chunks, stored, used; /* bytes of records in the file, and uncompressed */
    uint32_t threads;
};
struct trace_totals trace_get_totals(const struct trace *trace);
