/*
 * ID3D12PipelineLibrary: pipeline states by name, which a program can write to a file for a later
 * process. Any thread. It stores a digest of the state for each name; shaders aren't compiled, so
 * there is no code to store.
 */
#pragma once

#include "containers.h"
#include "device/child.h"
#include "pipeline/pipeline_blob.h"

#include <pthread.h>

struct pipeline_entry {
    UT_hash_handle hh;
    uint64_t name; /* a hash of the pipeline's name */
    struct pipeline_record record;
    struct d3d12_child *state; /* a private reference; NULL: it was not made in this process */
};

struct d3d12_pipeline_library {
    ID3D12PipelineLibrary1 iface;
    struct d3d12_child child;
    pthread_mutex_t lock;
    struct pipeline_entry *entries; /* pipelines in the order in which they were added */
};

/* Makes a library from bytes, which are copied; `size` 0 makes an empty one. E_INVALIDARG: damaged,
 * or no library. D3D12_ERROR_ADAPTER_NOT_FOUND, D3D12_ERROR_DRIVER_VERSION_MISMATCH: of another
 * adapter or driver. */
HRESULT d3d12_pipeline_library_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                      struct d3d12_pipeline_library **out);
