/* A queue's FIFO of items. Items hold references to their fences. */
#include "kmd/types.h"
#include "gate.h"

#include <stdlib.h>
#include <string.h>

struct emu_kmd_item *emu__kmd_queue_head(struct emu_kmd_queue *queue)
{
    return queue->count ? &queue->items[queue->first] : NULL;
}

static bool is_held_up(struct emu_kmd_queue *queue)
{
    const struct emu_kmd_item *head = emu__kmd_queue_head(queue);
    return !queue->busy && head && head->kind == EMU_KMD_ITEM_WAIT && !head->seen;
}

static struct emu_kmd_item *item_at(const struct emu_kmd_queue *queue, size_t index)
{
    return &queue->items[(queue->first + index) % queue->capacity];
}

void emu__kmd_queue_look(struct emu_kmd_queue *queue)
{
    if (is_held_up(queue) && emu__kmd_queue_head(queue)->fence->abandoned)
        emu__kmd_queues_free(queue->kmd);
}

void emu__kmd_queue_see(struct emu_kmd_queue *queue, const struct emu_kmd_fence *fence)
{
    for (size_t i = 0; i < queue->count; i++) {
        struct emu_kmd_item *item = item_at(queue, i);
        if (item->kind == EMU_KMD_ITEM_WAIT && item->fence == fence)
            item->seen |= emu__kmd_fence_is_reached(fence, item->value);
    }
    pthread_cond_signal(&queue->wake);
}

/* Whether the queue has a signal of the fence with a value in this range. */
static bool has_signal(const struct emu_kmd_queue *queue, const struct emu_kmd_fence *fence,
                       uint64_t least, uint64_t most)
{
    for (size_t i = 0; i < queue->count; i++) {
        const struct emu_kmd_item *item = item_at(queue, i);
        if (item->kind == EMU_KMD_ITEM_SIGNAL && item->fence == fence && item->value >= least &&
            item->value <= most)
            return true;
    }
    return false;
}

/* Whether a queue that goes on has a signal with at least this value. */
static bool has_hope(const struct emu_kmd_fence *fence, uint64_t value)
{
    for (const struct emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next)
        if (queue->goes_on && has_signal(queue, fence, value, UINT64_MAX))
            return true;
    return false;
}

/* Whether nothing changes the fence any more. */
static bool is_lost(const struct emu_kmd_fence *fence, uint64_t value)
{
    (void)value;
    return fence->abandoned && !has_hope(fence, 0);
}

/* Whether only queues that wait will signal the value. If none has a signal of exactly this value,
 * the CPU is expected to signal it. */
static bool is_endless(const struct emu_kmd_fence *fence, uint64_t value)
{
    bool is_told = false;
    for (const struct emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next)
        is_told |= has_signal(queue, fence, value, value);
    return is_told && (fence->flags & (ANNOT_WAIT_CPU | ANNOT_WAIT_SHARED)) == 0 &&
           !has_hope(fence, value);
}

/* Begins with queues that wait for nothing, and adds those whose wait may end. The others wait for
 * themselves, in a circle, or for nobody. */
static void find_going(struct emu_kmd *kmd,
                       bool (*is_stuck)(const struct emu_kmd_fence *fence, uint64_t value))
{
    struct emu_kmd_queue *queue;
    bool found = true;
    for (queue = kmd->queues; queue; queue = queue->next)
        queue->goes_on = !is_held_up(queue);
    while (found) {
        found = false;
        for (queue = kmd->queues; queue; queue = queue->next)
            if (!queue->goes_on &&
                !is_stuck(emu__kmd_queue_head(queue)->fence, emu__kmd_queue_head(queue)->value))
                queue->goes_on = found = true;
    }
}

void emu__kmd_queues_free(struct emu_kmd *kmd)
{
    find_going(kmd, is_lost);
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        if (!queue->goes_on) {
            emu__kmd_queue_head(queue)->seen = true;
            pthread_cond_signal(&queue->wake);
        }
}

static annot_wait wait_for(const struct emu_kmd_fence *fence, uint64_t value, uint64_t since)
{
    annot_wait wait = {.fence = fence->object,
                       .value = value,
                       .reached = fence->value,
                       .is_certain = true,
                       .flags = fence->flags | (is_endless(fence, value) ? ANNOT_WAIT_ENDLESS : 0u),
                       .given = fence->given,
                       .giver = fence->giver,
                       .waited = emu__kmd_now(fence->kmd) - since};
    size_t signallers = 0;
    for (const struct emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next)
        if (signallers < ANNOT_SIGNALLERS_MAX && has_signal(queue, fence, value, UINT64_MAX))
            wait.signallers[signallers++] = queue->object;
    return wait;
}

static annot_wait wait_of(struct emu_kmd_queue *queue)
{
    const struct emu_kmd_item *head = emu__kmd_queue_head(queue);
    annot_wait wait = wait_for(head->fence, head->value, head->since);
    wait.queue = queue->object;
    for (size_t i = 0; i < queue->count && wait.submission == 0; i++)
        if (item_at(queue, i)->kind == EMU_KMD_ITEM_SUBMIT)
            wait.submission = item_at(queue, i)->value;
    return wait;
}

size_t emu__kmd_waits(struct emu_kmd *kmd, annot_wait *out, size_t capacity)
{
    size_t count = 0;
    find_going(kmd, is_endless);
    for (struct emu_kmd_queue *queue = kmd->queues; queue && count < capacity; queue = queue->next)
        if (is_held_up(queue))
            out[count++] = wait_of(queue);
    for (struct emu_kmd_fence *fence = kmd->fences; fence; fence = fence->next)
        for (struct emu_kmd_waiter *at = fence->waiters; at && count < capacity; at = at->next)
            if (at == fence->waiters || at->value != at->prev->value)
                out[count++] = wait_for(fence, at->value, at->since);
    return count;
}

size_t emu_kmd_waits(struct emu_kmd *kmd, annot_wait *out, size_t capacity)
{
    if (pthread_mutex_trylock(&kmd->lock) != 0)
        return 0;
    const size_t count = emu__kmd_waits(kmd, out, capacity);
    pthread_mutex_unlock(&kmd->lock);
    return count;
}

void emu__kmd_queue_pop(struct emu_kmd_queue *queue)
{
    const struct emu_kmd_item item = queue->items[queue->first];
    queue->first = (queue->first + 1) % queue->capacity;
    queue->count--;
    if (item.kind == EMU_KMD_ITEM_SIGNAL && item.fence->abandoned)
        emu__kmd_queues_free(queue->kmd);
    if (item.fence)
        emu__kmd_fence_release(item.fence);
    free(item.tiles);
    free(item.log);
    emu__kmd_queue_look(queue);
}

static bool grow(struct emu_kmd_queue *queue)
{
    size_t capacity = queue->capacity ? queue->capacity * 2 : 16;
    struct emu_kmd_item *items = malloc(capacity * sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; i < queue->count; i++)
        items[i] = *item_at(queue, i);
    free(queue->items);
    queue->items = items;
    queue->first = 0;
    queue->capacity = capacity;
    return true;
}

static bool push(struct emu_kmd_queue *queue, const struct emu_kmd_item *item)
{
    struct emu_kmd *kmd = queue->kmd;
    emu_lock(&kmd->lock);
    bool ok = !kmd->failing && (queue->count < queue->capacity || grow(queue));
    if (ok) {
        if (item->fence)
            emu__kmd_fence_retain(item->fence);
        *item_at(queue, queue->count++) = *item;
        if (item->kind == EMU_KMD_ITEM_SUBMIT)
            queue->submitted_tag = item->value;
        if (item->kind == EMU_KMD_ITEM_WAIT) {
            item_at(queue, queue->count - 1)->since = emu__kmd_now(kmd);
            emu__kmd_queue_see(queue, item->fence);
        }
        if (item->kind == EMU_KMD_ITEM_SIGNAL &&
            (item->value > item->fence->given || (item->value == 0 && !item->fence->giver))) {
            item->fence->given = item->value;
            item->fence->giver = queue->object;
        }
        emu__kmd_queue_look(queue);
        pthread_cond_signal(&queue->wake);
    }
    emu_unlock(&kmd->lock);
    return ok;
}

bool emu_kmd_submit(struct emu_kmd_queue *queue, uint64_t address, uint64_t size, uint64_t tag)
{
    return push(queue,
                &(struct emu_kmd_item){
                    .kind = EMU_KMD_ITEM_SUBMIT, .value = tag, .address = address, .size = size});
}

bool emu_kmd_submit_command(struct emu_kmd_queue *queue, uint64_t address, uint64_t size,
                            uint64_t tag, const D3DDDICB_SUBMITCOMMAND *command,
                            const uint64_t *lists, uint32_t list_count)
{
    struct emu_kmd *kmd = queue->kmd;
    struct emu_kmd_item item = {
        .kind = EMU_KMD_ITEM_SUBMIT, .value = tag, .address = address, .size = size};
    if (command) {
        emu_lock(&kmd->lock);
        emu__kmd_calibrate(kmd, false);
        item.log = emu__kmd_log_create(queue, &item, command, lists, list_count);
        emu_unlock(&kmd->lock);
        if (!item.log && command->Flags.NullRendering) /* otherwise it would be executed */
            return false;
    }
    if (push(queue, &item))
        return true;
    free(item.log);
    return false;
}

bool emu_kmd_signal(struct emu_kmd_queue *queue, struct emu_kmd_fence *fence, uint64_t value)
{
    return push(
        queue, &(struct emu_kmd_item){.kind = EMU_KMD_ITEM_SIGNAL, .fence = fence, .value = value});
}

bool emu_kmd_wait(struct emu_kmd_queue *queue, struct emu_kmd_fence *fence, uint64_t value)
{
    return push(queue,
                &(struct emu_kmd_item){.kind = EMU_KMD_ITEM_WAIT, .fence = fence, .value = value});
}

bool emu_kmd_update_tiles(struct emu_kmd_queue *queue, const struct emu_gpu_tiles *updates,
                          size_t count)
{
    struct emu_gpu_tiles *copy =
        count <= SIZE_MAX / sizeof *copy ? malloc(count * sizeof *copy) : NULL;
    if (!copy)
        return false;
    memcpy(copy, updates, count * sizeof *copy);
    if (push(queue,
             &(struct emu_kmd_item){.kind = EMU_KMD_ITEM_TILES, .size = count, .tiles = copy}))
        return true;
    free(copy);
    return false;
}

bool emu__kmd_queue_can_run(struct emu_kmd_queue *queue)
{
    if (queue->kmd->failing)
        return false;
    if (queue->busy)
        return !queue->spinning;
    const struct emu_kmd_item *head = emu__kmd_queue_head(queue);
    if (!head)
        return false;
    return head->kind != EMU_KMD_ITEM_WAIT || head->seen;
}
