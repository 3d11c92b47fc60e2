/* ID3D12PipelineLibrary: pipeline states by name, for this process. Any thread may use a library.
 * Shaders aren't compiled, so nothing is stored for a later process: there the library is empty,
 * and the program creates its states again. */
#pragma once

#include "containers.h"
#include "device/child.h"
#include "pipeline/pipeline_blob.h"

#include <pthread.h>

struct pipeline_entry {
    UT_hash_handle hh;
    uint64_t name;                      /* a hash of the pipeline state's name */
    struct d3d12_pipeline_state *state; /* a private reference */
};

struct d3d12_pipeline_library {
    ID3D12PipelineLibrary1 iface;
    struct d3d12_child child;
    pthread_mutex_t lock;
    struct pipeline_entry *entries; /* the pipeline states, in the order in which they were added */
};

/* Makes an empty library; the bytes of `blob` are only checked, and `size` 0 means no bytes.
 * E_INVALIDARG: the bytes are damaged, or are not a library. D3D12_ERROR_ADAPTER_NOT_FOUND,
 * D3D12_ERROR_DRIVER_VERSION_MISMATCH: the library belongs to another adapter or driver. */
HRESULT d3d12_pipeline_library_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                      struct d3d12_pipeline_library **out);
