/* The analysis of a model. It runs once, when a dump is opened; reports use its results. */
#pragma once

#include "analysis/bundle.h"

/* analysis.c: fills in the rows' order, executions, the queues' cuts, crossings and stops. After a
 * failure reader->allocation has the reason. */
bool annot__analyse(annot_reader *reader);

/* The state of a bundle as a whole, from its bounds. */
static inline annot_state annot__bundle_state(const struct annot__progress_bounds *bounds)
{
    return (annot_state)bounds->whole;
}
