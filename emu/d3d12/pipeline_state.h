/* ID3D12PipelineState: a compute pipeline that runs one of the emulator's kernels. */
#ifndef D3D12_PIPELINE_STATE_H
#define D3D12_PIPELINE_STATE_H

#include "child.h"

struct d3d12_pipeline_state {
    ID3D12PipelineState iface;
    struct d3d12_child child;
    bool is_graphics;
    uint32_t kernel; /* emu_kernel; of a graphics pipeline also 0: none of its stages has one */
};

HRESULT d3d12_pipeline_state_create_compute(struct d3d12_device *device,
                                            const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                            struct d3d12_pipeline_state **out);

/* NULL for NULL and for somebody else's object. */
struct d3d12_pipeline_state *d3d12_pipeline_state_from(ID3D12PipelineState *iface);

#endif
