#include "kmd/types.h"
#include "containers.h"
#include "gate.h"
#include "gpu/packet.h"

#include <stdlib.h>

/* ---- life ---- */

static uint64_t real_time(const void *clock)
{
    const struct emu_kmd *kmd = clock;
    return emu_gpu_counter(kmd->desc.gpu, emu__kmd_now(kmd));
}

struct emu_kmd_queue *emu_kmd_queue_create(struct emu_kmd *kmd, void *queue_user)
{
    struct emu_kmd_queue *queue = calloc(1, sizeof *queue), *each;
    size_t others;
    if (!queue)
        goto err0;
    queue->kmd = kmd;
    queue->user = queue_user;
    emu_engine_init(&queue->engine, kmd->desc.gpu);
    if (!kmd->desc.seeded) {
        queue->engine.now = real_time;
        queue->engine.clock = kmd;
    }
    if (!emu__kmd_cond_init(&queue->wake))
        goto err1;
    emu_lock(&kmd->lock);
    emu__kmd_await_removal(kmd);
    LL_COUNT(kmd->queues, each, others);
    if (!emu__kmd_blob_reserve(kmd, others + 1))
        goto err2;
    queue->index = kmd->queue_serial++;
    if (kmd->desc.in_flight > 1)
        queue->engine.width = kmd->desc.in_flight;
    queue->engine.random = kmd->desc.seed + queue->index * UINT64_C(0x9E3779B97F4A7C15);
    LL_APPEND(kmd->queues, queue);
    if (!kmd->desc.seeded && pthread_create(&queue->worker, NULL, emu__kmd_worker, queue) != 0)
        goto err3;
    queue->has_worker = !kmd->desc.seeded;
    emu_unlock(&kmd->lock);
    return queue;
err3:
    LL_DELETE(kmd->queues, queue);
err2:
    emu_unlock(&kmd->lock);
    pthread_cond_destroy(&queue->wake);
err1:
    free(queue);
err0:
    return NULL;
}

bool emu_kmd_queue_identify(struct emu_kmd_queue *queue, uint64_t object, uint32_t node,
                            void *context)
{
    struct emu_kmd *kmd = queue->kmd;
    queue->object = object;
    queue->node = node;
    queue->context = context;
    if (!kmd->driver->context_create)
        return true;
    queue->kernel_context = kmd->driver->context_create(kmd->driver_adapter, node);
    return queue->kernel_context != NULL;
}

static bool is_idle(struct emu_kmd_queue *queue)
{
    return !queue->busy && queue->count == 0;
}

/* Whether no queue can do anything more by itself, because its last items wait for a fence that no
 * queue signals. */
static bool is_stuck(const struct emu_kmd *kmd)
{
    if (kmd->active || (kmd->failing && !kmd->removed))
        return false;
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        if (queue->busy || emu__kmd_queue_can_run(queue))
            return false;
    return true;
}

static bool has_ended(struct emu_kmd_queue *queue)
{
    return queue->kmd->removed || is_idle(queue) || is_stuck(queue->kmd);
}

static void wait_for_end(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    emu_lock(&kmd->lock);
    while (!kmd->desc.seeded && !has_ended(queue))
        emu_wait(&kmd->idle_cond, &kmd->lock, NULL);
    bool stepped = kmd->desc.seeded;
    while (stepped && !has_ended(queue)) {
        emu_unlock(&kmd->lock);
        stepped = emu_kmd_step(kmd);
        emu_lock(&kmd->lock);
    }
    emu_unlock(&kmd->lock);
}

static void stop_worker(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    emu_lock(&kmd->lock);
    queue->quit = true;
    pthread_cond_signal(&queue->wake);
    emu_unlock(&kmd->lock);
    pthread_join(queue->worker, NULL);
}

void emu__kmd_queue_abandon(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    if (queue->has_worker)
        stop_worker(queue);
    emu_lock(&kmd->lock);
    emu__kmd_await_removal(kmd);
    while (queue->count)
        emu__kmd_queue_pop(queue);
    LL_DELETE(kmd->queues, queue);
    pthread_cond_broadcast(&kmd->idle_cond);
    emu_unlock(&kmd->lock);
    pthread_cond_destroy(&queue->wake);
    if (queue->kernel_context && kmd->driver->context_destroy)
        kmd->driver->context_destroy(queue->kernel_context);
    free(queue->log);
    free(queue->items);
    free(queue);
}

/* Whether packets, or packets that they call, have an address from `first` to `last`. EventIDs are
 * no addresses. `depth`: how often packets may call. */
static bool names(emu_gpu *gpu, uint64_t at, uint64_t end, uint64_t first, uint64_t last,
                  unsigned depth)
{
    struct emu_packet_call packet;
    for (uint64_t word; at < end; at += packet.header.size) {
        packet = (struct emu_packet_call){.size = 0};
        emu_gpu_load(gpu, at, &packet, sizeof packet);
        const uint32_t opcode = packet.header.opcode & ~(EMU_PACKET_CRUMB | EMU_PACKET_STAMP);
        const uint32_t size = emu_packet_size(opcode);
        if (size == 0 || packet.header.size != size || opcode == EMU_PACKET_END)
            break;
        if (opcode == EMU_PACKET_CALL && depth > 0 &&
            names(gpu, packet.address, packet.address + packet.size, first, last, depth - 1))
            return true;
        for (uint64_t i = sizeof packet.header; i < size; i += sizeof word)
            if (opcode != EMU_PACKET_MARKER &&
                emu_gpu_load(gpu, at + i, &word, sizeof word) == sizeof word && word >= first &&
                word <= last)
                return true;
    }
    return false;
}

bool emu_kmd_names(struct emu_kmd *kmd, uint64_t first, uint64_t last)
{
    bool is_named = false;
    emu_lock(&kmd->lock);
    for (const struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next) {
        is_named |= queue->busy && queue->address != 0 &&
                    names(kmd->desc.gpu, queue->address, UINT64_MAX, first, last, EMU_PACKET_DEPTH);
        for (size_t i = 0; i < queue->count && !is_named; i++) {
            const struct emu_kmd_item *item = &queue->items[(queue->first + i) % queue->capacity];
            is_named = item->kind == EMU_KMD_ITEM_SUBMIT &&
                       names(kmd->desc.gpu, item->address, item->address + item->size, first, last,
                             EMU_PACKET_DEPTH);
        }
    }
    emu_unlock(&kmd->lock);
    return is_named;
}

void emu_kmd_queue_destroy(struct emu_kmd_queue *queue)
{
    if (!queue)
        return;
    wait_for_end(queue);
    emu__kmd_queue_abandon(queue);
}
