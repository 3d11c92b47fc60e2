/* Streams of subobjects, ID3D12Device2::CreatePipelineState: each is a type and its structure, laid
 * out as `struct { TYPE type; T value; }` would be, and aligned and padded to a pointer. Each type
 * may occur once; the three forms of the depth-stencil state count as one type. */
#include "pipeline/pipeline_desc.h"

typedef D3D12_PIPELINE_STATE_SUBOBJECT_TYPE subobject_type;

struct subobject {
    size_t alignment, size; /* alignment and size of the structure; size 0: no such subobject */
    size_t field;           /* offset of the value in struct pipeline_desc */
};

#define FIELD(type, member) _Alignof(type), sizeof(type), offsetof(struct pipeline_desc, member)
#define STAGE(stage)        FIELD(D3D12_SHADER_BYTECODE, stages[stage])

/* clang-format off */
static const struct subobject subobjects[D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MAX_VALID] = {
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE] = {FIELD(ID3D12RootSignature *, root_signature)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VS] = {STAGE(PIPELINE_VS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PS] = {STAGE(PIPELINE_PS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DS] = {STAGE(PIPELINE_DS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_HS] = {STAGE(PIPELINE_HS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_GS] = {STAGE(PIPELINE_GS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS] = {STAGE(PIPELINE_CS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_AS] = {STAGE(PIPELINE_AS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS] = {STAGE(PIPELINE_MS)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_STREAM_OUTPUT] = {FIELD(D3D12_STREAM_OUTPUT_DESC, stream_output)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_BLEND] = {FIELD(D3D12_BLEND_DESC, blend)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_SAMPLE_MASK] = {FIELD(UINT, sample_mask)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RASTERIZER] = {FIELD(D3D12_RASTERIZER_DESC, rasterizer)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL] = {FIELD(D3D12_DEPTH_STENCIL_DESC, depth_stencil)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1] = {FIELD(D3D12_DEPTH_STENCIL_DESC1, depth_stencil)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL2] = {FIELD(D3D12_DEPTH_STENCIL_DESC2, depth_stencil)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_INPUT_LAYOUT] = {FIELD(D3D12_INPUT_LAYOUT_DESC, input_layout)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_IB_STRIP_CUT_VALUE] = {FIELD(D3D12_INDEX_BUFFER_STRIP_CUT_VALUE, strip_cut)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PRIMITIVE_TOPOLOGY] = {FIELD(D3D12_PRIMITIVE_TOPOLOGY_TYPE, topology)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RENDER_TARGET_FORMATS] = {FIELD(struct D3D12_RT_FORMAT_ARRAY, render_targets)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL_FORMAT] = {FIELD(DXGI_FORMAT, depth_format)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_SAMPLE_DESC] = {FIELD(DXGI_SAMPLE_DESC, samples)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_NODE_MASK] = {FIELD(UINT, node_mask)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CACHED_PSO] = {FIELD(D3D12_CACHED_PIPELINE_STATE, cached)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_FLAGS] = {FIELD(D3D12_PIPELINE_STATE_FLAGS, flags)},
    [D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VIEW_INSTANCING] = {FIELD(D3D12_VIEW_INSTANCING_DESC, views)},
};
/* clang-format on */

_Static_assert(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MAX_VALID <= 32, "a bit for each type");

static D3D12_BLEND_DESC default_blend(void)
{
    D3D12_BLEND_DESC blend = {.AlphaToCoverageEnable = FALSE};
    for (int i = 0; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; i++)
        blend.RenderTarget[i] = (D3D12_RENDER_TARGET_BLEND_DESC){
            .SrcBlend = D3D12_BLEND_ONE,
            .DestBlend = D3D12_BLEND_ZERO,
            .BlendOp = D3D12_BLEND_OP_ADD,
            .SrcBlendAlpha = D3D12_BLEND_ONE,
            .DestBlendAlpha = D3D12_BLEND_ZERO,
            .BlendOpAlpha = D3D12_BLEND_OP_ADD,
            .LogicOp = D3D12_LOGIC_OP_NOOP,
            .RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL,
        };
    return blend;
}

static D3D12_DEPTH_STENCIL_DESC2 default_depth_stencil(void)
{
    const D3D12_DEPTH_STENCILOP_DESC1 keep = {
        D3D12_STENCIL_OP_KEEP,           D3D12_STENCIL_OP_KEEP,
        D3D12_STENCIL_OP_KEEP,           D3D12_COMPARISON_FUNC_ALWAYS,
        D3D12_DEFAULT_STENCIL_READ_MASK, D3D12_DEFAULT_STENCIL_WRITE_MASK};
    return (D3D12_DEPTH_STENCIL_DESC2){
        .DepthEnable = TRUE,
        .DepthWriteMask = D3D12_DEPTH_WRITE_MASK_ALL,
        .DepthFunc = D3D12_COMPARISON_FUNC_LESS,
        .FrontFace = keep,
        .BackFace = keep,
    };
}

/* Returns the values of a stream that names nothing. */
static struct pipeline_desc defaults(void)
{
    return (struct pipeline_desc){
        .blend = default_blend(),
        .sample_mask = D3D12_DEFAULT_SAMPLE_MASK,
        .rasterizer = {.FillMode = D3D12_FILL_MODE_SOLID,
                       .CullMode = D3D12_CULL_MODE_BACK,
                       .DepthClipEnable = TRUE},
        .depth_stencil = default_depth_stencil(),
        .topology = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .samples = {.Count = 1},
    };
}

static size_t align_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static subobject_type base_of(subobject_type type)
{
    return type == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1 ||
                   type == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL2
               ? D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL
               : type;
}

static void take(struct pipeline_desc *desc, subobject_type type, const unsigned char *value)
{
    const struct subobject *subobject = &subobjects[type];
    if (type == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL ||
        type == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1) {
        D3D12_DEPTH_STENCIL_DESC1 older = {0};
        memcpy(&older, value, subobject->size);
        desc->depth_stencil = pipeline_depth_stencil(&older);
    } else {
        memcpy((char *)desc + subobject->field, value, subobject->size);
    }
}

/* Reads the subobject at `*offset` and moves on; `seen` has a bit for each base type. */
static struct validation_error read_subobject(const D3D12_PIPELINE_STATE_STREAM_DESC *stream,
                                              size_t *offset, uint32_t *seen,
                                              struct pipeline_desc *out)
{
    const unsigned char *at =
        (const unsigned char *)stream->pPipelineStateSubobjectStream + *offset;
    const size_t left = stream->SizeInBytes - *offset;
    uint32_t number = UINT32_MAX;
    if (left < sizeof number)
        return validation_error(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM,
                                "the stream ends within a subobject: check SizeInBytes");
    memcpy(&number, at, sizeof number);
    if (number >= D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MAX_VALID || subobjects[number].size == 0)
        return validation_error(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_UNKNOWN_SUBOBJECT,
                                "a subobject in the stream has an unknown type");
    const subobject_type type = (subobject_type)number;
    const size_t start = align_up(sizeof number, subobjects[type].alignment);
    const size_t size = align_up(start + subobjects[type].size, _Alignof(void *));
    if (left < size)
        return validation_error(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM,
                                "the stream ends within a subobject: check SizeInBytes");
    const uint32_t bit = UINT32_C(1) << base_of(type);
    if ((*seen & bit) != 0)
        return validation_error(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_DUPLICATE_SUBOBJECT,
                                "the stream has two subobjects of one type");
    *seen |= bit;
    *offset += size;
    take(out, type, at + start);
    return no_validation_error;
}

/* Finds the kind of pipeline, by the shader among CS, VS and MS that exists. */
static struct validation_error find_kind(struct pipeline_desc *desc)
{
    const bool compute = desc->stages[PIPELINE_CS].BytecodeLength != 0;
    const bool vertex = desc->stages[PIPELINE_VS].BytecodeLength != 0;
    const bool mesh = desc->stages[PIPELINE_MS].BytecodeLength != 0;
    if (compute + vertex + mesh != 1)
        return validation_error(
            D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CANNOT_DEDUCE_TYPE,
            "the stream must have exactly one of these shaders: compute, vertex, mesh");
    desc->kind = compute ? PIPELINE_COMPUTE : vertex ? PIPELINE_GRAPHICS : PIPELINE_MESH;
    return no_validation_error;
}

struct validation_error pipeline_desc_from_stream(const D3D12_PIPELINE_STATE_STREAM_DESC *stream,
                                                  struct pipeline_desc *out)
{
    struct validation_error error = no_validation_error;
    uint32_t seen = 0;
    *out = defaults();
    if (stream->SizeInBytes == 0)
        return validation_error(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_ZERO_SIZE_STREAM,
                                "SizeInBytes must be above 0");
    if (!stream->pPipelineStateSubobjectStream ||
        (uintptr_t)stream->pPipelineStateSubobjectStream % _Alignof(void *) != 0)
        return validation_error(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM,
                                "pPipelineStateSubobjectStream must not be NULL, and must have the "
                                "alignment of a pointer");
    for (size_t offset = 0; offset < stream->SizeInBytes && !error.text;)
        error = read_subobject(stream, &offset, &seen, out);
    const uint32_t state = UINT32_C(1) << D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL;
    if ((seen & state) == 0 && out->depth_format == DXGI_FORMAT_UNKNOWN)
        out->depth_stencil.DepthEnable = FALSE;
    return error.text ? error : find_kind(out);
}
