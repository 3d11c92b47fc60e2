#include "table/device_configuration.h"

#include "base/abi.h"
#include "device/device.h"
#include "root_signature/root_deserializer.h"
#include "root_signature/root_serializer.h"

static struct d3d12_device *impl_from_configuration(ID3D12DeviceConfiguration *iface)
{
    return container_of(iface, struct d3d12_device, configuration);
}

COM_FACE(device_configuration, ID3D12DeviceConfiguration, &impl_from_configuration(iface)->iface)

static unsigned count_features(const struct d3d12_device *device)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SWITCHES_EXPERIMENTAL; i++)
        count += device->switches.experimental >> i & 1;
    return count;
}

static unsigned flags_of(const struct d3d12_device *device)
{
    const struct dred_enablement *dred = &device->dred.on;
    unsigned flags = 0;
    if (device->settings.debug_layer)
        flags |= D3D12_DEVICE_FLAG_DEBUG_LAYER_ENABLED;
    if (dred->breadcrumbs)
        flags |= D3D12_DEVICE_FLAG_DRED_AUTO_BREADCRUMBS_ENABLED;
    if (dred->page_faults)
        flags |= D3D12_DEVICE_FLAG_DRED_PAGE_FAULT_REPORTING_ENABLED;
    if (dred->contexts)
        flags |= D3D12_DEVICE_FLAG_DRED_BREADCRUMB_CONTEXT_ENABLED;
    if (dred->markers_only)
        flags |= D3D12_DEVICE_FLAG_DRED_USE_MARKERS_ONLY_BREADCRUMBS;
    if (device->switches.shader_instrumentation)
        flags |= D3D12_DEVICE_FLAG_SHADER_INSTRUMENTATION_ENABLED;
    return flags;
}

ABI_STRUCT_METHOD(D3D12_DEVICE_CONFIGURATION_DESC, device_configuration_GetDesc,
                  ID3D12DeviceConfiguration *iface)
{
    const struct d3d12_device *device = impl_from_configuration(iface);
    const D3D12_DEVICE_CONFIGURATION_DESC desc = {
        .Flags = (D3D12_DEVICE_FLAGS)flags_of(device),
        .SDKVersion = D3D12_SDK_VERSION,
        .NumEnabledExperimentalFeatures = count_features(device),
    };
    ABI_RETURN_STRUCT(desc);
}

static HRESULT STDMETHODCALLTYPE device_configuration_GetEnabledExperimentalFeatures(
    ID3D12DeviceConfiguration *iface, GUID *guids, UINT count)
{
    const struct d3d12_device *device = impl_from_configuration(iface);
    const unsigned enabled = count_features(device);
    if (count < enabled || (enabled > 0 && !guids))
        return E_INVALIDARG;
    for (unsigned i = 0; i < SWITCHES_EXPERIMENTAL; i++)
        if ((device->switches.experimental >> i & 1) != 0)
            *guids++ = *switches_experimental_iid(i);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE device_configuration_SerializeVersionedRootSignature(
    ID3D12DeviceConfiguration *iface, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
    ID3DBlob **blob, ID3DBlob **error)
{
    (void)iface;
    return d3d12_root_signature_serialize(desc, blob, error);
}

static HRESULT STDMETHODCALLTYPE device_configuration_CreateVersionedRootSignatureDeserializer(
    ID3D12DeviceConfiguration *iface, const void *data, SIZE_T size, REFIID riid, void **out)
{
    (void)iface;
    return d3d12_root_deserializer_create(true, data, size, riid, out);
}

CONST_VTBL ID3D12DeviceConfigurationVtbl d3d12_device_configuration_vtable = {
    COM_FACE_ENTRIES(device_configuration),
    .GetDesc = device_configuration_GetDesc,
    .GetEnabledExperimentalFeatures = device_configuration_GetEnabledExperimentalFeatures,
    .SerializeVersionedRootSignature = device_configuration_SerializeVersionedRootSignature,
    .CreateVersionedRootSignatureDeserializer =
        device_configuration_CreateVersionedRootSignatureDeserializer,
};
