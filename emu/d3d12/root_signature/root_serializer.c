#include "root_signature/root_serializer.h"

#include "base/blob.h"
#include "root_signature/root_signature_blob.h"

/* Returns the reason as text, if the caller wants it. */
static void give_text(const char *text, ID3DBlob **out)
{
    const size_t size = strlen(text) + 1;
    if (out && (*out = d3d12_blob_create(size)))
        memcpy((*out)->lpVtbl->GetBufferPointer(*out), text, size);
}

HRESULT d3d12_root_signature_serialize(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
                                       ID3DBlob **blob, ID3DBlob **error)
{
    struct root_desc root;
    struct root_error_text reason;
    if (error)
        *error = NULL;
    if (!blob)
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
