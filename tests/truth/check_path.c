/* The scopes that a dump says are open where the GPU stopped. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* The first scope of this name that may be open and begins behind `after`; NULL: there is none. A
 * list that is executed twice has scopes of one name. */
static const struct mark *open_mark(const struct queue_truth *queue, uint32_t name, int after)
{
    for (uint32_t i = 0; i < queue->mark_count; i++) {
        const struct mark *mark = &queue->marks[i];
        if (mark->name == name && mark->kind == MARK_BEGIN && mark->begin > after &&
            truth_allows(queue, ANNOT_STATE_IN_PROGRESS, mark->begin, mark->end, mark->last_end))
            return mark;
    }
    return NULL;
}

static void check_path_of(const struct scene *scene, const struct queue_truth *queue, size_t index)
{
    char path[4096], *rest = path;
    annot_reader_stop_path(scene->reader, index, path, sizeof path);
    int before = -1;
    bool is_of_queue = true;
    while (*rest != '\0') {
        char *slash = strstr(rest, " / ");
        const uint32_t name = rest[0] == 'm' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 0;
        const struct mark *any = open_mark(queue, name, -1);
        if (name == 0 && strchr(rest, '('))
            return; /* a call that a layer marks, which is innermost */
        if (!any) {
            complain(scene->verdict, "path: a scope that is not open",
                     "\"%s\" of stop %u is not open; the queue is between %d and %d", rest,
                     (unsigned)index, queue->done, queue->limit);
            return;
        }
        if (is_of_queue && any->execution >= 0) /* a queue's scopes stand outside of the lists' */
            is_of_queue = false, before = -1;
        const struct mark *mark = open_mark(queue, name, before);
        if (!mark || (!is_of_queue && mark->execution < 0)) {
            complain(scene->verdict, "path: order", "m%u of stop %u stands in the wrong place",
                     name, (unsigned)index);
            return;
        }
        before = mark->begin;
        if (!slash)
            break;
        rest = slash + 3;
    }
}

/* A scope of the execution where the stop is said to be, in the program's bundle of this number or
 * in none. */
static void check_scope(const struct scene *scene, const struct queue_truth *queue, int execution,
                        uint32_t entry, uint32_t bundle, const char *kind)
{
    annot_reader_entry e;
    if (!annot_reader_entry_at(scene->reader, entry, &e))
        return;
    const bool is_call = e.kind == ANNOT_ENTRY_BUNDLE;
    if (!is_call && scene_marker(scene, entry) == 0)
        return; /* a call that a layer marks */
    const struct mark *mark =
        truth_mark(queue, execution, is_call ? MARK_CALL : MARK_BEGIN,
                   is_call ? bundle : scene_marker(scene, entry), is_call ? 0 : bundle);
    if (!mark || !truth_allows_mark(queue, ANNOT_STATE_IN_PROGRESS, mark))
        complain(scene->verdict, kind, "entry %u, from %d to %d; the queue is between %d and %d",
                 entry, mark ? mark->begin : -1, mark ? mark->end : -1, queue->done, queue->limit);
}

static void check_stop(const struct scene *scene, size_t index)
{
    annot_reader_stop stop;
    annot_reader_execution execution;
    if (!annot_reader_stop_at(scene->reader, index, &stop))
        return;
    const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[stop.queue]];
    const int at = scene_execution(scene, stop.execution);
    check_path_of(scene, queue, index);
    if (at < 0)
        return;
    const struct execution *e = &queue->executions[at];
    if (!truth_allows(queue, stop.is_between ? ANNOT_STATE_NOT_STARTED : ANNOT_STATE_IN_PROGRESS,
                      e->begin, e->end, e->end))
        complain(scene->verdict, "stop: the list", "execution %d", at);
    check_scope(scene, queue, at, stop.entry, 0, "stop: the scope");
    check_scope(scene, queue, at, stop.oldest, 0, "stop: the oldest scope");
    if (stop.bundle == ANNOT_READER_NONE ||
        !annot_reader_execution_at(scene->reader, stop.execution, &execution))
        return;
    const uint32_t bundle = scene_ordinal(scene, execution.stream, stop.bundle);
    if (bundle > 0) /* a layer's own is markers of the list */
        check_scope(scene, queue, at, stop.bundle, bundle, "stop: the bundle");
    check_scope(scene, queue, at, stop.bundle_entry, bundle, "stop: the scope in a bundle");
}

void check_path(const struct scene *scene)
{
    const size_t count = annot_reader_stop_count(scene->reader);
    for (size_t i = 0; i < count; i++)
        check_stop(scene, i);
}
