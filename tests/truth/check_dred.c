/* D3D12's own breadcrumbs: a node for each execution that may be incomplete and for no other one,
 * what was recorded, how much of it is done, and the markers' strings [ANN-DRED]. */
#include "check.h"

#include "gpu.h"

unsigned check_op_of(const struct item *item)
{
    switch (item->kind) {
    case ITEM_BEGIN:
        return D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT;
    case ITEM_END:
        return D3D12_AUTO_BREADCRUMB_OP_ENDEVENT;
    case ITEM_SET:
        return D3D12_AUTO_BREADCRUMB_OP_SETMARKER;
    case ITEM_CALL:
        return D3D12_AUTO_BREADCRUMB_OP_EXECUTEBUNDLE;
    default:
        break;
    }
    switch (item->work) {
    case WORK_DRAW:
        return D3D12_AUTO_BREADCRUMB_OP_DRAWINSTANCED;
    case WORK_WRITE:
        return D3D12_AUTO_BREADCRUMB_OP_WRITEBUFFERIMMEDIATE;
    case WORK_COPY:
        return D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION;
    case WORK_BARRIER:
        return D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER;
    case WORK_INDIRECT:
        return D3D12_AUTO_BREADCRUMB_OP_EXECUTEINDIRECT;
    default:
        return D3D12_AUTO_BREADCRUMB_OP_DISPATCH;
    }
}

static bool counts(const struct scene *scene, const struct item *item)
{
    return truth_is_operation(item) &&
           (scene->program->witnesses.dred != DRED_MARKERS_ONLY || item->kind == ITEM_BEGIN ||
            item->kind == ITEM_END || item->kind == ITEM_SET);
}

/* A string of a context is that of the marker there. */
static void check_context(const struct scene *scene, const struct dred_node *node, uint32_t op,
                          const struct item *item)
{
    for (uint32_t i = 0; i < node->context_count && i < NODE_CONTEXTS; i++)
        if (node->contexts[i].op == op && node->contexts[i].name != item->name)
            complain(scene->verdict, "dred: a context's string", "operation %u is m%u, not m%u", op,
                     item->name, node->contexts[i].name);
}

static void check_node(const struct scene *scene, const struct dred_node *node,
                       const struct queue_truth *queue, uint32_t index)
{
    const struct execution *e = &queue->executions[index];
    const struct recording *recording = scene->truth->recordings[e->recording];
    uint32_t op = 0;
    for (uint32_t i = 0; i < recording->count; i++) {
        const struct item *item = &recording->items[i];
        const struct place *place = &queue->places[e->first_place + i];
        if (!counts(scene, item))
            continue;
        if (op >= node->count || node->ops[op] != check_op_of(item)) {
            complain(scene->verdict, "dred: operations", "operation %u of execution %u is wrong",
                     op, index);
            return;
        }
        check_context(scene, node, op, item);
        if (op < node->done ? place->end >= queue->limit
                            : place->end < queue->done && op == node->done) {
            complain(scene->verdict, "dred: the number done",
                     "%u operations of execution %u are said to be done; the queue is between %d "
                     "and %d, the operation from %d to %d",
                     node->done, index, queue->done, queue->limit, place->begin, place->end);
            return;
        }
        op++;
    }
    if (op != node->count)
        complain(scene->verdict, "dred: operations", "execution %u has %u operations, not %u",
                 index, op, node->count);
    if (node->list_name != e->name)
        complain(scene->verdict, "dred: name of a list", "execution %u is called n%u, not n%u",
                 index, node->list_name, e->name);
}

/* Nodes of a queue are the last of its executions: it retires in order. */
static void check_queue(const struct scene *scene, const struct outcome *outcome, uint32_t index)
{
    const struct queue_truth *queue = &scene->truth->queues[index];
    uint32_t left = queue->execution_count;
    for (uint32_t i = 0; i < left; i++)
        if (queue->executions[i].is_null) /* which has a node or none */
            return;
    for (uint32_t i = outcome->node_count; i-- > 0;) {
        if (outcome->nodes[i].queue != index)
            continue;
        if (left == 0) {
            complain(scene->verdict, "dred: a node too many", "queue %u", index);
            return;
        }
        const struct execution *e = &queue->executions[--left];
        if (e->end < queue->done)
            complain(scene->verdict, "dred: a node of what is done",
                     "execution %u of queue %u, from %d to %d; the queue is between %d and %d",
                     left, index, e->begin, e->end, queue->done, queue->limit);
        else
            check_node(scene, &outcome->nodes[i], queue, left);
    }
    if (left > 0 && queue->executions[left - 1].end > queue->limit)
        complain(scene->verdict, "dred: no node of what is not done",
                 "execution %u of queue %u, from %d to %d; the queue is between %d and %d",
                 left - 1, index, queue->executions[left - 1].begin,
                 queue->executions[left - 1].end, queue->done, queue->limit);
}

void check_dred(const struct scene *scene, const struct outcome *outcome)
{
    if (!outcome->has_dred)
        return;
    for (uint32_t i = 0; i < outcome->node_count; i++)
        if (outcome->nodes[i].queue == QUEUES) {
            complain(scene->verdict, "dred: a node of no queue", "node %u", i);
            return;
        }
    for (uint32_t i = 0; i < QUEUES; i++)
        check_queue(scene, outcome, i);
}
