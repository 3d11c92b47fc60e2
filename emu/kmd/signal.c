/* Stores a fence's value and releases waits. A queue stores in order; the CPU may store at any
 * time, also backwards. The first store that reaches a value releases the waits for this value, of
 * every thread and queue at once, even if the next store is lower or the fence is gone. */
#include "kmd/types.h"
#include "containers.h"
#include "gate.h"

#include <stdlib.h>

void emu__kmd_withdraw(struct emu_kmd_pending *pending)
{
    for (size_t i = 0; i < pending->count; i++) {
        struct emu_kmd_waiter *waiter = &pending->waiters[i];
        if (waiter->fence)
            DL_DELETE(waiter->fence->waiters, waiter);
        waiter->fence = NULL;
    }
}

/* Releases the waits for values that the fence has reached, or all waits. */
static void let_go(struct emu_kmd_fence *fence, bool all, struct emu_kmd_pending **due)
{
    struct emu_kmd_waiter *waiter, *next;
    for (waiter = fence->waiters; waiter; waiter = next) {
        struct emu_kmd_pending *pending = waiter->pending;
        next = waiter->next;
        if (!all && fence->value < waiter->value)
            continue;
        DL_DELETE(fence->waiters, waiter);
        waiter->fence = NULL;
        if (--pending->missing != 0)
            continue;
        while (next && next->pending == pending) /* the next waiter that is not released */
            next = next->next;
        emu__kmd_withdraw(pending);
        if (pending->reached)
            LL_APPEND(*due, pending);
    }
    for (struct emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next)
        emu__kmd_queue_look(queue);
    pthread_cond_broadcast(&fence->kmd->stored);
}

void emu__kmd_fence_store(struct emu_kmd_fence *fence, uint64_t value, struct emu_kmd_pending **due)
{
    fence->flags |= value < fence->value ? ANNOT_WAIT_REWOUND : 0u;
    fence->value = value;
    for (struct emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next)
        emu__kmd_queue_see(queue, fence);
    let_go(fence, false, due);
}

void emu__kmd_tell(struct emu_kmd *kmd, struct emu_kmd_pending *due)
{
    if (!due)
        return;
    emu_unlock(&kmd->lock);
    emu__kmd_enter_callback();
    while (due) {
        struct emu_kmd_pending *next = due->next;
        due->reached(due->user);
        free(due);
        due = next;
    }
    emu__kmd_leave_callback();
    emu_lock(&kmd->lock);
}

void emu__kmd_signal(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    struct emu_kmd_pending *due = NULL;
    const struct emu_kmd_item *head = emu__kmd_queue_head(queue);
    emu__kmd_fence_store(head->fence, head->value, &due);
    emu__kmd_queue_pop(queue);
    kmd->active++;
    emu__kmd_tell(kmd, due);
    kmd->active--;
    pthread_cond_broadcast(&kmd->idle_cond);
}

bool emu_kmd_fence_set(struct emu_kmd_fence *fence, uint64_t value)
{
    struct emu_kmd *kmd = fence->kmd;
    struct emu_kmd_pending *due = NULL;
    emu_lock(&kmd->lock);
    const bool ok = !kmd->removed;
    fence->flags |= ANNOT_WAIT_CPU;
    if (ok)
        emu__kmd_fence_store(fence, value, &due);
    emu__kmd_tell(kmd, due);
    emu_unlock(&kmd->lock);
    return ok;
}

/* The lock is held. */
static void abandon(struct emu_kmd_fence *fence)
{
    struct emu_kmd_pending *due = NULL;
    fence->abandoned = true;
    let_go(fence, true, &due);
    emu__kmd_tell(fence->kmd, due);
}

void emu_kmd_fence_abandon(struct emu_kmd_fence *fence)
{
    emu_lock(&fence->kmd->lock);
    abandon(fence);
    emu_unlock(&fence->kmd->lock);
}

void emu_kmd_fence_destroy(struct emu_kmd_fence *fence)
{
    if (!fence)
        return;
    struct emu_kmd *kmd = fence->kmd;
    emu_lock(&kmd->lock);
    abandon(fence);
    emu__kmd_fence_release(fence);
    emu_unlock(&kmd->lock);
}
