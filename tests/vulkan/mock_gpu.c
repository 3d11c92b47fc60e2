/* The mock driver's GPU. */
#include "mock.h"

static void write_word(const struct mock_op *op)
{
    atomic_store_explicit((_Atomic uint32_t *)(void *)op->at, (uint32_t)op->value,
                          memory_order_relaxed);
}

static void note_done(uint64_t work)
{
    const uint32_t at = atomic_fetch_add(&mock.done_count, 1);
    if (at < sizeof mock.done / sizeof *mock.done)
        mock.done[at] = work;
}

/* False: the front end goes no further. */
static bool run_op(struct mock_queue *queue, const struct mock_op *op)
{
    switch (op->kind) {
    case MOCK_WORK:
        if (mock.hang != MOCK_NO_HANG && op->value == mock.hang)
            queue->is_hung = true;
        else if (!queue->is_hung)
            note_done(op->value);
        return true;
    case MOCK_BARRIER:
        return !queue->is_hung;
    case MOCK_FILL:
    case MOCK_TOP:
        write_word(op);
        return true;
    case MOCK_BOTTOM:
        if (!queue->is_hung)
            write_word(op);
        return true;
    case MOCK_CHECKPOINT:
        queue->top = op->value;
        queue->has_top = true;
        if (!queue->is_hung) {
            queue->bottom = op->value;
            queue->has_bottom = true;
        }
        return true;
    case MOCK_EXECUTE:
        break;
    }
    for (uint32_t i = 0; i < op->cmd->count; i++)
        if (!run_op(queue, &op->cmd->ops[i]))
            return false;
    return true;
}

static void run_item(struct mock_queue *queue, struct mock_queued *item)
{
    for (; item->cmd && item->op < item->cmd->count; item->op++) {
        if (!run_op(queue, &item->cmd->ops[item->op])) {
            queue->is_stopped = true;
            return;
        }
    }
    if (queue->is_hung)
        return;
    if (item->signal && atomic_load(&item->signal->value) < item->value)
        atomic_store(&item->signal->value, item->value);
    if (item->fence)
        item->fence->is_signaled = true;
}

void mock_queue_push(struct mock_queue *queue, struct mock_queued item)
{
    struct mock_queued *pushed = malloc(sizeof *pushed);
    *pushed = item;
    pushed->next = NULL;
    if (queue->last)
        queue->last->next = pushed;
    else
        queue->first = pushed;
    queue->last = pushed;
}

/* Once hung, items stay: what they signal is due when the hang ends. Those that the front end has
 * been through are not run again. */
void mock_queue_run(struct mock_queue *queue)
{
    for (struct mock_queued *item = queue->first; item && !queue->is_stopped && !mock.is_waiting;
         item = item->next)
        run_item(queue, item);
    while (queue->first && !queue->is_hung && !mock.is_waiting) {
        struct mock_queued *done = queue->first;
        queue->first = done->next;
        free(done);
    }
    if (!queue->first)
        queue->last = NULL;
}

void mock_queue_release(struct mock_queue *queue)
{
    queue->is_hung = queue->is_stopped = false;
    mock_queue_run(queue);
}
