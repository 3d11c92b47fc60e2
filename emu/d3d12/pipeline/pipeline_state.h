/* ID3D12PipelineState: a checked description. Shaders are not executed: a compute pipeline runs one
 * of the emulator's kernels, and a graphics pipeline does if one of its shaders is such a kernel.
 */
#pragma once

#include "base/newest.h"
#include "device/child.h"
#include "pipeline/pipeline_blob.h"

struct d3d12_pipeline_state {
    ID3D12PipelineState iface;
    struct d3d12_child child;
    uint32_t kernel;  /* emu_kernel; 0: none, only in graphics pipelines */
    bool is_graphics; /* whether it is for draws or meshes */
    bool is_mesh;
    UINT flags;
    struct d3d12_root_signature
        *root_signature; /* the root signature of the description, or of its shaders */
    uint64_t digest;     /* of the description */
};

/* Reads an application's description, which may be NULL, into a pipeline_desc. Mistakes become
 * error messages of `method`. */
HRESULT d3d12_pipeline_desc_read_graphics(struct d3d12_device *device, const char *method,
                                          const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc,
                                          struct pipeline_desc *out);
HRESULT d3d12_pipeline_desc_read_compute(struct d3d12_device *device, const char *method,
                                         const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                         struct pipeline_desc *out);
HRESULT d3d12_pipeline_desc_read_stream(struct d3d12_device *device, const char *method,
                                        const D3D12_PIPELINE_STATE_STREAM_DESC *desc,
                                        struct pipeline_desc *out);

/* Makes a state; `desc` comes from one of the functions above. A cached blob may cause
 * D3D12_ERROR_ADAPTER_NOT_FOUND, D3D12_ERROR_DRIVER_VERSION_MISMATCH, or E_INVALIDARG if it is
 * damaged or of another state. */
HRESULT d3d12_pipeline_state_create(struct d3d12_device *device, const char *method,
                                    const struct pipeline_desc *desc,
                                    struct d3d12_pipeline_state **out);

/* The emulator's object of `iface`; NULL if it is NULL or not the emulator's. */
struct d3d12_pipeline_state *d3d12_pipeline_state_from(ID3D12PipelineState *iface);
