/* Knowledge of one execution of a bundle inside of its list's. */
#pragma once

#include "analysis/judge.h"

/* `bundle` is the entry that executes it. */
void annot__judge_bundle(const annot_reader *reader, const struct annot__execution *execution,
                         uint32_t bundle, struct annot__judgement *out);

/* How far a bundle's execution got; `whole` is its state. */
void annot__bundle_bounds(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t bundle, struct annot__progress_bounds *bounds);

/* Rows of bundles that the list doesn't call are not used. */
void annot__disown_stray_bundles(annot_reader *reader, const struct annot__execution *execution);

/* Rows of bundles speak of the list around them, and may contradict it. */
void annot__merge_bundles(annot_reader *reader, struct annot__execution *execution);

/* Finds rows of bundles that their breadcrumbs rule out. After annot__hear_crumbs. */
void annot__dispute_bundles(annot_reader *reader, const struct annot__execution *execution);
