#include "root_signature/root_signature.h"

#include "base/bytes.h"
#include "device/device.h"

D3D12_CHILD_METHODS(d3d12_root_signature, ID3D12RootSignature)

static SIZE_T STDMETHODCALLTYPE d3d12_root_signature_GetSerializedSize(ID3D12RootSignature *iface)
{
    ID3DBlob *blob = impl_from_ID3D12RootSignature(iface)->serialized;
    return blob->lpVtbl->GetBufferSize(blob);
}

static HRESULT STDMETHODCALLTYPE d3d12_root_signature_GetSerializedData(ID3D12RootSignature *iface,
                                                                        void *data, SIZE_T size)
{
    ID3DBlob *blob = impl_from_ID3D12RootSignature(iface)->serialized;
    const SIZE_T needed = blob->lpVtbl->GetBufferSize(blob);
    if (!data || size < needed)
        return E_INVALIDARG;
    memcpy(data, blob->lpVtbl->GetBufferPointer(blob), needed);
    return S_OK;
}

static CONST_VTBL root_signature_vtbl d3d12_root_signature_vtable = {
    .older = {D3D12_CHILD_ENTRIES(d3d12_root_signature)},
    .GetSerializedSize = d3d12_root_signature_GetSerializedSize,
    .GetSerializedData = d3d12_root_signature_GetSerializedData,
};

static void root_signature_release(struct d3d12_child *child)
{
    struct d3d12_root_signature *signature =
        container_of(child, struct d3d12_root_signature, child);
    free(signature->registers.all);
    if (signature->serialized)
        signature->serialized->lpVtbl->Release(signature->serialized);
}

static const struct d3d12_child_class root_signature_class = {
    .kind = D3D12DDI_HT_ROOT_SIGNATURE,
    .iids = (const IID *const[]){&IID_ID3D12RootSignature, &newest_iid_root_signature1, NULL},
    .methods = &d3d12_root_signature_vtable,
    .release = root_signature_release,
};

D3D12_CHILD_FROM(d3d12_root_signature, ID3D12RootSignature, root_signature_class)

/* Reports a failure of reading. */
static HRESULT report_unreadable(struct d3d12_device *device, enum root_read read)
{
    if (read == ROOT_READ_NO_MEMORY)
        return E_OUTOFMEMORY;
    d3d12_device_error(device,
                       read == ROOT_READ_NONE
                           ? D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_BLOB_NOT_FOUND
                           : D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_DESERIALIZE_FAILED,
                       "ID3D12Device::CreateRootSignature: %s",
                       read == ROOT_READ_NONE ? "the blob contains no root signature"
                                              : "the blob is damaged, or is not a root signature");
    return read == ROOT_READ_NONE ? E_FAIL : E_INVALIDARG;
}

static HRESULT check(struct d3d12_device *device, const struct root_desc *root)
{
    struct root_error_text error;
    const HRESULT hr = root_desc_check(root, &error);
    if (hr == E_INVALIDARG)
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_INVALID_CONFIGURATION,
                           "ID3D12Device::CreateRootSignature: %s", error.text);
    return hr;
}

/* A local signature only has flags: its arguments are in shader records, and lists set none. */
static struct root_layout layout_of(const D3D12_ROOT_SIGNATURE_DESC1 *desc)
{
    const bool is_local = (desc->Flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0;
    struct root_layout layout = {.flags = desc->Flags, .count = is_local ? 0 : desc->NumParameters};
    for (UINT i = 0; i < layout.count; i++) {
        const D3D12_ROOT_PARAMETER1 *parameter = &desc->pParameters[i];
        layout.parameters[i].type = parameter->ParameterType;
        if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS)
            layout.parameters[i].constants = parameter->Constants.Num32BitValues;
    }
    return layout;
}

static HRESULT create(struct d3d12_device *device, const struct root_desc *root, uint64_t digest,
                      struct d3d12_root_signature **out)
{
    struct d3d12_root_signature *signature =
        d3d12_child_begin(device, &root_signature_class, sizeof *signature);
    if (!signature)
        return E_OUTOFMEMORY;
    signature->layout = layout_of(&root->desc);
    signature->digest = digest;
    *out = signature;
    HRESULT hr = root_signature_write(root, &signature->serialized);
    if (SUCCEEDED(hr) && !root_registers_find(&root->desc, &signature->registers))
        hr = E_OUTOFMEMORY;
    return d3d12_child_end(&signature->child, hr);
}

HRESULT d3d12_root_signature_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                    struct d3d12_root_signature **out)
{
    struct root_desc root;
    const enum root_read read = root_signature_read(blob, size, &root);
    if (read != ROOT_READ_OK)
        return report_unreadable(device, read);
    HRESULT hr = check(device, &root);
    if (SUCCEEDED(hr))
        hr = create(device, &root, hash_bytes(HASH_BEGIN, blob, size), out);
    root_desc_finish(&root);
    return hr;
}
