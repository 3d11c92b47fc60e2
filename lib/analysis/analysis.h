/* What the GPU did with the model that was read: filled in once, when a dump is opened, and asked by the reports. */
#ifndef ANNOT_LIB_ANALYSIS_H
#define ANNOT_LIB_ANALYSIS_H

#include "analysis/judge.h"

/* analysis.c: fills rows' order, executions, queues' cuts, crossings and stops. False: reader->allocation. */
bool annot__analyse(annot_reader *reader);

/* How far a bundle's execution got; *started and *completed are entries that the driver named, or NONE. */
void annot__bundle_cut(const annot_reader *reader, const struct annot__execution *execution,
                       const struct annot__entry *bundle, struct annot__cut *cut, uint32_t *started,
                       uint32_t *completed);

/* The state of a bundle as a whole, from its cut. */
static inline annot_state annot__bundle_state(const struct annot__cut *cut)
{
    return (annot_state)cut->whole;
}

/* queue_state.c: the state of a queue's own marker, and why. */
annot_state annot__queue_marker_state(const annot_reader *reader, uint32_t entry,
                                      annot_evidence *evidence);

/* The first submission of the queue whose entry is not before this one. O(log n). */
uint32_t annot__submission_lower(const annot_reader *reader, const struct annot__stream *queue,
                                 uint32_t entry);

/* The submissions among these entries of the queue, the last one included. O(log n). */
struct annot__tally annot__tally_of(const annot_reader *reader, const struct annot__stream *queue,
                                    uint32_t first, uint32_t last);

/* crossing.c: the state of one of the scopes of a crossing, by where it was opened and where it was closed. */
annot_state annot__crossing_state(const annot_reader *reader,
                                  const struct annot__crossing *crossing, uint32_t scope);

/* The state of a scope that this execution opens and a later list closes, by both; false: it is not one. */
bool annot__crossing_find(const annot_reader *reader, uint32_t execution, uint32_t entry,
                          annot_state *state);

#endif
