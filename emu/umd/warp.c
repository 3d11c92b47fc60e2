/*
 * As the specification has WARP: it takes the calls, logs them and retains nothing, so its crash
 * reports are empty. The log goes to the file that EMU_WARP_LOG names, a line a call; without the
 * variable it goes nowhere.
 */
#include "config/environment.h"
#include "umd/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void log_call(const char *call, const void *handle, uint64_t event_id, uint32_t metadata,
                     uint32_t size)
{
    bool out_of_memory;
    char *path = emu_environment("EMU_WARP_LOG", &out_of_memory);
    FILE *file = path ? fopen(path, "a") : NULL;
    free(path);
    if (!file)
        return;
    fprintf(file, "%s %p %" PRIu64 " metadata %" PRIu32 " size %" PRIu32 "\n", call, handle,
            event_id, metadata, size);
    fclose(file);
}

static void ANNOT_DDI_CALL queue_begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t event_id)
{
    (void)data;
    log_call("QueueBeginEvent", queue.pDrvPrivate, event_id, metadata, size);
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    log_call("QueueEndEvent", queue.pDrvPrivate, event_id, 0, 0);
}

static void ANNOT_DDI_CALL queue_set(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t event_id)
{
    (void)data;
    log_call("QueueSetMarker", queue.pDrvPrivate, event_id, metadata, size);
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)data;
    log_call("ListBeginEvent", list.pDrvPrivate, event_id, metadata, size);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    log_call("ListEndEvent", list.pDrvPrivate, event_id, 0, 0);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    (void)data;
    log_call("ListSetMarker", list.pDrvPrivate, event_id, metadata, size);
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)name;
    log_call("SetName", object.Handle, 0, 0, 0);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, set_name,
};

static void *device_create(emu_gpu *gpu, uint64_t seed)
{
    (void)seed;
    return emu__reference_device_create(gpu, false, 0);
}

const emu_driver emu__driver_warp = {
    EMU_DRIVER_HEAD,
    .annot = {"warp", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &annotation,
              sizeof(ANNOT_DDI_WCHAR)},
    .device_create = device_create,
    EMU_REFERENCE_COMMON,
};
