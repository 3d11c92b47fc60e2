/* ID3D12Device: IUnknown, ID3D12Object, and its own properties. */
#include "device/device_methods.h"

#include "base/abi.h"

HRESULT STDMETHODCALLTYPE d3d12_device_QueryInterface(device_iface *iface, REFIID riid, void **out)
{
    return d3d12_device_query(impl_from_device_iface(iface), riid, out);
}

ULONG STDMETHODCALLTYPE d3d12_device_AddRef(device_iface *iface)
{
    return d3d12_device_add_ref(impl_from_device_iface(iface));
}

ULONG STDMETHODCALLTYPE d3d12_device_Release(device_iface *iface)
{
    return d3d12_device_release(impl_from_device_iface(iface));
}

HRESULT STDMETHODCALLTYPE d3d12_device_GetPrivateData(device_iface *iface, REFGUID guid, UINT *size,
                                                      void *data)
{
    return private_data_get(&impl_from_device_iface(iface)->private_data, guid, size, data);
}

HRESULT STDMETHODCALLTYPE d3d12_device_SetPrivateData(device_iface *iface, REFGUID guid, UINT size,
                                                      const void *data)
{
    return private_data_set(&impl_from_device_iface(iface)->private_data, guid, size, data);
}

HRESULT STDMETHODCALLTYPE d3d12_device_SetPrivateDataInterface(device_iface *iface, REFGUID guid,
                                                               const IUnknown *data)
{
    return private_data_set_interface(&impl_from_device_iface(iface)->private_data, guid, data);
}

HRESULT STDMETHODCALLTYPE d3d12_device_SetName(device_iface *iface, LPCWSTR name)
{
    return private_data_set_name(&impl_from_device_iface(iface)->private_data, name);
}

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
