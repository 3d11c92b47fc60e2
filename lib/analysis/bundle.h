/* Finds how far the GPU got in a bundle that a list executes. */
#pragma once

#include "analysis/judge.h"

/* Finds how far the GPU got in the bundle that the BUNDLE entry `bundle` executes. */
void annot__judge_bundle(const annot_reader *reader, const struct annot__execution *execution,
                         uint32_t bundle, struct annot__judgement *out);

/* Returns how far the GPU got in a bundle; bounds->whole becomes the state of the whole bundle. */
void annot__bundle_bounds(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t bundle, struct annot__progress_bounds *bounds);

/* Marks progress rows of bundles as unused if the execution's list doesn't execute the bundle. */
void annot__disown_stray_bundles(annot_reader *reader, const struct annot__execution *execution);

/* Adds to the execution's state what the progress rows of its bundles prove. They may contradict
 * the list's row. */
void annot__merge_bundles(annot_reader *reader, struct annot__execution *execution);

/* Finds rows that contradict the breadcrumbs of their bundles. Call it after annot__hear_crumbs. */
void annot__dispute_bundles(annot_reader *reader, const struct annot__execution *execution);
