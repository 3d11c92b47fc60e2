/* Pipeline states: the descriptions of graphics and compute, and what D3D12 refuses in them. */
#include "newer.h"
#include "pipeline/pipeline_kit.h"

/* ---- graphics ---- */

Test(pipelines, a_graphics_pipeline_is_a_device_child)
{
    ID3D12Device *device = kit_heard_device(MODE_RETAIL), *same = NULL;
    ID3D12RootSignature *signature = kit_root_signature(device);
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(signature);
    ID3D12PipelineState *state = NULL;
    IUnknown *unknown = NULL, *pageable = NULL, *none = (IUnknown *)device;
    MUST(pipeline_create_graphics(device, &desc, &state));
    unknown = AS(IUnknown, state);
    MUST(ID3D12PipelineState_QueryInterface(state, &IID_ID3D12Pageable, (void **)&pageable));
    cr_assert_eqs(unknown, pageable, (void *)unknown, (void *)state);
    EXPECT_HR(ID3D12PipelineState_QueryInterface(state, &IID_ID3D12Heap, (void **)&none),
              E_NOINTERFACE);
    cr_assert(!none);
    RELEASE(unknown, pageable);
    MUST(ID3D12PipelineState_GetDevice(state, &IID_ID3D12Device, (void **)&same));
    cr_assert_eq(same, device);
    ID3D12Device_Release(same);
    MUST(ID3D12PipelineState_SetName(state, L"opaque"));
    cr_assert_eqs(heard_count, 1, heard[0].type, D3D12DDI_HT_PIPELINE_STATE);
    cr_assert_eq(kit_messages(device), 0);
    EXPECT_HR(pipeline_create_graphics(device, &desc, NULL), S_FALSE);
    RELEASE(state, signature);
    kit_close(device);
}

Test(pipelines, graphics_accepts_what_is_documented)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0,
         D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
        {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, D3D12_APPEND_ALIGNED_ELEMENT,
         D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
        {"TEXCOORD", 1, DXGI_FORMAT_R16G16_UNORM, 1, 6,
         D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 2},
        {"WEIGHT", 0, DXGI_FORMAT_R8_UNORM, 2, 3, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
    };
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    /* 6 is no multiple of 4 */
    const D3D12_INPUT_ELEMENT_DESC aligned[] = {elements[0],
                                                elements[1],
                                                {"TEXCOORD", 1, DXGI_FORMAT_R16G16_UNORM, 1, 8,
                                                 D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 2},
                                                elements[3]};
    desc.InputLayout = (D3D12_INPUT_LAYOUT_DESC){aligned, 4};
    desc.HS = (D3D12_SHADER_BYTECODE)KIT_SHADER(HS);
    desc.DS = (D3D12_SHADER_BYTECODE)KIT_SHADER(DS);
    desc.GS = (D3D12_SHADER_BYTECODE)KIT_SHADER(GS);
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH;
    desc.NumRenderTargets = 8;
    for (int i = 0; i < 8; i++)
        desc.RTVFormats[i] = i == 3 ? DXGI_FORMAT_UNKNOWN : DXGI_FORMAT_R16G16B16A16_FLOAT;
    desc.DSVFormat = DXGI_FORMAT_D24_UNORM_S8_UINT;
    desc.DepthStencilState = (D3D12_DEPTH_STENCIL_DESC){
        .DepthEnable = TRUE,
        .DepthFunc = D3D12_COMPARISON_FUNC_LESS,
        .StencilEnable = TRUE,
        .FrontFace = {D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_INCR,
                      D3D12_COMPARISON_FUNC_ALWAYS},
        .BackFace = {D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_DECR,
                     D3D12_COMPARISON_FUNC_ALWAYS}};
    desc.BlendState.RenderTarget[0] =
        (D3D12_RENDER_TARGET_BLEND_DESC){.BlendEnable = TRUE,
                                         .SrcBlend = D3D12_BLEND_SRC_ALPHA,
                                         .DestBlend = D3D12_BLEND_INV_SRC_ALPHA,
                                         .BlendOp = D3D12_BLEND_OP_ADD,
                                         .SrcBlendAlpha = D3D12_BLEND_ONE,
                                         .DestBlendAlpha = D3D12_BLEND_ZERO,
                                         .BlendOpAlpha = D3D12_BLEND_OP_MAX,
                                         .RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL};
    desc.BlendState.RenderTarget[1].BlendEnable = TRUE; /* not looked at: not independent */
    desc.SampleDesc.Count = 4;
    desc.NodeMask = 1;
    ID3D12PipelineState *state = NULL;
    MUST(pipeline_create_graphics(f.device, &desc, &state));
    cr_assert_eq(kit_messages(f.device), 0);
    ID3D12PipelineState_Release(state);
    desc.InputLayout.pInputElementDescs = elements;
    EXPECT_HR(pipeline_create_graphics(f.device, &desc, &state), E_INVALIDARG);
}

Test(pipelines, graphics_needs_its_objects_shaders_and_node)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin(), other = pipeline_begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    ID3D12PipelineState *out;
    REFUSED(GRAPHICS_ID(MISSING_ROOT_SIGNATURE), desc.pRootSignature = NULL);
    REFUSED(GRAPHICS_ID(MISSING_ROOT_SIGNATURE), desc.pRootSignature = other.signature);
    REFUSED(GRAPHICS_ID(MISSING_ROOT_SIGNATURE),
            desc.pRootSignature = (ID3D12RootSignature *)(void *)f.device);
    REFUSED(GRAPHICS_ID(VERTEX_SHADER_NOT_SET), memset(&desc.VS, 0, sizeof desc.VS));
    REFUSED(D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERBYTECODE, desc.VS.BytecodeLength = 0);
    REFUSED(D3D12_MESSAGE_ID_CREATEPIXELSHADER_INVALIDSHADERBYTECODE,
            desc.PS.pShaderBytecode = NULL);
    REFUSED(D3D12_MESSAGE_ID_CREATEHULLSHADER_INVALIDSHADERBYTECODE, desc.HS.BytecodeLength = 4);
    REFUSED(D3D12_MESSAGE_ID_CREATEDOMAINSHADER_INVALIDSHADERBYTECODE, desc.DS.BytecodeLength = 4);
    REFUSED(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADER_INVALIDSHADERBYTECODE,
            desc.GS.BytecodeLength = 4);
    REFUSED(GRAPHICS_ID(HS_XOR_DS_MISMATCH), desc.HS = desc.VS);
    REFUSED(GRAPHICS_ID(HS_XOR_DS_MISMATCH), desc.DS = desc.VS);
    const D3D12_SHADER_BYTECODE hull = KIT_SHADER(HS), domain = KIT_SHADER(DS);
    REPORTED(GRAPHICS_ID(HULL_SHADER_INPUT_TOPOLOGY_MISMATCH), (desc.HS = hull, desc.DS = domain));
    REFUSED(GRAPHICS_ID(INVALID_PRIMITIVETOPOLOGY),
            desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_UNDEFINED);
    REFUSED(GRAPHICS_ID(INVALID_PRIMITIVETOPOLOGY),
            desc.PrimitiveTopologyType = (D3D12_PRIMITIVE_TOPOLOGY_TYPE)5);
    REFUSED(GRAPHICS_ID(INVALID_INDEX_BUFFER_PROPERTIES),
            desc.IBStripCutValue = (D3D12_INDEX_BUFFER_STRIP_CUT_VALUE)3);
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, desc.NodeMask = 2);
    REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS,
            desc.Flags = (D3D12_PIPELINE_STATE_FLAGS)16);
    REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS,
            desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG); /* for WARP only */
    out = (ID3D12PipelineState *)f.device;
    HRESULT hr = pipeline_create_graphics(f.device, NULL, &out);
    pipeline_refused(&f, hr, out, EMU_MESSAGE_INVALID_ARGUMENT, "no description");
}

Test(pipelines, graphics_checks_targets_and_fixed_functions)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    const D3D12_RENDER_TARGET_BLEND_DESC blending = {
        .BlendEnable = TRUE,
        .SrcBlend = D3D12_BLEND_ONE,
        .DestBlend = D3D12_BLEND_ZERO,
        .BlendOp = D3D12_BLEND_OP_ADD,
        .SrcBlendAlpha = D3D12_BLEND_ONE,
        .DestBlendAlpha = D3D12_BLEND_ZERO,
        .BlendOpAlpha = D3D12_BLEND_OP_ADD,
    };
    const D3D12_DEPTH_STENCILOP_DESC keep = {D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP,
                                             D3D12_STENCIL_OP_KEEP, D3D12_COMPARISON_FUNC_ALWAYS};
    const D3D12_DEPTH_STENCIL_DESC stencil = {
        .StencilEnable = TRUE, .FrontFace = keep, .BackFace = keep};
    ID3D12PipelineState *out;
    REFUSED(GRAPHICS_ID(INVALID_RENDER_TARGET_COUNT), desc.NumRenderTargets = 9);
    REFUSED(GRAPHICS_ID(INVALID_RENDER_TARGET_COUNT), desc.NumRenderTargets = UINT32_MAX);
    REFUSED(GRAPHICS_ID(RTV_FORMAT_NOT_UNKNOWN), desc.NumRenderTargets = 0);
    REFUSED(GRAPHICS_ID(RTV_FORMAT_NOT_UNKNOWN), desc.RTVFormats[7] = DXGI_FORMAT_R8_UNORM);
    REPORTED(EMU_MESSAGE_INVALID_ARGUMENT, desc.RTVFormats[0] = (DXGI_FORMAT)9999);
    REPORTED(EMU_MESSAGE_INVALID_ARGUMENT, desc.RTVFormats[0] = DXGI_FORMAT_D32_FLOAT);
    REPORTED(EMU_MESSAGE_INVALID_ARGUMENT, desc.RTVFormats[0] = DXGI_FORMAT_BC1_UNORM);
    REPORTED(EMU_MESSAGE_INVALID_ARGUMENT, desc.DSVFormat = DXGI_FORMAT_R8G8B8A8_UNORM);
    REFUSED(GRAPHICS_ID(INVALID_SAMPLE_DESC), desc.SampleDesc.Count = 0);
    REFUSED(GRAPHICS_ID(INVALID_SAMPLE_DESC), desc.SampleDesc.Count = 3);
    REFUSED(GRAPHICS_ID(INVALID_SAMPLE_DESC), desc.SampleDesc.Quality = 1);

    REFUSED(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDFILLMODE,
            desc.RasterizerState.FillMode = (D3D12_FILL_MODE)0);
    REFUSED(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDCULLMODE,
            desc.RasterizerState.CullMode = (D3D12_CULL_MODE)4);
    REFUSED(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALIDFORCEDSAMPLECOUNT,
            desc.RasterizerState.ForcedSampleCount = 3);
    REFUSED(D3D12_MESSAGE_ID_CREATERASTERIZERSTATE_INVALID_CONSERVATIVERASTERMODE,
            desc.RasterizerState.ConservativeRaster = (D3D12_CONSERVATIVE_RASTERIZATION_MODE)2);

    REFUSED(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDDEPTHFUNC,
            desc.DepthStencilState.DepthEnable = TRUE);
    REFUSED(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALIDDEPTHWRITEMASK,
            (desc.DepthStencilState.DepthEnable = TRUE,
             desc.DepthStencilState.DepthWriteMask = (D3D12_DEPTH_WRITE_MASK)2));
#define STENCIL(id, face, member)                                                                  \
    REFUSED(D3D12_MESSAGE_ID_CREATEDEPTHSTENCILSTATE_INVALID##id,                                  \
            (desc.DepthStencilState = stencil, desc.DepthStencilState.face.member = 9))
    STENCIL(FRONTFACESTENCILFAILOP, FrontFace, StencilFailOp);
    STENCIL(FRONTFACESTENCILZFAILOP, FrontFace, StencilDepthFailOp);
    STENCIL(FRONTFACESTENCILPASSOP, FrontFace, StencilPassOp);
    STENCIL(FRONTFACESTENCILFUNC, FrontFace, StencilFunc);
    STENCIL(BACKFACESTENCILFAILOP, BackFace, StencilFailOp);
    STENCIL(BACKFACESTENCILZFAILOP, BackFace, StencilDepthFailOp);
    STENCIL(BACKFACESTENCILPASSOP, BackFace, StencilPassOp);
    STENCIL(BACKFACESTENCILFUNC, BackFace, StencilFunc);

#define BLEND(id, member, value)                                                                   \
    REFUSED(D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALID##id,                                         \
            (desc.BlendState.RenderTarget[0] = blending,                                           \
             desc.BlendState.RenderTarget[0].member = (value)))
    BLEND(SRCBLEND, SrcBlend, 0);
    BLEND(SRCBLEND, SrcBlend, 12);
    BLEND(DESTBLEND, DestBlend, 22);
    BLEND(BLENDOP, BlendOp, 6);
    BLEND(SRCBLENDALPHA, SrcBlendAlpha, D3D12_BLEND_SRC_COLOR);
    BLEND(DESTBLENDALPHA, DestBlendAlpha, D3D12_BLEND_INV_SRC1_COLOR);
    BLEND(BLENDOPALPHA, BlendOpAlpha, 0);
    BLEND(RENDERTARGETWRITEMASK, RenderTargetWriteMask, 16);
    BLEND(LOGICOPS, LogicOpEnable, TRUE); /* not together with blending */
    REFUSED(D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDLOGICOPS,
            (desc.BlendState.IndependentBlendEnable = TRUE,
             desc.BlendState.RenderTarget[0].LogicOpEnable = TRUE));
    REFUSED(D3D12_MESSAGE_ID_CREATEBLENDSTATE_INVALIDSRCBLEND,
            (desc.BlendState.IndependentBlendEnable = TRUE,
             desc.BlendState.RenderTarget[7].BlendEnable = TRUE));
}

/* Each value of each enumeration, and those beside them [d3d12.h]. */
Test(pipelines, graphics_takes_the_values_of_enumerations_and_no_others)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    const D3D12_DEPTH_STENCILOP_DESC keep = {D3D12_STENCIL_OP_KEEP, D3D12_STENCIL_OP_KEEP,
                                             D3D12_STENCIL_OP_KEEP, D3D12_COMPARISON_FUNC_ALWAYS};
    const D3D12_RENDER_TARGET_BLEND_DESC blending = {TRUE,
                                                     FALSE,
                                                     D3D12_BLEND_ONE,
                                                     D3D12_BLEND_ZERO,
                                                     D3D12_BLEND_OP_ADD,
                                                     D3D12_BLEND_ONE,
                                                     D3D12_BLEND_ZERO,
                                                     D3D12_BLEND_OP_ADD,
                                                     D3D12_LOGIC_OP_NOOP,
                                                     15};
#define EACH(low, high, member)                                                                    \
    for (int value = (low)-2; value <= (high) + 2; value++) {                                      \
        D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = good;                                            \
        ID3D12PipelineState *out = NULL;                                                           \
        desc.DepthStencilState = (D3D12_DEPTH_STENCIL_DESC){                                       \
            TRUE, D3D12_DEPTH_WRITE_MASK_ALL, D3D12_COMPARISON_FUNC_LESS, TRUE, 255, 255, keep,    \
            keep};                                                                                 \
        desc.DSVFormat = DXGI_FORMAT_D24_UNORM_S8_UINT;                                            \
        desc.BlendState.RenderTarget[0] = blending;                                                \
        memcpy(&desc.member, &value, sizeof value);                                                \
        const bool is_one = value >= (low) && value <= (high);                                     \
        cr_expect_eq(SUCCEEDED(pipeline_create_graphics(f.device, &desc, &out)), is_one,           \
                     #member " %d", value);                                                        \
        cr_expect_eq(kit_messages(f.device), !is_one, #member " %d", value);                       \
        kit_clear(f.device);                                                                       \
        if (out)                                                                                   \
            ID3D12PipelineState_Release(out);                                                      \
    }
    EACH(2, 3, RasterizerState.FillMode)
    EACH(1, 3, RasterizerState.CullMode)
    EACH(0, 1, RasterizerState.ConservativeRaster)
    EACH(0, 1, DepthStencilState.DepthWriteMask)
    EACH(1, 8, DepthStencilState.DepthFunc)
    EACH(1, 8, DepthStencilState.FrontFace.StencilFailOp)
    EACH(1, 8, DepthStencilState.FrontFace.StencilDepthFailOp)
    EACH(1, 8, DepthStencilState.FrontFace.StencilPassOp)
    EACH(1, 8, DepthStencilState.FrontFace.StencilFunc)
    EACH(1, 8, DepthStencilState.BackFace.StencilFailOp)
    EACH(1, 8, DepthStencilState.BackFace.StencilDepthFailOp)
    EACH(1, 8, DepthStencilState.BackFace.StencilPassOp)
    EACH(1, 8, DepthStencilState.BackFace.StencilFunc)
    EACH(1, 5, BlendState.RenderTarget[0].BlendOp)
    EACH(1, 5, BlendState.RenderTarget[0].BlendOpAlpha)
    EACH(0, 2, IBStripCutValue)
}

/* A depth-stencil view's format: those that a target of depth may have. */
Test(pipelines, graphics_has_a_format_of_depth_or_none)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    for (unsigned format = 0; format <= DXGI_FORMAT_B4G4R4A4_UNORM; format++) {
        OWNED ID3D12PipelineState *out = NULL;
        const bool is_one = format == DXGI_FORMAT_UNKNOWN || format == DXGI_FORMAT_D32_FLOAT ||
                            format == DXGI_FORMAT_D32_FLOAT_S8X24_UINT ||
                            format == DXGI_FORMAT_D24_UNORM_S8_UINT ||
                            format == DXGI_FORMAT_D16_UNORM;
        desc.DSVFormat = (DXGI_FORMAT)format;
        MUST(pipeline_create_graphics(f.device, &desc, &out)); /* told by the debug layer only */
        cr_expect_eq(kit_messages(f.device), !is_one, "%u", format);
        kit_clear(f.device);
    }
}

Test(pipelines, graphics_checks_input_layouts)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    const D3D12_INPUT_ELEMENT_DESC position = {
        "POSITION", 0, DXGI_FORMAT_R32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0};
    D3D12_INPUT_ELEMENT_DESC many[33], wrong = position;
    ID3D12PipelineState *out;
    for (UINT i = 0; i < 33; i++) {
        many[i] = position;
        many[i].SemanticIndex = i;
    }
    D3D12_GRAPHICS_PIPELINE_STATE_DESC full = good;
    full.InputLayout = (D3D12_INPUT_LAYOUT_DESC){many, 32};
    MUST(pipeline_create_graphics(f.device, &full, &out));
    ID3D12PipelineState_Release(out);
    REFUSED(GRAPHICS_ID(INPUTLAYOUT_NOT_SET), desc.InputLayout.NumElements = 1);
#define LAYOUT(id, elements, count)                                                                \
    REFUSED(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_##id,                                               \
            (desc.InputLayout.pInputElementDescs = (elements),                                     \
             desc.InputLayout.NumElements = (count)))
#define ELEMENT(id, member, value)                                                                 \
    do {                                                                                           \
        wrong = position;                                                                          \
        wrong.member = (value);                                                                    \
        LAYOUT(id, &wrong, 1);                                                                     \
    } while (0)
#define PAIR(id, member, value)                                                                    \
    do {                                                                                           \
        many[0] = many[1] = position;                                                              \
        many[1].SemanticName = "COLOR";                                                            \
        many[1].member = (value);                                                                  \
        LAYOUT(id, many, 2);                                                                       \
    } while (0)
    LAYOUT(TOOMANYELEMENTS, many, 33);
    ELEMENT(NULLSEMANTIC, SemanticName, NULL);
    ELEMENT(TRAILING_DIGIT_IN_SEMANTIC, SemanticName, "TEXCOORD1");
    ELEMENT(INVALIDFORMAT, Format, DXGI_FORMAT_UNKNOWN);
    ELEMENT(INVALIDFORMAT, Format, DXGI_FORMAT_R32_TYPELESS);
    ELEMENT(INVALIDSLOT, InputSlot, 32);
    ELEMENT(INVALIDINPUTSLOTCLASS, InputSlotClass, 2);
    ELEMENT(STEPRATESLOTCLASSMISMATCH, InstanceDataStepRate, 1);
    ELEMENT(INVALIDALIGNMENT, AlignedByteOffset, 2);
    PAIR(DUPLICATESEMANTIC, SemanticName, "position");
    PAIR(INVALIDSLOTCLASSCHANGE, InputSlotClass, D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA);
    many[0].InputSlotClass = many[1].InputSlotClass = D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA;
    many[1].InstanceDataStepRate = 1;
    LAYOUT(INVALIDSTEPRATECHANGE, many, 2);
}

Test(pipelines, graphics_checks_stream_output)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    OWNED ID3D12RootSignature *allows = pipeline_signature_with_output(f.device);
    const UINT strides[] = {16, 6};
    D3D12_SO_DECLARATION_ENTRY entries[] = {{0, "POSITION", 0, 0, 4, 0}, {0, NULL, 0, 0, 8, 0}};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(allows);
    good.StreamOutput =
        (D3D12_STREAM_OUTPUT_DESC){entries, 2, strides, 1, D3D12_SO_NO_RASTERIZED_STREAM};
    ID3D12PipelineState *out;
    MUST(pipeline_create_graphics(f.device, &good, &out));
    ID3D12PipelineState_Release(out);
    REFUSED(GRAPHICS_ID(MISSING_ROOT_SIGNATURE_FLAGS), desc.pRootSignature = f.signature);
#define OUTPUT(id, statement)                                                                      \
    REFUSED(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_##id, statement)
#define ENTRY(id, index, member, value)                                                            \
    do {                                                                                           \
        const D3D12_SO_DECLARATION_ENTRY right = entries[index];                                   \
        entries[index].member = (value);                                                           \
        OUTPUT(id, (void)desc);                                                                    \
        entries[index] = right;                                                                    \
    } while (0)
    OUTPUT(UNEXPECTEDSTRIDES, desc.StreamOutput.NumEntries = 0);
    OUTPUT(INVALIDNUMENTRIES, desc.StreamOutput.pSODeclaration = NULL);
    OUTPUT(INVALIDNUMENTRIES, desc.StreamOutput.NumEntries = UINT32_MAX);
    OUTPUT(INVALIDNUMSTRIDES, desc.StreamOutput.NumStrides = 5);
    OUTPUT(INVALIDNUMSTRIDES, desc.StreamOutput.pBufferStrides = NULL);
    OUTPUT(INVALIDOUTPUTSTREAMSTRIDE, desc.StreamOutput.NumStrides = 2);
    OUTPUT(INVALIDSTREAMTORASTERIZER, desc.StreamOutput.RasterizedStream = 4);
    ENTRY(INVALIDSTREAM, 0, Stream, 4);
    ENTRY(INVALIDOUTPUTSLOT, 0, OutputSlot, 4);
    ENTRY(INVALIDCOMPONENTCOUNT, 0, ComponentCount, 0);
    ENTRY(INVALIDCOMPONENTCOUNT, 0, ComponentCount, 5);
    ENTRY(INVALIDSTARTCOMPONENTANDCOMPONENTCOUNT, 0, StartComponent, 1);
    ENTRY(TRAILING_DIGIT_IN_SEMANTIC, 0, SemanticName, "COLOR0");
    ENTRY(INVALIDGAPDEFINITION, 1, ComponentCount, 0);
}

Test(pipelines, what_is_hardly_meant_is_warned_of)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = pipeline_graphics(f.signature);
    OWNED ID3D12PipelineState *state = NULL;
    desc.SampleMask = 0;
    desc.DepthStencilState.DepthEnable = TRUE;
    desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
    MUST(pipeline_create_graphics(f.device, &desc, &state));
    cr_assert_eq(kit_messages(f.device), 2);
    cr_assert_eq(
        kit_count(f.device, D3D12_MESSAGE_ID_GRAPHICS_PIPELINE_STATE_DESC_ZERO_SAMPLE_MASK), 1);
    cr_assert_eq(kit_count(f.device, GRAPHICS_ID(DEPTHSTENCILVIEW_NOT_SET)), 1);
}

/* ---- compute ---- */

Test(pipelines, compute_refuses_what_it_cannot_run)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_COMPUTE_PIPELINE_STATE_DESC good = pipeline_compute(f.signature, EMU_KERNEL_ADD);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = good;
    ID3D12PipelineState *out = (ID3D12PipelineState *)f.device;
#define COMPUTE_REFUSED(id)                                                                        \
    do {                                                                                           \
        HRESULT hr = pipeline_create_compute(f.device, &desc, &out);                               \
        pipeline_refused(&f, hr, out, id, #id);                                                    \
        desc = good;                                                                               \
        out = (ID3D12PipelineState *)f.device;                                                     \
    } while (0)
    desc.pRootSignature = NULL;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_MISSING_ROOT_SIGNATURE);
    desc.CS = (D3D12_SHADER_BYTECODE)KIT_SHADER(VS);
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER);
    desc.CS = (D3D12_SHADER_BYTECODE){NULL, 0};
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER);
    desc.CS.pShaderBytecode = NULL;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER);
    desc.NodeMask = 4;
    COMPUTE_REFUSED(EMU_MESSAGE_INVALID_ARGUMENT);
    desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS);
    desc.Flags = (D3D12_PIPELINE_STATE_FLAGS)0x60; /* always halt, and never */
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS);
    HRESULT hr = pipeline_create_compute(f.device, NULL, &out);
    pipeline_refused(&f, hr, out, EMU_MESSAGE_INVALID_ARGUMENT, "no description");
}

/* No debugger is there: with DEBUG_BREAK_ALWAYS_HALT waves halt, and the timeout removes the
 * device; with FORCE_NOP and without a flag they go on. */
Test(pipelines, a_debug_break_halts_where_it_is_told_to)
{
    static const struct {
        unsigned flags;
        HRESULT removed;
    } rows[] = {{0, S_OK}, {0x40, S_OK}, {0x20, DXGI_ERROR_DEVICE_HUNG}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(pipeline_end) struct pipelines f = pipeline_begin();
        D3D12_COMPUTE_PIPELINE_STATE_DESC desc = pipeline_compute(f.signature, EMU_KERNEL_FILL);
        desc.Flags = (D3D12_PIPELINE_STATE_FLAGS)rows[i].flags;
        OWNED ID3D12PipelineState *state = NULL;
        OWNED ID3D12CommandQueue *queue = kit_queue(f.device, DIRECT);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(f.device, DIRECT);
        OWNED ID3D12GraphicsCommandList *list = kit_list(f.device, allocator, DIRECT);
        MUST(pipeline_create_compute(f.device, &desc, &state));
        kit_dispatch(list, f.signature, state, NULL, NULL, 0, 0);
        kit_execute(queue, list);
        emu_run_until_idle(f.device);
        EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(f.device), rows[i].removed);
    }
}

/* A container with one chunk, unsigned as compilers for Linux leave it. */
#define CONTAINER(a, b, c, d)                                                                      \
    {                                                                                              \
        'D', 'X', 'B', 'C', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 48, 0, 0,  \
            0, 1, 0, 0, 0, 36, 0, 0, 0, a, b, c, d, 4, 0, 0, 0, 1, 0, 5, 0                         \
    }

/* Shaders are not executed: what is none of the built-in kernels does nothing, wherever it is
 * dispatched. */
Test(pipelines, any_shader_makes_a_compute_pipeline)
{
    static const unsigned char shaders[][48] = {CONTAINER('D', 'X', 'I', 'L'),
                                                CONTAINER('S', 'H', 'E', 'X')};
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    for (size_t i = 0; i < 2; i++) {
        D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = f.signature,
                                                  .CS = {shaders[i], sizeof shaders[i]}};
        ID3D12PipelineState *state = NULL;
        MUST(pipeline_create_compute(f.device, &desc, &state));
        ID3D12PipelineState_Release(state);
        desc.CS.BytecodeLength--; /* cut */
        EXPECT_HR(pipeline_create_compute(f.device, &desc, &state), E_INVALIDARG);
    }
    cr_assert_eq(kit_count(f.device, D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER),
                 2);
}

/* The parts of a container with a root signature behind those of a shader. */
static size_t shader_with(ID3DBlob *root, int stage, unsigned char *out)
{
    enum { HEAD = 32, CODE = 36, CODE_SIZE = 16 };
    const unsigned char *from = ID3D10Blob_GetBufferPointer(root);
    const size_t size = ID3D10Blob_GetBufferSize(root) - CODE;
    const uint32_t total = (uint32_t)(HEAD + 8 + CODE_SIZE + size);
    const uint32_t head[] = {total, 2, HEAD + 8, HEAD + 8 + CODE_SIZE};
    memcpy(out, kit_shaders[stage], 24);
    memcpy(out + 24, head, sizeof head);
    memcpy(out + HEAD + 8, kit_shaders[stage] + CODE, CODE_SIZE);
    memcpy(out + HEAD + 8 + CODE_SIZE, from + CODE, size);
    return total;
}

/* "Specifying Root Signatures in HLSL": a shader compiled with one needs none beside it. */
Test(pipelines, a_root_signature_in_a_shader_serves_when_none_is_given)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    OWNED ID3DBlob *blob = NULL;
    const D3D12_ROOT_SIGNATURE_DESC root = {.Flags = D3D12_ROOT_SIGNATURE_FLAG_NONE};
    MUST(D3D12SerializeRootSignature(&root, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    unsigned char bytes[2][256];
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {
        .CS = {bytes[0], shader_with(blob, KIT_CS, bytes[0])}};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC draws = pipeline_graphics(NULL);
    ID3D12PipelineState *state = NULL;
    MUST(pipeline_create_compute(f.device, &desc, &state));
    void *own = NULL; /* ID3D12PipelineState1::GetRootSignature, ID3D12RootSignature1's bytes */
    char room[256];
    const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
    MUST(NEWER(state, 9, HRESULT, REFIID, void **)(state, &IID_ID3D12RootSignature, &own));
    MUST(NEWER(own, 9, HRESULT, void *, SIZE_T)(own, room, size));
    cr_assert_mem_eq(room, ID3D10Blob_GetBufferPointer(blob), size);
    RELEASE(own, state);
    draws.PS = (D3D12_SHADER_BYTECODE){bytes[1], shader_with(blob, KIT_PS, bytes[1])};
    MUST(pipeline_create_graphics(f.device, &draws, &state));
    ID3D12PipelineState_Release(state);
    cr_assert_eq(kit_messages(f.device), 0);
}

/* The same page: shaders of one pipeline have one root signature. */
Test(pipelines, shaders_bring_one_root_signature)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC plain = pipeline_graphics(NULL);
    ID3D12PipelineState *out = NULL;
    for (int differs = 0; differs < 2; differs++) {
        unsigned char bytes[2][256];
        D3D12_GRAPHICS_PIPELINE_STATE_DESC good = plain;
        for (int i = 0; i < 2; i++) {
            OWNED ID3DBlob *blob = NULL;
            const D3D12_ROOT_SIGNATURE_DESC root = {
                .Flags = i != 0 && differs
                             ? D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT
                             : D3D12_ROOT_SIGNATURE_FLAG_NONE};
            MUST(D3D12SerializeRootSignature(&root, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
            *(i ? &good.PS : &good.VS) =
                (D3D12_SHADER_BYTECODE){bytes[i], shader_with(blob, i ? KIT_PS : KIT_VS, bytes[i])};
        }
        if (differs)
            REFUSED(GRAPHICS_ID(MISSING_ROOT_SIGNATURE), (void)desc);
        good.pRootSignature = differs ? f.signature : NULL; /* which one stands above */
        MUST(pipeline_create_graphics(f.device, &good, &out));
        ID3D12PipelineState_Release(out);
    }
}

/* "Format Support for Direct3D 12", column "Blendable": targets of integers are not. */
Test(pipelines, targets_of_integers_are_not_blended)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    const int id = GRAPHICS_ID(OM_RENDER_TARGET_DOES_NOT_SUPPORT_BLENDING);
    const D3D12_RENDER_TARGET_BLEND_DESC blended = {.BlendEnable = TRUE,
                                                    .SrcBlend = D3D12_BLEND_ONE,
                                                    .DestBlend = D3D12_BLEND_ONE,
                                                    .BlendOp = D3D12_BLEND_OP_ADD,
                                                    .SrcBlendAlpha = D3D12_BLEND_ONE,
                                                    .DestBlendAlpha = D3D12_BLEND_ONE,
                                                    .BlendOpAlpha = D3D12_BLEND_OP_ADD};
    ID3D12PipelineState *out = NULL;
    good.NumRenderTargets = 2;
    good.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
    good.RTVFormats[1] = DXGI_FORMAT_R32_UINT;
    MUST(pipeline_create_graphics(f.device, &good, &out));
    ID3D12PipelineState_Release(out);
    REFUSED(id, desc.BlendState.RenderTarget[0] = blended);
    good.BlendState.IndependentBlendEnable = TRUE;
    good.BlendState.RenderTarget[0] = blended;
    MUST(pipeline_create_graphics(f.device, &good, &out)); /* the second is not blended */
    ID3D12PipelineState_Release(out);
    REFUSED(id, desc.BlendState.RenderTarget[1] = blended);
    REFUSED(id, desc.RTVFormats[0] = DXGI_FORMAT_R16G16_SINT);
    good.RTVFormats[1] = DXGI_FORMAT_UNKNOWN;
    good.BlendState.RenderTarget[1] = blended;
    MUST(pipeline_create_graphics(f.device, &good, &out));
    ID3D12PipelineState_Release(out);
    cr_assert_eq(kit_messages(f.device), 0);
}

Test(pipelines, only_warp_takes_the_debug_flag)
{
    AT_END(kit_closed) ID3D12Device *device = pipeline_device("warp");
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = pipeline_compute(signature, EMU_KERNEL_FILL);
    OWNED ID3D12PipelineState *state = NULL;
    desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG;
    MUST(pipeline_create_compute(device, &desc, &state));
}
