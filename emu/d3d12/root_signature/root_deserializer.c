#include "root_signature/root_deserializer.h"

#include "root_signature/root_signature_blob.h"

#include <stdatomic.h>

/* Immutable but for its references. */
struct d3d12_root_deserializer {
    ID3D12RootSignatureDeserializer plain; /* one of the two is what the application has */
    ID3D12VersionedRootSignatureDeserializer versioned;
    bool is_versioned;
    atomic_uint references;
    struct root_desc root;
    void *memory_1_0;
    D3D12_VERSIONED_ROOT_SIGNATURE_DESC descs[3]; /* 1.0, 1.1, 1.2 */
};

static struct d3d12_root_deserializer *
impl_from_ID3D12RootSignatureDeserializer(ID3D12RootSignatureDeserializer *iface)
{
    return container_of(iface, struct d3d12_root_deserializer, plain);
}

static struct d3d12_root_deserializer *
impl_from_ID3D12VersionedRootSignatureDeserializer(ID3D12VersionedRootSignatureDeserializer *iface)
{
    return container_of(iface, struct d3d12_root_deserializer, versioned);
}

static HRESULT query(struct d3d12_root_deserializer *deserializer, const IID *riid, void **out)
{
    const IID *own = deserializer->is_versioned ? &IID_ID3D12VersionedRootSignatureDeserializer
                                                : &IID_ID3D12RootSignatureDeserializer;
    void *iface = deserializer->is_versioned ? (void *)&deserializer->versioned
                                             : (void *)&deserializer->plain;
    return out ? com_hand_out(com_is_any(riid, &own, 1) ? iface : NULL, riid, out) : E_POINTER;
}

static ULONG release(struct d3d12_root_deserializer *deserializer)
{
    ULONG left = atomic_fetch_sub_explicit(&deserializer->references, 1, memory_order_acq_rel) - 1;
    if (left == 0) {
        free(deserializer->memory_1_0);
        root_desc_finish(&deserializer->root);
        free(deserializer);
    }
    return left;
}

/* ---- ID3D12RootSignatureDeserializer ---- */

static HRESULT STDMETHODCALLTYPE d3d12_root_deserializer_QueryInterface(
    ID3D12RootSignatureDeserializer *iface, REFIID riid, void **out)
{
    return query(impl_from_ID3D12RootSignatureDeserializer(iface), riid, out);
}

COM_ADD_REF(ID3D12RootSignatureDeserializer, d3d12_root_deserializer_AddRef)

static ULONG STDMETHODCALLTYPE
d3d12_root_deserializer_Release(ID3D12RootSignatureDeserializer *iface)
{
    return release(impl_from_ID3D12RootSignatureDeserializer(iface));
}

static const D3D12_ROOT_SIGNATURE_DESC *STDMETHODCALLTYPE
d3d12_root_deserializer_GetRootSignatureDesc(ID3D12RootSignatureDeserializer *iface)
{
    return &impl_from_ID3D12RootSignatureDeserializer(iface)->descs[0].Desc_1_0;
}

static CONST_VTBL ID3D12RootSignatureDeserializerVtbl d3d12_root_deserializer_vtable = {
    COM_FACE_ENTRIES(d3d12_root_deserializer),
    .GetRootSignatureDesc = d3d12_root_deserializer_GetRootSignatureDesc,
};

/* ---- ID3D12VersionedRootSignatureDeserializer ---- */

static HRESULT STDMETHODCALLTYPE d3d12_versioned_deserializer_QueryInterface(
    ID3D12VersionedRootSignatureDeserializer *iface, REFIID riid, void **out)
{
    return query(impl_from_ID3D12VersionedRootSignatureDeserializer(iface), riid, out);
}

COM_ADD_REF(ID3D12VersionedRootSignatureDeserializer, d3d12_versioned_deserializer_AddRef)

static ULONG STDMETHODCALLTYPE
d3d12_versioned_deserializer_Release(ID3D12VersionedRootSignatureDeserializer *iface)
{
    return release(impl_from_ID3D12VersionedRootSignatureDeserializer(iface));
}

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
    deserializer->plain.lpVtbl = &d3d12_root_deserializer_vtable;
    deserializer->versioned.lpVtbl = &d3d12_versioned_deserializer_vtable;
    deserializer->is_versioned = versioned;
    atomic_init(&deserializer->references, 1);
    hr = query(deserializer, riid, out);
    release(deserializer);
    return hr;
}
