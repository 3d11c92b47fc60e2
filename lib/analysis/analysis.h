/* Analyses a dump's model once, when the dump is opened. Reports use the results. */
#pragma once

#include "analysis/bundle.h"

/* Defined in analysis.c. Sorts rows, and finds the states of executions and queues, the scopes that
 * cross lists, and the stops. After a failure reader->allocation has the reason. */
bool annot__analyse(annot_reader *reader);

/* Returns the state of a whole bundle from the bounds of the GPU's progress in the bundle. */
static inline annot_state annot__bundle_state(const struct annot__progress_bounds *bounds)
{
    return (annot_state)bounds->whole;
}
