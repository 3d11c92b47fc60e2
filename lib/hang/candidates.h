/* The operations at which a suspect may have stopped. */
#pragma once

#include "reader/ask.h"

/* Whether an operation may hang. Markers never hang, and a bundle hangs in its own operations. */
bool annot__op_is_work(uint32_t op);

/* Fills in the suspect's operation: the oldest that is not done by breadcrumbs, or a noted one.
 * `stop` is where the driver saw the suspect. `*budget` limits the operations that are read for all
 * suspects together. */
void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget);

/* Fills in how many operations after the one in the suspect's breadcrumbs may have been in flight.
 * `stop` NULL: the dump lacks the list. */
void annot__find_candidates(const annot_reader *reader, const annot_reader_stop *stop,
                            annot_reader_suspect *suspect, uint64_t *budget);
