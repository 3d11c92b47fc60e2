/* Methods of ID3D12Device that the emulator does not model; included by device_table.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_device
#define STUB_INTERFACE device_iface
#define STUB_NAME      "ID3D12Device"
#define STUB_DEVICE    impl_from_device_iface(iface)

STUB_CREATE(OpenExistingHeapFromFileMapping, HANDLE file_mapping)
STUB_FAIL(CreateSharedHandle, ID3D12DeviceChild *object, const SECURITY_ATTRIBUTES *attributes,
          DWORD access, LPCWSTR name, HANDLE *handle)
STUB_CREATE(OpenSharedHandle, HANDLE handle)
STUB_FAIL(OpenSharedHandleByName, LPCWSTR name, DWORD access, HANDLE *handle)
STUB_CREATE(AddToStateObject, const D3D12_STATE_OBJECT_DESC *addition, ID3D12StateObject *from)
STUB_CREATE(CreateLifetimeTracker, ID3D12LifetimeOwner *owner)
STUB_CREATE(CreateShaderCacheSession, const D3D12_SHADER_CACHE_SESSION_DESC *desc)
STUB_FAIL(ShaderCacheControl, D3D12_SHADER_CACHE_KIND_FLAGS kinds,
          D3D12_SHADER_CACHE_CONTROL_FLAGS control)
STUB_CREATE(CreateRootSignatureFromSubobjectInLibrary, UINT node_mask, const void *library,
            SIZE_T size, LPCWSTR name)
STUB_FAIL(RegisterTrimNotificationCallback, void *data)
STUB_FAIL(UnregisterTrimNotificationCallback, UINT cookie)
STUB_FAIL(SetBackgroundProcessingMode, D3D12_BACKGROUND_PROCESSING_MODE mode,
          D3D12_MEASUREMENTS_ACTION action, HANDLE event, BOOL *further_measurements_desired)
STUB_FAIL(SetResidencyPriority, UINT count, ID3D12Pageable *const *objects,
          const D3D12_RESIDENCY_PRIORITY *priorities)
