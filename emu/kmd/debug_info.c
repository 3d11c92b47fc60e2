/* Debug information of timeouts and page faults [WDDM 3.2], which the kernel gets from its driver
 * before the device is removed. The kernel calls DxgkDdiCollectDbgInfo2 if the driver has it, else
 * DxgkDdiCollectDbgInfo, never both. The driver's output goes into a buffer between canaries; its
 * payload is the kernel's memory, overwritten as soon as the call is over.
 *
 * The driver is asked before the engine's reset. If the reset fails, it is asked again, for the
 * adapter; the first answer is kept if there was one. */
#include "kmd/types.h"

#include <stdlib.h>
#include <string.h>

#define CANARY      64u
#define CANARY_BYTE 0xC5
#define POISON      0xDD
#define LONGER      8u /* bytes by which a later version's payload is longer */

/* emu_tdr_payload */
enum { PUBLISHED = 0, NO_PAYLOAD = 1, TOO_SHORT = 2, WITH_MORE = 3 };

bool emu__kmd_debug_init(struct emu_kmd *kmd)
{
    uint32_t size = kmd->desc.tdr_buffer ? kmd->desc.tdr_buffer : EMU_KMD_TDR_BUFFER;
    if (size > EMU_KMD_TDR_BUFFER_MAX)
        size = EMU_KMD_TDR_BUFFER_MAX;
    kmd->debug_size = size;
    kmd->debug_buffer = malloc(2 * (size_t)(size + 2 * CANARY)); /* for two answers */
    kmd->payload = malloc(ANNOT_TDR_PAYLOAD_MAX);
    return kmd->debug_buffer && kmd->payload;
}

void emu__kmd_debug_finish(struct emu_kmd *kmd)
{
    free(kmd->debug_buffer);
    free(kmd->payload);
}

/* ---- the type of a timeout ---- */

/* Whether a fence ID was pending; compares the low halves. */
static bool was_pending(const struct emu_kmd_queue *queue, uint32_t fence)
{
    return fence - (uint32_t)queue->completed_tag - 1u <
           (uint32_t)(queue->submitted_tag - queue->completed_tag);
}

static bool reset_engine(struct emu_kmd *kmd, struct emu_kmd_queue *queue, struct emu_kmd_tdr *tdr)
{
    DXGKARG_RESETENGINE reset = {.NodeOrdinal = queue->node};
    if (kmd->driver->DxgkDdiResetEngine(kmd->driver_adapter, &reset) >= 0 &&
        was_pending(queue, reset.LastAbortedFenceId))
        return true;
    tdr->dump.flags |= ANNOT_TDR_RESET_FAILED;
    return false;
}

static void choose_type(const struct emu_kmd *kmd, enum emu_kmd_error error, bool is_adapter,
                        struct emu_kmd_tdr *tdr)
{
    tdr->is_adapter = is_adapter;
    tdr->dump.reason =
        is_adapter ? EMU_VIDEO_TDR_TIMEOUT_DETECTED : EMU_VIDEO_ENGINE_TIMEOUT_DETECTED;
    if (error == EMU_KMD_FORCED)
        tdr->dump.type = DXGK_TDR_TYPE_FORCED;
    else if (error == EMU_KMD_PAGE_FAULT)
        tdr->dump.type = is_adapter ? DXGK_TDR_TYPE_PAGE_FAULT : DXGK_TDR_TYPE_ENGINE_PAGE_FAULT;
    else if (!is_adapter)
        tdr->dump.type = DXGK_TDR_TYPE_ENGINE_TIMEOUT;
    else
        tdr->dump.type = kmd->driver->DxgkDdiResetEngine ? DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED
                                                         : DXGK_TDR_TYPE_PREEMPT_TIMEOUT;
}

/* ---- the payload ---- */

static uint32_t payload_size(const struct emu_kmd *kmd, const struct emu_kmd_tdr *tdr)
{
    if (tdr->dump.type != DXGK_TDR_TYPE_ENGINE_TIMEOUT)
        return 0;
    switch (kmd->desc.tdr_payload) {
    case NO_PAYLOAD:
        return 0;
    case TOO_SHORT:
        return offsetof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, NumberOfPendingSuspendRequests);
    case WITH_MORE:
        return sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT) + LONGER;
    default:
        return sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT);
    }
}

static void fill_payload(struct emu_kmd *kmd, struct emu_kmd_tdr *tdr)
{
    const DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT payload = {
        .NodeOrdinal = tdr->dump.node,
        .LastHwCompletedFenceId = tdr->dump.last_completed,
        .LastHwSubmittedFenceId = tdr->dump.last_submitted,
    };
    memset(kmd->payload, 0, ANNOT_TDR_PAYLOAD_MAX);
    tdr->dump.payload_size = payload_size(kmd, tdr);
    memcpy(kmd->payload, &payload,
           tdr->dump.payload_size < sizeof payload ? tdr->dump.payload_size : sizeof payload);
    memcpy(tdr->dump.payload, kmd->payload, ANNOT_TDR_PAYLOAD_MAX);
}

/* Reads the payload. The driver may write only its hContext. */
static void read_payload(struct emu_kmd *kmd, struct emu_kmd_tdr *tdr)
{
    const size_t at = offsetof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, hContext);
    uint8_t expected[ANNOT_TDR_PAYLOAD_MAX];
    void *context;
    memcpy(tdr->dump.returned, kmd->payload, ANNOT_TDR_PAYLOAD_MAX);
    memset(kmd->payload, POISON, ANNOT_TDR_PAYLOAD_MAX);
    memcpy(expected, tdr->dump.payload, sizeof expected);
    if (tdr->dump.payload_size >= at + sizeof context)
        memcpy(expected + at, tdr->dump.returned + at, sizeof context);
    if (memcmp(expected, tdr->dump.returned, sizeof expected) != 0)
        tdr->dump.flags |= ANNOT_TDR_PAYLOAD_CHANGED;
    if (tdr->dump.payload_size < at + sizeof context)
        return;
    memcpy(&context, tdr->dump.returned + at, sizeof context);
    if (!context)
        return;
    for (const struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        if (queue->kernel_context == context)
            tdr->dump.context = queue->object;
    if (tdr->dump.context == 0)
        tdr->dump.flags |= ANNOT_TDR_FORGED_CONTEXT;
}

/* ---- the buffer ---- */

static bool is_canary(const unsigned char *bytes)
{
    size_t i = 0;
    while (i < CANARY && bytes[i] == CANARY_BYTE)
        i++;
    return i == CANARY;
}

static void read_buffer(struct emu_kmd *kmd, const unsigned char *data, struct emu_kmd_tdr *tdr)
{
    if (!is_canary(data - CANARY) || !is_canary(data + kmd->debug_size)) {
        tdr->dump.flags |= ANNOT_TDR_OVERRUN;
        return;
    }
    if (tdr->dump.status < 0) {
        tdr->dump.flags |= ANNOT_TDR_FAILED;
        return;
    }
    tdr->data = data;
    tdr->data_size = kmd->debug_size;
    while (tdr->data_size > 0 && data[tdr->data_size - 1] == 0)
        tdr->data_size--;
}

static void call(struct emu_kmd *kmd, unsigned answer, struct emu_kmd_tdr *tdr)
{
    const emu_kernel_driver *driver = kmd->driver;
    const size_t whole = (size_t)kmd->debug_size + 2 * CANARY;
    DXGKARG_COLLECTDBGINFO_EXT extension = {0};
    unsigned char *data = kmd->debug_buffer + answer * whole + CANARY;
    memset(data - CANARY, CANARY_BYTE, whole);
    memset(data, 0, kmd->debug_size);
    const uint64_t begin = emu__kmd_now(kmd);
    if (driver->DxgkDdiCollectDbgInfo2) {
        tdr->dump.ddi = 2;
        fill_payload(kmd, tdr);
        tdr->dump.status = driver->DxgkDdiCollectDbgInfo2(
            kmd->driver_adapter,
            &(DXGKARG_COLLECTDBGINFO2){
                .Reason = tdr->dump.reason,
                .pBuffer = data,
                .BufferSize = kmd->debug_size,
                .pExtension = &extension,
                .TdrType = (DXGK_TDR_TYPE)tdr->dump.type,
                .TdrPayloadSize = tdr->dump.payload_size,
                .TdrPayload = tdr->dump.payload_size != 0 ? kmd->payload : NULL,
            });
        read_payload(kmd, tdr);
    } else if (driver->DxgkDdiCollectDbgInfo) {
        tdr->dump.ddi = 1;
        tdr->dump.status = driver->DxgkDdiCollectDbgInfo(
            kmd->driver_adapter, &(DXGKARG_COLLECTDBGINFO){.Reason = tdr->dump.reason,
                                                           .pBuffer = data,
                                                           .BufferSize = kmd->debug_size,
                                                           .pExtension = &extension});
    }
    tdr->dump.time = emu__kmd_now(kmd) - begin;
    if (tdr->dump.time > EMU_KMD_TDR_DDI_DELAY)
        tdr->dump.flags |= ANNOT_TDR_SLOW;
    if (tdr->dump.ddi == 0)
        return;
    tdr->dump.bucketing_key = extension.BucketingKey;
    tdr->dump.dma_offset = extension.CurrentDmaBufferOffset;
    read_buffer(kmd, data, tdr);
}

/* If the engine can't be reset, asks the driver about the adapter; the answer about the engine is
 * kept. */
static void ask_again(struct emu_kmd *kmd, enum emu_kmd_error error, struct emu_kmd_tdr *tdr)
{
    const struct emu_kmd_tdr first = *tdr;
    *tdr = (struct emu_kmd_tdr){.dump = {.node = first.dump.node,
                                         .queue = first.dump.queue,
                                         .last_completed = first.dump.last_completed,
                                         .last_submitted = first.dump.last_submitted,
                                         .flags = first.dump.flags}};
    choose_type(kmd, error, true, tdr);
    call(kmd, 1, tdr);
    tdr->dump.time += first.dump.time;
    if (first.dump.context != 0)
        tdr->dump.context = first.dump.context;
    if (first.dump.bucketing_key != 0)
        tdr->dump.bucketing_key = first.dump.bucketing_key;
    if (first.dump.dma_offset != 0)
        tdr->dump.dma_offset = first.dump.dma_offset;
    if (first.data_size > 0) {
        tdr->data = first.data;
        tdr->data_size = first.data_size;
    }
    if (first.dump.payload_size > 0) {
        tdr->dump.payload_size = first.dump.payload_size;
        memcpy(tdr->dump.payload, first.dump.payload, sizeof tdr->dump.payload);
        memcpy(tdr->dump.returned, first.dump.returned, sizeof tdr->dump.returned);
    }
}

const struct emu_kmd_tdr *emu__kmd_debug_collect(struct emu_kmd *kmd, struct emu_kmd_queue *culprit,
                                                 enum emu_kmd_error error)
{
    struct emu_kmd_tdr *tdr = &kmd->tdr;
    if (error == EMU_KMD_ASKED || error == EMU_KMD_LOST || error == EMU_KMD_MISUSED)
        return NULL;
    *tdr = (struct emu_kmd_tdr){.dump.node = UINT32_MAX};
    if (culprit) {
        tdr->dump.queue = culprit->object;
        tdr->dump.node = culprit->node;
        tdr->dump.last_completed = culprit->completed_tag;
        tdr->dump.last_submitted = culprit->submitted_tag;
    }
    const bool can_reset = culprit && kmd->driver->DxgkDdiResetEngine;
    choose_type(kmd, error, !can_reset, tdr);
    call(kmd, 0, tdr);
    if (can_reset && !reset_engine(kmd, culprit, tdr))
        ask_again(kmd, error, tdr);
    return tdr;
}
