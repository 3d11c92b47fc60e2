/* Joins two independent sources of evidence: the driver names EventIDs, the runtime's breadcrumbs
 * count operations. Markers are operations too, so counting joins them:
 *
 *     operations    0 BeginEvent   1 Copy   2 SetMarker   3 Dispatch   4 EndEvent        done: 3
 *     of markers    1st                     2nd                        3rd                    2
 *     positions     2                       4                          6
 *
 * "3 done" are the first two marker operations: what ends at or before position 4 is finished, and
 * what ends behind it is not. Breadcrumbs say what is done without a gap, and nothing of what has
 * begun: a GPU has several operations in flight [ANN-TRUTH-05]. The driver may know how far its
 * front end is. Where the numbers of markers differ (some were dropped, or the dump is damaged)
 * nothing is joined.
 *
 * Fences are believed before breadcrumbs, breadcrumbs before the driver's rows. A claim that
 * contradicts stronger evidence is reported with it.
 */
#include "analysis/witness.h"

#include "dump_read/ops.h"
#include "base/search.h"

/* ---- one recording ---- */

/* Counts the recording's done marker operations. Returns false if they can't be counted. */
static bool count_markers(const annot_reader *reader, const struct annot__stream *stream,
                          const struct annot__crumbs *crumbs, uint32_t *markers)
{
    const struct annot__dump_CRUMBS *of = &crumbs->fields;
    uint32_t behind;
    if (stream->is_damaged || stream->dropped > 0 || stream->operations != of->markers ||
        !annot__ops_markers(reader, of->log, of->done, of->count, &behind) || behind > of->markers)
        return false;
    *markers = of->markers - behind;
    return true;
}

static bool is_begun_and_left(annot_state claim)
{
    return claim == ANNOT_STATE_IN_PROGRESS || claim == ANNOT_STATE_UNKNOWN;
}

/* Sets bounds: the marker at `position` is done, the next marker isn't, but may have begun. */
static void set_bounds(const struct annot__dump_CRUMBS *crumbs, uint32_t position,
                       struct annot__progress_bounds *bounds)
{
    *bounds = (struct annot__progress_bounds){
        .started = position,
        .completed = position,
        .unreached = ANNOT__NEVER,
        .is_started_known = true,
        .is_completed_known = true,
        .evidence = ANNOT_EVIDENCE_CRUMBS,
        .whole = (uint8_t)annot__crumbs_claim(crumbs),
    };
}

bool annot__judge_crumbs(const annot_reader *reader, const struct annot__stream *stream,
                         const struct annot__crumbs *crumbs, struct annot__judgement *out)
{
    const annot_state claim = annot__crumbs_claim(&crumbs->fields);
    uint32_t markers;
    *out = (struct annot__judgement){.started = ANNOT__NONE, .completed = ANNOT__NONE};
    annot__set_verdict(out, claim, ANNOT_EVIDENCE_CRUMBS);
    if (claim == ANNOT_STATE_NOT_STARTED && !crumbs->is_behind)
        annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CRUMBS);
    if (!is_begun_and_left(claim))
        return false;
    if (!stream || !count_markers(reader, stream, crumbs, &markers)) {
        annot__set_uniform(&out->bounds, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNJOINED);
        return false;
    }
    set_bounds(&crumbs->fields, markers * 2, &out->bounds);
    out->started = annot__last_marker_at(reader, stream, markers * 2);
    return true;
}

bool annot__is_ruled_out(annot_state state, annot_state claim)
{
    if (state == ANNOT_STATE_UNKNOWN || state == claim)
        return false;
    if (claim == ANNOT_STATE_UNKNOWN)
        return state == ANNOT_STATE_NOT_STARTED;
    if (claim == ANNOT_STATE_NOT_STARTED)
        return state == ANNOT_STATE_FINISHED;
    /* both states are right between the last operation and the end */
    return state != ANNOT_STATE_IN_PROGRESS || claim != ANNOT_STATE_FINISHED;
}

/* ---- one execution ---- */

static void dispute(annot_reader *reader, struct annot__execution *execution)
{
    execution->is_disputed = true;
    execution->overruled = execution->state;
    ANNOT__FIND(&reader->findings, WITNESSES_DISAGREE, 0,
                reader->submissions[execution->submission].serial);
}

/* Returns true if the driver's front end has come as far as breadcrumbs count, and what it
 * completed is no further, give or take the operation that is being done and what the driver may
 * have moved: the marker that it names, and each one that it would have named instead. A front end
 * that is ahead contradicts nothing. */
static bool is_possible(const annot_reader *reader, const struct annot__execution *execution)
{
    const uint64_t window = annot__window_of(reader), position = execution->counted;
    const struct annot__progress_bounds *bounds = &execution->bounds;
    if (bounds->completed > position + window + 2)
        return false;
    if (!bounds->is_started_known)
        return true;
    const uint64_t passed = position > window ? position - window : 0;
    const uint32_t last =
        annot__last_marker_at(reader, &reader->streams[execution->stream], (uint32_t)passed);
    const uint64_t counted = last != ANNOT__NONE ? reader->entries[last].begin : 0;
    return counted <= bounds->started + 2 * window + 2;
}

static bool is_contradicted(const annot_reader *reader, const struct annot__execution *execution,
                            const struct annot__crumbs *crumbs)
{
    const annot_state state = (annot_state)execution->state;
    const annot_state claim = annot__crumbs_claim(&crumbs->fields);
    return annot__is_ruled_out(state, claim) ||
           (state == ANNOT_STATE_IN_PROGRESS && claim == ANNOT_STATE_NOT_STARTED &&
            crumbs->is_behind) ||
           (state == ANNOT_STATE_IN_PROGRESS && state == claim && execution->is_joined &&
            !is_possible(reader, execution));
}

static uint32_t less_window(uint32_t position, uint64_t window)
{
    return position > window ? position - (uint32_t)window : 0;
}

/* What is known together: by the driver where the front end is, by both what is done. The front end
 * has passed what breadcrumbs count as done, whatever the driver names. */
static void join(const annot_reader *reader, const struct annot__progress_bounds *counted,
                 struct annot__progress_bounds *bounds)
{
    const struct annot__progress_bounds row = *bounds;
    const uint64_t window = annot__window_of(reader);
    *bounds = *counted;
    if (row.is_uniform)
        return;
    const uint32_t started = less_window(row.started, window),
                   completed = less_window(row.completed, window);
    bounds->started = started > counted->started ? started : counted->started;
    bounds->completed = completed > counted->completed ? completed : counted->completed;
    if (row.unreached + window < ANNOT__NEVER && row.unreached + window > counted->started)
        bounds->unreached = row.unreached + (uint32_t)window;
    if (row.is_started_known && row.is_completed_known && window == 0)
        bounds->evidence = row.evidence;
}

/* Takes the state by breadcrumbs as the execution's state. */
static void believe(const struct annot__judgement *judgement, struct annot__execution *execution)
{
    if (judgement->state != ANNOT_STATE_UNKNOWN || execution->state != ANNOT_STATE_UNKNOWN)
        execution->evidence = ANNOT_EVIDENCE_CRUMBS;
    execution->state = (uint8_t)judgement->state;
    execution->started = judgement->started;
    execution->completed = judgement->completed;
    execution->bounds = judgement->bounds;
}

static void find_unjoined(annot_reader *reader, const struct annot__execution *execution,
                          const struct annot__judgement *judgement)
{
    if (judgement->bounds.evidence == ANNOT_EVIDENCE_UNJOINED && execution->stream != ANNOT__NONE &&
        !reader->streams[execution->stream].is_damaged &&
        !reader->streams[execution->stream].is_counted_apart)
        ANNOT__FIND(&reader->findings, CRUMBS_UNJOINED, 0,
                    reader->submissions[execution->submission].serial);
}

static void hear(annot_reader *reader, struct annot__execution *execution,
                 const struct annot__crumbs *crumbs)
{
    struct annot__judgement judgement;
    const struct annot__stream *stream =
        execution->stream != ANNOT__NONE ? &reader->streams[execution->stream] : NULL;
    const bool is_joined = annot__judge_crumbs(reader, stream, crumbs, &judgement);
    if (execution->evidence == ANNOT_EVIDENCE_FENCE) {
        if (annot__is_ruled_out(ANNOT_STATE_FINISHED, annot__crumbs_claim(&crumbs->fields)))
            dispute(reader, execution);
        execution->overruled = (uint8_t)judgement.state;
        return;
    }
    find_unjoined(reader, execution, &judgement);
    execution->is_joined = is_joined;
    execution->counted = judgement.bounds.started;
    const bool is_disputed = is_contradicted(reader, execution, crumbs);
    if (is_disputed)
        dispute(reader, execution);
    if (is_disputed || execution->state == ANNOT_STATE_UNKNOWN)
        believe(&judgement, execution);
    else if (is_joined)
        join(reader, &judgement.bounds, &execution->bounds);
    annot__mask_damaged(reader, execution->stream, &execution->bounds);
}

/* ---- all of them ---- */

uint32_t annot__submission_find(const annot_reader *reader, const struct annot__stream *queue,
                                uint64_t serial)
{
    uint32_t low = queue->submissions.first, end = low + queue->submissions.count, high = end;
    ANNOT__LOWER_BOUND(low, high, i, reader->submissions[i].serial < serial);
    return low < end && reader->submissions[low].serial == serial ? low : ANNOT__NONE;
}

/* Attaches the list's first breadcrumbs. Breadcrumbs of bundles get an index. */
static void attach(annot_reader *reader, uint32_t index)
{
    struct annot__crumbs *crumbs = &reader->crumbs[index];
    crumbs->queue = annot__index_find(&reader->queue_index, crumbs->fields.queue);
    if (crumbs->queue == ANNOT__NONE || crumbs->is_damaged ||
        reader->streams[crumbs->queue].is_damaged)
        return;
    uint32_t submission =
        annot__submission_find(reader, &reader->streams[crumbs->queue], crumbs->fields.submission);
    if (submission == ANNOT__NONE ||
        crumbs->fields.list >= reader->submissions[submission].executions.count)
        return;
    const uint32_t execution =
        reader->submissions[submission].executions.first + crumbs->fields.list;
    if (crumbs->fields.bundle != 0) {
        annot__index_add(&reader->crumb_index, (uint64_t)execution << 32 | crumbs->fields.bundle,
                         index);
        return;
    }
    crumbs->execution = execution;
    if (reader->executions[execution].crumbs == ANNOT__NONE)
        reader->executions[execution].crumbs = index;
}

uint32_t annot__bundle_crumbs(const annot_reader *reader, const struct annot__execution *execution,
                              uint32_t ordinal)
{
    const uint64_t index = (uint64_t)(execution - reader->executions);
    return annot__index_find(&reader->crumb_index, index << 32 | ordinal);
}

/* The GPU finishes one call of ExecuteCommandLists before it begins the next call. So a call behind
 * an unfinished call has not begun. A call whose first breadcrumb is missing has not begun, either,
 * because that breadcrumb waits for no work. */
static void find_behind(annot_reader *reader, const struct annot__stream *queue)
{
    const struct annot__range of = annot__executions_of(reader, queue);
    uint32_t left = ANNOT__NONE; /* the submission that is not done */
    uint32_t waiting = ANNOT__NONE;
    for (uint32_t i = of.first; i < of.first + of.count; i++) {
        const struct annot__execution *execution = &reader->executions[i];
        if (execution->crumbs == ANNOT__NONE)
            continue;
        struct annot__crumbs *crumbs = &reader->crumbs[execution->crumbs];
        const annot_state claim = annot__crumbs_claim(&crumbs->fields);
        if (execution->list == 0 && claim == ANNOT_STATE_NOT_STARTED)
            waiting = execution->submission;
        crumbs->is_behind = (left != ANNOT__NONE && execution->submission != left) ||
                            execution->submission == waiting;
        if (left == ANNOT__NONE && claim != ANNOT_STATE_FINISHED && claim != ANNOT_STATE_UNKNOWN &&
            execution->evidence != ANNOT_EVIDENCE_FENCE)
            left = execution->submission;
    }
}

bool annot__hear_crumbs(annot_reader *reader)
{
    annot__ops_prepare(reader);
    for (uint32_t i = 0; i < reader->crumb_count; i++)
        attach(reader, i);
    for (uint32_t i = 0; i < reader->stream_count; i++) /* lists execute nothing */
        find_behind(reader, &reader->streams[i]);
    for (uint32_t i = 0; i < reader->execution_count; i++) {
        struct annot__execution *execution = &reader->executions[i];
        if (execution->crumbs != ANNOT__NONE)
            hear(reader, execution, &reader->crumbs[execution->crumbs]);
    }
    return annot__index_sort(reader, &reader->crumb_index);
}
