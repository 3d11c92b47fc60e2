/* ID3D12DebugDevice, an interface of the device's COM object. It tells the number of the device's
 * references, and stores a mask without effect. */
#include "device/device_methods.h"

static struct d3d12_device *impl_from_debug_device(ID3D12DebugDevice *iface)
{
    return container_of(iface, struct d3d12_device, debug_device);
}

COM_FACE(debug_device, ID3D12DebugDevice, &impl_from_debug_device(iface)->iface)

/* Returns S_OK if the argument is right; otherwise emits a message and returns E_INVALIDARG. */
static HRESULT check(ID3D12DebugDevice *iface, bool is_valid, const char *method)
{
    return is_valid
               ? S_OK
               : d3d12_device_invalid(impl_from_debug_device(iface), EMU_MESSAGE_INVALID_ARGUMENT,
                                      "ID3D12DebugDevice::%s: the flags have unknown bits", method);
}

/* Reports only the number of references. Each living object has one reference. */
static HRESULT STDMETHODCALLTYPE debug_device_ReportLiveDeviceObjects(ID3D12DebugDevice *iface,
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

static HRESULT STDMETHODCALLTYPE debug_device_SetFeatureMask(ID3D12DebugDevice *iface,
                                                             D3D12_DEBUG_FEATURE mask)
{
    const UINT known = D3D12_DEBUG_FEATURE_ALLOW_BEHAVIOR_CHANGING_DEBUG_AIDS |
                       D3D12_DEBUG_FEATURE_CONSERVATIVE_RESOURCE_STATE_TRACKING |
                       D3D12_DEBUG_FEATURE_DISABLE_VIRTUALIZED_BUNDLES_VALIDATION |
                       D3D12_DEBUG_FEATURE_EMULATE_WINDOWS7;
    return check(iface, ((UINT)mask & ~known) == 0, "SetFeatureMask");
}

static D3D12_DEBUG_FEATURE STDMETHODCALLTYPE debug_device_GetFeatureMask(ID3D12DebugDevice *iface)
{
    (void)iface;
    return D3D12_DEBUG_FEATURE_NONE;
}

CONST_VTBL ID3D12DebugDeviceVtbl d3d12_debug_device_vtable = {
    COM_FACE_ENTRIES(debug_device),
    COM_METHODS(debug_device, ReportLiveDeviceObjects, SetFeatureMask, GetFeatureMask),
};
