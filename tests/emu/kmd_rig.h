/* A kernel with a GPU below it and a log of what it tells the runtime above. */
#pragma once

#include "kmd/blob.h"
#include "rig.h"

#include <stdatomic.h>

#define RIG_LOG 4096

struct rig {
    emu_gpu *gpu;
    struct emu_kmd *kmd;
    atomic_size_t completed; /* callbacks */
    struct {
        void *queue;
        uint64_t tag;
    } log[RIG_LOG];
    atomic_uint removals;
    struct emu_kmd_removal removal;
    uint64_t blob[128];        /* copy of the removal's */
    uint64_t fence_at_removal; /* value of `watched` when the runtime was told */
    struct emu_kmd_fence *watched;
};

static inline const struct emu_kmd_blob *rig_blob(const struct rig *r)
{
    return (const void *)r->blob;
}

static inline void rig_completed(void *user, void *queue, uint64_t tag)
{
    struct rig *r = user;
    size_t at = atomic_fetch_add(&r->completed, 1);
    if (at < RIG_LOG) {
        r->log[at].queue = queue;
        r->log[at].tag = tag;
    }
}

static inline void rig_removed(void *user, const struct emu_kmd_removal *removal)
{
    struct rig *r = user;
    r->removal = *removal;
    if (removal->blob_size <= sizeof r->blob)
        memcpy(r->blob, removal->blob, removal->blob_size);
    if (r->watched)
        r->fence_at_removal = emu_kmd_fence_value(r->watched);
    atomic_fetch_add(&r->removals, 1);
}

static inline void rig_init(struct rig *r, bool seeded, uint64_t seed, uint64_t timeout_ns)
{
    memset(r, 0, sizeof *r);
    r->gpu = emu_gpu_create();
    r->kmd = KMD(r->gpu, r, .seeded = seeded, .seed = seed, .tdr_timeout_ns = timeout_ns,
                 .removed = rig_removed, .completed = rig_completed);
}

static inline void rig_finish(struct rig *r)
{
    emu_kmd_destroy(r->kmd);
    emu_gpu_destroy(r->gpu);
}

static inline void queue_ended(struct emu_kmd_queue **queue)
{
    emu_kmd_queue_destroy(*queue);
}

static inline void fence_ended(struct emu_kmd_fence **fence)
{
    emu_kmd_fence_destroy(*fence);
}

static inline bool submit(struct emu_kmd_queue *queue, const struct buffer *b, uint64_t tag)
{
    return emu_kmd_submit(queue, b->memory.address, b->used, tag);
}

/* One fence at one value. */
static inline bool fence_notify(struct emu_kmd_fence *fence, uint64_t value,
                                void (*reached)(void *user), void *user)
{
    return emu_kmd_notify(&(struct emu_kmd_goal){&fence, &value, 1, false}, reached, user);
}

static inline bool fence_wait(struct emu_kmd_fence *fence, uint64_t value)
{
    return emu_kmd_wait_for(&(struct emu_kmd_goal){&fence, &value, 1, false}) == EMU_KMD_REACHED;
}
