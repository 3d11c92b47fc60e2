/* Padding stays out of the hash; names and bytecode, which are elsewhere, go into it. */
#include "base/bytes.h"
#include "pipeline/pipeline_desc.h"
#include "root_signature/root_signature.h"

static void add(uint64_t *hash, uint32_t value)
{
    *hash = hash_bytes(*hash, &value, sizeof value);
}

/* Adds a string to the hash; NULL and "" differ. */
static void add_string(uint64_t *hash, const char *string)
{
    add(hash, !!string);
    if (string)
        *hash = hash_bytes(*hash, string, strlen(string) + 1);
}

/* Adds the bytes from member `first` to `last`; there is no padding and no pointer between them. */
#define ADD(hash, object, first, last)                                                             \
    (*(hash) = hash_bytes(*(hash), (const char *)(object) + AT(object, first),                     \
                          AT(object, last) + sizeof(object)->last - AT(object, first)))
#define AT(object, member) offsetof(__typeof__(*(object)), member)

static void add_stream_output(uint64_t *hash, const D3D12_STREAM_OUTPUT_DESC *output)
{
    add(hash, output->NumEntries);
    for (UINT i = 0; i < output->NumEntries; i++) {
        const D3D12_SO_DECLARATION_ENTRY *entry = &output->pSODeclaration[i];
        add(hash, entry->Stream);
        add_string(hash, entry->SemanticName);
        ADD(hash, entry, SemanticIndex, OutputSlot);
    }
    add(hash, output->NumStrides);
    if (output->NumStrides != 0)
        *hash = hash_bytes(*hash, output->pBufferStrides, output->NumStrides * sizeof(UINT));
    add(hash, output->RasterizedStream);
}

static void add_blend(uint64_t *hash, const D3D12_BLEND_DESC *blend)
{
    ADD(hash, blend, AlphaToCoverageEnable, IndependentBlendEnable);
    for (int i = 0; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; i++)
        ADD(hash, &blend->RenderTarget[i], BlendEnable, RenderTargetWriteMask);
}

static void add_input_layout(uint64_t *hash, const D3D12_INPUT_LAYOUT_DESC *layout)
{
    add(hash, layout->NumElements);
    for (UINT i = 0; i < layout->NumElements; i++) {
        const D3D12_INPUT_ELEMENT_DESC *element = &layout->pInputElementDescs[i];
        add_string(hash, element->SemanticName);
        ADD(hash, element, SemanticIndex, InstanceDataStepRate);
    }
}

static void add_views(uint64_t *hash, const D3D12_VIEW_INSTANCING_DESC *views)
{
    add(hash, views->ViewInstanceCount);
    for (UINT i = 0; i < views->ViewInstanceCount; i++)
        ADD(hash, &views->pViewInstanceLocations[i], ViewportArrayIndex, RenderTargetArrayIndex);
    add(hash, (uint32_t)views->Flags);
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
    if (signature) /* otherwise the signature is a part of a shader */
        hash = hash_bytes(hash, &signature->digest, sizeof signature->digest);
    if (desc->kind == PIPELINE_COMPUTE) {
        add_stage(&hash, &desc->stages[PIPELINE_CS]);
        return hash;
    }
    for (int i = 0; i < PIPELINE_STAGES; i++)
        add_stage(&hash, &desc->stages[i]);
    add_stream_output(&hash, &desc->stream_output);
    add_blend(&hash, &desc->blend);
    ADD(&hash, &desc->rasterizer, FillMode, ConservativeRaster);
    ADD(&hash, &desc->depth_stencil, DepthEnable, StencilEnable);
    ADD(&hash, &desc->depth_stencil.FrontFace, StencilFailOp, StencilWriteMask);
    ADD(&hash, &desc->depth_stencil.BackFace, StencilFailOp, StencilWriteMask);
    add(&hash, (uint32_t)desc->depth_stencil.DepthBoundsTestEnable);
    add_input_layout(&hash, &desc->input_layout);
    add(&hash, (uint32_t)desc->strip_cut);
    add(&hash, (uint32_t)desc->topology);
    ADD(&hash, &desc->render_targets, RTFormats, NumRenderTargets);
    add(&hash, (uint32_t)desc->depth_format);
    ADD(&hash, &desc->samples, Count, Quality);
    add(&hash, desc->sample_mask);
    add_views(&hash, &desc->views);
    return hash;
}
