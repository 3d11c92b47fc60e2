/* Waiting until fences have values: notifications, and threads that block. */
#include "kmd/types.h"
#include "containers.h"
#include "gate.h"

#include <stdlib.h>

static struct emu_kmd_pending *pending_create(const struct emu_kmd_goal *goal)
{
    struct emu_kmd_pending *pending = NULL;
    if (goal->count <= (SIZE_MAX - sizeof *pending) / sizeof *pending->waiters)
        pending = calloc(1, sizeof *pending + goal->count * sizeof *pending->waiters);
    if (pending)
        pending->count = goal->count;
    return pending;
}

/* Waits for missing values. If none is missing, the goal is reached. The lock is held. */
static void enlist(struct emu_kmd_pending *pending, const struct emu_kmd_goal *goal)
{
    pending->missing = goal->any ? 1 : goal->count;
    for (size_t i = 0; i < goal->count && pending->missing != 0; i++) {
        struct emu_kmd_fence *fence = goal->fences[i];
        struct emu_kmd_waiter *waiter = &pending->waiters[i];
        if (emu__kmd_fence_is_reached(fence, goal->values[i])) {
            pending->missing--;
            continue;
        }
        waiter->fence = fence;
        waiter->value = goal->values[i];
        waiter->since = emu__kmd_now(fence->kmd);
        waiter->pending = pending;
        DL_APPEND(fence->waiters, waiter);
    }
    if (pending->missing == 0)
        emu__kmd_withdraw(pending);
}

bool emu_kmd_notify(const struct emu_kmd_goal *goal, void (*reached)(void *user), void *user)
{
    struct emu_kmd *kmd = goal->fences[0]->kmd;
    struct emu_kmd_pending *pending = pending_create(goal);
    if (!pending)
        return false;
    pending->reached = reached;
    pending->user = user;
    emu_lock(&kmd->lock);
    enlist(pending, goal);
    if (pending->missing == 0)
        emu__kmd_tell(kmd, pending);
    emu_unlock(&kmd->lock);
    return true;
}

enum emu_kmd_waited emu_kmd_wait_for(const struct emu_kmd_goal *goal)
{
    struct emu_kmd *kmd = goal->fences[0]->kmd;
    const bool by_workers = !kmd->desc.seeded && !emu__kmd_in_callback();
    struct emu_kmd_pending *pending = pending_create(goal);
    if (!pending)
        return EMU_KMD_NO_MEMORY;
    emu_lock(&kmd->lock);
    enlist(pending, goal);
    for (bool goes_on = true; pending->missing != 0 && goes_on;)
        if (by_workers) {
            emu_wait(&kmd->stored, &kmd->lock, NULL);
        } else {
            emu_unlock(&kmd->lock);
            goes_on = emu_kmd_step(kmd);
            emu_lock(&kmd->lock);
        }
    const bool reached = pending->missing == 0;
    emu__kmd_withdraw(pending);
    emu_unlock(&kmd->lock);
    free(pending);
    return reached ? EMU_KMD_REACHED : EMU_KMD_NEVER;
}
