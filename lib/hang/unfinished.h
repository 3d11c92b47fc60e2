/* Work that is known to be unfinished where nothing says in which scope. */
#pragma once

#include "reader/ask.h"

/* Whether the device failed: the application's own failure says nothing of the GPU. */
bool annot__is_crash(const annot_reader *reader);

/* The place in reader->rows, from `from` on, of a list that the driver found started, of a
 * submission that the dump doesn't hold; ANNOT__NONE: there is none. */
uint32_t annot__started_elsewhere(const annot_reader *reader, uint32_t from);

/* The place in reader->crumbs, from `from` on, of an execution that the GPU had begun and not done,
 * of which the dump has breadcrumbs but no markers; ANNOT__NONE: there is none. */
uint32_t annot__operation_elsewhere(const annot_reader *reader, uint32_t from);

/* Whether the dump shows work, or rows or breadcrumbs of work, that is not known to be finished. */
bool annot__has_unfinished(const annot_reader *reader);

/* The oldest submission of a stream, a queue, that is not complete, of which nothing else is known
 * but perhaps that it was begun; of a queue that the kernel holds guilty also one of which no list
 * has started, since it may have stopped in front of them. ANNOT__NONE: there is none. */
uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream);

/* Whether submissions of a queue are not complete, and the dump has none of them. */
bool annot__is_pending(const annot_reader *reader, uint32_t stream);
