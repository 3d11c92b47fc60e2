/* Fences: a value, and the threads and queues that wait for it. */
#include "kmd/types.h"
#include "gate.h"

#include <stdlib.h>

struct emu_kmd_fence *emu_kmd_fence_create(struct emu_kmd *kmd, uint64_t initial)
{
    struct emu_kmd_fence *fence = calloc(1, sizeof *fence);
    if (!fence)
        return NULL;
    fence->kmd = kmd;
    fence->refs = 1;
    emu_lock(&kmd->lock);
    fence->value = kmd->removed ? UINT64_MAX : initial;
    fence->next = kmd->fences;
    if (kmd->fences)
        kmd->fences->previous = fence;
    kmd->fences = fence;
    emu_unlock(&kmd->lock);
    return fence;
}

void emu__kmd_fence_retain(struct emu_kmd_fence *fence)
{
    fence->refs++;
}

static void forget(struct emu_kmd_waiter *waiters, void (*forgotten)(void *user))
{
    while (waiters) {
        struct emu_kmd_waiter *next = waiters->next;
        if (forgotten)
            forgotten(waiters->user);
        free(waiters);
        waiters = next;
    }
}

void emu__kmd_fence_release(struct emu_kmd_fence *fence)
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

static struct emu_kmd_waiter *take_waiters(struct emu_kmd_fence *fence)
{
    emu_lock(&fence->kmd->lock);
    struct emu_kmd_waiter *waiters = fence->waiters;
    fence->waiters = NULL;
    emu_unlock(&fence->kmd->lock);
    return waiters;
}

void emu_kmd_fence_forget(struct emu_kmd_fence *fence, void (*forgotten)(void *user))
{
    forget(take_waiters(fence), forgotten);
}

void emu_kmd_fence_destroy(struct emu_kmd_fence *fence)
{
    if (!fence)
        return;
    struct emu_kmd *kmd = fence->kmd;
    forget(take_waiters(fence), NULL);
    emu_lock(&kmd->lock);
    emu__kmd_fence_release(fence);
    emu_unlock(&kmd->lock);
}

bool emu__kmd_fence_is_reached(const struct emu_kmd_fence *fence, uint64_t value)
{
    return fence->value >= value;
}

uint64_t emu_kmd_fence_value(const struct emu_kmd_fence *fence)
{
    emu_lock(&fence->kmd->lock);
    uint64_t value = fence->value;
    emu_unlock(&fence->kmd->lock);
    return value;
}
