/* The fixed-function states: rasterizer, depth-stencil, blend. Disabled features are not
 * checked. */
#include "pipeline/pipeline_desc.h"

static bool is_within(UINT value, UINT first, UINT last)
{
    return value >= first && value <= last;
}

struct validation_error pipeline_check_rasterizer(const D3D12_RASTERIZER_DESC *rasterizer)
{
    const UINT samples = rasterizer->ForcedSampleCount;
    REFUSE_VALUE(!is_within((UINT)rasterizer->FillMode, D3D12_FILL_MODE_WIREFRAME,
                            D3D12_FILL_MODE_SOLID),
                 CREATERASTERIZERSTATE_INVALIDFILLMODE, "FillMode must be WIREFRAME or SOLID",
                 rasterizer, FillMode);
    REFUSE_VALUE(!is_within((UINT)rasterizer->CullMode, D3D12_CULL_MODE_NONE, D3D12_CULL_MODE_BACK),
                 CREATERASTERIZERSTATE_INVALIDCULLMODE, "CullMode must be NONE, FRONT or BACK",
                 rasterizer, CullMode);
    REFUSE(rasterizer->DepthBiasClamp != rasterizer->DepthBiasClamp,
           CREATERASTERIZERSTATE_INVALIDDEPTHBIASCLAMP, "DepthBiasClamp must be a number, not NaN");
    REFUSE(rasterizer->SlopeScaledDepthBias != rasterizer->SlopeScaledDepthBias,
           CREATERASTERIZERSTATE_INVALIDSLOPESCALEDDEPTHBIAS,
           "SlopeScaledDepthBias must be a number, not NaN");
    REFUSE_VALUE(samples > 16 || (samples & (samples - 1)) != 0,
                 CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT,
                 "ForcedSampleCount must be 0, 1, 2, 4, 8 or 16", rasterizer, ForcedSampleCount);
    REFUSE_VALUE((UINT)rasterizer->ConservativeRaster > D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON,
                 CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE,
                 "ConservativeRaster must be OFF or ON", rasterizer, ConservativeRaster);
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
        return WITH_VALUE(validation_error(fail_op, "StencilFailOp must be a D3D12_STENCIL_OP"),
                          face, StencilFailOp);
    if (!is_stencil_op(face->StencilDepthFailOp))
        return WITH_VALUE(validation_error(fail_op + 1,
                                           "StencilDepthFailOp must be a D3D12_STENCIL_OP"),
                          face, StencilDepthFailOp);
    if (!is_stencil_op(face->StencilPassOp))
        return WITH_VALUE(validation_error(fail_op + 2, "StencilPassOp must be a D3D12_STENCIL_OP"),
                          face, StencilPassOp);
    if (!is_comparison(face->StencilFunc))
        return WITH_VALUE(validation_error(fail_op + 3,
                                           "StencilFunc must be a D3D12_COMPARISON_FUNC"),
                          face, StencilFunc);
    return no_validation_error;
}

struct validation_error pipeline_check_depth_stencil(const D3D12_DEPTH_STENCIL_DESC2 *desc)
{
    REFUSE_VALUE(desc->DepthEnable && (UINT)desc->DepthWriteMask > D3D12_DEPTH_WRITE_MASK_ALL,
                 CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK,
                 "DepthWriteMask must be ZERO or ALL", desc, DepthWriteMask);
    REFUSE_VALUE(desc->DepthEnable && !is_comparison(desc->DepthFunc),
                 CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC,
                 "DepthFunc must be a D3D12_COMPARISON_FUNC", desc, DepthFunc);
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
    REFUSE_VALUE(!is_factor(target->SrcBlend), CREATEBLENDSTATE_INVALIDSRCBLEND,
                 "SrcBlend must be a D3D12_BLEND", target, SrcBlend);
    REFUSE_VALUE(!is_factor(target->DestBlend), CREATEBLENDSTATE_INVALIDDESTBLEND,
                 "DestBlend must be a D3D12_BLEND", target, DestBlend);
    REFUSE_VALUE(!is_within((UINT)target->BlendOp, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX),
                 CREATEBLENDSTATE_INVALIDBLENDOP, "BlendOp must be a D3D12_BLEND_OP", target,
                 BlendOp);
    REFUSE_VALUE(!is_alpha_factor(target->SrcBlendAlpha), CREATEBLENDSTATE_INVALIDSRCBLENDALPHA,
                 "SrcBlendAlpha must be a D3D12_BLEND without COLOR", target, SrcBlendAlpha);
    REFUSE_VALUE(!is_alpha_factor(target->DestBlendAlpha), CREATEBLENDSTATE_INVALIDDESTBLENDALPHA,
                 "DestBlendAlpha must be a D3D12_BLEND without COLOR", target, DestBlendAlpha);
    REFUSE_VALUE(!is_within((UINT)target->BlendOpAlpha, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX),
                 CREATEBLENDSTATE_INVALIDBLENDOPALPHA, "BlendOpAlpha must be a D3D12_BLEND_OP",
                 target, BlendOpAlpha);
    return no_validation_error;
}

static struct validation_error check_target(const D3D12_RENDER_TARGET_BLEND_DESC *target,
                                            bool independent)
{
    REFUSE_VALUE(target->RenderTargetWriteMask > D3D12_COLOR_WRITE_ENABLE_ALL,
                 CREATEBLENDSTATE_INVALIDRENDERTARGETWRITEMASK,
                 "RenderTargetWriteMask must be at most 15", target, RenderTargetWriteMask);
    REFUSE(target->LogicOpEnable && (independent || target->BlendEnable ||
                                     (UINT)target->LogicOp > D3D12_LOGIC_OP_OR_INVERTED),
           CREATEBLENDSTATE_INVALIDLOGICOPS,
           "LogicOp must be a D3D12_LOGIC_OP, and LogicOpEnable "
           "excludes BlendEnable and IndependentBlendEnable");
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
