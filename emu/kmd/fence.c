/* Fences: a value, and who waits for it. */
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
    forget(fence->waiters, NULL);
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

uint64_t emu_kmd_fence_value(const emu_kmd_fence *fence)
{
    pthread_mutex_lock(&fence->kmd->lock);
    uint64_t value = fence->value;
    pthread_mutex_unlock(&fence->kmd->lock);
    return value;
}
