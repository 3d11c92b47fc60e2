/* What GetCachedBlob and ID3D12PipelineLibrary::Serialize give: nothing is compiled, so a cached
 * blob only says which state, adapter and driver it is of, and a library that comes from bytes is
 * empty. The adapter is the emulated GPU or, for the driver "warp", the processor.
 */
#pragma once

#include "base/bytes.h"
#include "pipeline/pipeline_desc.h"

#define PIPELINE_BLOB_STATE   0x50554d45u /* "EMUP" */
#define PIPELINE_BLOB_LIBRARY 0x4c554d45u /* "EMUL" */

struct pipeline_blob {
    uint64_t magic, adapter;
    uint64_t driver; /* a hash of its name */
    uint64_t digest; /* pipeline_desc_digest; 0: of a library */
    uint64_t hash;   /* of the members before */
};

struct pipeline_blob pipeline_blob_make(const struct d3d12_device *device, uint64_t magic,
                                        uint64_t digest);

/* Compares any bytes with this blob; more may follow. S_FALSE: of another state. E_INVALIDARG:
 * damaged, or not the emulator's. D3D12_ERROR_ADAPTER_NOT_FOUND,
 * D3D12_ERROR_DRIVER_VERSION_MISMATCH: whole, but of another adapter or driver. */
HRESULT pipeline_blob_compare(const struct pipeline_blob *wanted, const void *data, size_t size);
