/* Judges executions by the runtime's breadcrumbs. Breadcrumbs count the completed operations of an
 * execution, in memory that no driver can write [ANN-JOIN]. */
#pragma once

#include "analysis/judge.h"

/* Judges all executions by breadcrumbs, after fences and rows have judged them. If breadcrumbs
 * prove more than fences and rows, or contradict them, the state comes from breadcrumbs. Returns
 * false if memory runs out. */
bool annot__hear_crumbs(annot_reader *reader);

/* Judges an execution of `stream` (may be NULL) by breadcrumbs. Returns true if the execution's
 * bounds say how far the GPU got, because markers were matched with operations. */
bool annot__judge_crumbs(const annot_reader *reader, const struct annot__stream *stream,
                         const struct annot__crumbs *crumbs, struct annot__judgement *out);

/* Returns true if breadcrumbs' claim about an execution contradicts the driver's state. */
bool annot__is_ruled_out(annot_state state, annot_state claim);

/* Returns the queue's submission with this serial, or ANNOT__NONE. O(log n). */
uint32_t annot__submission_find(const annot_reader *reader, const struct annot__stream *queue,
                                uint64_t serial);

/* Returns the breadcrumbs of the execution's n-th bundle, or ANNOT__NONE. O(log n). */
uint32_t annot__bundle_crumbs(const annot_reader *reader, const struct annot__execution *execution,
                              uint32_t ordinal);
