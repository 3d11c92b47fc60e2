/* ID3D12Device's table, and the creation of devices. */
#include "table/device_table.h"

#include "device/device_methods.h"
#include "device/removed.h"
#include "queue/command_queue.h"

#include "base/stubs.h"

#define STUB_NOUN      d3d12_device
#define STUB_INTERFACE device_iface
#define STUB_NAME      "ID3D12Device"
#define STUB_DEVICE    impl_from_device_iface(iface)
#define DEVICE_STUBS(S)                                                                            \
    S(CREATE, OpenExistingHeapFromFileMapping, HANDLE file_mapping)                                \
    S(FAIL, CreateSharedHandle, ID3D12DeviceChild *object, const SECURITY_ATTRIBUTES *attributes,  \
      DWORD access, LPCWSTR name, HANDLE *handle)                                                  \
    S(CREATE, OpenSharedHandle, HANDLE handle)                                                     \
    S(FAIL, OpenSharedHandleByName, LPCWSTR name, DWORD access, HANDLE *handle)                    \
    S(CREATE, AddToStateObject, const D3D12_STATE_OBJECT_DESC *addition, ID3D12StateObject *from)  \
    S(CREATE, CreateLifetimeTracker, ID3D12LifetimeOwner *owner)                                   \
    S(CREATE, CreateShaderCacheSession, const D3D12_SHADER_CACHE_SESSION_DESC *desc)               \
    S(FAIL, ShaderCacheControl, D3D12_SHADER_CACHE_KIND_FLAGS kinds,                               \
      D3D12_SHADER_CACHE_CONTROL_FLAGS control)                                                    \
    S(FAIL, SetBackgroundProcessingMode, D3D12_BACKGROUND_PROCESSING_MODE mode,                    \
      D3D12_MEASUREMENTS_ACTION action, HANDLE event, BOOL *further_measurements_desired)          \
    S(FAIL, SetResidencyPriority, UINT count, ID3D12Pageable *const *objects,                      \
      const D3D12_RESIDENCY_PRIORITY *priorities)
#define DEVICE_NEWER_STUBS(S)                                                                      \
    S(CREATE, CreateRootSignatureFromSubobjectInLibrary, UINT node_mask, const void *library,      \
      SIZE_T size, LPCWSTR name)                                                                   \
    S(FAIL, RegisterTrimNotificationCallback, void *data)                                          \
    S(FAIL, UnregisterTrimNotificationCallback, UINT cookie)
DEVICE_STUBS(STUB)
DEVICE_NEWER_STUBS(STUB)

#define DEVICE_ENTRY(method) .method = d3d12_device_##method,

/* clang-format off */
static CONST_VTBL device_vtbl d3d12_device_vtable = {
    .older = {
        DEVICE_METHODS(DEVICE_ENTRY) DEVICE_STUBS(STUB_ENTRY)
    },
    DEVICE_NEWER_METHODS(DEVICE_ENTRY) DEVICE_NEWER_STUBS(STUB_ENTRY)
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
};
