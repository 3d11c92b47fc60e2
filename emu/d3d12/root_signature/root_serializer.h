/* Serializes a root signature's description. */
#pragma once

#include "base/com.h"

/* Performs D3D12SerializeVersionedRootSignature. */
HRESULT d3d12_root_signature_serialize(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
                                       ID3DBlob **blob, ID3DBlob **error);
