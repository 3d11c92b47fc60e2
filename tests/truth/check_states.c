/* The states of submissions, lists, markers, bundles and queues. */
#include "check.h"

#include <stdio.h>

static const char *verdict_text(annot_queue_verdict verdict)
{
    static const char *const texts[] = {"idle", "waiting", "stopped", "unknown"};
    return texts[verdict];
}

static void deny(const struct scene *scene, const char *what, annot_state state,
                 annot_evidence evidence, const struct queue_truth *queue, const char *which)
{
    char kind[96];
    if (scene_lies(scene) && evidence != ANNOT_EVIDENCE_FENCE && evidence != ANNOT_EVIDENCE_CRUMBS)
        return;
    snprintf(kind, sizeof kind, "%s %s: %s", what, annot_state_text(state),
             annot_evidence_text(NULL, evidence));
    complain(scene->verdict, kind, "%s is said to be %s; the queue is between %d and %d", which,
             annot_state_text(state), queue->done, queue->limit);
}

/* ---- inside of an execution ---- */

static void check_mark(const struct scene *scene, const struct queue_truth *queue, int execution,
                       const struct mark *mark, annot_state state, annot_evidence evidence)
{
    static const char *const what[] = {"scope", "marker", "bundle"};
    char which[128];
    if (truth_allows_mark(queue, state, mark))
        return;
    snprintf(which, sizeof which, "%s %u of execution %d, bundle %u, from %d to %d",
             what[mark->kind], mark->name, execution, mark->bundle, mark->begin, mark->end);
    deny(scene, mark->bundle ? "in a bundle, marker" : what[mark->kind], state, evidence, queue,
         which);
}

/* Entries of a list's stream, or of a bundle's. */
static void check_entries(const struct scene *scene, const struct queue_truth *queue,
                          uint32_t execution, int known, uint32_t bundle, uint32_t ordinal,
                          uint32_t stream)
{
    annot_reader_stream info;
    uint32_t inners = 0;
    if (!annot_reader_stream_at(scene->reader, stream, &info))
        return;
    for (uint32_t i = 0; i < info.entry_count; i++) {
        const uint32_t index = info.first_entry + i;
        annot_reader_entry entry;
        annot_evidence evidence = ANNOT_EVIDENCE_NONE;
        if (!annot_reader_entry_at(scene->reader, index, &entry) ||
            entry.kind == ANNOT_ENTRY_SURPLUS_END)
            continue;
        const bool is_bundle = entry.kind == ANNOT_ENTRY_BUNDLE;
        if (is_bundle && entry.link != ANNOT_READER_NONE && scene_is_inner(scene, entry.link)) {
            check_entries(scene, queue, execution, known, index, ordinal, entry.link);
            inners++;
            continue;
        }
        entry.ordinal -= is_bundle ? inners : 0;
        if (!is_bundle && scene_marker(scene, index) == 0)
            continue; /* a call that a layer marks, none of the program's */
        const struct mark *mark =
            truth_mark(queue, known,
                       is_bundle                         ? MARK_CALL
                       : entry.kind == ANNOT_ENTRY_BEGIN ? MARK_BEGIN
                                                         : MARK_SET,
                       is_bundle ? entry.ordinal : scene_marker(scene, index), ordinal);
        const annot_state state =
            annot_reader_state(scene->reader, execution, bundle, index, &evidence);
        if (!mark) {
            complain(scene->verdict, "unknown marker", "execution %d has no marker %u in bundle %u",
                     known, scene_marker(scene, index), ordinal);
            return;
        }
        check_mark(scene, queue, known, mark, state, evidence);
        if (is_bundle && entry.link != ANNOT_READER_NONE)
            check_entries(scene, queue, execution, known, index, entry.ordinal, entry.link);
    }
}

/* ---- a queue ---- */

/* Work that was not executed is neither. */
static bool is_untouched(annot_state state)
{
    return state != ANNOT_STATE_FINISHED && state != ANNOT_STATE_IN_PROGRESS;
}

static void check_execution(const struct scene *scene, const struct queue_truth *queue,
                            uint32_t index)
{
    annot_reader_execution execution;
    const int known = scene_execution(scene, index);
    if (known < 0 || !annot_reader_execution_at(scene->reader, index, &execution)) {
        complain(scene->verdict, "unknown execution", "execution %u of the dump never was", index);
        return;
    }
    const struct execution *e = &queue->executions[known];
    if (!(e->is_null ? is_untouched(execution.state)
                     : truth_allows(queue, execution.state, e->begin, e->end, e->end))) {
        char which[96];
        snprintf(which, sizeof which, "execution %d%s, from %d to %d", known,
                 e->is_null ? " (not executed)" : "", e->begin, e->end);
        deny(scene, "list", execution.state, execution.evidence, queue, which);
    }
    if (execution.stream != ANNOT_READER_NONE)
        check_entries(scene, queue, index, known, ANNOT_READER_NONE, 0, execution.stream);
}

static void check_submission(const struct scene *scene, const struct queue_truth *queue,
                             uint32_t index)
{
    annot_reader_submission submission;
    const struct queue_entry *known = scene->entry_of[index];
    if (!known || !annot_reader_submission_at(scene->reader, index, &submission))
        return;
    if (!(known->is_null
              ? is_untouched(submission.state)
              : truth_allows(queue, submission.state, known->begin, known->end, known->end))) {
        char which[96];
        snprintf(which, sizeof which, "submission %llu%s, from %d to %d",
                 (unsigned long long)submission.serial, known->is_null ? " (not executed)" : "",
                 known->begin, known->end);
        deny(scene, "submission", submission.state, ANNOT_EVIDENCE_NONE, queue, which);
    }
    for (uint32_t i = 0; i < submission.execution_count; i++)
        check_execution(scene, queue, submission.first_execution + i);
}

/* Idle: all is done. Waiting: nothing is under way. Stopped: something is. */
static void check_queue(const struct scene *scene, const struct queue_truth *queue, uint32_t stream)
{
    const annot_queue_verdict verdict = annot_reader_queue_verdict(scene->reader, stream);
    bool is_under_way = false, may_be_under_way = false, is_all_done = true;
    for (uint32_t i = 0; i < queue->entry_count; i++) {
        const struct queue_entry *entry = &queue->entries[i];
        if (entry->kind != ENTRY_SUBMISSION)
            continue;
        is_under_way = is_under_way || (entry->begin < queue->done && entry->end > queue->limit);
        may_be_under_way = may_be_under_way || truth_allows(queue, ANNOT_STATE_IN_PROGRESS,
                                                            entry->begin, entry->end, entry->end);
        is_all_done = is_all_done && entry->end < queue->limit;
    }
    if (scene_lies(scene))
        return;
    if ((verdict == ANNOT_QUEUE_IDLE && !is_all_done) ||
        (verdict == ANNOT_QUEUE_WAITING && is_under_way) ||
        (verdict == ANNOT_QUEUE_STOPPED && !may_be_under_way)) {
        char kind[64];
        snprintf(kind, sizeof kind, "queue %s", verdict_text(verdict));
        complain(scene->verdict, kind, "queue %u is said to be %s; it is between %d and %d",
                 scene->queue_of[stream], verdict_text(verdict), queue->done, queue->limit);
    }
}

static void check_queue_entries(const struct scene *scene, const struct queue_truth *queue,
                                const annot_reader_stream *info)
{
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const uint32_t index = info->first_entry + i;
        annot_reader_entry entry;
        annot_evidence evidence = ANNOT_EVIDENCE_NONE;
        if (!annot_reader_entry_at(scene->reader, index, &entry))
            continue;
        if (entry.kind == ANNOT_ENTRY_SUBMISSION) {
            check_submission(scene, queue, entry.link);
            continue;
        }
        if (entry.kind != ANNOT_ENTRY_BEGIN && entry.kind != ANNOT_ENTRY_SET)
            continue;
        const struct mark *mark =
            truth_mark(queue, -1, entry.kind == ANNOT_ENTRY_BEGIN ? MARK_BEGIN : MARK_SET,
                       scene_marker(scene, index), 0);
        const annot_state state = annot_reader_queue_state(scene->reader, index, &evidence);
        if (mark && !truth_allows_mark(queue, state, mark)) {
            char which[96];
            snprintf(which, sizeof which, "queue marker %u, from %d to %d", mark->name, mark->begin,
                     mark->end);
            deny(scene, "queue's marker", state, evidence, queue, which);
        }
    }
}

void check_states(const struct scene *scene)
{
    annot_reader_stream info;
    for (uint32_t i = 0; annot_reader_stream_at(scene->reader, i, &info); i++) {
        if (!info.is_queue)
            continue;
        const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[i]];
        check_queue_entries(scene, queue, &info);
        check_queue(scene, queue, i);
    }
}
