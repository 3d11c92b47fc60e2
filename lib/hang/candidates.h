/* The operations that may be what a suspect stopped at. */
#pragma once

#include "reader/ask.h"

/* An operation that may hang. Markers never hang, and for a bundle its own operations count. */
bool annot__op_is_work(uint32_t op);

/* Fills the suspect's operation: the one that breadcrumbs prove, or those that may have been in
 * flight in the scope in progress and in all that is open below it. `*budget` bounds the operations
 * that are looked at for all suspects together. `stop` is where the driver saw it. */
void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget);
