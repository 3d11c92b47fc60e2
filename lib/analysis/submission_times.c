#include "analysis/submission_times.h"

#include "analysis/witness.h"

#include "base/search.h"

#include <stdlib.h>

/* ---- order: times are sorted in place, in O(n log n) for any data ---- */

static int compare_submitted(const void *a, const void *b)
{
    const struct annot__dump_SUBMITTED *x = &((const struct annot__submitted_times *)a)->fields;
    const struct annot__dump_SUBMITTED *y = &((const struct annot__submitted_times *)b)->fields;
    const int queue = annot__compare(x->queue, y->queue);
    return queue ? queue : annot__compare(x->submission, y->submission);
}

static int compare_history(const void *a, const void *b)
{
    const struct annot__dump_HISTORY *x = &((const struct annot__history *)a)->fields;
    const struct annot__dump_HISTORY *y = &((const struct annot__history *)b)->fields;
    int order = annot__compare(x->queue, y->queue);
    order = order ? order : annot__compare(x->submission, y->submission);
    order = order ? order : annot__compare(x->list, y->list);
    return order ? order : annot__compare(x->first, y->first);
}

/* ---- */

static bool is_before(const struct annot__history *history, const struct annot__dump_SUBMITTED *of)
{
    return history->fields.queue < of->queue ||
           (history->fields.queue == of->queue && history->fields.submission < of->submission);
}

static bool is_not_behind(const struct annot__history *history,
                          const struct annot__dump_SUBMITTED *of)
{
    return history->fields.queue < of->queue ||
           (history->fields.queue == of->queue && history->fields.submission <= of->submission);
}

static struct annot__range histories_of(const annot_reader *reader,
                                        const struct annot__dump_SUBMITTED *of)
{
    uint32_t first = 0, last = reader->history_count;
    ANNOT__LOWER_BOUND(first, last, i, is_before(&reader->histories[i], of));
    uint32_t end = first;
    last = reader->history_count;
    ANNOT__LOWER_BOUND(end, last, i, is_not_behind(&reader->histories[i], of));
    return (struct annot__range){first, end - first};
}

static void join(annot_reader *reader, struct annot__submitted_times *times)
{
    const struct annot__dump_SUBMITTED *fields = &times->fields;
    times->queue = annot__index_find(&reader->queue_index, fields->queue);
    times->submission =
        times->queue == ANNOT__NONE
            ? ANNOT__NONE
            : annot__submission_find(reader, &reader->streams[times->queue], fields->submission);
    times->histories = histories_of(reader, fields);
    if (fields->problem != ANNOT_HISTORY_PROBLEM_NONE &&
        fields->problem != ANNOT_HISTORY_PROBLEM_MEMORY)
        ANNOT__FIND(&reader->findings, HISTORY_UNTRUSTED, 0, fields->submission);
}

static bool is_null(const struct annot__submitted_times *times)
{
    return times->fields.flags & ANNOT_SUBMITTED_NULL_RENDERING && !times->is_damaged &&
           times->submission != ANNOT__NONE;
}

/* Marks work as not executed if the fence is complete, but the driver did not execute the work. */
void annot__mark_not_executed(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->submitted_count; i++) {
        const struct annot__submitted_times *times = &reader->submitted[i];
        if (!is_null(times))
            continue;
        struct annot__submitted *submission = &reader->submissions[times->submission];
        submission->is_null = true;
        if (submission->state == ANNOT_STATE_FINISHED)
            submission->state = ANNOT_STATE_NOT_EXECUTED;
    }
}

void annot__mark_lists_not_executed(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->execution_count; i++) {
        struct annot__execution *execution = &reader->executions[i];
        if (reader->submissions[execution->submission].state != ANNOT_STATE_NOT_EXECUTED)
            continue;
        execution->state = ANNOT_STATE_NOT_EXECUTED;
        execution->evidence = ANNOT_EVIDENCE_NULL_RENDERING;
        annot__set_uniform(&execution->bounds, ANNOT_STATE_NOT_EXECUTED,
                           ANNOT_EVIDENCE_NULL_RENDERING);
    }
}

void annot__hear_histories(annot_reader *reader)
{
    if (reader->submitted_count > 1)
        qsort(reader->submitted, reader->submitted_count, sizeof *reader->submitted,
              compare_submitted);
    if (reader->history_count > 1)
        qsort(reader->histories, reader->history_count, sizeof *reader->histories, compare_history);
    for (uint32_t i = 0; i < reader->submitted_count; i++)
        join(reader, &reader->submitted[i]);
}
