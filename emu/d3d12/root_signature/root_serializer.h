/* A root signature's description as a blob. */
#ifndef D3D12_ROOT_SERIALIZER_H
#define D3D12_ROOT_SERIALIZER_H

#include "base/com.h"

/* D3D12SerializeVersionedRootSignature. */
HRESULT d3d12_root_signature_serialize(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
                                       ID3DBlob **blob, ID3DBlob **error);

#endif
