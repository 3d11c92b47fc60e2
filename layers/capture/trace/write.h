/* Writes an .annottrace file from the records of another one. The new file is closed in order and
 * has no slots. */
#pragma once

#include "read.h"

#include <stdio.h>

struct trace_writer;

/* Closes a chunk of `used` bytes of records. Returns the packed bytes, malloc'd. NULL: store the
 * records unchanged, because packing doesn't make them smaller or is_plain is set.
 */
void *trace_chunk_close(struct trace_chunk *chunk, const void *records, bool is_plain);

/* Writes into an empty file, which the caller keeps. `like`: the header without the file's layout.
 * `is_plain`: nothing is compressed. NULL: out of memory. */
struct trace_writer *trace_writer_open(FILE *file, const struct trace_header *like, bool is_plain);

/* Adds a record. Records of a thread must come in order. False means out of memory, or a write
 * failed. */
bool trace_writer_add(struct trace_writer *writer, const struct trace_item *item);

/* Notes that this call never returned. Call it before trace_writer_close. */
void trace_writer_in_flight(struct trace_writer *writer, const struct trace_flight *flight);

/* Writes the remaining chunks; it does not close the file. False means out of memory, or a write
 * failed; errno says which. */
bool trace_writer_close(struct trace_writer *writer);
