#include "root_signature/root_deserializer.h"

#include "root_signature/root_signature_blob.h"

#include <stdatomic.h>

/* Immutable but for its references. */
struct d3d12_root_deserializer {
    union { /* the version for which the application asked */
        ID3D12RootSignatureDeserializer plain;
        ID3D12VersionedRootSignatureDeserializer versioned;
    } iface;
    atomic_uint references;
    struct root_desc root;
    void *memory_1_0;
    D3D12_VERSIONED_ROOT_SIGNATURE_DESC descs[3]; /* 1.0, 1.1, 1.2 */
};

static void destroy(struct d3d12_root_deserializer *deserializer)
{
    free(deserializer->memory_1_0);
    root_desc_finish(&deserializer->root);
    free(deserializer);
}

COM_COUNTED(d3d12_root_deserializer, d3d12_root_deserializer, ID3D12RootSignatureDeserializer,
            &IID_ID3D12RootSignatureDeserializer, destroy)
COM_COUNTED(d3d12_root_deserializer, d3d12_versioned_deserializer,
            ID3D12VersionedRootSignatureDeserializer, &IID_ID3D12VersionedRootSignatureDeserializer,
            destroy)

static const D3D12_ROOT_SIGNATURE_DESC *STDMETHODCALLTYPE
d3d12_root_deserializer_GetRootSignatureDesc(ID3D12RootSignatureDeserializer *iface)
{
    return &impl_from_ID3D12RootSignatureDeserializer(iface)->descs[0].Desc_1_0;
}

static CONST_VTBL ID3D12RootSignatureDeserializerVtbl d3d12_root_deserializer_vtable = {
    COM_FACE_ENTRIES(d3d12_root_deserializer),
    .GetRootSignatureDesc = d3d12_root_deserializer_GetRootSignatureDesc,
};

static HRESULT STDMETHODCALLTYPE d3d12_versioned_deserializer_GetRootSignatureDescAtVersion(
    ID3D12VersionedRootSignatureDeserializer *iface, D3D_ROOT_SIGNATURE_VERSION version,
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC **out)
{
    const struct d3d12_root_deserializer *deserializer =
        impl_from_ID3D12VersionedRootSignatureDeserializer(iface);
    if (!out)
        return E_INVALIDARG;
    const bool known = version >= D3D_ROOT_SIGNATURE_VERSION_1_0 && version <= ROOT_VERSION_1_2;
    *out = known ? &deserializer->descs[version - D3D_ROOT_SIGNATURE_VERSION_1_0] : NULL;
    return known ? S_OK : E_INVALIDARG;
}

static const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *STDMETHODCALLTYPE
d3d12_versioned_deserializer_GetUnconvertedRootSignatureDesc(
    ID3D12VersionedRootSignatureDeserializer *iface)
{
    const struct d3d12_root_deserializer *deserializer =
        impl_from_ID3D12VersionedRootSignatureDeserializer(iface);
    return &deserializer->descs[deserializer->root.version - D3D_ROOT_SIGNATURE_VERSION_1_0];
}

static CONST_VTBL ID3D12VersionedRootSignatureDeserializerVtbl
    d3d12_versioned_deserializer_vtable = {
        COM_FACE_ENTRIES(d3d12_versioned_deserializer),
        .GetRootSignatureDescAtVersion = d3d12_versioned_deserializer_GetRootSignatureDescAtVersion,
        .GetUnconvertedRootSignatureDesc =
            d3d12_versioned_deserializer_GetUnconvertedRootSignatureDesc,
};

/* ---- creation ---- */

static HRESULT read_both(struct d3d12_root_deserializer *deserializer, const void *data,
                         SIZE_T size)
{
    const enum root_read read = root_signature_read(data, size, &deserializer->root);
    if (read != ROOT_READ_OK)
        return read == ROOT_READ_NO_MEMORY ? E_OUTOFMEMORY : E_INVALIDARG;
    for (int i = 0; i < 3; i++) {
        deserializer->descs[i].Version = (D3D_ROOT_SIGNATURE_VERSION)(i + 1);
        deserializer->descs[i].Desc_1_1 = deserializer->root.desc;
    }
    if (deserializer->root.desc.NumStaticSamplers != 0)
        deserializer->descs[2].Desc_1_1.pStaticSamplers =
            (const D3D12_STATIC_SAMPLER_DESC *)(const void *)deserializer->root.samplers;
    if (root_desc_to_1_0(&deserializer->root, &deserializer->descs[0].Desc_1_0,
                         &deserializer->memory_1_0))
        return S_OK;
    root_desc_finish(&deserializer->root);
    return E_OUTOFMEMORY;
}

HRESULT d3d12_root_deserializer_create(bool versioned, const void *data, SIZE_T size,
                                       const IID *riid, void **out)
{
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    struct d3d12_root_deserializer *deserializer = calloc(1, sizeof *deserializer);
    if (!deserializer)
        return E_OUTOFMEMORY;
    HRESULT hr = read_both(deserializer, data, size);
    if (FAILED(hr)) {
        free(deserializer);
        return hr;
    }
    if (versioned)
        deserializer->iface.versioned.lpVtbl = &d3d12_versioned_deserializer_vtable;
    else
        deserializer->iface.plain.lpVtbl = &d3d12_root_deserializer_vtable;
    atomic_init(&deserializer->references, 1);
    IUnknown *unknown = (void *)&deserializer->iface;
    hr = unknown->lpVtbl->QueryInterface(unknown, riid, out);
    unknown->lpVtbl->Release(unknown);
    return hr;
}
