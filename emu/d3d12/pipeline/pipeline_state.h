/* ID3D12PipelineState: a checked description. Shaders are not executed. A compute pipeline runs one
 * of the emulator's kernels; so does a graphics pipeline if one of its shaders is a kernel. */
#pragma once

#include "base/newest.h"
#include "device/child.h"
#include "pipeline/pipeline_blob.h"

struct d3d12_pipeline_state {
    ID3D12PipelineState iface;
    struct d3d12_child child;
    uint32_t kernel;  /* an emu_kernel; 0: no kernel, only for graphics pipelines */
    bool is_graphics; /* true: a state for draws or meshes; false: for dispatches */
    bool is_mesh;
    UINT flags;
    /* The description's root signature or a shader's root signature. */
    struct d3d12_root_signature *root_signature;
    uint64_t digest; /* pipeline_desc_digest of the description */
};

/* Each function reads an application's description, which may be NULL, into a pipeline_desc. If the
 * description has a mistake, the function emits an error message with the name `method`. */
HRESULT d3d12_pipeline_desc_read_graphics(struct d3d12_device *device, const char *method,
                                          const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc,
                                          struct pipeline_desc *out);
HRESULT d3d12_pipeline_desc_read_compute(struct d3d12_device *device, const char *method,
                                         const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                         struct pipeline_desc *out);
HRESULT d3d12_pipeline_desc_read_stream(struct d3d12_device *device, const char *method,
                                        const D3D12_PIPELINE_STATE_STREAM_DESC *desc,
                                        struct pipeline_desc *out);

/* Makes a pipeline state; a function d3d12_pipeline_desc_read_* must have made `desc`. A cached
 * blob can cause D3D12_ERROR_ADAPTER_NOT_FOUND or D3D12_ERROR_DRIVER_VERSION_MISMATCH. A damaged
 * blob, or the blob of another state, causes E_INVALIDARG. */
HRESULT d3d12_pipeline_state_create(struct d3d12_device *device, const char *method,
                                    const struct pipeline_desc *desc,
                                    struct d3d12_pipeline_state **out);

/* Returns the pipeline state with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_pipeline_state *d3d12_pipeline_state_from(ID3D12PipelineState *iface);
