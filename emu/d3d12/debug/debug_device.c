/* ID3D12DebugDevice and 2: tells how often the device is referred to, and takes settings, which
 * have no effect, because the emulator has no GPU-based validation. An interface of the device's
 * COM object. */
#include "debug/debug_device.h"

#include "device/device.h"

static struct d3d12_device *impl_from_debug_device(ID3D12DebugDevice2 *iface)
{
    return container_of(iface, struct d3d12_device, debug_device2);
}

COM_FACE(debug_device, ID3D12DebugDevice2, &impl_from_debug_device(iface)->iface)

/* Whether an argument is in order, or a message and E_INVALIDARG. */
static HRESULT check(ID3D12DebugDevice2 *iface, bool is_valid, const char *method)
{
    return is_valid
               ? S_OK
               : d3d12_device_invalid(impl_from_debug_device(iface), EMU_MESSAGE_INVALID_ARGUMENT,
                                      "ID3D12DebugDevice::%s: the type, size, flags or data "
                                      "pointer is invalid",
                                      method);
}

/* The number of references is all that is known of what lives: each object has one. */
static HRESULT STDMETHODCALLTYPE debug_device_ReportLiveDeviceObjects(ID3D12DebugDevice2 *iface,
                                                                      D3D12_RLDO_FLAGS flags)
{
    const UINT known = D3D12_RLDO_SUMMARY | D3D12_RLDO_DETAIL | D3D12_RLDO_IGNORE_INTERNAL;
    struct d3d12_device *device = impl_from_debug_device(iface);
    const HRESULT hr = check(iface, ((UINT)flags & ~known) == 0, "ReportLiveDeviceObjects");
    if (SUCCEEDED(hr))
        messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_STATE_CREATION,
                      D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_LIVE_DEVICE,
                      "Live ID3D12Device at %p, Refcount: %u", (void *)&device->iface,
                      (unsigned)atomic_load(&device->references));
    return hr;
}

/* `data` may be set, or answered as zeros, which says that it has no effect. */
static bool is_parameter(D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, const void *data, UINT size)
{
    static const UINT sizes[] = {sizeof(D3D12_DEBUG_FEATURE),
                                 sizeof(D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS),
                                 sizeof(D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR)};
    return data && (UINT)type < sizeof sizes / sizeof sizes[0] && size == sizes[type];
}

static HRESULT STDMETHODCALLTYPE debug_device_SetDebugParameter(
    ID3D12DebugDevice2 *iface, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, const void *data, UINT size)
{
    return check(iface, is_parameter(type, data, size), "SetDebugParameter");
}

static HRESULT STDMETHODCALLTYPE debug_device_GetDebugParameter(
    ID3D12DebugDevice2 *iface, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, void *data, UINT size)
{
    const HRESULT hr = check(iface, is_parameter(type, data, size), "GetDebugParameter");
    if (SUCCEEDED(hr))
        memset(data, 0, size);
    return hr;
}

static HRESULT STDMETHODCALLTYPE debug_device_SetFeatureMask(ID3D12DebugDevice2 *iface,
                                                             D3D12_DEBUG_FEATURE mask)
{
    const UINT known = D3D12_DEBUG_FEATURE_ALLOW_BEHAVIOR_CHANGING_DEBUG_AIDS |
                       D3D12_DEBUG_FEATURE_CONSERVATIVE_RESOURCE_STATE_TRACKING |
                       D3D12_DEBUG_FEATURE_DISABLE_VIRTUALIZED_BUNDLES_VALIDATION |
                       D3D12_DEBUG_FEATURE_EMULATE_WINDOWS7;
    return check(iface, ((UINT)mask & ~known) == 0, "SetFeatureMask");
}

static D3D12_DEBUG_FEATURE STDMETHODCALLTYPE debug_device_GetFeatureMask(ID3D12DebugDevice2 *iface)
{
    (void)iface;
    return D3D12_DEBUG_FEATURE_NONE;
}

CONST_VTBL ID3D12DebugDevice2Vtbl d3d12_debug_device2_vtable = {
    COM_FACE_ENTRIES(debug_device),
    .ReportLiveDeviceObjects = debug_device_ReportLiveDeviceObjects,
    .SetDebugParameter = debug_device_SetDebugParameter,
    .GetDebugParameter = debug_device_GetDebugParameter,
    .SetFeatureMask = debug_device_SetFeatureMask,
    .GetFeatureMask = debug_device_GetFeatureMask,
};
