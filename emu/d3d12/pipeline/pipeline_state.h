/* ID3D12PipelineState: a checked description. Shaders are not executed. A compute pipeline runs one
 * of the emulator's kernels. A graphics pipeline runs one if a shader of it is a kernel. */
#pragma once

#include "base/newest.h"
#include "device/child.h"
#include "pipeline/pipeline_blob.h"

struct d3d12_pipeline_state {
    ID3D12PipelineState iface;
    struct d3d12_child child;
    uint32_t kernel;  /* an emu_kernel; 0: no kernel; a compute pipeline always has a kernel */
    bool is_graphics; /* whether the state is for draws or meshes */
    bool is_mesh;
    UINT flags;
    struct d3d12_root_signature
        *root_signature; /* the root signature, which comes from the description or from a shader */
    uint64_t digest;     /* a hash of the description */
};

/* The functions read an application's description, which may be NULL, into a pipeline_desc.
 * Mistakes in it become error messages of `method`. */
HRESULT d3d12_pipeline_desc_read_graphics(struct d3d12_device *device, const char *method,
                                          const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc,
                                          struct pipeline_desc *out);
HRESULT d3d12_pipeline_desc_read_compute(struct d3d12_device *device, const char *method,
                                         const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                         struct pipeline_desc *out);
HRESULT d3d12_pipeline_desc_read_stream(struct d3d12_device *device, const char *method,
                                        const D3D12_PIPELINE_STATE_STREAM_DESC *desc,
                                        struct pipeline_desc *out);

/* Makes a state; a function d3d12_pipeline_desc_read_* made `desc`. A cached blob may cause
 * D3D12_ERROR_ADAPTER_NOT_FOUND or D3D12_ERROR_DRIVER_VERSION_MISMATCH; a damaged blob, or another
 * state's, causes E_INVALIDARG. */
HRESULT d3d12_pipeline_state_create(struct d3d12_device *device, const char *method,
                                    const struct pipeline_desc *desc,
                                    struct d3d12_pipeline_state **out);

/* Returns the emulator's object of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_pipeline_state *d3d12_pipeline_state_from(ID3D12PipelineState *iface);
