/* Everything goes into the hash member by member: structures have padding, and names and bytecode
 * are elsewhere. */
#include "base/bytes.h"
#include "pipeline/pipeline_desc.h"
#include "root_signature/root_signature.h"

static void add(uint64_t *hash, uint32_t value)
{
    *hash = hash_bytes(*hash, &value, sizeof value);
}

static void add_float(uint64_t *hash, float value)
{
    *hash = hash_bytes(*hash, &value, sizeof value);
}

/* NULL and "" differ. */
static void add_string(uint64_t *hash, const char *string)
{
    add(hash, !!string);
    if (string)
        *hash = hash_bytes(*hash, string, strlen(string) + 1);
}

static void add_stream_output(uint64_t *hash, const D3D12_STREAM_OUTPUT_DESC *output)
{
    add(hash, output->NumEntries);
    for (UINT i = 0; i < output->NumEntries; i++) {
        const D3D12_SO_DECLARATION_ENTRY *entry = &output->pSODeclaration[i];
        add(hash, entry->Stream);
        add_string(hash, entry->SemanticName);
        add(hash, entry->SemanticIndex);
        add(hash, (uint32_t)entry->StartComponent | (uint32_t)entry->ComponentCount << 8 |
                      (uint32_t)entry->OutputSlot << 16);
    }
    add(hash, output->NumStrides);
    for (UINT i = 0; i < output->NumStrides; i++)
        add(hash, output->pBufferStrides[i]);
    add(hash, output->RasterizedStream);
}

static void add_blend(uint64_t *hash, const D3D12_BLEND_DESC *blend)
{
    add(hash, (uint32_t)blend->AlphaToCoverageEnable);
    add(hash, (uint32_t)blend->IndependentBlendEnable);
    for (int i = 0; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; i++) {
        const D3D12_RENDER_TARGET_BLEND_DESC *target = &blend->RenderTarget[i];
        add(hash, (uint32_t)target->BlendEnable);
        add(hash, (uint32_t)target->LogicOpEnable);
        add(hash, (uint32_t)target->SrcBlend);
        add(hash, (uint32_t)target->DestBlend);
        add(hash, (uint32_t)target->BlendOp);
        add(hash, (uint32_t)target->SrcBlendAlpha);
        add(hash, (uint32_t)target->DestBlendAlpha);
        add(hash, (uint32_t)target->BlendOpAlpha);
        add(hash, (uint32_t)target->LogicOp);
        add(hash, target->RenderTargetWriteMask);
    }
}

static void add_rasterizer(uint64_t *hash, const D3D12_RASTERIZER_DESC *rasterizer)
{
    add(hash, (uint32_t)rasterizer->FillMode);
    add(hash, (uint32_t)rasterizer->CullMode);
    add(hash, (uint32_t)rasterizer->FrontCounterClockwise);
    add(hash, (uint32_t)rasterizer->DepthBias);
    add_float(hash, rasterizer->DepthBiasClamp);
    add_float(hash, rasterizer->SlopeScaledDepthBias);
    add(hash, (uint32_t)rasterizer->DepthClipEnable);
    add(hash, (uint32_t)rasterizer->MultisampleEnable);
    add(hash, (uint32_t)rasterizer->AntialiasedLineEnable);
    add(hash, rasterizer->ForcedSampleCount);
    add(hash, (uint32_t)rasterizer->ConservativeRaster);
}

static void add_face(uint64_t *hash, const D3D12_DEPTH_STENCILOP_DESC1 *face)
{
    add(hash, (uint32_t)face->StencilFailOp);
    add(hash, (uint32_t)face->StencilDepthFailOp);
    add(hash, (uint32_t)face->StencilPassOp);
    add(hash, (uint32_t)face->StencilFunc);
    add(hash, (uint32_t)face->StencilReadMask | (uint32_t)face->StencilWriteMask << 8);
}

static void add_depth_stencil(uint64_t *hash, const D3D12_DEPTH_STENCIL_DESC2 *desc)
{
    add(hash, (uint32_t)desc->DepthEnable);
    add(hash, (uint32_t)desc->DepthWriteMask);
    add(hash, (uint32_t)desc->DepthFunc);
    add(hash, (uint32_t)desc->StencilEnable);
    add_face(hash, &desc->FrontFace);
    add_face(hash, &desc->BackFace);
    add(hash, (uint32_t)desc->DepthBoundsTestEnable);
}

static void add_input_layout(uint64_t *hash, const D3D12_INPUT_LAYOUT_DESC *layout)
{
    add(hash, layout->NumElements);
    for (UINT i = 0; i < layout->NumElements; i++) {
        const D3D12_INPUT_ELEMENT_DESC *element = &layout->pInputElementDescs[i];
        add_string(hash, element->SemanticName);
        add(hash, element->SemanticIndex);
        add(hash, (uint32_t)element->Format);
        add(hash, element->InputSlot);
        add(hash, element->AlignedByteOffset);
        add(hash, (uint32_t)element->InputSlotClass);
        add(hash, element->InstanceDataStepRate);
    }
}

static void add_views(uint64_t *hash, const D3D12_VIEW_INSTANCING_DESC *views)
{
    add(hash, views->ViewInstanceCount);
    for (UINT i = 0; i < views->ViewInstanceCount; i++) {
        add(hash, views->pViewInstanceLocations[i].ViewportArrayIndex);
        add(hash, views->pViewInstanceLocations[i].RenderTargetArrayIndex);
    }
    add(hash, (uint32_t)views->Flags);
}

static void add_targets(uint64_t *hash, const struct pipeline_desc *desc)
{
    add(hash, desc->render_targets.NumRenderTargets);
    for (int i = 0; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; i++)
        add(hash, (uint32_t)desc->render_targets.RTFormats[i]);
    add(hash, (uint32_t)desc->depth_format);
    add(hash, desc->samples.Count);
    add(hash, desc->samples.Quality);
    add(hash, desc->sample_mask);
}

static void add_stage(uint64_t *hash, const D3D12_SHADER_BYTECODE *stage)
{
    const uint64_t size = stage->BytecodeLength;
    *hash = hash_bytes(*hash, &size, sizeof size);
    *hash = hash_bytes(*hash, stage->pShaderBytecode, stage->BytecodeLength);
}

uint64_t pipeline_desc_digest(const struct pipeline_desc *desc)
{
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(desc->root_signature);
    uint64_t hash = HASH_BEGIN;
    add(&hash, desc->kind);
    if (signature) /* or it is part of a shader */
        hash = hash_bytes(hash, &signature->digest, sizeof signature->digest);
    if (desc->kind == PIPELINE_COMPUTE) {
        add_stage(&hash, &desc->stages[PIPELINE_CS]);
        return hash;
    }
    for (int i = 0; i < PIPELINE_STAGES; i++)
        add_stage(&hash, &desc->stages[i]);
    add_stream_output(&hash, &desc->stream_output);
    add_blend(&hash, &desc->blend);
    add_rasterizer(&hash, &desc->rasterizer);
    add_depth_stencil(&hash, &desc->depth_stencil);
    add_input_layout(&hash, &desc->input_layout);
    add(&hash, (uint32_t)desc->strip_cut);
    add(&hash, (uint32_t)desc->topology);
    add_targets(&hash, desc);
    add_views(&hash, &desc->views);
    return hash;
}
