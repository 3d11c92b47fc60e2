/* What d3d12.dll exports, and nothing else of D3D12 [facts: drop-in]. */
#include "table/device_table.h"

#include "base/blob.h"
#include "debug/debug.h"
#include "dred/settings.h"
#include "device/adapter.h"
#include "device/device_registry.h"
#include "root_signature/root_deserializer.h"
#include "root_signature/root_signature_blob.h"

#if defined(_WIN32)
#define D3D12_EXPORT /* by the module definition file */
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
    if (out != NULL)
        *out = NULL;
    HRESULT hr = check_level(minimum);
    if (SUCCEEDED(hr))
        hr = d3d12_adapter_identify(adapter, &identity);
    if (SUCCEEDED(hr) && out == NULL) {
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

D3D12_EXPORT HRESULT WINAPI D3D12GetInterface(REFCLSID rclsid, REFIID riid, void **out)
{
    if (rclsid != NULL && com_same(rclsid, &CLSID_D3D12Debug))
        return d3d12_debug_query(riid, out);
    if (rclsid != NULL && com_same(rclsid, &CLSID_D3D12DeviceRemovedExtendedData))
        return dred_settings_query(riid, out);
    if (out != NULL)
        *out = NULL;
    return E_NOINTERFACE;
}

/* The ones that are public; none takes a struct. What they unlock is unlocked always. */
static bool is_experimental_feature(const IID *iid)
{
    return com_same(iid, &D3D12ExperimentalShaderModels) || com_same(iid, &D3D12TiledResourceTier4);
}

D3D12_EXPORT HRESULT WINAPI D3D12EnableExperimentalFeatures(UINT count, const IID *iids,
                                                            void *structs, UINT *sizes)
{
    (void)structs, (void)sizes;
    if (count != 0 && iids == NULL)
        return E_INVALIDARG;
    for (UINT i = 0; i < count; i++)
        if (!is_experimental_feature(&iids[i]))
            return E_NOINTERFACE; /* as documented for features it doesn't know */
    return S_OK;
}

/* The reason as text, which a caller may or may not want. */
static void give_text(const char *text, ID3DBlob **out)
{
    const size_t size = strlen(text) + 1;
    if (out != NULL && (*out = d3d12_blob_create(size)) != NULL)
        memcpy((*out)->lpVtbl->GetBufferPointer(*out), text, size);
}

D3D12_EXPORT HRESULT WINAPI D3D12SerializeVersionedRootSignature(
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc, ID3DBlob **blob, ID3DBlob **error)
{
    struct root_desc root;
    struct root_error_text reason;
    if (error != NULL)
        *error = NULL;
    if (blob == NULL)
        return E_INVALIDARG;
    *blob = NULL;
    HRESULT hr = root_desc_init(&root, desc, &reason);
    if (SUCCEEDED(hr))
        hr = root_desc_check(&root, &reason);
    if (SUCCEEDED(hr))
        hr = root_signature_write(&root, blob);
    if (hr == E_INVALIDARG)
        give_text(reason.text, error);
    root_desc_finish(&root);
    return hr;
}

D3D12_EXPORT HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC *desc,
                                                        D3D_ROOT_SIGNATURE_VERSION version,
                                                        ID3DBlob **blob, ID3DBlob **error)
{
    if (error != NULL)
        *error = NULL;
    if (blob != NULL)
        *blob = NULL;
    if (desc == NULL || version != D3D_ROOT_SIGNATURE_VERSION_1_0)
        return E_INVALIDARG;
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC versioned = {.Version = version, .Desc_1_0 = *desc};
    return D3D12SerializeVersionedRootSignature(&versioned, blob, error);
}

D3D12_EXPORT HRESULT WINAPI D3D12CreateRootSignatureDeserializer(LPCVOID data, SIZE_T size,
                                                                 REFIID riid, void **out)
{
    return d3d12_root_deserializer_create(false, data, size, riid, out);
}

D3D12_EXPORT HRESULT WINAPI D3D12CreateVersionedRootSignatureDeserializer(LPCVOID data, SIZE_T size,
                                                                          REFIID riid, void **out)
{
    return d3d12_root_deserializer_create(true, data, size, riid, out);
}
