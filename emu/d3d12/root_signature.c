#include "root_signature.h"

#include "bytes.h"
#include "device.h"

static CONST_VTBL ID3D12RootSignatureVtbl d3d12_root_signature_vtable;

D3D12_CHILD_METHODS(d3d12_root_signature, ID3D12RootSignature)

struct d3d12_root_signature *d3d12_root_signature_from(ID3D12RootSignature *iface)
{
    return iface != NULL && iface->lpVtbl == &d3d12_root_signature_vtable
               ? impl_from_ID3D12RootSignature(iface)
               : NULL;
}

static CONST_VTBL ID3D12RootSignatureVtbl d3d12_root_signature_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_root_signature),
};

static void root_signature_destroy(struct d3d12_child *child)
{
    d3d12_child_finish(child);
    free(container_of(child, struct d3d12_root_signature, child));
}

static const struct d3d12_child_class root_signature_class = {
    .kind = D3D12DDI_HT_ROOT_SIGNATURE,
    .iids = (const IID *const[]){&IID_ID3D12RootSignature, NULL},
    .destroy = root_signature_destroy,
};

HRESULT d3d12_root_signature_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                    struct d3d12_root_signature **out)
{
    struct d3d12_root_signature *signature = calloc(1, sizeof *signature);
    if (signature == NULL)
        return E_OUTOFMEMORY;
    HRESULT hr = E_INVALIDARG;
    signature->iface.lpVtbl = &d3d12_root_signature_vtable;
    if (!root_layout_read(blob, size, &signature->layout))
        goto err0;
    signature->digest = hash_bytes(HASH_BEGIN, blob, size);
    hr = d3d12_child_init(&signature->child, &signature->iface, &root_signature_class, device, 0,
                          NULL);
    if (FAILED(hr))
        goto err0;
    *out = signature;
    return S_OK;
err0:
    free(signature);
    return hr;
}
