/* The operations at which a suspect may have stopped. */
#pragma once

#include "reader/ask.h"

/* Whether an operation may hang. Markers never hang; for a bundle its own operations count. */
bool annot__op_is_work(uint32_t op);

/* Fills in the suspect's operation: the one that breadcrumbs prove, or the candidates that may have
 * been in flight in the scope in progress and below it. `*budget` bounds the operations that are
 * read for all suspects together. `stop` is the driver's place. */
void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget);
