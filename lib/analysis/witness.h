/* The runtime's breadcrumbs: evidence in addition to the driver's. They count the completed
 * operations of an execution, in memory that no driver can write [ANN-JOIN]. */
#pragma once

#include "analysis/judge.h"

/* Call it after every execution was judged by fences and rows. If breadcrumbs say more or
 * contradict, they win. False means out of memory. */
bool annot__hear_crumbs(annot_reader *reader);

/* Uses what breadcrumbs say about a recording's execution; `stream` may be NULL. True: the markers
 * were matched with operations, so the bounds say how far the GPU got. */
bool annot__judge_crumbs(const annot_reader *reader, const struct annot__stream *stream,
                         const struct annot__crumbs *crumbs, struct annot__judgement *out);

/* Whether the driver and the breadcrumbs contradict each other about an execution. */
bool annot__is_ruled_out(annot_state state, annot_state claim);

/* The queue's submission with this serial, or ANNOT__NONE. O(log n). */
uint32_t annot__submission_find(const annot_reader *reader, const struct annot__stream *queue,
                                uint64_t serial);

/* The breadcrumbs of the execution's n-th bundle, or ANNOT__NONE. O(log n). */
uint32_t annot__bundle_crumbs(const annot_reader *reader, const struct annot__execution *execution,
                              uint32_t ordinal);
