/* Analyses a dump's model once, when the dump is opened. Reports use the results. */
#pragma once

#include "analysis/bundle.h"

/* analysis.c: sorts rows, finds the states of executions and queues, scopes that cross lists, and
 * stops. After a failure reader->allocation has the reason. */
bool annot__analyse(annot_reader *reader);

/* Returns the state of a whole bundle from the bundle's progress bounds. */
static inline annot_state annot__bundle_state(const struct annot__progress_bounds *bounds)
{
    return (annot_state)bounds->whole;
}
