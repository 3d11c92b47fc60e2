/* Decides the states of executions from the driver's progress rows. Files that decide states and
 * files that find stops share these functions. */
#pragma once

#include "dump_read/dump_model.h"

struct annot__judgement {
    struct annot__progress_bounds bounds;
    uint32_t started, completed; /* entries */
    annot_state state;
    annot_evidence evidence;
};

/* Returns by how many markers the GPU may execute a marker too early or too late. */
static inline uint64_t annot__window_of(const annot_reader *reader)
{
    return (uint64_t)reader->order_window * 2;
}

/* Returns the last position that the GPU certainly reached or finished, by these bounds. */
static inline uint32_t annot__position_of(const struct annot__progress_bounds *bounds)
{
    return bounds->started > bounds->completed ? bounds->started : bounds->completed;
}

/* Returns the same as annot__window_of, but 0 if the bounds are from breadcrumbs, because
 * breadcrumbs keep the order. */
static inline uint64_t annot__window_of_bounds(const annot_reader *reader,
                                               const struct annot__progress_bounds *bounds)
{
    return bounds->evidence == ANNOT_EVIDENCE_CRUMBS ? 0 : annot__window_of(reader);
}

static inline bool annot__is_exact(const annot_reader *reader)
{
    return reader->order_window == 0;
}

/* Returns why the state of work without a progress row is unknown. */
static inline annot_evidence annot__without_row(const annot_reader *reader)
{
    return reader->device.has_report ? ANNOT_EVIDENCE_NO_ROW
           : reader->has_device      ? ANNOT_EVIDENCE_NO_REPORT
                                     : ANNOT_EVIDENCE_NONE; /* the dump lost evidence */
}

void annot__set_uniform(struct annot__progress_bounds *bounds, annot_state state,
                        annot_evidence evidence);

/* Clears the progress bounds of a damaged stream, because its markers may belong to other lists. */
void annot__mask_damaged(const annot_reader *reader, uint32_t stream,
                         struct annot__progress_bounds *bounds);

/* Sorts the progress rows by queue, submission, list, bundle; equal rows stay in the driver's
 * order. Returns false if memory runs out. */
bool annot__sort_rows(annot_reader *reader);

/* Compares a progress row with the key: below 0 if it sorts before the key, above 0 if after it. */
int annot__row_order(const struct annot__row *row, uint32_t queue, uint64_t submission,
                     uint32_t list, uint32_t bundle);

static inline bool annot__is_same_row(const struct annot__row *row, const struct annot__row *other)
{
    return annot__row_order(row, other->queue, other->submission, other->list, other->bundle) == 0;
}

/* Returns the index of the first progress row that does not sort before this key. */
uint32_t annot__row_lower(const annot_reader *reader, uint32_t queue, uint64_t submission,
                          uint32_t list, uint32_t bundle);

void annot__set_verdict(struct annot__judgement *out, annot_state state, annot_evidence evidence);

/* Decides the state of an execution of `object` from one progress row. If the dump lacks the list's
 * stream, `stream` is NULL; then the row's markers can't be checked or shown. */
void annot__judge_row(const annot_reader *reader, const struct annot__stream *stream,
                      uint32_t index, uint64_t object, struct annot__judgement *out);

/* Returns the entry of the stream's ExecuteBundle call number `ordinal`, or ANNOT__NONE. */
uint32_t annot__find_bundle(const annot_reader *reader, const struct annot__stream *stream,
                            uint32_t ordinal);

/* The first function returns the stream's last BeginEvent or SetMarker at or before `position`; the
 * second returns the innermost scope around `position`. Both may return ANNOT__NONE. */
uint32_t annot__last_marker_at(const annot_reader *reader, const struct annot__stream *stream,
                               uint32_t position);
uint32_t annot__scope_at(const annot_reader *reader, const struct annot__stream *stream,
                         uint32_t position);

/* What progress bounds prove about the positions `begin` to `end`, unless they are uniform. */
struct annot__known {
    bool has_started, has_not_started, is_finished, is_unfinished;
};

struct annot__known annot__bounds_know(const annot_reader *reader,
                                       const struct annot__progress_bounds *bounds, uint32_t begin,
                                       uint32_t end);

/* Returns the state of the positions `begin` to `end` of a stream with these bounds. */
annot_state annot__bounds_state(const annot_reader *reader,
                                const struct annot__progress_bounds *bounds, uint32_t begin,
                                uint32_t end);

/* Defined in crossing.c. Finds crossings (scopes that one list opens and a later list closes),
 * after executions have states. Returns false if memory runs out. */
bool annot__find_crossings(annot_reader *reader);

/* Makes an execution's state UNKNOWN and its evidence CONTRADICTORY, and reports a finding. */
void annot__contradict(annot_reader *reader, struct annot__execution *execution);

/* Defined in infer.c. Infers states in a queue, after single executions have states by their own
 * evidence. */
void annot__infer_queue(annot_reader *reader, const struct annot__stream *queue);

/* Defined in queue_state.c. Decides a queue's state after its submissions have states; `index`: the
 * queue's stream. */
void annot__judge_queue(annot_reader *reader, struct annot__stream *queue, uint32_t index);

/* In stop.c. Finds stops, after all submissions have states. Returns false if memory runs out. */
bool annot__find_stops(annot_reader *reader);
