/* ID3D12Device: RemoveDevice, and meta commands. The emulator has no meta commands. */
#include "device/device_methods.h"

void STDMETHODCALLTYPE d3d12_device_RemoveDevice(device_iface *iface)
{
    emu_kmd_remove(impl_from_device_iface(iface)->kmd, EMU_KMD_ASKED);
}

/* ---- meta commands: there is none ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_EnumerateMetaCommands(device_iface *iface, UINT *count,
                                                             D3D12_META_COMMAND_DESC *descs)
{
    (void)descs;
    if (!count)
        return d3d12_device_invalid(
            impl_from_device_iface(iface), EMU_MESSAGE_INVALID_ARGUMENT,
            "ID3D12Device5::EnumerateMetaCommands: pNumMetaCommands must not be NULL");
    *count = 0;
    return S_OK;
}

static HRESULT refuse_meta_command(struct d3d12_device *device, HRESULT hr, const char *method)
{
    d3d12_device_error(device, D3D12_MESSAGE_ID_META_COMMAND_ID_INVALID,
                       "ID3D12Device5::%s: the device has no meta command with this GUID", method);
    return hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_EnumerateMetaCommandParameters(
    device_iface *iface, REFGUID id, D3D12_META_COMMAND_PARAMETER_STAGE stage, UINT *size,
    UINT *count, D3D12_META_COMMAND_PARAMETER_DESC *descs)
{
    (void)id, (void)stage, (void)size, (void)count, (void)descs;
    return refuse_meta_command(impl_from_device_iface(iface), E_INVALIDARG,
                               "EnumerateMetaCommandParameters");
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateMetaCommand(device_iface *iface, REFGUID id,
                                                         UINT node_mask, const void *parameters,
                                                         SIZE_T size, REFIID riid, void **out)
{
    (void)id, (void)node_mask, (void)parameters, (void)size, (void)riid;
    struct d3d12_device *device = impl_from_device_iface(iface);
    const HRESULT hr = d3d12_device_begin_creation(device, out);
    return SUCCEEDED(hr) ? refuse_meta_command(device, DXGI_ERROR_UNSUPPORTED, "CreateMetaCommand")
                         : hr;
}
