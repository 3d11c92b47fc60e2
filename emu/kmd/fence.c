/* Fences: a value, and the threads and queues that wait for it. */
#include "kmd/types.h"
#include "containers.h"
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
    DL_PREPEND2(kmd->fences, fence, previous, next);
    emu_unlock(&kmd->lock);
    return fence;
}

void emu_kmd_fence_identify(struct emu_kmd_fence *fence, uint64_t object, bool is_shared)
{
    fence->object = object;
    fence->flags = ANNOT_WAIT_KNOWN | (is_shared ? ANNOT_WAIT_SHARED : 0u);
}

void emu__kmd_fence_retain(struct emu_kmd_fence *fence)
{
    fence->refs++;
}

void emu__kmd_fence_release(struct emu_kmd_fence *fence)
{
    if (--fence->refs != 0)
        return;
    DL_DELETE2(fence->kmd->fences, fence, previous, next);
    free(fence);
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
