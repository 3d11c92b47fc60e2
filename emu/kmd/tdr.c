/* Timeout detection and removal. A hang is an engine that runs without progress for the timeout. A
 * queue that waits for a fence does not run. So a queue that waits for a hung queue is never the
 * culprit, and queues that wait for each other are no hang.
 *
 * A crash report needs this order: every engine has stopped and every callback has returned before
 * the runtime is told. Fences change only after the runtime has written its dump, because then
 * waiting applications go on and may exit. */
#include "kmd/types.h"
#include "gate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Makes a version 4 GUID from the seed, or from values that no two removals share. */
static void make_guid(const struct emu_kmd *kmd, uint8_t guid[16])
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

static void stop_engines(struct emu_kmd *kmd)
{
    kmd->failing = true;
    atomic_store_explicit(&kmd->stop, true, memory_order_relaxed);
    while (kmd->active)
        emu_wait(&kmd->idle_cond, &kmd->lock, NULL);
}

/* Reports the submissions that were not completed, each queue's in order. */
static void take_histories(struct emu_kmd *kmd)
{
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next) {
        if (queue->log)
            emu__kmd_history_take(queue, queue->tag, queue->log);
        for (size_t i = 0; i < queue->count; i++) {
            const struct emu_kmd_item *item = &queue->items[(queue->first + i) % queue->capacity];
            if (item->log)
                emu__kmd_history_take(queue, item->value, item->log);
        }
    }
}

/* Releases the lock while the runtime writes its dump. */
static void tell_runtime(struct emu_kmd *kmd, struct emu_kmd_queue *culprit,
                         enum emu_kmd_error error)
{
    const enum emu_fault_reason reason = culprit ? culprit->engine.fault.reason : EMU_FAULT_NONE;
    struct emu_kmd_removal removal = {.error = error,
                                      .is_ordered = culprit && culprit->engine.is_ordered,
                                      .bad_packet = reason == EMU_FAULT_PACKET,
                                      .fault_address = culprit ? culprit->engine.fault.address : 0,
                                      .blob = kmd->blob,
                                      .time = emu__kmd_now(kmd),
                                      .timeout_ns = kmd->desc.tdr_timeout_ns};
    if (culprit)
        emu_engine_say_command(&culprit->engine, removal.command, sizeof removal.command);
    annot_wait waits[EMU_KMD_WAITS_MAX];
    removal.waits = waits;
    removal.wait_count = emu__kmd_waits(kmd, waits, EMU_KMD_WAITS_MAX);
    make_guid(kmd, removal.guid);
    removal.blob_size = emu__kmd_blob_fill(kmd, culprit, error);
    if (!kmd->desc.removed)
        return;
    emu__kmd_calibrate(kmd, true);
    emu_unlock(&kmd->lock);
    emu__kmd_enter_callback();
    take_histories(kmd);
    removal.tdr = emu__kmd_debug_collect(kmd, culprit, error);
    kmd->desc.removed(kmd->desc.user, &removal);
    emu__kmd_leave_callback();
    emu_lock(&kmd->lock);
}

static void release_fences(struct emu_kmd *kmd)
{
    struct emu_kmd_pending *due = NULL;
    for (struct emu_kmd_fence *fence = kmd->fences; fence; fence = fence->next)
        emu__kmd_fence_store(fence, UINT64_MAX, &due);
    emu__kmd_tell(kmd, due);
}

void emu__kmd_fail(struct emu_kmd *kmd, struct emu_kmd_queue *culprit, enum emu_kmd_error error)
{
    if (kmd->failing)
        return;
    stop_engines(kmd);
    tell_runtime(kmd, culprit, error);
    kmd->removed = true;
    release_fences(kmd);
    pthread_cond_broadcast(&kmd->idle_cond);
}

void emu__kmd_await_removal(struct emu_kmd *kmd)
{
    while (kmd->failing && !kmd->removed && !emu__kmd_in_callback())
        emu_wait(&kmd->idle_cond, &kmd->lock, NULL);
}

bool emu__kmd_check_timeout(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    if (!queue->spinning || emu__kmd_now(kmd) - queue->spin_since < kmd->desc.tdr_timeout_ns)
        return false;
    emu__kmd_fail(kmd, queue, EMU_KMD_HUNG);
    return true;
}

/* A thread that waited for a condition may hold the lock. */
void emu_kmd_inherit(struct emu_kmd *kmd)
{
    pthread_mutex_init(&kmd->lock, NULL);
    pthread_mutex_init(&kmd->step_lock, NULL);
    emu__kmd_cond_init(&kmd->idle_cond);
    emu__kmd_cond_init(&kmd->stored);
    kmd->failing = kmd->removed = true;
    atomic_store(&kmd->stop, true);
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next) {
        emu__kmd_cond_init(&queue->wake);
        queue->has_worker = false;
    }
    for (struct emu_kmd_fence *fence = kmd->fences; fence; fence = fence->next)
        fence->value = UINT64_MAX;
}

void emu_kmd_remove(struct emu_kmd *kmd, enum emu_kmd_error error)
{
    if (emu__kmd_in_callback())
        return;
    emu_lock(&kmd->step_lock);
    emu_lock(&kmd->lock);
    emu__kmd_fail(kmd, NULL, error);
    while (!kmd->removed)
        emu_wait(&kmd->idle_cond, &kmd->lock, NULL);
    emu_unlock(&kmd->lock);
    emu_unlock(&kmd->step_lock);
}

bool emu_kmd_is_removed(struct emu_kmd *kmd)
{
    emu_lock(&kmd->lock);
    emu__kmd_await_removal(kmd);
    bool removed = kmd->failing;
    emu_unlock(&kmd->lock);
    return removed;
}
