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

#endif
