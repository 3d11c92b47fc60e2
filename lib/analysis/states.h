/* For reports: finds the states of queues' own markers, and of scopes that cross lists. */
#pragma once

#include "analysis/judge.h"

/* Defined in queue_state.c. Returns the state of a queue's own marker, and the evidence for it. */
annot_state annot__queue_marker_state(const annot_reader *reader, uint32_t entry,
                                      annot_evidence *evidence);

/* Returns the queue's first submission at or after the entry. O(log n). */
uint32_t annot__submission_lower(const annot_reader *reader, const struct annot__stream *queue,
                                 uint32_t entry);

/* Counts the submissions among the queue's entries from `first` to `last`, by state. O(log n). */
struct annot__tally annot__tally_of(const annot_reader *reader, const struct annot__stream *queue,
                                    uint32_t first, uint32_t last);

/* Defined in crossing.c. Returns the state of a scope that one list opens and a later list closes,
 * from the states of the executions of both lists. */
annot_state annot__crossing_state(const annot_reader *reader,
                                  const struct annot__crossing *crossing, uint32_t scope);

/* Returns how many of a crossing's scopes, outermost first, were open where the GPU stopped.
 * Earlier lists opened these scopes; they end after the stop. A scope without evidence doesn't
 * count. */
uint32_t annot__crossing_open_at(const annot_reader *reader, const struct annot__crossing *crossing,
                                 const annot_reader_stop *stop);

/* Finds the state of a scope that this execution opens, and that a later list closes or may have
 * closed. The caller sets *state to the scope's state in the opening list. For any other entry,
 * *state does not change. If a bundle leaves a scope open, the scope's End is not known. */
void annot__crossing_find(const annot_reader *reader, uint32_t execution, uint32_t entry,
                          annot_state *state, annot_evidence *evidence);
