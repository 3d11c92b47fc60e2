/* Finds how far the GPU got with a bundle inside the execution of a list. */
#pragma once

#include "analysis/judge.h"

/* Judges the bundle that the BUNDLE entry `bundle` of an execution executes. */
void annot__judge_bundle(const annot_reader *reader, const struct annot__execution *execution,
                         uint32_t bundle, struct annot__judgement *out);

/* Returns how far the GPU got with a bundle; bounds->whole is the state of the bundle's
 * execution. */
void annot__bundle_bounds(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t bundle, struct annot__progress_bounds *bounds);

/* Marks rows of bundles as unused if the list doesn't execute the bundle. */
void annot__disown_stray_bundles(annot_reader *reader, const struct annot__execution *execution);

/* Adds to the list's state what the rows of its bundles prove. The rows may contradict the list's
 * row. */
void annot__merge_bundles(annot_reader *reader, struct annot__execution *execution);

/* Finds rows of bundles that contradict the bundles' breadcrumbs; call after annot__hear_crumbs. */
void annot__dispute_bundles(annot_reader *reader, const struct annot__execution *execution);
