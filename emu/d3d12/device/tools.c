/* ID3D12DeviceTools2: the annotation mode, and the address of the next allocation. The device's COM
 * object has two of these interfaces, one for each version, with one identity and one reference
 * count [ANN-MODE-08]. */
#include "base/result.h"
#include "device/next_address.h"

static struct device_tools *impl_from_tools(ID3D12DeviceTools2 *iface)
{
    return container_of(iface, struct device_tools, iface);
}

COM_FACE(device_tools, ID3D12DeviceTools2, &impl_from_tools(iface)->device->iface)

static void STDMETHODCALLTYPE
device_tools_SetNextAllocationAddress(ID3D12DeviceTools2 *iface, D3D12_GPU_VIRTUAL_ADDRESS address)
{
    next_address_set(impl_from_tools(iface)->device, address);
}

/* No driver has a DDI for this, so no device ever got a blob [Application Specific Driver
 * State]. */
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

/* libannot's modes are the specification's; the published modes are one less. */
static unsigned offset(const struct device_tools *tools)
{
    return tools->letter == LETTER_PUBLISHED;
}

/* Checks the value first, so that a wrong value is refused even if the mode is forced. */
static HRESULT STDMETHODCALLTYPE device_tools_SetUserDefinedAnnotationMode(
    ID3D12DeviceTools2 *iface, D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    const struct device_tools *tools = impl_from_tools(iface);
    const unsigned value = (unsigned)mode + offset(tools);
    if (value == ANNOT_MODE_RUNTIME_ONLY || value == ANNOT_MODE_DRIVER_RETAIL)
        return hresult_from_annot(annot_device_set_mode(tools->device->annot, value));
    return d3d12_device_invalid(
        tools->device,
        tools->letter == LETTER_PUBLISHED
            ? D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT
            : ANNOT_D3D12_MESSAGE_V006,
        "SetUserDefinedAnnotationMode: %u is neither RUNTIME_ONLY (%u) nor DRIVER_RETAIL (%u); the "
        "mode does not change",
        (unsigned)mode, ANNOT_MODE_RUNTIME_ONLY - offset(tools),
        ANNOT_MODE_DRIVER_RETAIL - offset(tools));
}

static D3D12_USER_DEFINED_ANNOTATION_MODE STDMETHODCALLTYPE
device_tools_GetUserDefinedAnnotationMode(ID3D12DeviceTools2 *iface)
{
    const struct device_tools *tools = impl_from_tools(iface);
    return (D3D12_USER_DEFINED_ANNOTATION_MODE)(annot_device_mode(tools->device->annot) -
                                                offset(tools));
}

CONST_VTBL ID3D12DeviceTools2Vtbl d3d12_device_tools_vtable = {
    COM_FACE_ENTRIES(device_tools),
    COM_METHODS(device_tools, SetNextAllocationAddress, GetApplicationSpecificDriverState,
                GetApplicationSpecificDriverBlobStatus, SetUserDefinedAnnotationMode,
                GetUserDefinedAnnotationMode),
};
