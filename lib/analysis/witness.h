/*
 * The runtime's breadcrumbs as evidence beside the driver's: how many operations of an execution
 * the GPU had completed, counted in memory that no driver can write [ANN-JOIN].
 */
#pragma once

#include "analysis/judge.h"

/* After every execution was judged by fences and rows. Where breadcrumbs say more or something
 * else, they are the judgement. False without memory. */
bool annot__hear_crumbs(annot_reader *reader);

/* Breadcrumbs' word on a recording's execution; `stream` may be NULL. True: markers were counted
 * against operations, and the bounds say how far the GPU got among them. */
bool annot__judge_crumbs(const annot_reader *reader, const struct annot__stream *stream,
                         const struct annot__crumbs *crumbs, struct annot__judgement *out);

/* Whether what a driver says of an execution can't be true beside what breadcrumbs say of it. */
bool annot__is_ruled_out(annot_state state, annot_state claim);

/* The queue's submission with this serial, or ANNOT__NONE. O(log n). */
uint32_t annot__submission_find(const annot_reader *reader, const struct annot__stream *queue,
                                uint64_t serial);

/* The breadcrumbs of the execution's n-th bundle, or ANNOT__NONE. O(log n). */
uint32_t annot__bundle_crumbs(const annot_reader *reader, const struct annot__execution *execution,
                              uint32_t ordinal);
