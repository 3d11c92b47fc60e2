/* The analysis of a model: computed once, when a dump is opened, and used by the reports. */
#ifndef ANNOT_LIB_ANALYSIS_H
#define ANNOT_LIB_ANALYSIS_H

#include "analysis/judge.h"

/* analysis.c: fills rows' order, executions, queues' cuts, crossings and stops. False:
 * reader->allocation. */
bool annot__analyse(annot_reader *reader);

/* How far a bundle's execution got. */
void annot__bundle_bounds(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t bundle, struct annot__progress_bounds *bounds);

/* The state of a bundle as a whole, from its bounds. */
static inline annot_state annot__bundle_state(const struct annot__progress_bounds *bounds)
{
    return (annot_state)bounds->whole;
}

#endif
