/* Finds unfinished work whose scope is not known. */
#pragma once

#include "reader/ask.h"

/* Returns true if the device failed. Returns false for an error of the application, because such an
 * error says nothing about the GPU. */
bool annot__is_crash(const annot_reader *reader);

/* Returns the index in reader->rows, from `from` on, of the row of a list that has started, but
 * whose submission the dump lacks. Returns ANNOT__NONE if there is none. */
uint32_t annot__started_elsewhere(const annot_reader *reader, uint32_t from);

/* Returns the index in reader->crumbs, from `from` on, of an unfinished execution that has begun,
 * but whose markers the dump lacks. Returns ANNOT__NONE if there is no such execution. */
uint32_t annot__operation_elsewhere(const annot_reader *reader, uint32_t from);

/* Returns true if submissions, progress rows or breadcrumbs show work that may be unfinished, or if
 * the dump has no work at all. */
bool annot__has_unfinished(const annot_reader *reader);

/* Returns the oldest submission at which the queue may have stopped, or ANNOT__NONE. A submission
 * that has not started counts if the kernel calls the queue guilty. It also counts if a later
 * submission's state is unknown, because queues begin submissions in order. */
uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream);

/* Returns true if a queue has incomplete submissions, and the dump lacks all of them. */
bool annot__is_pending(const annot_reader *reader, uint32_t stream);
