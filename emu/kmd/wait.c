/* Blocking until a fence has a value. */
#include "kmd/types.h"
#include "gate.h"

static bool is_any_reached(struct emu_kmd_fence *const *fences, const uint64_t *values,
                           size_t count)
{
    size_t i = 0;
    while (i < count && !emu__kmd_fence_is_reached(fences[i], values[i]))
        i++;
    return i < count;
}

bool emu_kmd_fence_wait_any(struct emu_kmd_fence *const *fences, const uint64_t *values,
                            size_t count)
{
    struct emu_kmd *kmd = fences[0]->kmd;
    const bool by_workers = !kmd->desc.seeded && !emu__kmd_in_callback();
    emu_lock(&kmd->lock);
    bool reached = is_any_reached(fences, values, count), goes_on = true;
    while (!reached && goes_on) {
        if (by_workers) {
            emu_wait(&kmd->stored, &kmd->lock, NULL);
        } else {
            emu_unlock(&kmd->lock);
            goes_on = emu_kmd_step(kmd);
            emu_lock(&kmd->lock);
        }
        reached = is_any_reached(fences, values, count);
    }
    emu_unlock(&kmd->lock);
    return reached;
}

bool emu_kmd_fence_wait(struct emu_kmd_fence *fence, uint64_t value)
{
    return emu_kmd_fence_wait_any(&fence, &value, 1);
}
