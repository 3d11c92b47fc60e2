#include "kmd/types.h"

#include <stdlib.h>

bool emu__kmd_blob_reserve(struct emu_kmd *kmd, size_t queues)
{
    if (queues <= kmd->blob_queues || kmd->failing) /* failing: the runtime may read the blob */
        return true;
    struct emu_kmd_blob *blob = realloc(kmd->blob, sizeof *blob + queues * sizeof blob->queues[0]);
    if (!blob)
        return false;
    kmd->blob = blob;
    kmd->blob_queues = queues;
    return true;
}

static enum emu_kmd_blob_state blob_state(struct emu_kmd_queue *queue)
{
    if (queue->engine.fault.reason != EMU_FAULT_NONE)
        return EMU_KMD_BLOB_FAULTED;
    if (queue->busy)
        return queue->spinning ? EMU_KMD_BLOB_SPINNING : EMU_KMD_BLOB_RUNNING;
    return queue->count ? EMU_KMD_BLOB_WAITING : EMU_KMD_BLOB_IDLE;
}

size_t emu__kmd_blob_fill(struct emu_kmd *kmd, const struct emu_kmd_queue *culprit,
                          enum emu_kmd_error error)
{
    struct emu_kmd_blob *blob = kmd->blob;
    *blob = (struct emu_kmd_blob){.magic = "EMUKMD1",
                                  .error = (uint32_t)error,
                                  .time = emu__kmd_now(kmd),
                                  .culprit = EMU_KMD_BLOB_NOBODY};
    if (culprit) {
        blob->reason = (uint32_t)culprit->engine.fault.reason;
        blob->fault_address = culprit->engine.fault.address;
        blob->culprit = culprit->index;
    }
    for (struct emu_kmd_queue *queue = kmd->queues; queue && blob->queue_count < kmd->blob_queues;
         queue = queue->next) {
        struct emu_engine_place place;
        emu_engine_at(&queue->engine, &place);
        blob->queues[blob->queue_count++] =
            (struct emu_kmd_blob_queue){.queue = queue->index,
                                        .state = (uint32_t)blob_state(queue),
                                        .tag = queue->busy ? queue->tag : 0,
                                        .instruction = place.oldest,
                                        .opcode = place.opcode,
                                        .pending = (uint32_t)queue->count};
    }
    return sizeof *blob + blob->queue_count * sizeof blob->queues[0];
}
