/* ID3D12RootSignatureDeserializer and ID3D12VersionedRootSignatureDeserializer: a serialized root
 * signature, read. */
#pragma once

#include "base/com.h"

/* `riid`: ID3D12VersionedRootSignatureDeserializer when `versioned`, else
 * ID3D12RootSignatureDeserializer, or IUnknown. E_INVALIDARG: no root signature, or a damaged one.
 * The bytes are not needed afterwards. */
HRESULT d3d12_root_deserializer_create(bool versioned, const void *data, SIZE_T size,
                                       const IID *riid, void **out);
