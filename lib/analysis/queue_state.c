/* Finds the states of a queue's own markers, from the submissions around the markers and from the
 * driver's row for the queue.
 *
 *     BEGIN Frame        position 2
 *       submission 1     3
 *       SET shadows      4
 *       submission 2     5
 *     END                6
 *
 * A scope is finished if all its work is. It is in progress if some of its work is in progress, or
 * some is done and some is not. The state of a scope without work follows from the driver's row or,
 * if the driver promises to start in order, from the submissions around it. */
#include "analysis/states.h"

#include "base/search.h"

/* ---- positions that follow from the submissions ---- */

static bool has_waiting(const annot_reader *reader, const struct annot__submitted *submission)
{
    for (uint32_t i = 0; i < submission->executions.count; i++)
        if (reader->executions[submission->executions.first + i].state == ANNOT_STATE_NOT_STARTED)
            return true;
    return false;
}

/* Returns true if its fence says that it is done, executed or not. */
static bool is_over(const struct annot__submitted *submission)
{
    return submission->state == ANNOT_STATE_FINISHED ||
           submission->state == ANNOT_STATE_NOT_EXECUTED;
}

static bool has_begun(const struct annot__submitted *submission)
{
    return submission->executions.count > 0 &&
           (submission->state == ANNOT_STATE_IN_PROGRESS || is_over(submission));
}

/* Extends the finished serials, if no submission that the dump lacks can lie in between. */
static uint64_t extend_done(const struct annot__submitted *submission, uint64_t done)
{
    bool is_done = is_over(submission) || submission->executions.count == 0;
    return is_done && submission->serial == done + 1 ? submission->serial : done;
}

static void find_bounds(const annot_reader *reader, struct annot__stream *queue)
{
    uint64_t done = queue->completed;
    queue->waiting = ANNOT__NEVER;
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        const struct annot__submitted *submission =
            &reader->submissions[queue->submissions.first + i];
        uint32_t at = reader->entries[submission->entry].begin;
        if (submission->serial <= queue->completed)
            queue->fenced = queue->done = at;
        if (!(reader->promises & ANNOT_PROMISE_STARTS_IN_ORDER))
            continue;
        if (has_begun(submission)) {
            queue->reached = at;
            if (submission->serial <= done + 1)
                queue->done = at;
        }
        if (queue->waiting == ANNOT__NEVER && has_waiting(reader, submission))
            queue->waiting = at;
        done = extend_done(submission, done);
    }
}

/* Judges a submission without lists by the markers before it, because it has no work. */
static void judge_empty(annot_reader *reader, const struct annot__stream *queue)
{
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        struct annot__submitted *submission = &reader->submissions[queue->submissions.first + i];
        uint32_t at = reader->entries[submission->entry].begin;
        if (submission->executions.count > 0)
            continue;
        submission->state = at <= queue->done     ? ANNOT_STATE_FINISHED
                            : at > queue->waiting ? ANNOT_STATE_NOT_STARTED
                                                  : ANNOT_STATE_UNKNOWN;
    }
}

/* ---- the driver's row ---- */

/* Returns the position of the first submission that is certainly unfinished, or ANNOT__NEVER. */
static uint32_t first_unfinished(const annot_reader *reader, const struct annot__stream *queue)
{
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        const struct annot__submitted *submission =
            &reader->submissions[queue->submissions.first + i];
        if (submission->state == ANNOT_STATE_IN_PROGRESS ||
            submission->state == ANNOT_STATE_NOT_STARTED)
            return reader->entries[submission->entry].begin;
    }
    return ANNOT__NEVER;
}

/* The queue can't have completed work behind an unfinished submission. If it starts in order, it
 * can't have reached work behind a submission that has not started. */
static bool breaks_queue(const annot_reader *reader, const struct annot__stream *queue,
                         const struct annot__progress_bounds *bounds)
{
    return annot__is_exact(reader) && (bounds->completed > first_unfinished(reader, queue) ||
                                       bounds->started > queue->waiting);
}

/* The queue's markers go to the GPU with its submissions: some were not executed either. */
static bool has_not_executed(const annot_reader *reader, const struct annot__stream *queue)
{
    for (uint32_t i = 0; i < queue->submissions.count; i++)
        if (reader->submissions[queue->submissions.first + i].state == ANNOT_STATE_NOT_EXECUTED)
            return true;
    return false;
}

static void judge_queue_row(annot_reader *reader, struct annot__stream *queue, uint32_t row)
{
    struct annot__judgement judgement;
    annot__judge_row(reader, queue, row, queue->object, &judgement);
    if (has_not_executed(reader, queue))
        annot__set_verdict(&judgement, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNDECIDED);
    if (breaks_queue(reader, queue, &judgement.bounds))
        annot__set_verdict(&judgement, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    if (judgement.evidence == ANNOT_EVIDENCE_CONTRADICTORY)
        ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0, queue->object);
    /* A queue is never finished, so a row that says so proves nothing. */
    if (judgement.state == ANNOT_STATE_FINISHED)
        annot__set_verdict(&judgement, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNDECIDED);
    queue->bounds = judgement.bounds;
}

/* ---- how many ---- */

uint32_t annot__submission_lower(const annot_reader *reader, const struct annot__stream *queue,
                                 uint32_t entry)
{
    uint32_t low = 0, high = queue->submissions.count;
    ANNOT__LOWER_BOUND(low, high, i,
                       reader->submissions[queue->submissions.first + i].entry < entry);
    return queue->submissions.first + low;
}

static struct annot__tally add(struct annot__tally to, const struct annot__submitted *submission)
{
    bool is_work = submission->executions.count > 0;
    bool is_finished = submission->state == ANNOT_STATE_FINISHED;
    to.all++;
    to.work += is_work;
    to.finished += is_finished;
    to.done += is_work && is_over(submission);
    to.running += submission->state == ANNOT_STATE_IN_PROGRESS;
    to.waiting += submission->state == ANNOT_STATE_NOT_STARTED;
    return to;
}

static void count_submissions(annot_reader *reader, const struct annot__stream *queue)
{
    struct annot__tally count = {0};
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        struct annot__submitted *submission = &reader->submissions[queue->submissions.first + i];
        submission->before = count;
        count = add(count, submission);
    }
}

struct annot__tally annot__tally_of(const annot_reader *reader, const struct annot__stream *queue,
                                    uint32_t first, uint32_t last)
{
    uint32_t from = annot__submission_lower(reader, queue, first);
    uint32_t to = annot__submission_lower(reader, queue, last + 1);
    if (from == to)
        return (struct annot__tally){0};
    struct annot__tally to_last =
        add(reader->submissions[to - 1].before, &reader->submissions[to - 1]);
    const struct annot__tally *before = &reader->submissions[from].before;
    return (struct annot__tally){
        .all = to_last.all - before->all,
        .work = to_last.work - before->work,
        .finished = to_last.finished - before->finished,
        .done = to_last.done - before->done,
        .running = to_last.running - before->running,
        .waiting = to_last.waiting - before->waiting,
    };
}

void annot__judge_queue(annot_reader *reader, struct annot__stream *queue, uint32_t index)
{
    uint32_t first = annot__row_lower(reader, index, 0, ANNOT_PROGRESS_QUEUE, 0);
    uint32_t row = first;
    while (row < reader->row_count &&
           annot__row_order(&reader->rows[row], index, 0, ANNOT_PROGRESS_QUEUE, 0) == 0)
        reader->rows[row++].is_used = true;
    annot__set_uniform(&queue->bounds, ANNOT_STATE_UNKNOWN,
                       queue->is_damaged ? ANNOT_EVIDENCE_DAMAGED : annot__without_row(reader));
    if (!queue->is_damaged) {
        find_bounds(reader, queue);
        judge_empty(reader, queue);
        if (row > first)
            judge_queue_row(reader, queue, first);
    }
    count_submissions(reader, queue);
}

/* ---- one marker ---- */

/* Whether every submission inside the scope is in the dump or completed; the state of one that was
 * not kept is unknown. Serials ascend by one, so the neighbours' serials give their number. */
static bool holds_all_inside(const annot_reader *reader, const struct annot__stream *queue,
                             uint32_t index)
{
    const struct annot__submitted *all = reader->submissions;
    uint32_t end = queue->submissions.first + queue->submissions.count;
    uint32_t from = annot__submission_lower(reader, queue, index);
    uint32_t to = annot__submission_lower(reader, queue, annot__entry_last(reader, index) + 1);
    uint64_t before = from > queue->submissions.first ? all[from - 1].serial : 0;
    uint64_t last = to < end ? all[to].serial - 1 : queue->submitted;
    if (before < queue->completed)
        before = queue->completed;
    while (from < to && all[from].serial <= queue->completed)
        from++;
    return last <= before ? from == to : last - before == to - from;
}

/* If the queue has not reached a scope, this says nothing about the lists in it, unless they start
 * in order. */
static void know_from_row(const annot_reader *reader, const struct annot__progress_bounds *bounds,
                          const struct annot__entry *entry, bool is_empty,
                          struct annot__known *known)
{
    bool starts = reader->promises & ANNOT_PROMISE_STARTS_IN_ORDER;
    struct annot__known row = {.has_not_started = bounds->state == ANNOT_STATE_NOT_STARTED};
    if (!bounds->is_uniform)
        row = annot__bounds_know(reader, bounds, entry->begin, entry->end);
    known->has_not_started |= row.has_not_started && (is_empty || starts);
    known->is_finished |= row.is_finished;
    known->has_started |= row.has_started;
    known->is_unfinished |= row.is_unfinished;
}

static annot_state decide(const struct annot__known *known)
{
    if (known->has_not_started && known->has_started) /* finished work has begun, too */
        return ANNOT_STATE_UNKNOWN;
    if (known->has_not_started)
        return ANNOT_STATE_NOT_STARTED;
    if (known->is_finished)
        return ANNOT_STATE_FINISHED;
    return known->has_started && known->is_unfinished ? ANNOT_STATE_IN_PROGRESS
                                                      : ANNOT_STATE_UNKNOWN;
}

annot_state annot__queue_marker_state(const annot_reader *reader, uint32_t index,
                                      annot_evidence *evidence)
{
    const struct annot__entry *entry = &reader->entries[index];
    const struct annot__stream *queue = &reader->streams[annot__entry_stream(reader, index)];
    bool has_ended = entry->end != ANNOT__NEVER;
    *evidence = (annot_evidence)queue->bounds.evidence;
    if (queue->is_damaged)
        return ANNOT_STATE_UNKNOWN;
    if (entry->end <= queue->fenced) {
        *evidence = ANNOT_EVIDENCE_FENCE;
        return ANNOT_STATE_FINISHED;
    }
    struct annot__tally inside =
        annot__tally_of(reader, queue, index, annot__entry_last(reader, index));
    bool is_work_left = inside.running + inside.waiting > 0;
    bool is_work_done =
        inside.work > 0 && inside.done == inside.work && holds_all_inside(reader, queue, index);
    struct annot__known known = {
        .has_started = entry->begin < queue->reached || inside.running + inside.done > 0,
        .has_not_started = entry->begin > queue->waiting,
        .is_finished = has_ended && (entry->end <= queue->done || is_work_done),
        .is_unfinished = !has_ended || is_work_left,
    };
    annot_state state = decide(&known);
    if (state != ANNOT_STATE_UNKNOWN) {
        *evidence = known.has_not_started ? ANNOT_EVIDENCE_BEHIND : ANNOT_EVIDENCE_SURROUNDED;
        return state;
    }
    bool is_empty = inside.waiting == inside.all && holds_all_inside(reader, queue, index);
    know_from_row(reader, &queue->bounds, entry, is_empty, &known);
    return known.is_finished && is_work_left ? ANNOT_STATE_UNKNOWN : decide(&known);
}
