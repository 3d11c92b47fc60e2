/* ID3D12RootSignature: says which root arguments a list can set. */
#pragma once

#include "base/newest.h"
#include "device/child.h"
#include "root_signature/root_signature_blob.h"

struct d3d12_root_signature {
    ID3D12RootSignature iface;
    struct d3d12_child child;
    struct root_layout layout;
    struct root_registers registers;
    uint64_t digest;      /* hash of the serialized signature, for comparisons of root signatures */
    ID3DBlob *serialized; /* the root signature's part of the blob that the application passed */
};

HRESULT d3d12_root_signature_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                    struct d3d12_root_signature **out);

/* Returns the root signature with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_root_signature *d3d12_root_signature_from(ID3D12RootSignature *iface);
