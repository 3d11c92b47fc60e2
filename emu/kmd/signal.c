/*
 * Storing a fence's value, by a queue in order or by the CPU at any time, also backwards. The first
 * store that reaches a value releases its waits, even if the next store is lower again.
 */
#include "kmd/types.h"
#include "gate.h"

#include <stdlib.h>

/* A queue goes on when it is its turn, and the fence may be back behind the value by then: what it
 * has seen stays seen. */
static void wake_queues(struct emu_kmd_fence *fence)
{
    for (struct emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next) {
        struct emu_kmd_item *head = emu__kmd_queue_head(queue);
        if (queue->busy || !head || head->kind != EMU_KMD_ITEM_WAIT || head->fence != fence)
            continue;
        head->seen |= emu__kmd_fence_is_reached(fence, head->value);
        pthread_cond_signal(&queue->wake);
    }
}

struct emu_kmd_waiter *emu__kmd_fence_store(struct emu_kmd_fence *fence, uint64_t value)
{
    struct emu_kmd_waiter *due = NULL;
    struct emu_kmd_waiter **due_end = &due;
    fence->value = value;
    for (struct emu_kmd_waiter **link = &fence->waiters; *link;) {
        struct emu_kmd_waiter *waiter = *link;
        if (!emu__kmd_fence_is_reached(fence, waiter->value)) {
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        waiter->next = NULL;
        *due_end = waiter;
        due_end = &waiter->next;
    }
    wake_queues(fence);
    pthread_cond_broadcast(&fence->kmd->stored);
    return due;
}

void emu__kmd_notify(struct emu_kmd *kmd, struct emu_kmd_waiter *due)
{
    if (!due)
        return;
    emu_unlock(&kmd->lock);
    emu__kmd_enter_callback();
    while (due) {
        struct emu_kmd_waiter *next = due->next;
        due->reached(due->user);
        free(due);
        due = next;
    }
    emu__kmd_leave_callback();
    emu_lock(&kmd->lock);
}

void emu__kmd_signal(struct emu_kmd *kmd, struct emu_kmd_fence *fence, uint64_t value)
{
    struct emu_kmd_waiter *due = emu__kmd_fence_store(fence, value);
    kmd->active++;
    emu__kmd_notify(kmd, due);
    kmd->active--;
    pthread_cond_broadcast(&kmd->idle_cond);
}

bool emu_kmd_fence_set(struct emu_kmd_fence *fence, uint64_t value)
{
    struct emu_kmd *kmd = fence->kmd;
    emu_lock(&kmd->lock);
    bool ok = !kmd->removed;
    if (ok)
        emu__kmd_notify(kmd, emu__kmd_fence_store(fence, value));
    emu_unlock(&kmd->lock);
    return ok;
}

bool emu_kmd_fence_notify(struct emu_kmd_fence *fence, uint64_t value, void (*reached)(void *user),
                          void *user)
{
    struct emu_kmd *kmd = fence->kmd;
    struct emu_kmd_waiter *waiter = malloc(sizeof *waiter);
    if (!waiter)
        return false;
    *waiter = (struct emu_kmd_waiter){NULL, value, reached, user};
    emu_lock(&kmd->lock);
    if (emu__kmd_fence_is_reached(fence, value)) {
        emu__kmd_notify(kmd, waiter);
    } else {
        struct emu_kmd_waiter **end = &fence->waiters;
        while (*end)
            end = &(*end)->next;
        *end = waiter;
    }
    emu_unlock(&kmd->lock);
    return true;
}
