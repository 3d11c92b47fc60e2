/* Analyses a dump's model once, when the dump is opened. Reports use these results. */
#pragma once

#include "analysis/bundle.h"

/* Defined in analysis.c. Sorts progress rows, and finds states of executions and queues, scopes
 * that cross lists, and stops. A failure leaves its reason in reader->allocation. */
bool annot__analyse(annot_reader *reader);

/* Returns the state of a whole bundle, which follows from these bounds of the GPU's progress. */
static inline annot_state annot__bundle_state(const struct annot__progress_bounds *bounds)
{
    return (annot_state)bounds->whole;
}
