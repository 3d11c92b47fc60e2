/*
 * Joins two independent sources of evidence: the driver names EventIDs, the runtime's breadcrumbs
 * count operations. Markers are operations too, so counting joins them:
 *
 *     operations    0 BeginEvent   1 Copy   2 SetMarker   3 Dispatch   4 EndEvent        done: 3
 *     of markers    1st                     2nd                        3rd                    2
 *     positions     2                       4                          6
 *
 * "3 done" are the first two marker operations: what ends at or before position 4 is finished, what
 * begins behind it has not started. Where the numbers of markers differ (some were dropped, or the
 * dump is damaged) nothing is joined.
 *
 * Fences are believed before breadcrumbs, breadcrumbs before the driver's rows. What contradicts
 * stronger evidence is reported with both claims.
 */
#include "analysis/witness.h"

#include "analysis/judge.h"
#include "analysis/ops.h"
#include "base/search.h"

#include <annot/dump.h>

/* ---- one execution ---- */

static annot_state claim_of(const struct annot__dump_CRUMBS *crumbs)
{
    if (crumbs->done == ANNOT_CRUMBS_NOT_BEGUN)
        return ANNOT_STATE_NOT_STARTED;
    return crumbs->done < crumbs->count ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_FINISHED;
}

/* How many marker operations of the execution's own stream are done; false: they can't be
 * counted. */
static bool join(annot_reader *reader, const struct annot__execution *execution,
                 const struct annot__crumbs *crumbs, uint32_t *markers)
{
    const struct annot__stream *stream = &reader->streams[execution->stream];
    uint32_t behind;
    if (stream->is_damaged)
        return false;
    if (stream->dropped > 0 || stream->operations != crumbs->fields.markers ||
        !annot__ops_markers(reader, crumbs->fields.log, crumbs->fields.done, crumbs->fields.count,
                            &behind) ||
        behind > crumbs->fields.markers) {
        ANNOT__FIND(&reader->findings, CRUMBS_UNJOINED, 0, crumbs->fields.submission);
        return false;
    }
    *markers = crumbs->fields.markers - behind;
    return true;
}

/* The last BeginEvent or SetMarker at or before a position; NONE: there is none. */
static uint32_t last_marker_at(const annot_reader *reader, const struct annot__stream *stream,
                               uint32_t position)
{
    uint32_t low = stream->entries.first, high = low + stream->entries.count;
    ANNOT__LOWER_BOUND(low, high, i, reader->entries[i].begin <= position);
    if (low == stream->entries.first)
        return ANNOT__NONE;
    return annot__marker_at(reader, low - 1);
}

static void dispute(annot_reader *reader, struct annot__execution *execution)
{
    execution->is_disputed = true;
    execution->overruled = execution->state;
    ANNOT__FIND(&reader->findings, WITNESSES_DISAGREE, 0,
                reader->submissions[execution->submission].serial);
}

/* Breadcrumbs are what is known of the execution. */
static void believe(annot_reader *reader, struct annot__execution *execution, annot_state state,
                    bool is_joined, uint32_t position)
{
    execution->state = (uint8_t)state;
    execution->evidence = ANNOT_EVIDENCE_CRUMBS;
    execution->started = execution->completed = ANNOT__NONE;
    if (state != ANNOT_STATE_IN_PROGRESS)
        annot__set_uniform(&execution->bounds, state, ANNOT_EVIDENCE_CRUMBS);
    else if (!is_joined)
        annot__set_uniform(&execution->bounds, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNJOINED);
    else {
        execution->bounds = (struct annot__progress_bounds){
            .started = position,
            .completed = position,
            .unreached = position + 1, /* what begins there or behind has not started */
            .is_started_known = true,
            .is_completed_known = true,
            .evidence = ANNOT_EVIDENCE_CRUMBS,
            .whole = ANNOT_STATE_IN_PROGRESS,
        };
        execution->started = last_marker_at(reader, &reader->streams[execution->stream], position);
    }
}

/* Whether the driver's last started marker lies where breadcrumbs say that the GPU is, give or take
 * the operation that is being done and what the driver may have moved. */
static bool is_same_place(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t position)
{
    const uint64_t slack = annot__window_of(reader) + 2;
    const struct annot__progress_bounds *bounds = &execution->bounds;
    if (bounds->is_uniform || !bounds->is_started_known)
        return true;
    uint32_t last = last_marker_at(reader, &reader->streams[execution->stream], position);
    uint32_t counted = last != ANNOT__NONE ? reader->entries[last].begin : 0;
    return bounds->started <= position + slack && counted <= bounds->started + slack;
}

/* What the driver's rows say and breadcrumbs rule out. */
static bool is_ruled_out(const annot_reader *reader, const struct annot__execution *execution,
                         annot_state claim, bool is_joined, uint32_t position)
{
    const annot_state state = (annot_state)execution->state;
    if (state == ANNOT_STATE_UNKNOWN)
        return false;
    if (state != claim) /* between the last operation and the list's end both are right */
        return !(state == ANNOT_STATE_IN_PROGRESS && claim == ANNOT_STATE_FINISHED);
    return state == ANNOT_STATE_IN_PROGRESS && is_joined &&
           !is_same_place(reader, execution, position);
}

static void hear(annot_reader *reader, struct annot__execution *execution,
                 const struct annot__crumbs *crumbs)
{
    const annot_state claim = claim_of(&crumbs->fields);
    uint32_t markers = 0;
    if (execution->evidence == ANNOT_EVIDENCE_FENCE) {
        if (claim != ANNOT_STATE_FINISHED)
            dispute(reader, execution);
        execution->overruled = (uint8_t)claim;
        return;
    }
    execution->is_joined = claim == ANNOT_STATE_IN_PROGRESS && execution->stream != ANNOT__NONE &&
                           join(reader, execution, crumbs, &markers);
    const bool is_joined = execution->is_joined;
    if (is_ruled_out(reader, execution, claim, is_joined, markers * 2)) {
        dispute(reader, execution);
        believe(reader, execution, claim, is_joined, markers * 2);
    } else if (execution->state == ANNOT_STATE_UNKNOWN) {
        believe(reader, execution, claim, is_joined, markers * 2);
    }
    annot__mask_damaged(reader, execution->stream, &execution->bounds);
}

/* ---- all of them ---- */

static uint32_t find_submission(const annot_reader *reader, const struct annot__stream *queue,
                                uint64_t serial)
{
    uint32_t low = queue->submissions.first, end = low + queue->submissions.count, high = end;
    ANNOT__LOWER_BOUND(low, high, i, reader->submissions[i].serial < serial);
    return low < end && reader->submissions[low].serial == serial ? low : ANNOT__NONE;
}

/* The first one that speaks of an execution counts. */
static void attach(annot_reader *reader, uint32_t index)
{
    struct annot__crumbs *crumbs = &reader->crumbs[index];
    crumbs->queue = annot__index_find(&reader->queue_index, crumbs->fields.queue);
    if (crumbs->queue == ANNOT__NONE || crumbs->fields.bundle != 0 || crumbs->is_damaged ||
        reader->streams[crumbs->queue].is_damaged)
        return;
    uint32_t submission =
        find_submission(reader, &reader->streams[crumbs->queue], crumbs->fields.submission);
    if (submission == ANNOT__NONE ||
        crumbs->fields.list >= reader->submissions[submission].executions.count)
        return;
    crumbs->execution = reader->submissions[submission].executions.first + crumbs->fields.list;
    struct annot__execution *execution = &reader->executions[crumbs->execution];
    if (execution->crumbs == ANNOT__NONE)
        execution->crumbs = index;
}

void annot__hear_crumbs(annot_reader *reader)
{
    annot__ops_prepare(reader);
    for (uint32_t i = 0; i < reader->crumb_count; i++)
        attach(reader, i);
    for (uint32_t i = 0; i < reader->execution_count; i++) {
        struct annot__execution *execution = &reader->executions[i];
        if (execution->crumbs != ANNOT__NONE)
            hear(reader, execution, &reader->crumbs[execution->crumbs]);
    }
}
