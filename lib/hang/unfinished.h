/* Work that is unfinished in an unknown scope. */
#pragma once

#include "reader/ask.h"

/* Whether the device failed. An application's own failure does not count, because it says nothing
 * about the GPU. */
bool annot__is_crash(const annot_reader *reader);

/* The index in reader->rows, from `from` on, of a started list in a submission that the dump lacks;
 * ANNOT__NONE: there is none. */
uint32_t annot__started_elsewhere(const annot_reader *reader, uint32_t from);

/* The index in reader->crumbs, from `from` on, of an execution that has begun, is not finished, and
 * has no markers in the dump. ANNOT__NONE: there is none. */
uint32_t annot__operation_elsewhere(const annot_reader *reader, uint32_t from);

/* Whether any work in the dump, its rows or its breadcrumbs is not known to be finished. Also true
 * if the dump has no work. */
bool annot__has_unfinished(const annot_reader *reader);

/* The oldest incomplete submission of a queue's stream without evidence, except perhaps of its
 * begin. If the kernel calls the queue guilty, a submission without a started list counts too: the
 * queue may have stopped before the first list. ANNOT__NONE: there is none. */
uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream);

/* Whether submissions of a queue are not complete, and the dump has none of them. */
bool annot__is_pending(const annot_reader *reader, uint32_t stream);
