/* A kernel-mode driver that fails and lies wherever it may, call by call as its seed says
 * [ANN-TDR-06]. It never writes past the buffers' canaries: a driver that corrupts its process is
 * not tested here. */
#include "kmd/types.h"

#include <stdlib.h>
#include <string.h>

struct adapter {
    void *reference; /* the reference driver's adapter */
    emu_kernel_adapter *kernel;
    atomic_uint_fast64_t state;
    void *kept; /* a payload that was given back long ago */
};

struct context {
    struct adapter *adapter;
    void *reference;
};

static uint64_t draw(struct adapter *adapter)
{
    uint64_t state = atomic_fetch_add(&adapter->state, 0x9E3779B97F4A7C15u);
    return emu__kmd_random(&state);
}

static bool one_in(struct adapter *adapter, unsigned count)
{
    return draw(adapter) % count == 0;
}

static void *adapter_create(emu_kernel_adapter *kernel)
{
    struct adapter *adapter = calloc(1, sizeof *adapter);
    if (!adapter)
        return NULL;
    adapter->kernel = kernel;
    adapter->reference = emu__kernel_driver.adapter_create(kernel);
    atomic_init(&adapter->state, emu__kernel_host.seed(kernel));
    if (!adapter->reference) {
        free(adapter);
        return NULL;
    }
    return adapter;
}

static void adapter_destroy(void *handle)
{
    struct adapter *adapter = handle;
    emu__kernel_driver.adapter_destroy(adapter->reference);
    free(adapter);
}

static void *context_create(void *handle, uint32_t node)
{
    struct adapter *adapter = handle;
    struct context *context = malloc(sizeof *context);
    if (!context)
        return NULL;
    *context =
        (struct context){adapter, emu__kernel_driver.context_create(adapter->reference, node)};
    if (!context->reference) {
        free(context);
        return NULL;
    }
    return context;
}

static void context_destroy(void *handle)
{
    struct context *context = handle;
    emu__kernel_driver.context_destroy(context->reference);
    free(context);
}

static NTSTATUS query(void *handle, const DXGKARG_QUERYADAPTERINFO *info)
{
    static const uint32_t bits[] = {0, 1, 31, 32, 33, 63, 64, 65, UINT32_MAX};
    struct adapter *adapter = handle;
    if (one_in(adapter, 2))
        return emu__kernel_driver.DxgkDdiQueryAdapterInfo(adapter->reference, info);
    const DXGKARG_HISTORYBUFFERPRECISION precision = {bits[draw(adapter) % 9]};
    memcpy(info->pOutputData, &precision, sizeof precision);
    return one_in(adapter, 4) ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

static NTSTATUS calibrate(void *handle, uint32_t node, uint32_t engine,
                          DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    struct adapter *adapter = handle;
    NTSTATUS status =
        emu__kernel_driver.DxgkDdiCalibrateGpuClock(adapter->reference, node, engine, clock);
    switch (draw(adapter) % 16) {
    case 0:
        clock->GpuFrequency = 0;
        break;
    case 1:
        clock->GpuClockCounter = draw(adapter);
        break;
    case 2:
        clock->CpuClockCounter = draw(adapter);
        break;
    case 3:
        return STATUS_UNSUCCESSFUL;
    default:
        break;
    }
    return status;
}

static NTSTATUS format_history(void *handle, DXGKARG_FORMATHISTORYBUFFER *argument)
{
    struct context *context = handle;
    struct adapter *adapter = context->adapter;
    const uint32_t size = argument->HistoryBufferSize;
    if (argument->pHistoryBuffer->Header.NumTimestamps > size / 16) /* reads past the buffer */
        return STATUS_UNSUCCESSFUL;
    NTSTATUS status = emu__kernel_driver.DxgkDdiFormatHistoryBuffer(context->reference, argument);
    switch (draw(adapter) % 8) {
    case 0:
        argument->Offset = (uint32_t)draw(adapter) % argument->pHistoryBuffer->Header.NumTimestamps;
        break;
    case 1:
        argument->NumTimestamps = (uint32_t)draw(adapter);
        break;
    case 2:
        argument->Precision.PrecisionBits = (uint32_t)(draw(adapter) % 80);
        break;
    case 3:
        ((unsigned char *)argument->pFormattedBuffer)[argument->FormattedBufferSize] ^= 1;
        break;
    case 4:
        return STATUS_UNSUCCESSFUL;
    default:
        break;
    }
    return status;
}

static NTSTATUS reset_engine(void *handle, DXGKARG_RESETENGINE *reset)
{
    struct adapter *adapter = handle;
    reset->LastAbortedFenceId = (uint32_t)draw(adapter) % 4;
    return one_in(adapter, 3) ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

static NTSTATUS collect(void *handle, const DXGKARG_COLLECTDBGINFO2 *info)
{
    struct adapter *adapter = handle;
    unsigned char *bytes = info->pBuffer;
    memset(bytes, (int)(draw(adapter) % 256), info->BufferSize);
    if (one_in(adapter, 3))
        bytes[info->BufferSize] ^= 1;
    if (one_in(adapter, 6))
        bytes[-1] ^= 1;
    if (one_in(adapter, 4))
        emu__kernel_host.stall(adapter->kernel, EMU_KMD_TDR_DDI_DELAY + 1);
    info->pExtension->BucketingKey = (uint32_t)draw(adapter);
    info->pExtension->CurrentDmaBufferOffset = (uint32_t)draw(adapter);
    adapter->kept = info->TdrPayload;
    for (uint32_t i = 0; info->TdrPayload && i < info->TdrPayloadSize; i++)
        if (one_in(adapter, 8))
            ((unsigned char *)info->TdrPayload)[i] = (unsigned char)draw(adapter);
    return one_in(adapter, 3) ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

const emu_kernel_driver emu__kernel_driver_hostile = {
    .size = sizeof(emu_kernel_driver),
    .version = EMU_KERNEL_DRIVER_VERSION,
    .name = "hostile",
    .adapter_create = adapter_create,
    .adapter_destroy = adapter_destroy,
    .context_create = context_create,
    .context_destroy = context_destroy,
    .DxgkDdiQueryAdapterInfo = query,
    .DxgkDdiCalibrateGpuClock = calibrate,
    .DxgkDdiFormatHistoryBuffer = format_history,
    .DxgkDdiResetEngine = reset_engine,
    .DxgkDdiCollectDbgInfo2 = collect,
};
