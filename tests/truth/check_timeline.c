/* Work that the timeline shows as finished is, and work that it shows as unfinished isn't, nor work
 * that nothing shows to have begun [ANN-HIST-07]. */
#include "check.h"

#include <annot/timeline.h>
#include <stdio.h>

/* The program's submission of that serial; NULL: none of its own. */
static const struct queue_entry *find_submission(const struct scene *scene, uint32_t queue,
                                                 uint64_t serial)
{
    annot_reader_submission s;
    for (uint32_t i = 0; annot_reader_submission_at(scene->reader, i, &s); i++)
        if (s.queue == queue && s.serial == serial && i < SUBMISSIONS_MAX)
            return scene->entry_of[i];
    return NULL;
}

static void deny(const struct scene *scene, const char *what, const char *said,
                 const struct queue_truth *queue, int begin, int end)
{
    char kind[96];
    snprintf(kind, sizeof kind, "timeline: %s %s", what, said);
    complain(scene->verdict, kind, "from %d to %d; the queue is between %d and %d", begin, end,
             queue->done, queue->limit);
}

static void check_between(const struct scene *scene, const char *what,
                          const struct queue_truth *queue, bool is_unfinished, bool is_null,
                          int begin, int end)
{
    const annot_state claim = is_unfinished ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_FINISHED;
    if (is_null || !truth_allows(queue, claim, begin, end, end))
        deny(scene, what, is_null ? "of what was not executed" : annot_state_text(claim), queue,
             begin, end);
}

static bool is_unknown(const struct scene *scene, const annot_timeline_slice *slice)
{
    annot_reader_execution e;
    annot_reader_submission s;
    for (uint32_t i = 0; annot_reader_execution_at(scene->reader, i, &e); i++)
        if (e.queue == slice->queue && e.list == slice->list &&
            annot_reader_submission_at(scene->reader, e.submission, &s) &&
            s.serial == slice->submission)
            return e.state == ANNOT_STATE_UNKNOWN;
    return true;
}

static void check_slice(const struct scene *scene, const annot_timeline_slice *slice)
{
    if (slice->queue >= STREAMS_MAX || slice->kind == ANNOT_SLICE_SUBMIT ||
        scene->queue_of[slice->queue] == QUEUES)
        return;
    const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[slice->queue]];
    const struct queue_entry *entry = find_submission(scene, slice->queue, slice->submission);
    if (slice->begin > slice->end)
        complain(scene->verdict, "timeline: times", "a slice ends before it begins");
    if (!entry)
        return;
    if (slice->kind == ANNOT_SLICE_SUBMISSION) {
        check_between(scene, "submission", queue, slice->is_unfinished, entry->is_null,
                      entry->begin, entry->end);
        return;
    }
    if (slice->list >= entry->count)
        return;
    const uint32_t index = entry->first + slice->list;
    const struct execution *e = &queue->executions[index];
    /* unfinished is also what nothing is known of */
    if (slice->kind == ANNOT_SLICE_LIST && !(slice->is_unfinished && is_unknown(scene, slice)))
        check_between(scene, "list", queue, slice->is_unfinished, e->is_null, e->begin, e->end);
    if (slice->kind != ANNOT_SLICE_CALL)
        return;
    const struct place *place =
        truth_operation(scene->truth, queue, index, (uint32_t)slice->number, NULL);
    if (!place)
        complain(scene->verdict, "timeline: an unknown call", "number %llu of execution %u",
                 (unsigned long long)slice->number, index);
    else if (slice->is_unfinished ? place->end < queue->done && !e->is_null
                                  : e->is_null || place->end >= queue->limit)
        deny(scene, "call", slice->is_unfinished ? "unfinished" : "finished", queue, place->begin,
             place->end);
}

static void check_waiting(const struct scene *scene, const annot_timeline_waiting *waiting)
{
    if (waiting->queue >= STREAMS_MAX || scene->queue_of[waiting->queue] == QUEUES)
        return;
    const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[waiting->queue]];
    const struct queue_entry *entry = find_submission(scene, waiting->queue, waiting->submission);
    if (!entry)
        return;
    int begin = entry->begin, end = entry->end;
    if (waiting->list != ANNOT_READER_NONE && waiting->list < entry->count) {
        const uint32_t index = entry->first + waiting->list;
        begin = queue->executions[index].begin;
        end = queue->executions[index].end;
        const struct place *place =
            waiting->first > 0 ? truth_operation(scene->truth, queue, index, waiting->first, NULL)
                               : NULL;
        if (place)
            begin = place->begin;
    }
    /* what is to be not executed waits for its turn first */
    if (waiting->is_null_rendering && !entry->is_null)
        deny(scene, "work", "not executed", queue, begin, end);
    if (!waiting->is_null_rendering && end < queue->done)
        deny(scene, "work", "waiting", queue, begin, end);
}

void check_timeline(const struct scene *scene)
{
    annot_timeline *timeline = NULL;
    annot_timeline_slice slice;
    annot_timeline_waiting waiting;
    if (!scene->program->witnesses.has_times)
        return;
    if (annot_timeline_create(scene->reader, &timeline) != ANNOT_OK) {
        complain(scene->verdict, "timeline: none", "there is no memory for it");
        return;
    }
    for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++)
        check_slice(scene, &slice);
    for (size_t i = 0; annot_timeline_waiting_at(timeline, i, &waiting); i++)
        check_waiting(scene, &waiting);
    annot_timeline_destroy(timeline);
}
