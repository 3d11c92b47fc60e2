/* The states that reports need after the analysis: markers of queues, and scopes that cross
 * lists. */
#pragma once

#include "analysis/judge.h"

/* queue_state.c: the state of a queue's own marker, and why. */
annot_state annot__queue_marker_state(const annot_reader *reader, uint32_t entry,
                                      annot_evidence *evidence);

/* The queue's first submission at or after this entry. O(log n). */
uint32_t annot__submission_lower(const annot_reader *reader, const struct annot__stream *queue,
                                 uint32_t entry);

/* The submissions among these entries of the queue, the last one included. O(log n). */
struct annot__tally annot__tally_of(const annot_reader *reader, const struct annot__stream *queue,
                                    uint32_t first, uint32_t last);

/* crossing.c: the state of one scope of a crossing, from the places where it was opened and
 * closed. */
annot_state annot__crossing_state(const annot_reader *reader,
                                  const struct annot__crossing *crossing, uint32_t scope);

/* How many of a crossing's scopes, from the outermost, are open where the GPU stopped: an earlier
 * list opened them, and they end after that place. A scope without evidence is left out. */
uint32_t annot__crossing_open_at(const annot_reader *reader, const struct annot__crossing *crossing,
                                 const annot_reader_stop *stop);

/* Finds the state of a scope that this execution opens and a later list closes, or may have closed,
 * from the evidence of both. *state must hold the opening list's answer; it stays unchanged for
 * other entries. The End of a scope that a bundle leaves open is not known. */
void annot__crossing_find(const annot_reader *reader, uint32_t execution, uint32_t entry,
                          annot_state *state, annot_evidence *evidence);
