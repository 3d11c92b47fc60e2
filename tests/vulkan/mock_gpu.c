/* The mock driver's GPU: a front end that goes through operations, and a back that does them. */
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

/* ---- what is queued ---- */

static void append(struct mock_queued *item, const struct mock_cmd *cmd)
{
    for (uint32_t i = 0; i < cmd->count; i++) {
        if (cmd->ops[i].kind == MOCK_EXECUTE) {
            append(item, cmd->ops[i].cmd);
            continue;
        }
        if (item->count == item->capacity) {
            item->capacity = item->capacity ? item->capacity * 2 : 32;
            item->ops = realloc(item->ops, item->capacity * sizeof *item->ops);
        }
        item->ops[item->count++] = cmd->ops[i];
    }
}

void mock_queue_push(struct mock_queue *queue, struct mock_queued item)
{
    struct mock_queued *pushed = malloc(sizeof *pushed);
    *pushed = item;
    pushed->next = NULL;
    if (pushed->cmd)
        append(pushed, pushed->cmd);
    if (queue->last)
        queue->last->next = pushed;
    else
        queue->first = pushed;
    queue->last = pushed;
    if (pushed->cmd && mock.queued)
        mock.queued(queue, pushed);
}

void mock_queued_free(struct mock_queued *item)
{
    free(item->ops);
    free(item);
}

/* ---- steps ---- */

static void stepped(const struct mock_queued *item, const struct mock_op *op, bool is_done)
{
    if (mock.stepped)
        mock.stepped(item, op, is_done);
}

static bool is_blocked(const struct mock_queued *item)
{
    return item->awaited && atomic_load(&item->awaited->value) < item->value;
}

/* A barrier holds the front end until all before it is done. */
static bool step_front(struct mock_queue *queue)
{
    struct mock_queued *item = queue->first;
    while (item && item->front == item->count && !is_blocked(item))
        item = item->next;
    if (!item || is_blocked(item))
        return false;
    const struct mock_op *op = &item->ops[item->front];
    if (op->kind == MOCK_BARRIER && (item != queue->first || item->back < item->front))
        return false;
    item->front++;
    if (op->kind == MOCK_FILL || op->kind == MOCK_TOP) {
        write_word(op);
    } else if (op->kind == MOCK_CHECKPOINT) {
        queue->top = op->value;
        queue->has_top = true;
    }
    stepped(item, op, false);
    return true;
}

static void signal_done(const struct mock_queued *item)
{
    if (item->signal)
        atomic_store(&item->signal->value, item->value);
    if (item->fence)
        item->fence->is_signaled = true;
}

/* Work that hangs is never done, nor what is behind it. */
static bool step_back(struct mock_queue *queue)
{
    struct mock_queued *item = queue->first;
    if (!item || is_blocked(item) || (item->back == item->front && item->front < item->count))
        return false;
    if (item->back == item->count) {
        signal_done(item);
        queue->first = item->next;
        if (!queue->first)
            queue->last = NULL;
        mock_queued_free(item);
        return true;
    }
    const struct mock_op *op = &item->ops[item->back];
    if (op->kind == MOCK_WORK && mock.hang != MOCK_NO_HANG && op->value == mock.hang)
        return false;
    item->back++;
    if (op->kind == MOCK_WORK) {
        if (!op->is_over)
            note_done(op->value);
    } else if (op->kind == MOCK_BOTTOM) {
        write_word(op);
    } else if (op->kind == MOCK_CHECKPOINT) {
        queue->bottom = op->value;
        queue->has_bottom = true;
    }
    stepped(item, op, true);
    return true;
}

/* Work that the front end has passed may be done before older work, also of other submissions. */
static bool step_early(struct mock_queue *queue, int turn)
{
    for (struct mock_queued *item = queue->first; item; item = item->next)
        for (uint32_t i = item->back; i < item->front; i++) {
            struct mock_op *op = &item->ops[i];
            if (op->kind != MOCK_WORK || op->is_over || op->value == mock.hang || turn-- > 0)
                continue;
            op->is_over = true;
            note_done(op->value);
            stepped(item, op, true);
            return true;
        }
    return false;
}

static bool step(struct mock_queue *queue)
{
    if (mock.may_step && !mock.may_step())
        return false;
    const int turn = mock.early ? mock.early() : -1;
    if (turn >= 0 && step_early(queue, turn))
        return true;
    if (mock.is_ahead && mock.is_ahead())
        return step_front(queue) || step_back(queue);
    return step_back(queue) || step_front(queue);
}

void mock_queue_run(struct mock_queue *queue)
{
    while (!mock.is_waiting && step(queue))
        ;
    queue->is_hung = !mock.is_waiting && queue->first;
}

void mock_queue_release(struct mock_queue *queue)
{
    mock_queue_run(queue);
}
