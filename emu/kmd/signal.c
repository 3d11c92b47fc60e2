/*
 * Storing a fence's value, by a queue in order or by the CPU at any time, also backwards. Who waits for a value is
 * released by the first store that reaches it, even when the next one goes back behind it.
 */
#include "kmd/types.h"

#include <stdlib.h>

/* A queue goes on when it is its turn, and the fence may be back behind the value by then: what it has seen stays seen. */
static void wake_queues(emu_kmd_fence *fence)
{
    for (emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next) {
        emu_kmd_item *head = emu__kmd_queue_head(queue);
        if (queue->busy || !head || head->kind != EMU_KMD_ITEM_WAIT || head->fence != fence)
            continue;
        head->seen |= emu__kmd_fence_is_reached(fence, head->value);
        pthread_cond_signal(&queue->wake);
    }
}

emu_kmd_waiter *emu__kmd_fence_store(emu_kmd_fence *fence, uint64_t value)
{
    emu_kmd_waiter *due = NULL;
    emu_kmd_waiter **due_end = &due;
    fence->value = value;
    for (emu_kmd_waiter **link = &fence->waiters; *link;) {
        emu_kmd_waiter *waiter = *link;
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

void emu__kmd_notify(emu_kmd *kmd, emu_kmd_waiter *due)
{
    if (!due)
        return;
    pthread_mutex_unlock(&kmd->lock);
    emu__kmd_enter_callback();
    while (due) {
        emu_kmd_waiter *next = due->next;
        due->reached(due->user);
        free(due);
        due = next;
    }
    emu__kmd_leave_callback();
    pthread_mutex_lock(&kmd->lock);
}

void emu__kmd_signal(emu_kmd *kmd, emu_kmd_fence *fence, uint64_t value)
{
    emu_kmd_waiter *due = emu__kmd_fence_store(fence, value);
    kmd->active++;
    emu__kmd_notify(kmd, due);
    kmd->active--;
    pthread_cond_broadcast(&kmd->idle_cond);
}

bool emu_kmd_fence_set(emu_kmd_fence *fence, uint64_t value)
{
    emu_kmd *kmd = fence->kmd;
    pthread_mutex_lock(&kmd->lock);
    bool ok = !kmd->removed;
    if (ok)
        emu__kmd_notify(kmd, emu__kmd_fence_store(fence, value));
    pthread_mutex_unlock(&kmd->lock);
    return ok;
}

bool emu_kmd_fence_notify(emu_kmd_fence *fence, uint64_t value, void (*reached)(void *user),
                          void *user)
{
    emu_kmd *kmd = fence->kmd;
    emu_kmd_waiter *waiter = malloc(sizeof *waiter);
    if (!waiter)
        return false;
    *waiter = (emu_kmd_waiter){NULL, value, reached, user};
    pthread_mutex_lock(&kmd->lock);
    if (emu__kmd_fence_is_reached(fence, value)) {
        emu__kmd_notify(kmd, waiter);
    } else {
        emu_kmd_waiter **end = &fence->waiters;
        while (*end)
            end = &(*end)->next;
        *end = waiter;
    }
    pthread_mutex_unlock(&kmd->lock);
    return true;
}
