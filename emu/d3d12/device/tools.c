/* ID3D12DeviceTools2: the annotation mode, and where the next allocation goes. An interface of the
 * device's COM object: one identity, one reference count [ANN-MODE-08]. */
#include "device/device.h"
#include "device/next_address.h"

static struct d3d12_device *impl_from_tools(ID3D12DeviceTools2 *iface)
{
    return container_of(iface, struct d3d12_device, tools);
}

COM_FACE(device_tools, ID3D12DeviceTools2, &impl_from_tools(iface)->iface)

static void STDMETHODCALLTYPE
device_tools_SetNextAllocationAddress(ID3D12DeviceTools2 *iface, D3D12_GPU_VIRTUAL_ADDRESS address)
{
    next_address_set(impl_from_tools(iface), address);
}

/* No driver here has the DDI for it, and a device can't have been given a blob [Application
 * Specific Driver State]. */
static HRESULT STDMETHODCALLTYPE
device_tools_GetApplicationSpecificDriverState(ID3D12DeviceTools2 *iface, ID3DBlob **blob)
{
    (void)iface;
    if (!blob)
        return E_INVALIDARG;
    *blob = NULL;
    return DXGI_ERROR_UNSUPPORTED;
}

static D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS STDMETHODCALLTYPE
device_tools_GetApplicationSpecificDriverBlobStatus(ID3D12DeviceTools2 *iface)
{
    (void)iface;
    return D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_NOT_SPECIFIED;
}

static void STDMETHODCALLTYPE device_tools_SetUserDefinedAnnotationMode(
    ID3D12DeviceTools2 *iface, D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    annot_device_set_mode(impl_from_tools(iface)->annot, (uint32_t)mode);
}

static D3D12_USER_DEFINED_ANNOTATION_MODE STDMETHODCALLTYPE
device_tools_GetUserDefinedAnnotationMode(ID3D12DeviceTools2 *iface)
{
    return (D3D12_USER_DEFINED_ANNOTATION_MODE)annot_device_mode(impl_from_tools(iface)->annot);
}

CONST_VTBL ID3D12DeviceTools2Vtbl d3d12_device_tools_vtable = {
    COM_FACE_ENTRIES(device_tools),
    .SetNextAllocationAddress = device_tools_SetNextAllocationAddress,
    .GetApplicationSpecificDriverState = device_tools_GetApplicationSpecificDriverState,
    .GetApplicationSpecificDriverBlobStatus = device_tools_GetApplicationSpecificDriverBlobStatus,
    .SetUserDefinedAnnotationMode = device_tools_SetUserDefinedAnnotationMode,
    .GetUserDefinedAnnotationMode = device_tools_GetUserDefinedAnnotationMode,
};
