/*
 * Timeout detection and removal. A hang is an engine that runs without progress for the timeout; a
 * queue that waits for a fence does not run, however long, so a queue that waits for a hung one is
 * never the culprit, and queues that wait for each other are no hang.
 *
 * The order of a removal is what a crash report rests on: every engine is stopped and every
 * callback back before the runtime is told, and fences jump, which lets waiting applications go on
 * and perhaps exit, only after the runtime has written what it wanted.
 */
#include "kmd/types.h"

#include <string.h>
#include <time.h>

/* A version 4 GUID: from the seed, or from what no two removals share. */
static void make_guid(const emu_kmd *kmd, uint8_t guid[16])
{
    uint64_t state = kmd->desc.seed;
    if (!kmd->desc.seeded) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        state = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        state = emu__kmd_random(&state) ^ (uint64_t)(uintptr_t)kmd;
    }
    uint64_t words[2];
    words[0] = emu__kmd_random(&state);
    words[1] = emu__kmd_random(&state);
    memcpy(guid, words, sizeof words);
    guid[7] = (uint8_t)((guid[7] & 0x0F) | 0x40); /* Data3 is little-endian */
    guid[8] = (uint8_t)((guid[8] & 0x3F) | 0x80);
}

static void stop_engines(emu_kmd *kmd)
{
    kmd->failing = true;
    atomic_store_explicit(&kmd->stop, true, memory_order_relaxed);
    for (emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        pthread_cond_signal(&queue->wake);
    while (kmd->active)
        pthread_cond_wait(&kmd->idle_cond, &kmd->lock);
}

/* Lets go of the lock for the runtime, which writes its dump now. */
static void tell_runtime(emu_kmd *kmd, const emu_kmd_queue *culprit, emu_kmd_error error)
{
    const emu_fault_reason reason = culprit ? culprit->engine.fault.reason : EMU_FAULT_NONE;
    emu_kmd_removal removal = {.error = error,
                               .bad_packet = reason == EMU_FAULT_PACKET,
                               .fault_address = culprit ? culprit->engine.fault.address : 0,
                               .blob = kmd->blob,
                               .time = emu__kmd_now(kmd),
                               .timeout_ns = kmd->desc.tdr_timeout_ns};
    make_guid(kmd, removal.guid);
    removal.blob_size = emu__kmd_blob_fill(kmd, culprit, error);
    if (!kmd->desc.removed)
        return;
    pthread_mutex_unlock(&kmd->lock);
    emu__kmd_enter_callback();
    kmd->desc.removed(kmd->desc.user, &removal);
    emu__kmd_leave_callback();
    pthread_mutex_lock(&kmd->lock);
}

static void drop_work(emu_kmd *kmd)
{
    for (emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next) {
        while (queue->count)
            emu__kmd_queue_pop(queue);
        queue->busy = false;
        queue->spinning = false;
    }
}

static void release_fences(emu_kmd *kmd)
{
    emu_kmd_waiter *due = NULL;
    emu_kmd_waiter **end = &due;
    for (emu_kmd_fence *fence = kmd->fences; fence; fence = fence->next) {
        *end = emu__kmd_fence_store(fence, UINT64_MAX);
        while (*end)
            end = &(*end)->next;
    }
    emu__kmd_notify(kmd, due);
}

void emu__kmd_fail(emu_kmd *kmd, emu_kmd_queue *culprit, emu_kmd_error error)
{
    if (kmd->failing)
        return;
    stop_engines(kmd);
    tell_runtime(kmd, culprit, error);
    kmd->removed = true;
    drop_work(kmd);
    release_fences(kmd);
    pthread_cond_broadcast(&kmd->idle_cond);
}

bool emu__kmd_check_timeout(emu_kmd_queue *queue)
{
    emu_kmd *kmd = queue->kmd;
    if (!queue->busy || !queue->spinning ||
        emu__kmd_now(kmd) - queue->spin_since < kmd->desc.tdr_timeout_ns)
        return false;
    emu__kmd_fail(kmd, queue, EMU_KMD_HUNG);
    return true;
}

void emu_kmd_remove(emu_kmd *kmd)
{
    if (emu__kmd_in_callback())
        return;
    pthread_mutex_lock(&kmd->step_lock);
    pthread_mutex_lock(&kmd->lock);
    emu__kmd_fail(kmd, NULL, EMU_KMD_ASKED);
    while (!kmd->removed)
        pthread_cond_wait(&kmd->idle_cond, &kmd->lock);
    pthread_mutex_unlock(&kmd->lock);
    pthread_mutex_unlock(&kmd->step_lock);
}

bool emu_kmd_is_removed(emu_kmd *kmd)
{
    pthread_mutex_lock(&kmd->lock);
    while (kmd->failing && !kmd->removed && !emu__kmd_in_callback())
        pthread_cond_wait(&kmd->idle_cond, &kmd->lock);
    bool removed = kmd->failing;
    pthread_mutex_unlock(&kmd->lock);
    return removed;
}
