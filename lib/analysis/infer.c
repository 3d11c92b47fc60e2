/* Infers the states of executions from other executions of the same queue. This needs the driver's
 * promises, because lists overlap: when a front end begins a list, the one before it is usually
 * unfinished. docs/DESIGN.md has the rules as a table.
 *
 * Two promises, each with two sides:
 *
 *     starts in order     not started  -> everything behind it has not started
 *                         started      -> everything before it has started
 *     retires in order    finished     -> everything before it is finished
 *                         unfinished   -> everything behind it is unfinished
 *
 * What has started and is unfinished is in progress. If a pair breaks a promise, its stronger claim
 * becomes unknown: a "not started" before something that started, and a "finished" behind something
 * unfinished. */
#include "analysis/judge.h"

static bool has_started(const struct annot__execution *execution)
{
    return execution->state == ANNOT_STATE_IN_PROGRESS || execution->state == ANNOT_STATE_FINISHED;
}

static bool is_unfinished(const struct annot__execution *execution)
{
    return execution->state == ANNOT_STATE_IN_PROGRESS ||
           execution->state == ANNOT_STATE_NOT_STARTED;
}

/* The first and the last execution of each state in the queue, or ANNOT__NONE. */
struct span {
    uint32_t first_waiting, last_started, last_finished, first_unfinished;
};

static struct span span_of(const struct annot__execution *executions, uint32_t count)
{
    struct span span = {ANNOT__NONE, ANNOT__NONE, ANNOT__NONE, ANNOT__NONE};
    for (uint32_t i = 0; i < count; i++) {
        if (executions[i].state == ANNOT_STATE_NOT_STARTED && span.first_waiting == ANNOT__NONE)
            span.first_waiting = i;
        if (is_unfinished(&executions[i]) && span.first_unfinished == ANNOT__NONE)
            span.first_unfinished = i;
        if (has_started(&executions[i]))
            span.last_started = i;
        if (executions[i].state == ANNOT_STATE_FINISHED)
            span.last_finished = i;
    }
    return span;
}

static bool is_before(uint32_t index, uint32_t other)
{
    return other != ANNOT__NONE && index < other;
}

static bool is_behind(uint32_t index, uint32_t other)
{
    return index > other; /* false if `other` is ANNOT__NONE */
}

static void distrust_broken_promises(annot_reader *reader, struct annot__execution *executions,
                                     uint32_t count)
{
    const struct span span = span_of(executions, count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_late = (reader->promises & ANNOT_PROMISE_STARTS_IN_ORDER) &&
                       executions[i].state == ANNOT_STATE_NOT_STARTED &&
                       is_before(i, span.last_started);
        bool is_early = (reader->promises & ANNOT_PROMISE_RETIRES_IN_ORDER) &&
                        executions[i].state == ANNOT_STATE_FINISHED &&
                        is_behind(i, span.first_unfinished);
        if (is_late || is_early)
            annot__contradict(reader, &executions[i]);
    }
}

/* Returns true if the driver says nothing, or nothing decisive, about this execution. An execution
 * with rows of bundles is left alone, because they could contradict the inference. */
static bool is_open(const annot_reader *reader, const struct annot__execution *execution)
{
    bool is_undecided = execution->evidence == ANNOT_EVIDENCE_NO_ROW ||
                        execution->evidence == ANNOT_EVIDENCE_UNDECIDED;
    bool has_bundle_rows =
        execution->rows.count > 1 ||
        (execution->rows.count == 1 && reader->rows[execution->rows.first].bundle != 0);
    return is_undecided && !has_bundle_rows;
}

static bool names_markers(const struct annot__execution *execution)
{
    return execution->started != ANNOT__NONE || execution->completed != ANNOT__NONE;
}

static void conclude(const annot_reader *reader, struct annot__execution *execution,
                     annot_state state, annot_evidence evidence)
{
    execution->state = (uint8_t)state;
    execution->evidence = (uint8_t)evidence;
    if (state != ANNOT_STATE_IN_PROGRESS)
        annot__set_uniform(&execution->bounds, state, evidence);
    else if (execution->bounds.is_uniform)
        annot__set_uniform(&execution->bounds, ANNOT_STATE_UNKNOWN, evidence);
    execution->bounds.whole = (uint8_t)state;
    annot__mask_damaged(reader, execution->stream, &execution->bounds);
}

static void infer_one(const annot_reader *reader, const struct span *span, uint32_t index,
                      struct annot__execution *execution)
{
    bool starts = reader->promises & ANNOT_PROMISE_STARTS_IN_ORDER;
    bool retires = reader->promises & ANNOT_PROMISE_RETIRES_IN_ORDER;
    bool is_started = names_markers(execution) || (starts && is_before(index, span->last_started));
    bool is_left = (retires && is_behind(index, span->first_unfinished)) ||
                   (!execution->bounds.is_uniform && execution->bounds.unreached != ANNOT__NEVER);
    if (retires && is_before(index, span->last_finished))
        conclude(reader, execution, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_LATER_FINISHED);
    else if (starts && is_behind(index, span->first_waiting) && !names_markers(execution))
        conclude(reader, execution, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_BEHIND);
    else if (is_started && is_left)
        conclude(reader, execution, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_BETWEEN);
}

void annot__infer_queue(annot_reader *reader, const struct annot__stream *queue)
{
    struct annot__range range = annot__executions_of(reader, queue);
    if (range.count == 0)
        return;
    struct annot__execution *executions = &reader->executions[range.first];
    distrust_broken_promises(reader, executions, range.count);
    const struct span span = span_of(executions, range.count);
    for (uint32_t i = 0; i < range.count; i++)
        if (is_open(reader, &executions[i]))
            infer_one(reader, &span, i, &executions[i]);
}
