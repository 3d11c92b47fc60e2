/* The built-in kernel-mode driver, and the functions for loaded drivers. */
#include "kmd/types.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the kernel's functions; they only read, so a driver may call them from any of its functions
 * ---- */

static uint64_t gpu_counter(const emu_kernel_adapter *kernel)
{
    return emu_gpu_counter(kernel->kmd->desc.gpu, emu__kmd_now(kernel->kmd));
}

static uint64_t gpu_frequency(const emu_kernel_adapter *kernel)
{
    return emu_gpu_get_clock(kernel->kmd->desc.gpu)->hz;
}

static uint64_t cpu_counter(const emu_kernel_adapter *kernel)
{
    return emu__kmd_now(kernel->kmd);
}

static uint32_t stamp_bits(const emu_kernel_adapter *kernel)
{
    return emu_gpu_get_clock(kernel->kmd->desc.gpu)->stamp_bits;
}

static void stall(const emu_kernel_adapter *kernel, uint64_t nanoseconds)
{
    struct emu_kmd *kmd = kernel->kmd;
    if (kmd->desc.seeded) {
        kmd->clock += nanoseconds < EMU_KMD_TIMEOUT_LIMIT_NS ? nanoseconds : 0;
        return;
    }
    const struct timespec time = {(time_t)(nanoseconds / 1000000000u),
                                  (long)(nanoseconds % 1000000000u)};
    nanosleep(&time, NULL);
}

static uint64_t seed(const emu_kernel_adapter *kernel)
{
    return kernel->kmd->desc.seed;
}

static bool engine_at(const emu_kernel_adapter *kernel, uint32_t n, emu_kernel_engine *out)
{
    const struct emu_kmd_queue *queue = kernel->kmd->failing ? kernel->kmd->queues : NULL;
    while (queue && n-- > 0)
        queue = queue->next;
    if (!queue)
        return false;
    struct emu_engine_place place;
    emu_engine_at(&queue->engine, &place);
    *out = (emu_kernel_engine){
        .last_completed = queue->completed_tag,
        .last_submitted = queue->submitted_tag,
        .command_buffer = queue->busy ? queue->address : 0,
        .instruction = place.oldest,
        .opcode = place.opcode,
        .context = queue->kernel_context,
        .newest = place.newest,
    };
    return true;
}

const emu_kernel_host emu__kernel_host = {
    .size = sizeof(emu_kernel_host),
    .version = EMU_KERNEL_DRIVER_VERSION,
    .gpu_counter = gpu_counter,
    .gpu_frequency = gpu_frequency,
    .cpu_counter = cpu_counter,
    .stamp_bits = stamp_bits,
    .stall = stall,
    .seed = seed,
    .engine = engine_at,
    .reference = &emu__kernel_driver,
};

/* ---- the driver ---- */

struct adapter {
    emu_kernel_adapter *kernel;
};

static void *adapter_create(emu_kernel_adapter *kernel)
{
    struct adapter *adapter = malloc(sizeof *adapter);
    if (adapter)
        adapter->kernel = kernel;
    return adapter;
}

static NTSTATUS query_adapter_info(void *handle, const DXGKARG_QUERYADAPTERINFO *query)
{
    const struct adapter *adapter = handle;
    const DXGKARG_HISTORYBUFFERPRECISION precision = {stamp_bits(adapter->kernel)};
    if (query->Type != DXGKQAITYPE_HISTORYBUFFERPRECISION ||
        query->OutputDataSize < sizeof precision)
        return STATUS_UNSUCCESSFUL;
    memcpy(query->pOutputData, &precision, sizeof precision);
    return STATUS_SUCCESS;
}

static NTSTATUS calibrate(void *handle, uint32_t node, uint32_t engine,
                          DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    const struct adapter *adapter = handle;
    (void)node, (void)engine;
    clock->GpuFrequency = gpu_frequency(adapter->kernel);
    clock->CpuClockCounter = cpu_counter(adapter->kernel);
    clock->GpuClockCounter =
        emu_gpu_counter(adapter->kernel->kmd->desc.gpu, clock->CpuClockCounter);
    return STATUS_SUCCESS;
}

/* `Offset` counts the time stamps that are done. */
static NTSTATUS format_history(void *context, DXGKARG_FORMATHISTORYBUFFER *argument)
{
    const DXGK_HISTORY_BUFFER_HEADER *header = &argument->pHistoryBuffer->Header;
    const unsigned char *stamps =
        argument->pHistoryBuffer->DriverPrivateData + header->PrivateDataSize;
    uint64_t *out = argument->pFormattedBuffer;
    uint32_t room = argument->FormattedBufferSize / (uint32_t)sizeof *out, at = argument->Offset;
    (void)context;
    argument->NumTimestamps = 0;
    for (; room > 0 && at < header->NumTimestamps; room--, at++) {
        uint64_t stamp;
        memcpy(&stamp, stamps + at * sizeof stamp, sizeof stamp);
        out[argument->NumTimestamps++] = __builtin_bswap64(stamp);
    }
    argument->Precision.PrecisionBits = 64;
    argument->Offset = at < header->NumTimestamps ? at : 0;
    return STATUS_SUCCESS;
}

/* ---- timeouts ---- */

/* The driver's part of a dump: this struct, and an emu_kernel_engine for each queue. */
struct debug_data {
    char magic[8]; /* "EMUKDRV1" */
    uint32_t engines;
    uint32_t type;
};

static void *context_create(void *handle, uint32_t node)
{
    uint32_t *context = malloc(sizeof *context);
    (void)handle;
    if (context)
        *context = node;
    return context;
}

/* Resets the engine: all its submitted and incomplete work ends. */
static NTSTATUS reset_engine(void *handle, DXGKARG_RESETENGINE *reset)
{
    const struct adapter *adapter = handle;
    emu_kernel_engine engine;
    for (uint32_t n = 0; engine_at(adapter->kernel, n, &engine); n++) {
        const uint32_t *node = engine.context;
        if (node && *node == reset->NodeOrdinal && engine.command_buffer != 0)
            reset->LastAbortedFenceId = (uint32_t)engine.last_completed + 1;
    }
    return STATUS_SUCCESS;
}

static bool is_guilty(const DXGKARG_COLLECTDBGINFO2 *info, const emu_kernel_engine *engine)
{
    const uint32_t *node = engine->context;
    DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT payload;
    if (info->TdrPayloadSize < sizeof payload || !info->TdrPayload || !node)
        return false;
    memcpy(&payload, info->TdrPayload, sizeof payload);
    return *node == payload.NodeOrdinal && engine->command_buffer != 0 &&
           engine->last_completed == payload.LastHwCompletedFenceId &&
           engine->last_submitted == payload.LastHwSubmittedFenceId;
}

/* Returns the number of the engine that timed out; UINT32_MAX: none, or several with the same node
 * and fences. */
static uint32_t guilty_engine(const struct adapter *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    uint32_t found = UINT32_MAX;
    emu_kernel_engine engine;
    for (uint32_t n = 0; engine_at(adapter->kernel, n, &engine); n++) {
        if (!is_guilty(info, &engine))
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = n;
    }
    return found;
}

/* The bucketing key has the type and the guilty engine's packet, so the key of one bug is the same
 * with any addresses. */
static NTSTATUS collect(void *handle, const DXGKARG_COLLECTDBGINFO2 *info)
{
    const struct adapter *adapter = handle;
    struct debug_data data = {.type = (uint32_t)info->TdrType};
    emu_kernel_engine engine;
    size_t used = sizeof data;
    if (info->BufferSize < used)
        return STATUS_UNSUCCESSFUL;
    memcpy(data.magic, "EMUKDRV1", sizeof data.magic);
    info->pExtension->BucketingKey = (uint32_t)info->TdrType << 16;
    const uint32_t guilty = guilty_engine(adapter, info);
    for (uint32_t n = 0; engine_at(adapter->kernel, n, &engine); n++) {
        if (n == guilty) {
            DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT *payload = info->TdrPayload;
            payload->hContext = engine.context;
            info->pExtension->BucketingKey |= engine.opcode;
        }
        if (info->BufferSize - used < sizeof engine)
            continue;
        memcpy((char *)info->pBuffer + used, &engine, sizeof engine);
        used += sizeof engine;
        data.engines++;
    }
    memcpy(info->pBuffer, &data, sizeof data);
    return STATUS_SUCCESS;
}

const emu_kernel_driver emu__kernel_driver = {
    .size = sizeof(emu_kernel_driver),
    .version = EMU_KERNEL_DRIVER_VERSION,
    .name = "reference",
    .adapter_create = adapter_create,
    .adapter_destroy = free,
    .context_create = context_create,
    .context_destroy = free,
    .DxgkDdiResetEngine = reset_engine,
    .DxgkDdiCollectDbgInfo2 = collect,
    .DxgkDdiQueryAdapterInfo = query_adapter_info,
    .DxgkDdiCalibrateGpuClock = calibrate,
    .DxgkDdiFormatHistoryBuffer = format_history,
};
