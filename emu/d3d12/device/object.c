/* ID3D12Device: IUnknown, ID3D12Object, and its own properties. */
#include "device/device_methods.h"

#include "base/abi.h"

OBJECT_METHODS(extern, d3d12_device, device_iface, d3d12_device, impl_from_device_iface(iface))

/* ---- questions ---- */

UINT STDMETHODCALLTYPE d3d12_device_GetNodeCount(device_iface *iface)
{
    (void)iface;
    return 1;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CheckFeatureSupport(device_iface *iface,
                                                           D3D12_FEATURE feature, void *data,
                                                           UINT size)
{
    return d3d12_device_check_feature(impl_from_device_iface(iface), feature, data, size);
}

ABI_STRUCT_PROTOTYPE(LUID, d3d12_device_GetAdapterLuid, device_iface *iface)
{
    ABI_RETURN_STRUCT(impl_from_device_iface(iface)->luid);
}

HRESULT STDMETHODCALLTYPE d3d12_device_GetDeviceRemovedReason(device_iface *iface)
{
    return (HRESULT)atomic_load_explicit(&impl_from_device_iface(iface)->removed_reason,
                                         memory_order_acquire);
}

HRESULT STDMETHODCALLTYPE d3d12_device_SetStablePowerState(device_iface *iface, BOOL on)
{
    (void)iface, (void)on;
    return S_OK;
}
