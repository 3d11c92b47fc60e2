/* The fixed-function states: rasterizer, depth-stencil, blend. Disabled features are not
 * checked. */
#include "pipeline/pipeline_desc.h"

#define PIPELINE_ERROR(id, text) validation_error(D3D12_MESSAGE_ID_CREATE##id, text)

static bool is_within(UINT value, UINT first, UINT last)
{
    return value >= first && value <= last;
}

struct validation_error pipeline_check_rasterizer(const D3D12_RASTERIZER_DESC *rasterizer)
{
    const UINT samples = rasterizer->ForcedSampleCount;
    if (!is_within((UINT)rasterizer->FillMode, D3D12_FILL_MODE_WIREFRAME, D3D12_FILL_MODE_SOLID))
        return PIPELINE_ERROR(RASTERIZERSTATE_INVALIDFILLMODE, "the fill mode");
    if (!is_within((UINT)rasterizer->CullMode, D3D12_CULL_MODE_NONE, D3D12_CULL_MODE_BACK))
        return PIPELINE_ERROR(RASTERIZERSTATE_INVALIDCULLMODE, "the cull mode");
    if (rasterizer->DepthBiasClamp != rasterizer->DepthBiasClamp)
        return PIPELINE_ERROR(RASTERIZERSTATE_INVALIDDEPTHBIASCLAMP, "the depth bias clamp");
    if (rasterizer->SlopeScaledDepthBias != rasterizer->SlopeScaledDepthBias)
        return PIPELINE_ERROR(RASTERIZERSTATE_INVALIDSLOPESCALEDDEPTHBIAS,
                              "the slope scaled depth bias");
    if (samples > 16 || (samples & (samples - 1)) != 0)
        return PIPELINE_ERROR(RASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT, "the forced sample count");
    if ((UINT)rasterizer->ConservativeRaster > D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON)
        return PIPELINE_ERROR(RASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE,
                              "the conservative rasterization mode");
    return no_validation_error;
}

static bool is_comparison(D3D12_COMPARISON_FUNC function)
{
    return is_within((UINT)function, D3D12_COMPARISON_FUNC_NEVER, D3D12_COMPARISON_FUNC_ALWAYS);
}

static bool is_stencil_op(D3D12_STENCIL_OP op)
{
    return is_within((UINT)op, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_DECR);
}

/* `fail_op`: the first of the face's four numbers, which follow each other in the structure's
 * order. */
static struct validation_error check_face(const D3D12_DEPTH_STENCILOP_DESC1 *face, int fail_op)
{
    if (!is_stencil_op(face->StencilFailOp))
        return validation_error(fail_op, "a stencil fail operation");
    if (!is_stencil_op(face->StencilDepthFailOp))
        return validation_error(fail_op + 1, "a stencil depth fail operation");
    if (!is_stencil_op(face->StencilPassOp))
        return validation_error(fail_op + 2, "a stencil pass operation");
    if (!is_comparison(face->StencilFunc))
        return validation_error(fail_op + 3, "a stencil function");
    return no_validation_error;
}

struct validation_error pipeline_check_depth_stencil(const D3D12_DEPTH_STENCIL_DESC2 *desc)
{
    if (desc->DepthEnable && (UINT)desc->DepthWriteMask > D3D12_DEPTH_WRITE_MASK_ALL)
        return PIPELINE_ERROR(DEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK, "the depth write mask");
    if (desc->DepthEnable && !is_comparison(desc->DepthFunc))
        return PIPELINE_ERROR(DEPTHSTENCILSTATE_INVALIDDEPTHFUNC, "the depth function");
    if (!desc->StencilEnable)
        return no_validation_error;
    const struct validation_error error = check_face(
        &desc->FrontFace, D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDFRONTFACESTENCILFAILOP);
    if (error.text)
        return error;
    return check_face(&desc->BackFace,
                      D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDBACKFACESTENCILFAILOP);
}

static bool is_factor(D3D12_BLEND blend)
{
    return is_within((UINT)blend, D3D12_BLEND_ZERO, D3D12_BLEND_SRC_ALPHA_SAT) ||
           is_within((UINT)blend, D3D12_BLEND_BLEND_FACTOR, D3D12_BLEND_INV_ALPHA_FACTOR);
}

/* Alpha has no colour to be multiplied with. */
static bool is_alpha_factor(D3D12_BLEND blend)
{
    switch (blend) {
    case D3D12_BLEND_SRC_COLOR:
    case D3D12_BLEND_INV_SRC_COLOR:
    case D3D12_BLEND_DEST_COLOR:
    case D3D12_BLEND_INV_DEST_COLOR:
    case D3D12_BLEND_SRC1_COLOR:
    case D3D12_BLEND_INV_SRC1_COLOR:
        return false;
    default:
        return is_factor(blend);
    }
}

static struct validation_error check_blending(const D3D12_RENDER_TARGET_BLEND_DESC *target)
{
    if (!is_factor(target->SrcBlend))
        return PIPELINE_ERROR(BLENDSTATE_INVALIDSRCBLEND, "a source factor");
    if (!is_factor(target->DestBlend))
        return PIPELINE_ERROR(BLENDSTATE_INVALIDDESTBLEND, "a destination factor");
    if (!is_within((UINT)target->BlendOp, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX))
        return PIPELINE_ERROR(BLENDSTATE_INVALIDBLENDOP, "a blend operation");
    if (!is_alpha_factor(target->SrcBlendAlpha))
        return PIPELINE_ERROR(BLENDSTATE_INVALIDSRCBLENDALPHA, "a source factor for alpha");
    if (!is_alpha_factor(target->DestBlendAlpha))
        return PIPELINE_ERROR(BLENDSTATE_INVALIDDESTBLENDALPHA, "a destination factor for alpha");
    if (!is_within((UINT)target->BlendOpAlpha, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX))
        return PIPELINE_ERROR(BLENDSTATE_INVALIDBLENDOPALPHA, "a blend operation for alpha");
    return no_validation_error;
}

static struct validation_error check_target(const D3D12_RENDER_TARGET_BLEND_DESC *target,
                                            bool independent)
{
    if (target->RenderTargetWriteMask > D3D12_COLOR_WRITE_ENABLE_ALL)
        return PIPELINE_ERROR(BLENDSTATE_INVALIDRENDERTARGETWRITEMASK,
                              "a render target's write mask");
    if (target->LogicOpEnable &&
        (independent || target->BlendEnable || (UINT)target->LogicOp > D3D12_LOGIC_OP_OR_INVERTED))
        return PIPELINE_ERROR(
            BLENDSTATE_INVALIDLOGICOPS,
            "an unknown logic operation, or one beside blending or independent blending");
    return target->BlendEnable ? check_blending(target) : no_validation_error;
}

struct validation_error pipeline_check_blend(const D3D12_BLEND_DESC *blend)
{
    const int targets = blend->IndependentBlendEnable ? D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT : 1;
    struct validation_error error = no_validation_error;
    for (int i = 0; i < targets && !error.text; i++)
        error = check_target(&blend->RenderTarget[i], blend->IndependentBlendEnable);
    return error;
}
