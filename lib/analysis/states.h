/* Gives reports the states of queues' markers, and of scopes that cross lists. */
#pragma once

#include "analysis/judge.h"

/* Defined in queue_state.c. Returns the state of a queue's own marker, and the evidence of this
 * state. */
annot_state annot__queue_marker_state(const annot_reader *reader, uint32_t entry,
                                      annot_evidence *evidence);

/* Returns the queue's first submission at or after this entry. O(log n). */
uint32_t annot__submission_lower(const annot_reader *reader, const struct annot__stream *queue,
                                 uint32_t entry);

/* Counts the submissions among the queue's entries from first to last, inclusive. O(log n). */
struct annot__tally annot__tally_of(const annot_reader *reader, const struct annot__stream *queue,
                                    uint32_t first, uint32_t last);

/* Defined in crossing.c. Returns the state of a scope that one list opens and a later list closes,
 * from the states of both executions. */
annot_state annot__crossing_state(const annot_reader *reader,
                                  const struct annot__crossing *crossing, uint32_t scope);

/* Returns how many scopes of a crossing, from the outermost on, are open where the GPU stopped: an
 * earlier list opened them, and they end after that place. Scopes without evidence don't count. */
uint32_t annot__crossing_open_at(const annot_reader *reader, const struct annot__crossing *crossing,
                                 const annot_reader_stop *stop);

/* Finds the state of a scope that this execution opens and a later list closes, or may have closed,
 * from the evidence of both lists. *state must have the state in the opening list. For other
 * entries *state doesn't change. If a bundle leaves a scope open, the scope's End is not known. */
void annot__crossing_find(const annot_reader *reader, uint32_t execution, uint32_t entry,
                          annot_state *state, annot_evidence *evidence);
