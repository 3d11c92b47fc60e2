/* The operation that a dump says the GPU stopped at [ANN-OP-01]. */
#include "check.h"

/* Breadcrumbs count it: it is not done, and what is in front of it is. The only operation of its
 * scope has begun as well. */
static bool can_be_it(const struct scene *scene, const struct queue_truth *queue,
                      uint32_t execution, const annot_reader_operation *operation)
{
    const struct item *item = NULL;
    const struct place *place =
        truth_operation(scene->truth, queue, execution, operation->number + 1, &item);
    if (!place || check_op_of(item) != operation->kind || place->end < queue->done)
        return false;
    if (operation->crumbs == ANNOT_READER_NONE)
        return place->begin < queue->limit;
    const struct place *before =
        operation->number > 0
            ? truth_operation(scene->truth, queue, execution, operation->number, NULL)
            : NULL;
    return !before || before->end < queue->limit;
}

/* Whether the innermost scope around an operation has another one in front of it. */
static bool has_one_before(const struct scene *scene, const struct queue_truth *queue,
                           uint32_t execution, const annot_reader_operation *operation)
{
    const struct recording *recording =
        scene->truth->recordings[queue->executions[execution].recording];
    uint32_t number = 0, found[ITEMS_MAX + 1] = {0}, depth = 0; /* by the depth of its scope */
    for (uint32_t i = 0; i < recording->count; i++) {
        const struct item *item = &recording->items[i];
        if (!truth_is_operation(item))
            continue;
        if (number++ == operation->number)
            return found[depth] > 0;
        if (item->kind == ITEM_BEGIN)
            found[++depth] = 0;
        else if (item->kind == ITEM_END)
            depth -= depth > 0;
        else if (item->kind != ITEM_SET)
            found[depth]++;
    }
    return false;
}

void check_operations(const struct scene *scene)
{
    annot_reader_stop stop;
    annot_reader_operation operation;
    for (size_t i = 0; annot_reader_stop_at(scene->reader, i, &stop); i++) {
        const int execution = scene_execution(scene, stop.execution);
        const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[stop.queue]];
        if (execution < 0 || stop.bundle != ANNOT_READER_NONE ||
            !annot_reader_stop_operation(scene->reader, i, &operation) ||
            (operation.crumbs == ANNOT_READER_NONE && !operation.is_only))
            continue;
        if (operation.crumbs == ANNOT_READER_NONE && scene_marker(scene, stop.entry) == 0)
            continue; /* the marker of a call that a layer marks: its numbers are its own */
        if (!can_be_it(scene, queue, (uint32_t)execution, &operation) ||
            (operation.crumbs == ANNOT_READER_NONE &&
             has_one_before(scene, queue, (uint32_t)execution, &operation)))
            complain(scene->verdict,
                     operation.crumbs == ANNOT_READER_NONE ? "operation: the only one of its scope"
                                                           : "operation: breadcrumbs",
                     "number %u, kind %u of execution %d; the queue is between %d and %d",
                     operation.number, operation.kind, execution, queue->done, queue->limit);
    }
}
