/* ID3D12RootSignatureDeserializer and ID3D12VersionedRootSignatureDeserializer read a serialized
 * root signature. */
#pragma once

#include "base/com.h"

/* `riid` is ID3D12VersionedRootSignatureDeserializer if `versioned`,
 * ID3D12RootSignatureDeserializer if not, or IUnknown. E_INVALIDARG means no root signature, or a
 * damaged one. The bytes are not needed afterwards. */
HRESULT d3d12_root_deserializer_create(bool versioned, const void *data, SIZE_T size,
                                       const IID *riid, void **out);
