/* Writes an .annottrace file from the records of another trace. The new file has no slots. */
#pragma once

#include "read.h"

#include <stdio.h>

struct trace_writer;

/* Closes a chunk of `used` bytes of records. Returns the packed bytes, for the caller to free.
 * NULL: store the records unchanged, because packed they are not smaller, or is_plain is set. */
void *trace_chunk_close(struct trace_chunk *chunk, const void *records, bool is_plain);

/* Starts to write into an empty file, which the caller keeps. `like` is the header, without the
 * file's layout. If `is_plain` is set, nothing is compressed. NULL: out of memory. */
struct trace_writer *trace_writer_open(FILE *file, const struct trace_header *like, bool is_plain);

/* Adds a record. A thread's records must come in order. False: memory ran out, or a write failed.
 */
bool trace_writer_add(struct trace_writer *writer, const struct trace_item *item);

/* Notes that this call never returned. Call it before trace_writer_close. */
void trace_writer_in_flight(struct trace_writer *writer, const struct trace_flight *flight);

/* Writes the remaining chunks; it does not close the file. False: memory ran out, or a write
 * failed; errno has the reason. */
bool trace_writer_close(struct trace_writer *writer);
