/* Finds the operations at which the GPU may have stopped, for a suspect. */
#pragma once

#include "reader/ask.h"

/* Returns true if an operation of this kind can hang. Markers and ExecuteBundle can't hang;
 * operations inside a bundle can hang. */
bool annot__op_is_work(uint32_t op);

/* Finds the suspect's operation: the oldest operation that is not done, as breadcrumbs say, or else
 * an operation from the dump's records. `stop` is where the driver saw the suspect. *budget limits
 * how many operations are read for all suspects together. */
void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget);

/* Finds how many operations after the suspect's operation may have been in flight. If the dump
 * lacks the list, `stop` is NULL. */
void annot__find_candidates(const annot_reader *reader, const annot_reader_stop *stop,
                            annot_reader_suspect *suspect, uint64_t *budget);
