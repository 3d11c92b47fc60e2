/* The fixed-function states: rasterizer, depth-stencil, blend. Disabled features are not
 * checked. */
#include "pipeline/pipeline_desc.h"

static bool is_within(UINT value, UINT first, UINT last)
{
    return value >= first && value <= last;
}

#define RANGE(desc, Field, first, last, id, what)                                                  \
    REFUSE_VALUE(!is_within((UINT)(desc)->Field, first, last), id, #Field " must be " what, desc,  \
                 Field)

struct validation_error pipeline_check_rasterizer(const D3D12_RASTERIZER_DESC *rasterizer)
{
    const UINT samples = rasterizer->ForcedSampleCount;
    RANGE(rasterizer, FillMode, D3D12_FILL_MODE_WIREFRAME, D3D12_FILL_MODE_SOLID,
          CREATERASTERIZERSTATE_INVALIDFILLMODE, "WIREFRAME or SOLID");
    RANGE(rasterizer, CullMode, D3D12_CULL_MODE_NONE, D3D12_CULL_MODE_BACK,
          CREATERASTERIZERSTATE_INVALIDCULLMODE, "a D3D12_CULL_MODE");
    REFUSE(rasterizer->DepthBiasClamp != rasterizer->DepthBiasClamp,
           CREATERASTERIZERSTATE_INVALIDDEPTHBIASCLAMP, "DepthBiasClamp must be a number, not NaN");
    REFUSE(rasterizer->SlopeScaledDepthBias != rasterizer->SlopeScaledDepthBias,
           CREATERASTERIZERSTATE_INVALIDSLOPESCALEDDEPTHBIAS,
           "SlopeScaledDepthBias must be a number, not NaN");
    REFUSE_VALUE(samples > 16 || (samples & (samples - 1)) != 0,
                 CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT,
                 "ForcedSampleCount must be 0, 1, 2, 4, 8 or 16", rasterizer, ForcedSampleCount);
    RANGE(rasterizer, ConservativeRaster, 0, D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON,
          CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE, "OFF or ON");
    return no_validation_error;
}

/* The four operations of a face. */
#define FACE(Face, FACE)                                                                           \
    RANGE(&desc->Face, StencilFailOp, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_DECR,                \
          CREATEDEPTHSTENCILSTATE_INVALID##FACE##STENCILFAILOP, "a D3D12_STENCIL_OP");             \
    RANGE(&desc->Face, StencilDepthFailOp, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_DECR,           \
          CREATEDEPTHSTENCILSTATE_INVALID##FACE##STENCILZFAILOP, "a D3D12_STENCIL_OP");            \
    RANGE(&desc->Face, StencilPassOp, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_DECR,                \
          CREATEDEPTHSTENCILSTATE_INVALID##FACE##STENCILPASSOP, "a D3D12_STENCIL_OP");             \
    RANGE(&desc->Face, StencilFunc, D3D12_COMPARISON_FUNC_NEVER, D3D12_COMPARISON_FUNC_ALWAYS,     \
          CREATEDEPTHSTENCILSTATE_INVALID##FACE##STENCILFUNC, "a D3D12_COMPARISON_FUNC")

struct validation_error pipeline_check_depth_stencil(const D3D12_DEPTH_STENCIL_DESC2 *desc)
{
    if (desc->DepthEnable) {
        RANGE(desc, DepthWriteMask, 0, D3D12_DEPTH_WRITE_MASK_ALL,
              CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK, "ZERO or ALL");
        RANGE(desc, DepthFunc, D3D12_COMPARISON_FUNC_NEVER, D3D12_COMPARISON_FUNC_ALWAYS,
              CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC, "a D3D12_COMPARISON_FUNC");
    }
    if (desc->StencilEnable) {
        FACE(FrontFace, FRONTFACE);
        FACE(BackFace, BACKFACE);
    }
    return no_validation_error;
}

static bool is_factor(D3D12_BLEND blend)
{
    return is_within((UINT)blend, D3D12_BLEND_ZERO, D3D12_BLEND_SRC_ALPHA_SAT) ||
           is_within((UINT)blend, D3D12_BLEND_BLEND_FACTOR, D3D12_BLEND_INV_ALPHA_FACTOR);
}

/* Whether a factor is allowed for alpha, which has no colour. */
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
    RANGE(target, BlendOp, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX, CREATEBLENDSTATE_INVALIDBLENDOP,
          "a D3D12_BLEND_OP");
    REFUSE_VALUE(!is_alpha_factor(target->SrcBlendAlpha), CREATEBLENDSTATE_INVALIDSRCBLENDALPHA,
                 "SrcBlendAlpha must be a D3D12_BLEND for alpha", target, SrcBlendAlpha);
    REFUSE_VALUE(!is_alpha_factor(target->DestBlendAlpha), CREATEBLENDSTATE_INVALIDDESTBLENDALPHA,
                 "DestBlendAlpha must be a D3D12_BLEND for alpha", target, DestBlendAlpha);
    RANGE(target, BlendOpAlpha, D3D12_BLEND_OP_ADD, D3D12_BLEND_OP_MAX,
          CREATEBLENDSTATE_INVALIDBLENDOPALPHA, "a D3D12_BLEND_OP");
    return no_validation_error;
}

static struct validation_error check_target(const D3D12_RENDER_TARGET_BLEND_DESC *target,
                                            bool independent)
{
    RANGE(target, RenderTargetWriteMask, 0, D3D12_COLOR_WRITE_ENABLE_ALL,
          CREATEBLENDSTATE_INVALIDRENDERTARGETWRITEMASK, "at most 15");
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
