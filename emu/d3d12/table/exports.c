/* The exports of d3d12.dll, and no other functions of D3D12. */
#include "table/device_factory.h"
#include "table/device_table.h"

#include "debug/debug.h"
#include "dred/settings.h"
#include "device/device_registry.h"
#include "base/abi.h"
#include "root_signature/root_serializer.h"

#if defined(_WIN32)
#define D3D12_EXPORT /* the module definition file exports this function */
#else
#define D3D12_EXPORT __attribute__((visibility("default")))
#endif

static HRESULT check_level(D3D_FEATURE_LEVEL minimum)
{
    if ((minimum < D3D_FEATURE_LEVEL_11_0 && minimum != D3D_FEATURE_LEVEL_1_0_CORE) ||
        minimum > D3D_FEATURE_LEVEL_12_2)
        return E_INVALIDARG;
    return minimum <= D3D12_MAX_FEATURE_LEVEL ? S_OK : DXGI_ERROR_UNSUPPORTED;
}

D3D12_EXPORT HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL minimum,
                                              REFIID riid, void **out)
{
    struct d3d12_adapter_identity identity;
    struct d3d12_device *device;
    if (out)
        *out = NULL;
    HRESULT hr = check_level(minimum);
    if (SUCCEEDED(hr))
        hr = d3d12_adapter_identify(adapter, &identity);
    if (SUCCEEDED(hr) && !out) {
        hr = device_registry_check(&identity);
        return SUCCEEDED(hr) ? S_FALSE : hr;
    }
    if (SUCCEEDED(hr))
        hr = device_registry_get(&identity, &d3d12_device_tables, &device);
    if (FAILED(hr))
        return hr;
    hr = d3d12_device_query(device, riid, out);
    d3d12_device_release(device);
    return hr;
}

/* The debug layer's switches, and DRED's settings. */
D3D12_EXPORT HRESULT WINAPI D3D12GetDebugInterface(REFIID riid, void **out)
{
    const HRESULT hr = d3d12_debug_query(riid, out);
    return hr == E_NOINTERFACE ? dred_settings_query(riid, out) : hr;
}

D3D12_EXPORT HRESULT WINAPI D3D12GetInterface(REFCLSID rclsid, REFIID riid, void **out);
D3D12_EXPORT HRESULT WINAPI D3D12EnableExperimentalFeatures(UINT count, const IID *iids,
                                                            void *structs, UINT *sizes);

static const struct device_factory_calls factory_calls = {
    .create_device = D3D12CreateDevice,
    .get_interface = D3D12GetInterface,
    .enable_features = D3D12EnableExperimentalFeatures,
};

/* Returns classes that configure a device before it is created. */
D3D12_EXPORT HRESULT WINAPI D3D12GetInterface(REFCLSID rclsid, REFIID riid, void **out)
{
    if (rclsid && com_same(rclsid, &CLSID_D3D12Debug))
        return d3d12_debug_query(riid, out);
    if (rclsid && com_same(rclsid, &CLSID_D3D12DeviceRemovedExtendedData))
        return dred_settings_query(riid, out);
    if (rclsid && com_same(rclsid, &CLSID_D3D12DeviceFactory))
        return device_factory_query(&factory_calls, riid, out);
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

/* The public features, which are always unlocked here. None takes a struct. */
D3D12_EXPORT HRESULT WINAPI D3D12EnableExperimentalFeatures(UINT count, const IID *iids,
                                                            void *structs, UINT *sizes)
{
    (void)structs, (void)sizes;
    if (count != 0 && !iids)
        return E_INVALIDARG;
    for (UINT i = 0; i < count; i++)
        if (!com_same(&iids[i], &D3D12ExperimentalShaderModels) &&
            !com_same(&iids[i], &abi_tiled_resource_tier_4))
            return E_NOINTERFACE; /* as documented for unknown features */
    return S_OK;
}

D3D12_EXPORT HRESULT WINAPI D3D12SerializeVersionedRootSignature(
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc, ID3DBlob **blob, ID3DBlob **error)
{
    return d3d12_root_signature_serialize(desc, blob, error);
}

D3D12_EXPORT HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC *desc,
                                                        D3D_ROOT_SIGNATURE_VERSION version,
                                                        ID3DBlob **blob, ID3DBlob **error)
{
    if (error)
        *error = NULL;
    if (version != D3D_ROOT_SIGNATURE_VERSION_1_0) /* then the blob does not change */
        return E_INVALIDARG;
    if (blob)
        *blob = NULL;
    if (!desc)
        return E_INVALIDARG;
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC versioned = {.Version = version, .Desc_1_0 = *desc};
    return d3d12_root_signature_serialize(&versioned, blob, error);
}

/* Root signatures are not given back as descriptions. */
static HRESULT no_deserializer(void **out)
{
    if (out)
        *out = NULL;
    return E_NOTIMPL;
}

D3D12_EXPORT HRESULT WINAPI D3D12CreateRootSignatureDeserializer(LPCVOID data, SIZE_T size,
                                                                 REFIID riid, void **out)
{
    (void)data, (void)size, (void)riid;
    return no_deserializer(out);
}

D3D12_EXPORT HRESULT WINAPI D3D12CreateVersionedRootSignatureDeserializer(LPCVOID data, SIZE_T size,
                                                                          REFIID riid, void **out)
{
    (void)data, (void)size, (void)riid;
    return no_deserializer(out);
}
