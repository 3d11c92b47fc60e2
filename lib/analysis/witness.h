/* Decides the states of executions from breadcrumbs. Breadcrumbs count the completed operations of
 * an execution, in memory that no driver can write [ANN-JOIN]. */
#pragma once

#include "analysis/judge.h"

/* Decides the states of all executions from breadcrumbs, after fences and progress rows.
 * Breadcrumbs that prove more, or that contradict these, change the execution's state. Returns
 * false if memory runs out. */
bool annot__hear_crumbs(annot_reader *reader);

/* Decides the state of an execution of `stream` (may be NULL) from breadcrumbs. Returns true if
 * out->bounds say how far the GPU got, because the markers match the operations. */
bool annot__judge_crumbs(const annot_reader *reader, const struct annot__stream *stream,
                         const struct annot__crumbs *crumbs, struct annot__judgement *out);

/* Returns true if `claim`, the state by breadcrumbs, contradicts `state`, the driver's state. */
bool annot__is_ruled_out(annot_state state, annot_state claim);

/* Returns the queue's submission with this serial, or ANNOT__NONE. O(log n). */
uint32_t annot__submission_find(const annot_reader *reader, const struct annot__stream *queue,
                                uint64_t serial);

/* Returns the breadcrumbs of the execution's bundle number `ordinal`, or ANNOT__NONE. O(log n). */
uint32_t annot__bundle_crumbs(const annot_reader *reader, const struct annot__execution *execution,
                              uint32_t ordinal);
