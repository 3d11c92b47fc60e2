/* Work that is known to be unfinished where nothing says in which scope. */
#pragma once

#include "reader/ask.h"

/* Whether the device failed. An application's own failure does not count, because it says nothing
 * about the GPU. */
bool annot__is_crash(const annot_reader *reader);

/* The place in reader->rows, from `from` on, of a list that the driver found started, of a
 * submission that the dump doesn't hold; ANNOT__NONE: there is none. */
uint32_t annot__started_elsewhere(const annot_reader *reader, uint32_t from);

/* The index in reader->crumbs, from `from` on, of an execution that the GPU had begun and not
 * finished. The dump has its breadcrumbs but no markers. ANNOT__NONE: there is none. */
uint32_t annot__operation_elsewhere(const annot_reader *reader, uint32_t from);

/* Whether the dump shows work, or rows or breadcrumbs of work, that is not known to be finished, or
 * tells of no work at all. */
bool annot__has_unfinished(const annot_reader *reader);

/* The oldest incomplete submission of a queue's stream without other evidence than perhaps that it
 * was begun. For a queue that the kernel holds guilty also one without a started list, because the
 * queue may have stopped before the first. ANNOT__NONE: there is none. */
uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream);

/* Whether submissions of a queue are not complete, and the dump has none of them. */
bool annot__is_pending(const annot_reader *reader, uint32_t stream);
