/* ID3D12Device's table, and the creation of devices. */
#include "table/device_table.h"

#include "debug/debug_device.h"
#include "device/device_methods.h"
#include "device/removed.h"
#include "queue/command_queue.h"

#include "table/device_stubs.h"

#define DEVICE_ENTRY(method) .method = d3d12_device_##method,

/* clang-format off */
static CONST_VTBL device_vtbl d3d12_device_vtable = {
    .older = {
        DEVICE_METHODS(DEVICE_ENTRY)
        .OpenExistingHeapFromFileMapping = d3d12_device_OpenExistingHeapFromFileMapping,
        .CreateSharedHandle = d3d12_device_CreateSharedHandle,
        .OpenSharedHandle = d3d12_device_OpenSharedHandle,
        .OpenSharedHandleByName = d3d12_device_OpenSharedHandleByName,
        .AddToStateObject = d3d12_device_AddToStateObject,
        .CreateLifetimeTracker = d3d12_device_CreateLifetimeTracker,
        .CreateShaderCacheSession = d3d12_device_CreateShaderCacheSession,
        .ShaderCacheControl = d3d12_device_ShaderCacheControl,
        .SetBackgroundProcessingMode = d3d12_device_SetBackgroundProcessingMode,
        .SetResidencyPriority = d3d12_device_SetResidencyPriority,
    },
    DEVICE_NEWER_METHODS(DEVICE_ENTRY)
    .CreateRootSignatureFromSubobjectInLibrary =
        d3d12_device_CreateRootSignatureFromSubobjectInLibrary,
    .RegisterTrimNotificationCallback = d3d12_device_RegisterTrimNotificationCallback,
    .UnregisterTrimNotificationCallback = d3d12_device_UnregisterTrimNotificationCallback,
};
/* clang-format on */

const struct d3d12_device_tables d3d12_device_tables = {
    .device = &d3d12_device_vtable,
    .tools = &d3d12_device_tools_vtable,
    .info_queue = &d3d12_info_queue_vtable,
    .video = &d3d12_video_device_vtable,
    .debug_device = &d3d12_debug_device_vtable,
    .removed = d3d12_device_removed,
    .completed = d3d12_command_queue_completed,
    .history = d3d12_command_queue_history,
    .queue_object = d3d12_command_queue_object,
};
