/* Finds work that is unfinished, but whose scope is not known. */
#pragma once

#include "reader/ask.h"

/* Returns true if the device failed. The application's failure doesn't count, because it says
 * nothing about the GPU. */
bool annot__is_crash(const annot_reader *reader);

/* Returns the index in reader->rows, from `from` on, of a started list in a submission that the
 * dump lacks; or ANNOT__NONE if there is no such row. */
uint32_t annot__started_elsewhere(const annot_reader *reader, uint32_t from);

/* Returns the index in reader->crumbs, from `from` on, of an execution that has begun, is not
 * finished, and has no markers in the dump; or ANNOT__NONE if there is no such execution. */
uint32_t annot__operation_elsewhere(const annot_reader *reader, uint32_t from);

/* Returns true if some work in the dump, rows or breadcrumbs may be unfinished, or if the dump has
 * no work. */
bool annot__has_unfinished(const annot_reader *reader);

/* Returns the queue's oldest submission that may be where the queue stopped, or ANNOT__NONE. A
 * submission that has not started counts if the kernel calls the queue guilty, or if the state of a
 * later submission is unknown: queues begin submissions in order. */
uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream);

/* Returns true if a queue has incomplete submissions, and the dump lacks all of these submissions.
 */
bool annot__is_pending(const annot_reader *reader, uint32_t stream);
