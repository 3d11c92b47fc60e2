#include "pipeline/pipeline_desc.h"

#include "gpu/kernel.h"

D3D12_DEPTH_STENCIL_DESC2 pipeline_depth_stencil(const D3D12_DEPTH_STENCIL_DESC1 *desc)
{
    const D3D12_DEPTH_STENCILOP_DESC *front = &desc->FrontFace, *back = &desc->BackFace;
    const UINT8 read = desc->StencilReadMask, write = desc->StencilWriteMask;
    return (D3D12_DEPTH_STENCIL_DESC2){
        .DepthEnable = desc->DepthEnable,
        .DepthWriteMask = desc->DepthWriteMask,
        .DepthFunc = desc->DepthFunc,
        .StencilEnable = desc->StencilEnable,
        .FrontFace = {front->StencilFailOp, front->StencilDepthFailOp, front->StencilPassOp,
                      front->StencilFunc, read, write},
        .BackFace = {back->StencilFailOp, back->StencilDepthFailOp, back->StencilPassOp,
                     back->StencilFunc, read, write},
        .DepthBoundsTestEnable = desc->DepthBoundsTestEnable,
    };
}

struct pipeline_desc pipeline_desc_from_graphics(const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc)
{
    D3D12_DEPTH_STENCIL_DESC1 depth_stencil = {0};
    memcpy(&depth_stencil, &desc->DepthStencilState, sizeof desc->DepthStencilState);
    struct pipeline_desc out = {
        .kind = PIPELINE_GRAPHICS,
        .root_signature = desc->pRootSignature,
        .stages = {[PIPELINE_VS] = desc->VS,
                   [PIPELINE_HS] = desc->HS,
                   [PIPELINE_DS] = desc->DS,
                   [PIPELINE_GS] = desc->GS,
                   [PIPELINE_PS] = desc->PS},
        .stream_output = desc->StreamOutput,
        .blend = desc->BlendState,
        .sample_mask = desc->SampleMask,
        .rasterizer = desc->RasterizerState,
        .depth_stencil = pipeline_depth_stencil(&depth_stencil),
        .input_layout = desc->InputLayout,
        .strip_cut = desc->IBStripCutValue,
        .topology = desc->PrimitiveTopologyType,
        .render_targets = {.NumRenderTargets = desc->NumRenderTargets},
        .depth_format = desc->DSVFormat,
        .samples = desc->SampleDesc,
        .node_mask = desc->NodeMask,
        .cached = desc->CachedPSO,
        .flags = desc->Flags,
    };
    memcpy(out.render_targets.RTFormats, desc->RTVFormats, sizeof desc->RTVFormats);
    return out;
}

_Static_assert(offsetof(D3D12_DEPTH_STENCIL_DESC1, DepthBoundsTestEnable) ==
                   sizeof(D3D12_DEPTH_STENCIL_DESC),
               "the second description begins with the first");

struct pipeline_desc pipeline_desc_from_compute(const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc)
{
    return (struct pipeline_desc){
        .kind = PIPELINE_COMPUTE,
        .root_signature = desc->pRootSignature,
        .stages = {[PIPELINE_CS] = desc->CS},
        .node_mask = desc->NodeMask,
        .cached = desc->CachedPSO,
        .flags = desc->Flags,
    };
}

uint32_t pipeline_desc_kernel(const struct pipeline_desc *desc)
{
    uint32_t kernel = 0;
    for (int stage = PIPELINE_STAGES - 1; stage >= 0 && kernel == 0; stage--)
        kernel = emu_kernel_from_bytecode(desc->stages[stage].pShaderBytecode,
                                          desc->stages[stage].BytecodeLength);
    return kernel;
}
