/* The blobs that GetCachedBlob and ID3D12PipelineLibrary::Serialize return. Nothing is compiled, so
 * a cached blob only says which state, adapter and driver it belongs to. A library that is made
 * from bytes is empty. The adapter is the emulated GPU or, for the driver "warp", the processor. */
#pragma once

#include "base/bytes.h"
#include "pipeline/pipeline_desc.h"

#define PIPELINE_BLOB_STATE   0x50554d45u /* "EMUP" */
#define PIPELINE_BLOB_LIBRARY 0x4c554d45u /* "EMUL" */

struct pipeline_blob {
    uint64_t magic, adapter;
    uint64_t driver; /* a hash of the driver's name */
    uint64_t digest; /* the state's hash from pipeline_desc_digest; 0 in a library's blob */
    uint64_t hash;   /* a hash of the members above */
};

struct pipeline_blob pipeline_blob_make(const struct d3d12_device *device, uint64_t magic,
                                        uint64_t digest);

/* Compares any bytes with the blob `wanted`; more bytes may follow. S_FALSE: the bytes belong to
 * another state. E_INVALIDARG: the bytes are damaged, or the emulator did not make them.
 * D3D12_ERROR_ADAPTER_NOT_FOUND, D3D12_ERROR_DRIVER_VERSION_MISMATCH: they are whole, but belong to
 * another adapter or driver. */
HRESULT pipeline_blob_compare(const struct pipeline_blob *wanted, const void *data, size_t size);
