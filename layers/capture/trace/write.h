/* Writes records of a trace into a new .annottrace file. The new file has no slots. */
#pragma once

#include "read.h"

#include <stdio.h>

struct trace_writer;

/* Closes a chunk with `used` bytes of records. Returns the packed bytes; the caller frees them.
 * NULL: store the records unchanged, because packed they aren't smaller, or is_plain is set. */
void *trace_chunk_close(struct trace_chunk *chunk, const void *records, bool is_plain);

/* Begins to write into an empty file; the caller keeps the file. The new header copies `like`,
 * except for the layout. If `is_plain` is set, nothing is compressed. NULL means out of memory. */
struct trace_writer *trace_writer_open(FILE *file, const struct trace_header *like, bool is_plain);

/* Adds a record; each thread's records must come in order. Returns false if memory ran out or a
 * write failed. */
bool trace_writer_add(struct trace_writer *writer, const struct trace_item *item);

/* Notes a call that never returned. Call the function before trace_writer_close. */
void trace_writer_in_flight(struct trace_writer *writer, const struct trace_flight *flight);

/* Writes the remaining chunks, but doesn't close the file. Returns false if memory ran out or a
 * write failed; errno has the reason. */
bool trace_writer_close(struct trace_writer *writer);
