/* What is known of one execution of a bundle, inside its list's execution. */
#pragma once

#include "analysis/judge.h"

/* Judges the execution of a bundle; the entry `bundle` executes it. */
void annot__judge_bundle(const annot_reader *reader, const struct annot__execution *execution,
                         uint32_t bundle, struct annot__judgement *out);

/* How far a bundle's execution got; `whole` is its state. */
void annot__bundle_bounds(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t bundle, struct annot__progress_bounds *bounds);

/* Marks rows of bundles that the list doesn't call as unused. */
void annot__disown_stray_bundles(annot_reader *reader, const struct annot__execution *execution);

/* Adds what rows of bundles say about their list; they may contradict it. */
void annot__merge_bundles(annot_reader *reader, struct annot__execution *execution);

/* Finds rows of bundles that contradict their breadcrumbs. Call it after annot__hear_crumbs. */
void annot__dispute_bundles(annot_reader *reader, const struct annot__execution *execution);
