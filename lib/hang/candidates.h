/* The operations at which a suspect may have stopped. */
#pragma once

#include "reader/ask.h"

/* Whether an operation may hang. Markers never hang; for a bundle its own operations count. */
bool annot__op_is_work(uint32_t op);

/* Fills the suspect's operation: the oldest that breadcrumbs count as not done, or those that were
 * noted. `*budget` bounds the operations that are looked at for all suspects together. `stop` is
 * where the driver saw it. */
void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget);

/* Fills in how many operations behind the one that the suspect's breadcrumbs count may have been in
 * flight. `stop` NULL: the dump doesn't have the list. */
void annot__find_candidates(const annot_reader *reader, const annot_reader_stop *stop,
                            annot_reader_suspect *suspect, uint64_t *budget);
