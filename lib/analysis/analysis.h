/* The analysis of a model: computed once, when a dump is opened, and used by the reports. */
#pragma once

#include "analysis/bundle.h"

/* analysis.c: fills in the rows' order, executions, the queues' cuts, crossings and stops. If it
 * fails, reader->allocation says why. */
bool annot__analyse(annot_reader *reader);

/* The state of a bundle as a whole, from its bounds. */
static inline annot_state annot__bundle_state(const struct annot__progress_bounds *bounds)
{
    return (annot_state)bounds->whole;
}
