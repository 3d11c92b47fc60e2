/* Judges from evidence alone what the GPU did [ANN-CRASH-02]. There are three kinds of evidence: a
 * queue's completed serial (the fence), the driver's progress rows, and the driver's promises of
 * the order between executions (infer.c). The state of work without evidence is unknown.
 * docs/DESIGN.md has every rule, and the reason why the rule can't be wrong.
 *
 *     BEGIN Frame            position 2
 *       SET sky              4
 *       BEGIN Shadow         6      <- started: the last that the GPU reached
 *         ExecuteBundle      7
 *       END                  8
 *     END                    10
 *
 * A row "started Shadow, completed sky" cuts the stream at 6 and 4: work that begins behind 6 has
 * not started, work that ends at or before 4 is finished, and Frame and Shadow are in progress.
 * States are computed from the bounds on request, so a thousand executions of one recording need a
 * thousand cuts and no copies.
 *
 * A driver's rows are not trusted. The execution's state becomes unknown if a row names markers
 * that the stream lacks, completes more than it started, or contradicts another row
 * [ANN-DDI-03]. */
#include "analysis/analysis.h"
#include "analysis/submission_times.h"
#include "analysis/witness.h"
#include "base/search.h"

/* ---- one execution ---- */

static bool is_fenced(const annot_reader *reader, const struct annot__execution *execution)
{
    const struct annot__stream *queue = &reader->streams[execution->queue];
    return !queue->is_damaged &&
           reader->submissions[execution->submission].serial <= queue->completed;
}

static void judge_execution(annot_reader *reader, struct annot__execution *execution)
{
    const struct annot__submitted *submission = &reader->submissions[execution->submission];
    uint32_t first =
        annot__row_lower(reader, execution->queue, submission->serial, execution->list, 0);
    uint32_t last = first;
    while (last < reader->row_count && reader->rows[last].queue == execution->queue &&
           reader->rows[last].submission == submission->serial &&
           reader->rows[last].list == execution->list && !reader->rows[last].is_used)
        reader->rows[last++].is_used = true;
    execution->rows = (struct annot__range){first, last - first};
    annot__disown_stray_bundles(reader, execution);

    struct annot__judgement judgement = {.started = ANNOT__NONE, .completed = ANNOT__NONE};
    bool has_row = execution->rows.count > 0 && reader->rows[first].bundle == 0;
    if (is_fenced(reader, execution))
        annot__set_verdict(&judgement, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE);
    else if (has_row)
        annot__judge_row(
            reader, execution->stream == ANNOT__NONE ? NULL : &reader->streams[execution->stream],
            first, execution->object, &judgement);
    else
        annot__set_verdict(&judgement, ANNOT_STATE_UNKNOWN, annot__without_row(reader));
    /* the recording may not be the one that was submitted, unless the row names its markers */
    if (reader->streams[execution->queue].is_damaged && judgement.state != ANNOT_STATE_IN_PROGRESS)
        annot__set_verdict(&judgement, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    execution->bounds = judgement.bounds;
    execution->state = (uint8_t)judgement.state;
    execution->evidence = (uint8_t)judgement.evidence;
    execution->started = judgement.started;
    execution->completed = judgement.completed;
    annot__mask_damaged(reader, execution->stream, &execution->bounds);
    if (judgement.evidence == ANNOT_EVIDENCE_CONTRADICTORY)
        ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0, submission->serial);
    if (judgement.evidence != ANNOT_EVIDENCE_FENCE)
        annot__merge_bundles(reader, execution);
}

/* ---- submissions ---- */

static bool is_lost(const annot_reader *reader)
{
    const struct annot__finding_count *of = reader->findings.of;
    return of[ANNOT__FINDING_SLOT_SECTION_HASH].count ||
           of[ANNOT__FINDING_SLOT_SECTION_FRAME].count ||
           of[ANNOT__FINDING_SLOT_SECTION_CUT].count ||
           of[ANNOT__FINDING_SLOT_SECTION_MISSING].count ||
           of[ANNOT__FINDING_SLOT_RECORD_BROKEN].count ||
           of[ANNOT__FINDING_SLOT_RECORD_ORPHAN].count ||
           of[ANNOT__FINDING_SLOT_END_MISSING].count || of[ANNOT__FINDING_SLOT_ID_REPEATED].count;
}

/* Returns true if the driver says that the GPU has begun the submission itself. */
static bool is_reached(annot_reader *reader, const struct annot__submitted *submission)
{
    uint32_t index =
        annot__row_lower(reader, submission->queue, submission->serial, ANNOT_PROGRESS_QUEUE, 0);
    if (index == reader->row_count ||
        annot__row_order(&reader->rows[index], submission->queue, submission->serial,
                         ANNOT_PROGRESS_QUEUE, 0) != 0)
        return false;
    struct annot__row *row = &reader->rows[index];
    row->is_used = true;
    return !row->is_damaged && row->state == ANNOT_PROGRESS_STARTED && !row->started &&
           !row->completed;
}

/* Judges a submission with lists; queue_state.c judges the others. A submission is in progress if
 * some lists are finished and some have not started, or if the GPU began it and not all lists are
 * finished. */
static void judge_submission(annot_reader *reader, struct annot__submitted *submission)
{
    const struct annot__stream *queue = &reader->streams[submission->queue];
    uint32_t count[4] = {0};
    for (uint32_t i = 0; i < submission->executions.count; i++)
        count[reader->executions[submission->executions.first + i].state]++;
    uint32_t all = submission->executions.count;
    bool is_fenced = !queue->is_damaged && submission->serial <= queue->completed;
    bool is_begun = is_reached(reader, submission);
    if (is_fenced || (all > 0 && !submission->is_cut && count[ANNOT_STATE_FINISHED] == all))
        submission->state = ANNOT_STATE_FINISHED;
    else if (is_begun && !queue->is_damaged)
        submission->state = ANNOT_STATE_IN_PROGRESS;
    else if (all > 0 && !submission->is_cut && count[ANNOT_STATE_NOT_STARTED] == all)
        submission->state = ANNOT_STATE_NOT_STARTED;
    else if (count[ANNOT_STATE_IN_PROGRESS] > 0 ||
             (count[ANNOT_STATE_FINISHED] > 0 && count[ANNOT_STATE_NOT_STARTED] > 0))
        submission->state = ANNOT_STATE_IN_PROGRESS;
    else
        submission->state = ANNOT_STATE_UNKNOWN;
}

static bool is_submission_held(const annot_reader *reader, const struct annot__stream *queue,
                               uint64_t serial)
{
    uint32_t low = 0, high = queue->submissions.count;
    ANNOT__LOWER_BOUND(low, high, i,
                       reader->submissions[queue->submissions.first + i].serial < serial)
    return low < queue->submissions.count &&
           reader->submissions[queue->submissions.first + low].serial == serial;
}

static void check_stray_rows(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->row_count; i++) {
        const struct annot__row *row = &reader->rows[i];
        if (i > 0 && annot__is_same_row(row, row - 1))
            ANNOT__FIND(&reader->findings, ROW_REPEATED, 0, row->submission);
        if (row->is_used)
            continue;
        /* The submission was evicted, dropped or never kept: lists of RUNTIME_ONLY devices leave
         * none. */
        const struct annot__stream *queue =
            row->queue != ANNOT__NONE ? &reader->streams[row->queue] : NULL;
        bool is_not_kept = queue && annot__is_submitted(queue, row->submission) &&
                           !is_submission_held(reader, queue, row->submission);
        if (!is_not_kept && !is_lost(reader))
            ANNOT__FIND(&reader->findings, ROW_STRAY, 0, row->submission);
    }
}

/* ---- all of it ---- */

bool annot__analyse(annot_reader *reader)
{
    if (!annot__sort_rows(reader))
        return false;
    for (uint32_t i = 0; i < reader->execution_count; i++)
        judge_execution(reader, &reader->executions[i]);
    if (!annot__hear_crumbs(reader))
        return false;
    for (uint32_t i = 0; i < reader->execution_count; i++)
        annot__dispute_bundles(reader, &reader->executions[i]);
    annot__hear_histories(reader);
    for (uint32_t i = 0; i < reader->stream_count; i++) /* lists execute nothing */
        annot__infer_queue(reader, &reader->streams[i]);
    for (uint32_t i = 0; i < reader->submission_count; i++)
        judge_submission(reader, &reader->submissions[i]);
    annot__mark_not_executed(reader);
    for (uint32_t i = 0; i < reader->stream_count; i++) /* lists need no judgement */
        annot__judge_queue(reader, &reader->streams[i], i);
    check_stray_rows(reader);
    const bool is_done = annot__find_crossings(reader) && annot__find_stops(reader);
    annot__mark_lists_not_executed(reader);
    return is_done;
}
