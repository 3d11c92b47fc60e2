/* Pipeline state streams: what they describe, what they leave out, and damaged ones. */
#include "pipeline/pipeline_kit.h"

/* `struct { type; value; }`, aligned to a pointer: what D3D12_PIPELINE_STATE_STREAM_DESC wants. */
#define SUBOBJECT(name, T)                                                                         \
    struct {                                                                                       \
        _Alignas(void *) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE name##_type;                          \
        T name;                                                                                    \
    }

#define TYPE(name) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_##name

struct whole_stream {
    SUBOBJECT(flags, D3D12_PIPELINE_STATE_FLAGS);
    SUBOBJECT(node, UINT);
    SUBOBJECT(signature, ID3D12RootSignature *);
    SUBOBJECT(layout, D3D12_INPUT_LAYOUT_DESC);
    SUBOBJECT(cut, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE);
    SUBOBJECT(topology, D3D12_PRIMITIVE_TOPOLOGY_TYPE);
    SUBOBJECT(vs, D3D12_SHADER_BYTECODE);
    SUBOBJECT(gs, D3D12_SHADER_BYTECODE);
    SUBOBJECT(output, D3D12_STREAM_OUTPUT_DESC);
    SUBOBJECT(hs, D3D12_SHADER_BYTECODE);
    SUBOBJECT(ds, D3D12_SHADER_BYTECODE);
    SUBOBJECT(ps, D3D12_SHADER_BYTECODE);
    SUBOBJECT(as, D3D12_SHADER_BYTECODE);
    SUBOBJECT(ms, D3D12_SHADER_BYTECODE);
    SUBOBJECT(cs, D3D12_SHADER_BYTECODE);
    SUBOBJECT(blend, D3D12_BLEND_DESC);
    SUBOBJECT(depth, D3D12_DEPTH_STENCIL_DESC1);
    SUBOBJECT(dsv, DXGI_FORMAT);
    SUBOBJECT(rasterizer, D3D12_RASTERIZER_DESC);
    SUBOBJECT(targets, struct D3D12_RT_FORMAT_ARRAY);
    SUBOBJECT(samples, DXGI_SAMPLE_DESC);
    SUBOBJECT(mask, UINT);
    SUBOBJECT(cached, D3D12_CACHED_PIPELINE_STATE);
    SUBOBJECT(views, D3D12_VIEW_INSTANCING_DESC);
};

static struct whole_stream whole(ID3D12RootSignature *signature)
{
    return (struct whole_stream){
        .flags_type = TYPE(FLAGS),
        .node_type = TYPE(NODE_MASK),
        .signature_type = TYPE(ROOT_SIGNATURE),
        .signature = signature,
        .layout_type = TYPE(INPUT_LAYOUT),
        .cut_type = TYPE(IB_STRIP_CUT_VALUE),
        .topology_type = TYPE(PRIMITIVE_TOPOLOGY),
        .topology = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .vs_type = TYPE(VS),
        .gs_type = TYPE(GS),
        .output_type = TYPE(STREAM_OUTPUT),
        .hs_type = TYPE(HS),
        .ds_type = TYPE(DS),
        .ps_type = TYPE(PS),
        .as_type = TYPE(AS),
        .ms_type = TYPE(MS),
        .cs_type = TYPE(CS),
        .blend_type = TYPE(BLEND),
        .depth_type = TYPE(DEPTH_STENCIL1),
        .dsv_type = TYPE(DEPTH_STENCIL_FORMAT),
        .rasterizer_type = TYPE(RASTERIZER),
        .rasterizer = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .targets_type = TYPE(RENDER_TARGET_FORMATS),
        .targets = {.RTFormats = {DXGI_FORMAT_R8G8B8A8_UNORM}, .NumRenderTargets = 1},
        .samples_type = TYPE(SAMPLE_DESC),
        .samples = {.Count = 1},
        .mask_type = TYPE(SAMPLE_MASK),
        .mask = UINT32_MAX,
        .cached_type = TYPE(CACHED_PSO),
        .views_type = TYPE(VIEW_INSTANCING),
    };
}

Test(pipelines, a_stream_describes_what_the_structures_do)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    struct whole_stream stream = whole(f.signature);
    const D3D12_SHADER_BYTECODE vs = KIT_SHADER(VS), ps = KIT_SHADER(PS), ms = KIT_SHADER(MS),
                                as = KIT_SHADER(AS);
    ID3D12PipelineState *streamed = NULL, *described = NULL;
    stream.vs = vs;
    stream.ps = ps;
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    MUST(pipeline_create_stream(f.device, &stream, sizeof stream, &streamed));
    MUST(pipeline_create_graphics(f.device, &desc, &described));
    cr_assert(pipeline_same_blob(streamed, described));
    RELEASE(streamed, described);

    const D3D12_COMPUTE_PIPELINE_STATE_DESC kernel = pipeline_compute(f.signature, EMU_KERNEL_COPY);
    stream.vs = stream.ps = (D3D12_SHADER_BYTECODE){NULL, 0};
    stream.cs = kernel.CS;
    MUST(pipeline_create_stream(f.device, &stream, sizeof stream, &streamed));
    MUST(pipeline_create_compute(f.device, &kernel, &described));
    cr_assert(pipeline_same_blob(streamed, described));
    RELEASE(streamed, described);

    stream.cs = (D3D12_SHADER_BYTECODE){NULL, 0};
    stream.ms = ms;
    stream.as = as;
    stream.ps = ps;
    MUST(pipeline_create_stream(f.device, &stream, sizeof stream, &streamed));
    ID3D12PipelineState_Release(streamed);
    cr_assert_eq(kit_messages(f.device), 0);
}

Test(pipelines, what_a_stream_leaves_out_has_defaults)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    struct {
        SUBOBJECT(signature, ID3D12RootSignature *);
        SUBOBJECT(vs, D3D12_SHADER_BYTECODE);
    } least = {.signature_type = TYPE(ROOT_SIGNATURE),
               .signature = f.signature,
               .vs_type = TYPE(VS),
               .vs = KIT_SHADER(VS)};
    struct {
        SUBOBJECT(signature, ID3D12RootSignature *);
        SUBOBJECT(vs, D3D12_SHADER_BYTECODE);
        SUBOBJECT(dsv, DXGI_FORMAT);
    } depth = {.signature_type = TYPE(ROOT_SIGNATURE),
               .signature = f.signature,
               .vs_type = TYPE(VS),
               .vs = KIT_SHADER(VS),
               .dsv_type = TYPE(DEPTH_STENCIL_FORMAT),
               .dsv = DXGI_FORMAT_D32_FLOAT};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    const D3D12_DEPTH_STENCILOP_DESC keep = {D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP,
                                             D3D12_STENCIL_OP_KEEP, D3D12_COMPARISON_FUNC_ALWAYS};
    desc.PS = (D3D12_SHADER_BYTECODE){NULL, 0};
    desc.NumRenderTargets = 0;
    desc.RTVFormats[0] = DXGI_FORMAT_UNKNOWN;
    desc.RasterizerState = (D3D12_RASTERIZER_DESC){.FillMode = D3D12_FILL_MODE_SOLID,
                                                   .CullMode = D3D12_CULL_MODE_BACK,
                                                   .DepthClipEnable = TRUE};
    desc.DepthStencilState = (D3D12_DEPTH_STENCIL_DESC){
        .DepthEnable = FALSE, /* there is no depth-stencil format */
        .DepthWriteMask = D3D12_DEPTH_WRITE_MASK_ALL,
        .DepthFunc = D3D12_COMPARISON_FUNC_LESS,
        .StencilReadMask = 0xff,
        .StencilWriteMask = 0xff,
        .FrontFace = keep,
        .BackFace = keep,
    };
    for (int i = 0; i < 8; i++)
        desc.BlendState.RenderTarget[i] =
            (D3D12_RENDER_TARGET_BLEND_DESC){FALSE,
                                             FALSE,
                                             D3D12_BLEND_ONE,
                                             D3D12_BLEND_ZERO,
                                             D3D12_BLEND_OP_ADD,
                                             D3D12_BLEND_ONE,
                                             D3D12_BLEND_ZERO,
                                             D3D12_BLEND_OP_ADD,
                                             D3D12_LOGIC_OP_NOOP,
                                             D3D12_COLOR_WRITE_ENABLE_ALL};
    OWNED ID3D12PipelineState *streamed = NULL, *described = NULL;
    MUST(pipeline_create_stream(f.device, &least, sizeof least, &streamed));
    MUST(pipeline_create_graphics(f.device, &desc, &described));
    cr_assert(pipeline_same_blob(streamed, described));
    RELEASE(streamed, described);

    desc.DepthStencilState.DepthEnable = TRUE;
    desc.DSVFormat = DXGI_FORMAT_D32_FLOAT;
    MUST(pipeline_create_stream(f.device, &depth, sizeof depth, &streamed));
    MUST(pipeline_create_graphics(f.device, &desc, &described));
    cr_assert(pipeline_same_blob(streamed, described));
}

Test(pipelines, streams_are_read_with_care)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    struct whole_stream stream = whole(f.signature);
    const D3D12_SHADER_BYTECODE shader = KIT_SHADER(VS);
    ID3D12PipelineState *out;
    stream.vs = shader;
    const struct whole_stream good = stream;
#define STREAM_REFUSED(id, data, size)                                                             \
    do {                                                                                           \
        out = (ID3D12PipelineState *)f.device;                                                     \
        HRESULT hr = pipeline_create_stream(f.device, data, size, &out);                           \
        pipeline_refused(&f, hr, out, id, #id);                                                    \
        stream = good;                                                                             \
    } while (0)
    STREAM_REFUSED(STREAM_ID(ZERO_SIZE_STREAM), &stream, 0);
    STREAM_REFUSED(STREAM_ID(INVALID_STREAM), NULL, sizeof stream);
    STREAM_REFUSED(STREAM_ID(INVALID_STREAM), (char *)&stream + 4, 8);
    stream.mask_type = (D3D12_PIPELINE_STATE_SUBOBJECT_TYPE)27;
    STREAM_REFUSED(STREAM_ID(UNKNOWN_SUBOBJECT), &stream, sizeof stream);
    stream.mask_type = (D3D12_PIPELINE_STATE_SUBOBJECT_TYPE)23; /* between the known */
    STREAM_REFUSED(STREAM_ID(UNKNOWN_SUBOBJECT), &stream, sizeof stream);
    stream.mask_type = (D3D12_PIPELINE_STATE_SUBOBJECT_TYPE)-1;
    STREAM_REFUSED(STREAM_ID(UNKNOWN_SUBOBJECT), &stream, sizeof stream);
    stream.ps_type = TYPE(GS);
    STREAM_REFUSED(STREAM_ID(DUPLICATE_SUBOBJECT), &stream, sizeof stream);
    stream.vs = (D3D12_SHADER_BYTECODE){NULL, 0};
    STREAM_REFUSED(STREAM_ID(CANNOT_DEDUCE_TYPE), &stream, sizeof stream);
    stream.cs = shader;
    STREAM_REFUSED(STREAM_ID(CANNOT_DEDUCE_TYPE), &stream, sizeof stream);
    stream.ms = shader;
    STREAM_REFUSED(STREAM_ID(CANNOT_DEDUCE_TYPE), &stream, sizeof stream);
    stream.as = shader;
    STREAM_REFUSED(STREAM_ID(MS_INCOMPLETE_TYPE), &stream, sizeof stream);
    stream.vs = (D3D12_SHADER_BYTECODE){NULL, 0};
    stream.ms = stream.gs = shader;
    STREAM_REFUSED(GRAPHICS_ID(MS_PSO_DESC_MISMATCH), &stream, sizeof stream);
    stream.depth.DepthBoundsTestEnable = TRUE;
    STREAM_REFUSED(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_DEPTHBOUNDSTEST_UNSUPPORTED, &stream,
                   sizeof stream);
    stream.views.ViewInstanceCount = 5;
    STREAM_REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, &stream, sizeof stream);

    struct {
        SUBOBJECT(first, D3D12_DEPTH_STENCIL_DESC);
        SUBOBJECT(second, D3D12_DEPTH_STENCIL_DESC2);
    } twice = {.first_type = TYPE(DEPTH_STENCIL), .second_type = TYPE(DEPTH_STENCIL2)};
    STREAM_REFUSED(STREAM_ID(DUPLICATE_SUBOBJECT), &twice, sizeof twice);

    OWNED ID3D12Device2 *device2 = AS(ID3D12Device2, f.device);
    out = (ID3D12PipelineState *)f.device;
    HRESULT hr =
        ID3D12Device2_CreatePipelineState(device2, NULL, &IID_ID3D12PipelineState, (void **)&out);
    pipeline_refused(&f, hr, out, EMU_MESSAGE_INVALID_ARGUMENT, "no description");
}

/* Exactly as many bytes as are said to be there, so that a sanitizer sees a read past them. Cut
 * between subobjects, a stream is a shorter one; cut within one, it is damaged. */
Test(pipelines, a_stream_may_end_anywhere)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_SHADER_BYTECODE shader = KIT_SHADER(VS);
    struct whole_stream stream = whole(f.signature);
    stream.vs = shader;
    for (SIZE_T size = 1; size <= sizeof stream; size++) {
        ID3D12PipelineState *out = NULL;
        AT_END(at_end_free) char *copy = malloc(size);
        cr_assert(copy);
        memcpy(copy, &stream, size);
        const bool damaged = size % sizeof(void *) != 0;
        HRESULT hr = pipeline_create_stream(f.device, copy, size, &out);
        cr_assert(hr == E_INVALIDARG || (hr == S_OK && !damaged), "%u bytes: 0x%08x",
                  (unsigned)size, (unsigned)hr);
        cr_assert_eq(hr == S_OK, out != NULL);
        cr_assert(hr != S_OK || size > offsetof(struct whole_stream, vs));
        if (out)
            ID3D12PipelineState_Release(out);
    }
}
