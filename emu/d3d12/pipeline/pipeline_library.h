/* ID3D12PipelineLibrary: stores pipeline states by name, for this process. Any thread may use a
 * library. The emulator compiles no shaders, so it stores nothing for a later process. There the
 * library is empty, and the program creates its states again. */
#pragma once

#include "containers.h"
#include "device/child.h"
#include "pipeline/pipeline_blob.h"

#include <pthread.h>

struct pipeline_entry {
    UT_hash_handle hh;
    uint64_t name;                      /* hash of the name under which the library has the state */
    struct d3d12_pipeline_state *state; /* a private reference */
};

struct d3d12_pipeline_library {
    ID3D12PipelineLibrary1 iface;
    struct d3d12_child child;
    pthread_mutex_t lock;
    struct pipeline_entry *entries; /* the pipeline states, the first added state first */
};

/* Makes an empty library. The bytes of `blob` are only checked; `size` 0 means no bytes.
 * E_INVALIDARG: the bytes are damaged, or are not a library. D3D12_ERROR_ADAPTER_NOT_FOUND,
 * D3D12_ERROR_DRIVER_VERSION_MISMATCH: the library belongs to another adapter or driver. */
HRESULT d3d12_pipeline_library_create(struct d3d12_device *device, const void *blob, SIZE_T size,
                                      struct d3d12_pipeline_library **out);
