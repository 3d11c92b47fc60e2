/* A queue's FIFO of items. Items hold references to their fences. */
#include "kmd/types.h"
#include "gate.h"

#include <stdlib.h>
#include <string.h>

struct emu_kmd_item *emu__kmd_queue_head(struct emu_kmd_queue *queue)
{
    return queue->count ? &queue->items[queue->first] : NULL;
}

static void see(struct emu_kmd_queue *queue)
{
    emu__kmd_queue_head(queue)->seen = true;
    pthread_cond_signal(&queue->wake);
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

/* Whether the queue has a signal of the fence with this value or a higher value. */
static bool has_signal(const struct emu_kmd_queue *queue, const struct emu_kmd_fence *fence,
                       uint64_t value)
{
    for (size_t i = 0; i < queue->count; i++) {
        const struct emu_kmd_item *item = item_at(queue, i);
        if (item->kind == EMU_KMD_ITEM_SIGNAL && item->fence == fence && item->value >= value)
            return true;
    }
    return false;
}

/* Whether a queue that goes on will signal the fence that this queue waits for. */
static bool has_hope(struct emu_kmd_queue *queue)
{
    const struct emu_kmd_fence *fence = emu__kmd_queue_head(queue)->fence;
    for (struct emu_kmd_queue *other = queue->kmd->queues; other; other = other->next)
        if (other->goes_on && has_signal(other, fence, 0))
            return true;
    return false;
}

/* Finds queues that can go on. The search begins with queues that wait for nothing, or for a fence
 * with a creator, and adds queues that get a signal from a queue that can go on. Other queues wait
 * for ever. */
void emu__kmd_queues_free(struct emu_kmd *kmd)
{
    struct emu_kmd_queue *queue;
    bool found = true;
    for (queue = kmd->queues; queue; queue = queue->next)
        queue->goes_on = !is_held_up(queue) || !emu__kmd_queue_head(queue)->fence->abandoned;
    while (found) {
        found = false;
        for (queue = kmd->queues; queue; queue = queue->next)
            if (!queue->goes_on && has_hope(queue))
                queue->goes_on = found = true;
    }
    for (queue = kmd->queues; queue; queue = queue->next)
        if (!queue->goes_on)
            see(queue);
}

static struct emu_kmd_held hold(const struct emu_kmd_queue *queue, const struct emu_kmd_item *wait)
{
    struct emu_kmd_held held = {.queue_user = queue->user,
                                .fence = wait->fence->object,
                                .value = wait->value,
                                .reached = wait->fence->value};
    size_t signallers = 0;
    for (size_t i = 0; i < queue->count && held.tag == 0; i++)
        if (item_at(queue, i)->kind == EMU_KMD_ITEM_SUBMIT)
            held.tag = item_at(queue, i)->value;
    for (struct emu_kmd_queue *other = queue->kmd->queues; other; other = other->next)
        if (signallers < EMU_KMD_SIGNALLERS && has_signal(other, wait->fence, wait->value))
            held.signallers[signallers++] = other->user;
    return held;
}

size_t emu__kmd_queues_held(struct emu_kmd *kmd, struct emu_kmd_held *out, size_t capacity)
{
    size_t count = 0;
    for (struct emu_kmd_queue *queue = kmd->queues; queue && count < capacity; queue = queue->next)
        if (is_held_up(queue))
            out[count++] = hold(queue, emu__kmd_queue_head(queue));
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
        if (item->kind == EMU_KMD_ITEM_WAIT)
            emu__kmd_queue_see(queue, item->fence);
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
