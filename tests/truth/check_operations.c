/* The operation that a dump says the GPU stopped at [ANN-OP-01]. */
#include "check.h"

#include <string.h>

/* Whether a layer marks each call: then it counts operations in its own way. */
static bool marks_calls(const struct scene *scene)
{
    annot_reader_fact fact;
    for (size_t i = 0; annot_reader_fact_at(scene->reader, i, &fact); i++)
        if (strncmp(fact.key.data, "level", fact.key.size) == 0 &&
            strncmp(fact.value.data, "exact", fact.value.size) == 0)
            return true;
    return false;
}

/* The first that breadcrumbs count as not done. */
static uint32_t oldest_of(const struct scene *scene, const annot_reader_operation *operation)
{
    annot_reader_crumbs crumbs;
    return annot_reader_crumbs_at(scene->reader, operation->crumbs, &crumbs) ? crumbs.done
                                                                             : ANNOT_READER_NONE;
}

/* It is not done. In front of the first that breadcrumbs count all is; another one has begun. */
static bool can_be_it(const struct scene *scene, const struct queue_truth *queue,
                      uint32_t execution, const annot_reader_operation *operation)
{
    const struct item *item = NULL;
    const struct place *place =
        truth_operation(scene->truth, queue, execution, operation->number + 1, &item);
    if (!place || check_op_of(item) != operation->kind || place->end < queue->done)
        return false;
    if (operation->number != oldest_of(scene, operation))
        return place->begin < queue->front && place->state != 1;
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

/* ---- the one that failed is named [ANN-TRUTH-05] ---- */

/* Whether the suspect is at the work at this place, or at several operations with this one, or says
 * nothing of that. */
static bool may_name(const struct scene *scene, const struct queue_truth *queue,
                     const annot_reader_suspect *suspect, int fatal)
{
    annot_reader_stop stop;
    annot_reader_operation operation;
    if (suspect->stop == ANNOT_READER_NONE || suspect->certainty < ANNOT_OPERATION_AMONG ||
        !annot_reader_stop_at(scene->reader, suspect->stop, &stop) ||
        stop.bundle != ANNOT_READER_NONE || stop.suspect != stop.execution ||
        !annot_reader_stop_operation(scene->reader, suspect->stop, &operation))
        return true;
    const int execution = scene_execution(scene, suspect->execution);
    const bool is_alone = suspect->certainty == ANNOT_OPERATION_CERTAIN;
    if (execution < 0 ||
        (operation.crumbs == ANNOT_READER_NONE && (!is_alone || marks_calls(scene))))
        return true;
    const uint32_t last = is_alone ? operation.number : suspect->last;
    const uint32_t oldest =
        operation.crumbs != ANNOT_READER_NONE ? oldest_of(scene, &operation) : operation.number;
    const struct place *from =
        truth_operation(scene->truth, queue, (uint32_t)execution, oldest + 1, NULL);
    const struct place *to =
        last == ANNOT_READER_NONE || (suspect->runs_on && !is_alone)
            ? NULL
            : truth_operation(scene->truth, queue, (uint32_t)execution, last + 1, NULL);
    return !from || (fatal >= from->begin && (!to || fatal <= to->end));
}

/* For a table that a person asks for. */
static void note_named(const struct scene *scene, const struct queue_truth *queue,
                       const annot_reader_suspect *suspect)
{
    const uint32_t count = suspect->candidates;
    const bool is_one = suspect->certainty == ANNOT_OPERATION_CERTAIN;
    scene->verdict->named = suspect->certainty == ANNOT_OPERATION_NONE    ? NAMED_NONE
                            : is_one || (count == 1 && !suspect->runs_on) ? NAMED_ALONE
                            : count == 0                                  ? NAMED_NONE
                            : count <= 4 && !suspect->runs_on             ? NAMED_FEW
                                                                          : NAMED_MORE;
    scene->verdict->went_on = queue->reached > queue->fatal[0];
}

static void check_failed(const struct scene *scene)
{
    const struct program *program = scene->program;
    annot_reader_tdr tdr;
    annot_reader_suspect suspect;
    bool is_at_end = false; /* nothing else ends the device */
    for (uint32_t i = 0; i < program->count && program->ops[i].kind != OP_STOP; i++) {
        is_at_end = program->ops[i].kind == OP_STEPS && program->ops[i].value == UINT32_MAX;
        if (program->ops[i].kind == OP_WORK && program->ops[i].b == WORK_LOST_PASS)
            return; /* no operation fails there */
    }
    if (!is_at_end || program->witnesses.hang_place || !annot_reader_get_tdr(scene->reader, &tdr))
        return;
    for (size_t i = 0; annot_reader_suspect_at(scene->reader, i, &suspect); i++) {
        if (suspect.queue_object != tdr.queue || suspect.queue == ANNOT_READER_NONE)
            continue;
        const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[suspect.queue]];
        if (queue->fatal_count > 0 && scene->verdict->named == 0)
            note_named(scene, queue, &suspect);
        for (uint32_t k = 0; k < queue->fatal_count; k++)
            if (may_name(scene, queue, &suspect, queue->fatal[k]))
                return;
        if (queue->fatal_count == 0)
            return;
        is_at_end = false;
    }
    if (!is_at_end)
        complain(scene->verdict, "operation: another one failed", "none of the suspects' has");
}

void check_operations(const struct scene *scene)
{
    annot_reader_stop stop;
    annot_reader_operation operation;
    check_failed(scene);
    for (size_t i = 0; annot_reader_stop_at(scene->reader, i, &stop); i++) {
        const int execution = scene_execution(scene, stop.execution);
        const struct queue_truth *queue = &scene->truth->queues[scene->queue_of[stop.queue]];
        if (execution < 0 || stop.bundle != ANNOT_READER_NONE ||
            !annot_reader_stop_operation(scene->reader, i, &operation) ||
            (operation.crumbs == ANNOT_READER_NONE && !operation.is_only))
            continue;
        if (operation.crumbs == ANNOT_READER_NONE && marks_calls(scene))
            continue;
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
