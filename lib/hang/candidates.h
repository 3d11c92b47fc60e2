/* Finds the operations at which a suspect may have stopped. */
#pragma once

#include "reader/ask.h"

/* Returns true if an operation may hang. Markers and ExecuteBundle don't count: only the operations
 * inside a bundle can hang. */
bool annot__op_is_work(uint32_t op);

/* Fills in the suspect's operation. It is the oldest that is not done by breadcrumbs, or else a
 * noted operation. `stop` is the place where the driver saw the suspect. *budget limits how many
 * operations are read for all suspects together. */
void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget);

/* Fills in how many operations after the suspect's operation may have been in flight. `stop` is
 * NULL if the dump lacks the list. */
void annot__find_candidates(const annot_reader *reader, const annot_reader_stop *stop,
                            annot_reader_suspect *suspect, uint64_t *budget);
