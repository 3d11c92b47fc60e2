/*
 * Fences: a value, set by queues in order and by the CPU at any time, also backwards. Who waits for
 * a value is let go by the first store that reaches it, even when the next one goes back behind it.
 */
#include "kmd/types.h"

#include <stdlib.h>

emu_kmd_fence *emu_kmd_fence_create(emu_kmd *kmd, uint64_t initial)
{
    emu_kmd_fence *fence = calloc(1, sizeof *fence);
    if (!fence)
        return NULL;
    fence->kmd = kmd;
    fence->refs = 1;
    pthread_mutex_lock(&kmd->lock);
    fence->value = kmd->removed ? UINT64_MAX : initial;
    fence->next = kmd->fences;
    if (kmd->fences)
        kmd->fences->previous = fence;
    kmd->fences = fence;
    pthread_mutex_unlock(&kmd->lock);
    return fence;
}

void emu__kmd_fence_retain(emu_kmd_fence *fence)
{
    fence->refs++;
}

static void forget(emu_kmd_waiter *waiters, void (*forgotten)(void *user))
{
    while (waiters) {
        emu_kmd_waiter *next = waiters->next;
        if (forgotten)
            forgotten(waiters->user);
        free(waiters);
        waiters = next;
    }
}

void emu__kmd_fence_release(emu_kmd_fence *fence)
{
    if (--fence->refs != 0)
        return;
    if (fence->previous)
        fence->previous->next = fence->next;
    else
        fence->kmd->fences = fence->next;
    if (fence->next)
        fence->next->previous = fence->previous;
    free(fence);
}

static emu_kmd_waiter *take_waiters(emu_kmd_fence *fence)
{
    pthread_mutex_lock(&fence->kmd->lock);
    emu_kmd_waiter *waiters = fence->waiters;
    fence->waiters = NULL;
    pthread_mutex_unlock(&fence->kmd->lock);
    return waiters;
}

void emu_kmd_fence_forget(emu_kmd_fence *fence, void (*forgotten)(void *user))
{
    forget(take_waiters(fence), forgotten);
}

void emu_kmd_fence_destroy(emu_kmd_fence *fence)
{
    if (!fence)
        return;
    emu_kmd *kmd = fence->kmd;
    forget(take_waiters(fence), NULL);
    pthread_mutex_lock(&kmd->lock);
    emu__kmd_fence_release(fence);
    pthread_mutex_unlock(&kmd->lock);
}

bool emu__kmd_fence_is_reached(const emu_kmd_fence *fence, uint64_t value)
{
    return fence->value >= value;
}

static void wake_queues(emu_kmd_fence *fence)
{
    for (emu_kmd_queue *queue = fence->kmd->queues; queue; queue = queue->next) {
        const emu_kmd_item *head = emu__kmd_queue_head(queue);
        if (!queue->busy && head && head->kind == EMU_KMD_ITEM_WAIT && head->fence == fence)
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

uint64_t emu_kmd_fence_value(const emu_kmd_fence *fence)
{
    pthread_mutex_lock(&fence->kmd->lock);
    uint64_t value = fence->value;
    pthread_mutex_unlock(&fence->kmd->lock);
    return value;
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

static bool is_any_reached(emu_kmd_fence *const *fences, const uint64_t *values, size_t count)
{
    size_t i = 0;
    while (i < count && !emu__kmd_fence_is_reached(fences[i], values[i]))
        i++;
    return i < count;
}

bool emu_kmd_fence_wait_any(emu_kmd_fence *const *fences, const uint64_t *values, size_t count)
{
    emu_kmd *kmd = fences[0]->kmd;
    const bool by_workers = !kmd->desc.seeded && !emu__kmd_in_callback();
    pthread_mutex_lock(&kmd->lock);
    bool reached = is_any_reached(fences, values, count), goes_on = true;
    while (!reached && goes_on) {
        if (by_workers) {
            pthread_cond_wait(&kmd->stored, &kmd->lock);
        } else {
            pthread_mutex_unlock(&kmd->lock);
            goes_on = emu_kmd_step(kmd);
            pthread_mutex_lock(&kmd->lock);
        }
        reached = is_any_reached(fences, values, count);
    }
    pthread_mutex_unlock(&kmd->lock);
    return reached;
}

bool emu_kmd_fence_wait(emu_kmd_fence *fence, uint64_t value)
{
    return emu_kmd_fence_wait_any(&fence, &value, 1);
}
