/* Checks a description of a pipeline state by the rules of D3D12's documentation, with one number
 * for each rule. */
#include "device/device.h"
#include "base/dxbc.h"
#include "format/format_support.h"
#include "pipeline/pipeline_desc.h"
#include "root_signature/root_signature.h"

#define OTHER_ERROR(text) validation_error(EMU_MESSAGE_INVALID_ARGUMENT, text)

static bool has_stage(const struct pipeline_desc *desc, enum pipeline_stage stage)
{
    return desc->stages[stage].BytecodeLength != 0;
}

/* If the description has no root signature, the root signature in a shader's chunk RTS0 is used.
 * All shaders with such a chunk must have the same root signature. */
static bool find_embedded(const struct pipeline_desc *desc, struct pipeline_root *out)
{
    struct bytes content, first = {NULL, 0};
    struct root_desc root;
    for (int i = 0; i < PIPELINE_STAGES; i++) {
        const struct bytes code = {desc->stages[i].pShaderBytecode, desc->stages[i].BytecodeLength};
        if (dxbc_find(code, DXBC_TAG('R', 'T', 'S', '0'), &content) != DXBC_OK)
            continue;
        if (first.data)
            if (content.size != first.size || memcmp(content.data, first.data, first.size) != 0)
                return false;
        if (!first.data && root_signature_read(code.data, code.size, &root) == ROOT_READ_OK) {
            out->flags = root.desc.Flags;
            out->is_own = root_registers_find(&root.desc, &out->registers);
            root_desc_finish(&root);
        }
        first = content;
    }
    return out->is_own;
}

static bool find_root(struct d3d12_device *device, const struct pipeline_desc *desc,
                      struct pipeline_root *out)
{
    *out = (struct pipeline_root){.flags = D3D12_ROOT_SIGNATURE_FLAG_NONE};
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(desc->root_signature);
    if (!desc->root_signature)
        return find_embedded(desc, out);
    if (!signature || signature->child.device != device)
        return false;
    out->flags = signature->layout.flags;
    out->registers = signature->registers;
    return true;
}

static struct validation_error check_root_signature(struct d3d12_device *device,
                                                    const struct pipeline_desc *desc,
                                                    struct pipeline_root *root)
{
    if (!find_root(device, desc, root))
        return desc->kind == PIPELINE_COMPUTE
                   ? VALIDATION_ERROR(CREATECOMPUTEPIPELINESTATE_MISSING_ROOT_SIGNATURE,
                                      "a root signature is missing: set pRootSignature, or compile "
                                      "a root signature into the shader")
                   : VALIDATION_ERROR(CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE,
                                      "a root signature is missing, or the shaders contain "
                                      "different root signatures: set pRootSignature");
    if ((root->flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0)
        return validation_error(
            EMU_MESSAGE_INVALID_ARGUMENT,
            "pRootSignature must not be a local root signature, which is for state objects");
    REFUSE(desc->kind != PIPELINE_COMPUTE && desc->stream_output.NumEntries != 0 &&
               (root->flags & D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT) == 0,
           CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE_FLAGS,
           "StreamOutput needs a root signature with ALLOW_STREAM_OUTPUT");
    return no_validation_error;
}

/* The tools' flag is for WARP only. */
static struct validation_error check_flags(struct d3d12_device *device,
                                           const struct pipeline_desc *desc)
{
    const bool is_warp = strcmp(device->driver->annot.name, "warp") == 0;
    if (desc->node_mask > 1)
        return OTHER_ERROR("NodeMask must be 0 or 1: the adapter has one node");
    const UINT halts = D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_ALWAYS_HALT;
    const UINT breaks = halts | D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_FORCE_NOP;
    const UINT dynamic = PIPELINE_DYNAMIC_DEPTH_BIAS | PIPELINE_DYNAMIC_STRIP_CUT;
    const UINT others =
        (UINT)desc->flags & ~(desc->kind == PIPELINE_COMPUTE ? breaks : breaks | dynamic);
    REFUSE(((UINT)desc->flags & breaks) == breaks, CREATEPIPELINESTATE_INVALID_FLAGS,
           "Flags must not have DEBUG_BREAK_ALWAYS_HALT together with DEBUG_BREAK_FORCE_NOP");
    REFUSE_VALUE(others != D3D12_PIPELINE_STATE_FLAG_NONE &&
                     (others != D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG || !is_warp),
                 CREATEPIPELINESTATE_INVALID_FLAGS,
                 "Flags has a flag that is unknown or only for WARP", desc, flags);
    return no_validation_error;
}

static struct validation_error check_stages(const struct pipeline_desc *desc)
{
    if (desc->kind == PIPELINE_MESH) {
        REFUSE(has_stage(desc, PIPELINE_HS) || has_stage(desc, PIPELINE_DS) ||
                   has_stage(desc, PIPELINE_GS) || desc->stream_output.NumEntries != 0 ||
                   desc->input_layout.NumElements != 0,
               CREATEGRAPHICSPIPELINESTATE_MS_PSO_DESC_MISMATCH,
               "a mesh shader can't have hull, domain or geometry shaders, StreamOutput or "
               "InputLayout");
        return no_validation_error;
    }
    REFUSE(!has_stage(desc, PIPELINE_VS), CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET,
           "a vertex shader is missing");
    REFUSE(has_stage(desc, PIPELINE_AS), CREATEPIPELINESTATE_MS_INCOMPLETE_TYPE,
           "an amplification shader needs a mesh shader");
    REFUSE(has_stage(desc, PIPELINE_HS) != has_stage(desc, PIPELINE_DS),
           CREATEGRAPHICSPIPELINESTATE_HS_XOR_DS_MISMATCH,
           "a hull shader and a domain shader must be set together");
    return no_validation_error;
}

static struct validation_error check_topology(const struct pipeline_desc *desc)
{
    if (desc->kind == PIPELINE_MESH) /* the shader declares its output */
        return no_validation_error;
    REFUSE_VALUE((UINT)desc->topology < D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT ||
                     (UINT)desc->topology > D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH,
                 CREATEGRAPHICSPIPELINESTATE_INVALID_PRIMITIVETOPOLOGY,
                 "PrimitiveTopologyType must be POINT, LINE, TRIANGLE or PATCH", desc, topology);
    REFUSE_VALUE((UINT)desc->strip_cut > D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFFFFFF,
                 CREATEGRAPHICSPIPELINESTATE_INVALID_INDEX_BUFFER_PROPERTIES,
                 "IBStripCutValue must be a D3D12_INDEX_BUFFER_STRIP_CUT_VALUE", desc, strip_cut);
    return no_validation_error;
}

static bool has_second_source(const D3D12_BLEND_DESC *blend)
{
    const D3D12_RENDER_TARGET_BLEND_DESC *target = &blend->RenderTarget[0];
    const D3D12_BLEND factors[] = {target->SrcBlend, target->DestBlend, target->SrcBlendAlpha,
                                   target->DestBlendAlpha};
    bool has = false;
    for (int i = 0; i < 4 && target->BlendEnable; i++)
        has |= factors[i] >= D3D12_BLEND_SRC1_COLOR && factors[i] <= D3D12_BLEND_INV_SRC1_ALPHA;
    return has;
}

/* Whether CheckFeatureSupport says that the format blends. */
static bool blends(DXGI_FORMAT format)
{
    D3D12_FEATURE_DATA_FORMAT_SUPPORT support = {.Format = format};
    return FAILED(format_support(&support)) ||
           (support.Support1 & D3D12_FORMAT_SUPPORT1_RENDER_TARGET) == 0 ||
           (support.Support1 & D3D12_FORMAT_SUPPORT1_BLENDABLE) != 0;
}

static struct validation_error check_targets(const struct pipeline_desc *desc)
{
    const struct D3D12_RT_FORMAT_ARRAY *targets = &desc->render_targets;
    const D3D12_BLEND_DESC *blend = &desc->blend;
    const UINT samples = desc->samples.Count;
    REFUSE_VALUE(targets->NumRenderTargets > D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT,
                 CREATEGRAPHICSPIPELINESTATE_INVALID_RENDER_TARGET_COUNT,
                 "NumRenderTargets must be at most 8", targets, NumRenderTargets);
    for (UINT i = 0; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; i++) {
        REFUSE_VALUE(i >= targets->NumRenderTargets && targets->RTFormats[i] != DXGI_FORMAT_UNKNOWN,
                     CREATEGRAPHICSPIPELINESTATE_RTV_FORMAT_NOT_UNKNOWN,
                     "RTVFormats[i] must be UNKNOWN if i is at least NumRenderTargets", targets,
                     NumRenderTargets);
        REFUSE(i > 0 && targets->RTFormats[i] != DXGI_FORMAT_UNKNOWN &&
                   has_second_source(&desc->blend),
               CREATEGRAPHICSPIPELINESTATE_OM_DUAL_SOURCE_BLENDING_CAN_ONLY_HAVE_RENDER_TARGET_0,
               "blending with two sources needs exactly one render target, at index 0");
        REFUSE_VALUE(blend->RenderTarget[blend->IndependentBlendEnable ? i : 0].BlendEnable &&
                         i < targets->NumRenderTargets && !blends(targets->RTFormats[i]),
                     CREATEGRAPHICSPIPELINESTATE_OM_RENDER_TARGET_DOES_NOT_SUPPORT_BLENDING,
                     "BlendEnable is set for a render target whose format can't be blended",
                     targets, RTFormats[i]);
    }
    REFUSE((samples != 1 && samples != 2 && samples != 4 && samples != 8) ||
               desc->samples.Quality != 0,
           CREATEGRAPHICSPIPELINESTATE_INVALID_SAMPLE_DESC,
           "SampleDesc.Count must be 1, 2, 4 or 8, and SampleDesc.Quality must be 0");
    return no_validation_error;
}

/* Checks options by the device's own answers. */
static struct validation_error check_options(struct d3d12_device *device,
                                             const struct pipeline_desc *desc)
{
    const D3D12_VIEW_INSTANCING_DESC *views = &desc->views;
    D3D12_FEATURE_DATA_D3D12_OPTIONS2 depth_bounds = {0};
    D3D12_FEATURE_DATA_D3D12_OPTIONS3 instancing = {0};
    d3d12_device_check_feature(device, D3D12_FEATURE_D3D12_OPTIONS2, &depth_bounds,
                               sizeof depth_bounds);
    d3d12_device_check_feature(device, D3D12_FEATURE_D3D12_OPTIONS3, &instancing,
                               sizeof instancing);
    REFUSE(desc->depth_stencil.DepthBoundsTestEnable && !depth_bounds.DepthBoundsTestSupported,
           CREATEDEPTHSTENCILSTATE_DEPTHBOUNDSTEST_UNSUPPORTED,
           "DepthBoundsTestEnable must be FALSE: the device has no depth bounds test");
    if (views->ViewInstanceCount > D3D12_MAX_VIEW_INSTANCE_COUNT ||
        (views->ViewInstanceCount != 0 && !views->pViewInstanceLocations) ||
        (views->ViewInstanceCount != 0 &&
         instancing.ViewInstancingTier == D3D12_VIEW_INSTANCING_TIER_NOT_SUPPORTED) ||
        (UINT)views->Flags > D3D12_VIEW_INSTANCING_FLAG_ENABLE_VIEW_INSTANCE_MASKING)
        return OTHER_ERROR("ViewInstancing needs the device's support, at most 4 instances with "
                           "locations, and known Flags");
    return no_validation_error;
}

static struct validation_error check_graphics(struct d3d12_device *device,
                                              const struct pipeline_desc *desc)
{
    struct validation_error error = check_stages(desc);
    UNLESS_REFUSED(error, check_topology(desc));
    UNLESS_REFUSED(error, pipeline_check_input_layout(&desc->input_layout));
    UNLESS_REFUSED(error, pipeline_check_stream_output(&desc->stream_output));
    UNLESS_REFUSED(error, pipeline_check_rasterizer(&desc->rasterizer));
    UNLESS_REFUSED(error, pipeline_check_depth_stencil(&desc->depth_stencil));
    UNLESS_REFUSED(error, pipeline_check_blend(&desc->blend));
    UNLESS_REFUSED(error, check_targets(desc));
    return !error.text ? check_options(device, desc) : error;
}

struct validation_error pipeline_desc_check(struct d3d12_device *device,
                                            const struct pipeline_desc *desc)
{
    struct pipeline_root root = {.is_own = false};
    struct validation_error error = check_flags(device, desc);
    UNLESS_REFUSED(error, pipeline_check_bytecode(desc));
    if (!error.text && desc->kind == PIPELINE_COMPUTE &&
        desc->stages[PIPELINE_CS].BytecodeLength == 0)
        error = VALIDATION_ERROR(CREATECOMPUTEPIPELINESTATE_INVALID_SHADER, "CS must not be empty");
    UNLESS_REFUSED(error, check_root_signature(device, desc, &root));
    if (!error.text && desc->kind != PIPELINE_COMPUTE)
        error = check_graphics(device, desc);
    UNLESS_REFUSED(error, pipeline_check_shaders(device, desc, &root));
    if (root.is_own)
        free(root.registers.all);
    return error;
}
