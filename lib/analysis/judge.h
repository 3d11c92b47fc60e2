/* What one progress row says about its execution. The files that judge executions and find where
 * they stopped share these functions. */
#pragma once

#include "dump_read/dump_model.h"

struct annot__judgement {
    struct annot__progress_bounds bounds;
    uint32_t started, completed; /* entries */
    annot_state state;
    annot_evidence evidence;
};

/* By how many positions a driver may move a marker. */
static inline uint64_t annot__window_of(const annot_reader *reader)
{
    return (uint64_t)reader->order_window * 2;
}

/* The last place that these bounds know to be reached or done. */
static inline uint32_t annot__position_of(const struct annot__progress_bounds *bounds)
{
    return bounds->started > bounds->completed ? bounds->started : bounds->completed;
}

/* The same for these bounds; it is 0 for breadcrumbs, which keep their order. */
static inline uint64_t annot__window_of_bounds(const annot_reader *reader,
                                               const struct annot__progress_bounds *bounds)
{
    return bounds->evidence == ANNOT_EVIDENCE_CRUMBS ? 0 : annot__window_of(reader);
}

static inline bool annot__is_exact(const annot_reader *reader)
{
    return reader->order_window == 0;
}

/* The reason why nothing is known of work without a row. */
static inline annot_evidence annot__without_row(const annot_reader *reader)
{
    return reader->device.has_report ? ANNOT_EVIDENCE_NO_ROW
           : reader->has_device      ? ANNOT_EVIDENCE_NO_REPORT
                                     : ANNOT_EVIDENCE_NONE; /* the dump has lost the evidence */
}

void annot__set_uniform(struct annot__progress_bounds *bounds, annot_state state,
                        annot_evidence evidence);

/* Claims nothing about the markers of a damaged stream, because each may belong to another list. */
void annot__mask_damaged(const annot_reader *reader, uint32_t stream,
                         struct annot__progress_bounds *bounds);

/* Sorts the rows by queue, submission, list, bundle; equal rows stay in the driver's order. False
 * means out of memory. */
bool annot__sort_rows(annot_reader *reader);

/* Negative if the row is before the key, 0 if it is at the key, positive if it is after the key. */
int annot__row_order(const struct annot__row *row, uint32_t queue, uint64_t submission,
                     uint32_t list, uint32_t bundle);

static inline bool annot__is_same_row(const struct annot__row *row, const struct annot__row *other)
{
    return annot__row_order(row, other->queue, other->submission, other->list, other->bundle) == 0;
}

/* Index of the first row that is not before the key. */
uint32_t annot__row_lower(const annot_reader *reader, uint32_t queue, uint64_t submission,
                          uint32_t list, uint32_t bundle);

void annot__set_verdict(struct annot__judgement *out, annot_state state, annot_evidence evidence);

/* Judges a row of an execution of `object`. `stream` is NULL if the dump lacks it; then the row's
 * markers can't be checked or shown. */
void annot__judge_row(const annot_reader *reader, const struct annot__stream *stream,
                      uint32_t index, uint64_t object, struct annot__judgement *out);

/* The entry of a stream's ExecuteBundle with this ordinal, or ANNOT__NONE. */
uint32_t annot__find_bundle(const annot_reader *reader, const struct annot__stream *stream,
                            uint32_t ordinal);

/* The last BeginEvent or SetMarker of the stream at or before a position, and the innermost scope
 * around this position; NONE: there is none. */
uint32_t annot__last_marker_at(const annot_reader *reader, const struct annot__stream *stream,
                               uint32_t position);
uint32_t annot__scope_at(const annot_reader *reader, const struct annot__stream *stream,
                         uint32_t position);

/* What bounds that are not uniform prove about the range from `begin` to `end`. */
struct annot__known {
    bool has_started, has_not_started, is_finished, is_unfinished;
};

struct annot__known annot__bounds_know(const annot_reader *reader,
                                       const struct annot__progress_bounds *bounds, uint32_t begin,
                                       uint32_t end);

/* The state of the entries from `begin` to `end` in a stream with these bounds. */
annot_state annot__bounds_state(const annot_reader *reader,
                                const struct annot__progress_bounds *bounds, uint32_t begin,
                                uint32_t end);

/* crossing.c: called after every execution has its state. False means out of memory. */
bool annot__find_crossings(annot_reader *reader);

/* Notes that two pieces of evidence about this execution contradict each other; its state becomes
 * unknown. */
void annot__contradict(annot_reader *reader, struct annot__execution *execution);

/* infer.c: called after every execution of the queue has the state that its own evidence proves. */
void annot__infer_queue(annot_reader *reader, const struct annot__stream *queue);

/* queue_state.c: called after every submission has its state; `index` is the queue's stream. */
void annot__judge_queue(annot_reader *reader, struct annot__stream *queue, uint32_t index);

/* stop.c: called after every submission has its state. False means out of memory. */
bool annot__find_stops(annot_reader *reader);
