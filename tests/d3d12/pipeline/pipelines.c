/* Pipeline states: the three descriptions, what D3D12 refuses in them, and cached blobs. */
#include "kit.h"

static const unsigned char some_shader[] = {'D', 'X', 'B', 'C', 1, 2, 3, 4};
#define SHADER                                                                                     \
    {                                                                                              \
        some_shader, sizeof some_shader                                                            \
    }

/* The least that D3D12's documentation wants of a graphics pipeline. */
static D3D12_GRAPHICS_PIPELINE_STATE_DESC graphics(ID3D12RootSignature *signature)
{
    return (D3D12_GRAPHICS_PIPELINE_STATE_DESC){
        .pRootSignature = signature,
        .VS = SHADER,
        .PS = SHADER,
        .SampleMask = UINT32_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .NumRenderTargets = 1,
        .RTVFormats = {DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {.Count = 1},
    };
}

static D3D12_COMPUTE_PIPELINE_STATE_DESC compute(ID3D12RootSignature *signature, emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    return desc;
}

static HRESULT create_graphics(ID3D12Device *device, const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc,
                               ID3D12PipelineState **out)
{
    return ID3D12Device_CreateGraphicsPipelineState(device, desc, &IID_ID3D12PipelineState,
                                                    (void **)out);
}

static HRESULT create_compute(ID3D12Device *device, const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                              ID3D12PipelineState **out)
{
    return ID3D12Device_CreateComputePipelineState(device, desc, &IID_ID3D12PipelineState,
                                                   (void **)out);
}

static HRESULT create_stream(ID3D12Device *device, const void *stream, SIZE_T size,
                             ID3D12PipelineState **out)
{
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {size, (void *)(uintptr_t)stream};
    ID3D12Device2 *device2 = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device2, (void **)&device2));
    HRESULT hr =
        ID3D12Device2_CreatePipelineState(device2, &desc, &IID_ID3D12PipelineState, (void **)out);
    ID3D12Device2_Release(device2);
    return hr;
}

struct fixture {
    ID3D12Device *device;
    ID3D12RootSignature *signature;
};

static struct fixture begin(void)
{
    struct fixture f = {.device = kit_device()};
    f.signature = kit_root_signature(f.device);
    return f;
}

static void end(struct fixture *f)
{
    ID3D12RootSignature_Release(f->signature);
    kit_close(f->device);
}

/* Refused with E_INVALIDARG, nothing handed out, and exactly one message, with this number. */
static void refused(struct fixture *f, HRESULT hr, void *out, int id, const char *what)
{
    cr_assert(hr == E_INVALIDARG, "%s: 0x%08x", what, (unsigned)hr);
    cr_assert(out == NULL, "%s", what);
    cr_assert(kit_messages(f->device) == 1, "%s: %u messages", what,
              (unsigned)kit_messages(f->device));
    cr_assert(kit_count(f->device, id) == 1, "%s: another number than %d", what, id);
    kit_clear(f->device);
}

/* ---- graphics ---- */

Test(pipelines, a_graphics_pipeline_is_a_device_child)
{
    ID3D12Device *device = kit_heard_device(MODE_RETAIL), *same = NULL;
    ID3D12RootSignature *signature = kit_root_signature(device);
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = graphics(signature);
    ID3D12PipelineState *state = NULL;
    IUnknown *unknown = NULL, *pageable = NULL, *none = (IUnknown *)device;
    MUST(create_graphics(device, &desc, &state));
    MUST(ID3D12PipelineState_QueryInterface(state, &IID_IUnknown, (void **)&unknown));
    MUST(ID3D12PipelineState_QueryInterface(state, &IID_ID3D12Pageable, (void **)&pageable));
    cr_assert(unknown == pageable && (void *)unknown == (void *)state);
    EXPECT_HR(ID3D12PipelineState_QueryInterface(state, &IID_ID3D12Heap, (void **)&none),
              E_NOINTERFACE);
    cr_assert(none == NULL);
    IUnknown_Release(unknown);
    IUnknown_Release(pageable);
    MUST(ID3D12PipelineState_GetDevice(state, &IID_ID3D12Device, (void **)&same));
    cr_assert(same == device);
    ID3D12Device_Release(same);
    MUST(ID3D12PipelineState_SetName(state, L"opaque"));
    cr_assert(heard_count == 1 && heard[0].type == D3D12DDI_HT_PIPELINE_STATE);
    cr_assert(kit_messages(device) == 0);
    EXPECT_HR(create_graphics(device, &desc, NULL), S_FALSE);
    ID3D12PipelineState_Release(state);
    ID3D12RootSignature_Release(signature);
    kit_close(device);
}

Test(pipelines, graphics_accepts_what_is_documented)
{
    struct fixture f = begin();
    const D3D12_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0,
         D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
        {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, D3D12_APPEND_ALIGNED_ELEMENT,
         D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
        {"TEXCOORD", 1, DXGI_FORMAT_R16G16_UNORM, 1, 6,
         D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 2},
        {"WEIGHT", 0, DXGI_FORMAT_R8_UNORM, 2, 3, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
    };
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = graphics(f.signature);
    /* 6 is no multiple of 4 */
    const D3D12_INPUT_ELEMENT_DESC aligned[] = {elements[0],
                                                elements[1],
                                                {"TEXCOORD", 1, DXGI_FORMAT_R16G16_UNORM, 1, 8,
                                                 D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 2},
                                                elements[3]};
    desc.InputLayout = (D3D12_INPUT_LAYOUT_DESC){aligned, 4};
    desc.HS = desc.DS = desc.GS = desc.VS;
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
    MUST(create_graphics(f.device, &desc, &state));
    cr_assert(kit_messages(f.device) == 0);
    ID3D12PipelineState_Release(state);
    desc.InputLayout.pInputElementDescs = elements;
    EXPECT_HR(create_graphics(f.device, &desc, &state), E_INVALIDARG);
    end(&f);
}

#define GRAPHICS_ID(name) D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_##name

Test(pipelines, graphics_needs_its_objects_shaders_and_node)
{
    struct fixture f = begin(), other = begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = graphics(f.signature);
    ID3D12PipelineState *out;
#define REFUSED(id, statement)                                                                     \
    do {                                                                                           \
        D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = good;                                            \
        statement;                                                                                 \
        out = (ID3D12PipelineState *)f.device;                                                     \
        HRESULT hr = create_graphics(f.device, &desc, &out);                                       \
        refused(&f, hr, out, id, #statement);                                                      \
    } while (0)
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
    REFUSED(GRAPHICS_ID(HULL_SHADER_INPUT_TOPOLOGY_MISMATCH), desc.HS = desc.DS = desc.VS);
    REFUSED(GRAPHICS_ID(INVALID_PRIMITIVETOPOLOGY),
            desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_UNDEFINED);
    REFUSED(GRAPHICS_ID(INVALID_PRIMITIVETOPOLOGY),
            desc.PrimitiveTopologyType = (D3D12_PRIMITIVE_TOPOLOGY_TYPE)5);
    REFUSED(GRAPHICS_ID(INVALID_INDEX_BUFFER_PROPERTIES),
            desc.IBStripCutValue = (D3D12_INDEX_BUFFER_STRIP_CUT_VALUE)3);
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, desc.NodeMask = 2);
    REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS,
            desc.Flags = (D3D12_PIPELINE_STATE_FLAGS)8);
    REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS,
            desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG); /* for WARP only */
    out = (ID3D12PipelineState *)f.device;
    HRESULT hr = create_graphics(f.device, NULL, &out);
    refused(&f, hr, out, EMU_MESSAGE_INVALID_ARGUMENT, "no description");
    end(&other);
    end(&f);
}

Test(pipelines, graphics_checks_targets_and_fixed_functions)
{
    struct fixture f = begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = graphics(f.signature);
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
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, desc.RTVFormats[0] = (DXGI_FORMAT)9999);
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, desc.RTVFormats[0] = DXGI_FORMAT_D32_FLOAT);
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, desc.RTVFormats[0] = DXGI_FORMAT_BC1_UNORM);
    REFUSED(EMU_MESSAGE_INVALID_ARGUMENT, desc.DSVFormat = DXGI_FORMAT_R8G8B8A8_UNORM);
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
    end(&f);
}

Test(pipelines, graphics_checks_input_layouts)
{
    struct fixture f = begin();
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC good = graphics(f.signature);
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
    MUST(create_graphics(f.device, &full, &out));
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
    end(&f);
}

/* A signature that allows stream output. */
static ID3D12RootSignature *signature_with_output(ID3D12Device *device)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {.Flags = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT};
    return kit_root_signature_of(device, &desc);
}

Test(pipelines, graphics_checks_stream_output)
{
    struct fixture f = begin();
    ID3D12RootSignature *allows = signature_with_output(f.device);
    const UINT strides[] = {16, 6};
    D3D12_SO_DECLARATION_ENTRY entries[] = {{0, "POSITION", 0, 0, 4, 0}, {0, NULL, 0, 0, 8, 0}};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC good = graphics(allows);
    good.StreamOutput =
        (D3D12_STREAM_OUTPUT_DESC){entries, 2, strides, 1, D3D12_SO_NO_RASTERIZED_STREAM};
    ID3D12PipelineState *out;
    MUST(create_graphics(f.device, &good, &out));
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
    ID3D12RootSignature_Release(allows);
    end(&f);
}

Test(pipelines, what_is_hardly_meant_is_warned_of)
{
    struct fixture f = begin();
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = graphics(f.signature);
    ID3D12PipelineState *state = NULL;
    desc.SampleMask = 0;
    desc.DepthStencilState.DepthEnable = TRUE;
    desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
    MUST(create_graphics(f.device, &desc, &state));
    cr_assert(kit_messages(f.device) == 2);
    cr_assert(kit_count(f.device, D3D12_MESSAGE_ID_GRAPHICS_PIPELINE_STATE_DESC_ZERO_SAMPLE_MASK) ==
              1);
    cr_assert(kit_count(f.device, GRAPHICS_ID(DEPTHSTENCILVIEW_NOT_SET)) == 1);
    ID3D12PipelineState_Release(state);
    end(&f);
}

/* ---- compute ---- */

Test(pipelines, compute_refuses_what_it_cannot_run)
{
    struct fixture f = begin();
    const D3D12_COMPUTE_PIPELINE_STATE_DESC good = compute(f.signature, EMU_KERNEL_ADD);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = good;
    ID3D12PipelineState *out = (ID3D12PipelineState *)f.device;
#define COMPUTE_REFUSED(id)                                                                        \
    do {                                                                                           \
        HRESULT hr = create_compute(f.device, &desc, &out);                                        \
        refused(&f, hr, out, id, #id);                                                             \
        desc = good;                                                                               \
        out = (ID3D12PipelineState *)f.device;                                                     \
    } while (0)
    desc.pRootSignature = NULL;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_MISSING_ROOT_SIGNATURE);
    desc.CS = (D3D12_SHADER_BYTECODE)SHADER;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER);
    desc.CS = (D3D12_SHADER_BYTECODE){NULL, 0};
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER);
    desc.CS.pShaderBytecode = NULL;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER);
    desc.NodeMask = 4;
    COMPUTE_REFUSED(EMU_MESSAGE_INVALID_ARGUMENT);
    desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG;
    COMPUTE_REFUSED(D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_FLAGS);
    HRESULT hr = create_compute(f.device, NULL, &out);
    refused(&f, hr, out, EMU_MESSAGE_INVALID_ARGUMENT, "no description");
    end(&f);
}

/* A container with one chunk, unsigned as compilers for Linux leave it. */
#define CONTAINER(a, b, c, d)                                                                      \
    {                                                                                              \
        'D', 'X', 'B', 'C', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 48, 0, 0,  \
            0, 1, 0, 0, 0, 36, 0, 0, 0, a, b, c, d, 4, 0, 0, 0, 1, 2, 3, 4                         \
    }

/* Shaders are not executed: what is none of the built-in kernels does nothing, wherever it is dispatched. */
Test(pipelines, any_shader_makes_a_compute_pipeline)
{
    static const unsigned char shaders[][48] = {CONTAINER('D', 'X', 'I', 'L'),
                                                CONTAINER('S', 'H', 'E', 'X')};
    struct fixture f = begin();
    for (size_t i = 0; i < 2; i++) {
        D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = f.signature,
                                                  .CS = {shaders[i], sizeof shaders[i]}};
        ID3D12PipelineState *state = NULL;
        MUST(create_compute(f.device, &desc, &state));
        ID3D12PipelineState_Release(state);
        desc.CS.BytecodeLength--; /* cut */
        EXPECT_HR(create_compute(f.device, &desc, &state), E_INVALIDARG);
    }
    cr_assert(kit_count(f.device, D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER) == 2);
    end(&f);
}

/* "Specifying Root Signatures in HLSL": a shader compiled with one needs none beside it. */
Test(pipelines, a_root_signature_in_a_shader_serves_when_none_is_given)
{
    struct fixture f = begin();
    ID3DBlob *blob = NULL;
    const D3D12_ROOT_SIGNATURE_DESC root = {.Flags = D3D12_ROOT_SIGNATURE_FLAG_NONE};
    MUST(D3D12SerializeRootSignature(&root, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    const D3D12_SHADER_BYTECODE code = {ID3D10Blob_GetBufferPointer(blob),
                                        ID3D10Blob_GetBufferSize(blob)};
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.CS = code};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC draws = graphics(NULL);
    ID3D12PipelineState *state = NULL;
    MUST(create_compute(f.device, &desc, &state));
    ID3D12PipelineState_Release(state);
    draws.PS = code;
    MUST(create_graphics(f.device, &draws, &state));
    ID3D12PipelineState_Release(state);
    cr_assert(kit_messages(f.device) == 0);
    ID3D10Blob_Release(blob);
    end(&f);
}

static ID3D12Device *device_of(const char *driver)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.driver = driver;
    return kit_device_with(&config);
}

Test(pipelines, only_warp_takes_the_debug_flag)
{
    ID3D12Device *device = device_of("warp");
    ID3D12RootSignature *signature = kit_root_signature(device);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(signature, EMU_KERNEL_FILL);
    ID3D12PipelineState *state = NULL;
    desc.Flags = D3D12_PIPELINE_STATE_FLAG_TOOL_DEBUG;
    MUST(create_compute(device, &desc, &state));
    ID3D12PipelineState_Release(state);
    ID3D12RootSignature_Release(signature);
    kit_close(device);
}

/* ---- streams ---- */

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

static bool same_blob(ID3D12PipelineState *a, ID3D12PipelineState *b)
{
    ID3DBlob *x = NULL, *y = NULL;
    MUST(ID3D12PipelineState_GetCachedBlob(a, &x));
    MUST(ID3D12PipelineState_GetCachedBlob(b, &y));
    const SIZE_T size = ID3D10Blob_GetBufferSize(x);
    const bool same =
        size == ID3D10Blob_GetBufferSize(y) &&
        memcmp(ID3D10Blob_GetBufferPointer(x), ID3D10Blob_GetBufferPointer(y), size) == 0;
    ID3D10Blob_Release(x);
    ID3D10Blob_Release(y);
    return same;
}

Test(pipelines, a_stream_describes_what_the_structures_do)
{
    struct fixture f = begin();
    struct whole_stream stream = whole(f.signature);
    const D3D12_SHADER_BYTECODE shader = SHADER;
    ID3D12PipelineState *streamed = NULL, *described = NULL;
    stream.vs = stream.ps = shader;
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = graphics(f.signature);
    MUST(create_stream(f.device, &stream, sizeof stream, &streamed));
    MUST(create_graphics(f.device, &desc, &described));
    cr_assert(same_blob(streamed, described));
    ID3D12PipelineState_Release(streamed);
    ID3D12PipelineState_Release(described);

    const D3D12_COMPUTE_PIPELINE_STATE_DESC kernel = compute(f.signature, EMU_KERNEL_COPY);
    stream.vs = stream.ps = (D3D12_SHADER_BYTECODE){NULL, 0};
    stream.cs = kernel.CS;
    MUST(create_stream(f.device, &stream, sizeof stream, &streamed));
    MUST(create_compute(f.device, &kernel, &described));
    cr_assert(same_blob(streamed, described));
    ID3D12PipelineState_Release(streamed);
    ID3D12PipelineState_Release(described);

    stream.cs = (D3D12_SHADER_BYTECODE){NULL, 0};
    stream.ms = stream.as = stream.ps = shader;
    MUST(create_stream(f.device, &stream, sizeof stream, &streamed));
    ID3D12PipelineState_Release(streamed);
    cr_assert(kit_messages(f.device) == 0);
    end(&f);
}

Test(pipelines, what_a_stream_leaves_out_has_defaults)
{
    struct fixture f = begin();
    struct {
        SUBOBJECT(signature, ID3D12RootSignature *);
        SUBOBJECT(vs, D3D12_SHADER_BYTECODE);
    } least = {.signature_type = TYPE(ROOT_SIGNATURE),
               .signature = f.signature,
               .vs_type = TYPE(VS),
               .vs = SHADER};
    struct {
        SUBOBJECT(signature, ID3D12RootSignature *);
        SUBOBJECT(vs, D3D12_SHADER_BYTECODE);
        SUBOBJECT(dsv, DXGI_FORMAT);
    } depth = {.signature_type = TYPE(ROOT_SIGNATURE),
               .signature = f.signature,
               .vs_type = TYPE(VS),
               .vs = SHADER,
               .dsv_type = TYPE(DEPTH_STENCIL_FORMAT),
               .dsv = DXGI_FORMAT_D32_FLOAT};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = graphics(f.signature);
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
    ID3D12PipelineState *streamed = NULL, *described = NULL;
    MUST(create_stream(f.device, &least, sizeof least, &streamed));
    MUST(create_graphics(f.device, &desc, &described));
    cr_assert(same_blob(streamed, described));
    ID3D12PipelineState_Release(streamed);
    ID3D12PipelineState_Release(described);

    desc.DepthStencilState.DepthEnable = TRUE;
    desc.DSVFormat = DXGI_FORMAT_D32_FLOAT;
    MUST(create_stream(f.device, &depth, sizeof depth, &streamed));
    MUST(create_graphics(f.device, &desc, &described));
    cr_assert(same_blob(streamed, described));
    ID3D12PipelineState_Release(streamed);
    ID3D12PipelineState_Release(described);
    end(&f);
}

#define STREAM_ID(name) D3D12_MESSAGE_ID_CREATEPIPELINESTATE_##name

Test(pipelines, streams_are_read_with_care)
{
    struct fixture f = begin();
    struct whole_stream stream = whole(f.signature);
    const D3D12_SHADER_BYTECODE shader = SHADER;
    ID3D12PipelineState *out;
    stream.vs = shader;
    const struct whole_stream good = stream;
#define STREAM_REFUSED(id, data, size)                                                             \
    do {                                                                                           \
        out = (ID3D12PipelineState *)f.device;                                                     \
        HRESULT hr = create_stream(f.device, data, size, &out);                                    \
        refused(&f, hr, out, id, #id);                                                             \
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

    ID3D12Device2 *device2 = NULL;
    MUST(ID3D12Device_QueryInterface(f.device, &IID_ID3D12Device2, (void **)&device2));
    out = (ID3D12PipelineState *)f.device;
    HRESULT hr =
        ID3D12Device2_CreatePipelineState(device2, NULL, &IID_ID3D12PipelineState, (void **)&out);
    refused(&f, hr, out, EMU_MESSAGE_INVALID_ARGUMENT, "no description");
    ID3D12Device2_Release(device2);
    end(&f);
}

/* Exactly as many bytes as are said to be there, so that a sanitizer sees a read past them. Cut between subobjects, a
 * stream is a shorter one; cut within one, it is damaged. */
Test(pipelines, a_stream_may_end_anywhere)
{
    struct fixture f = begin();
    const D3D12_SHADER_BYTECODE shader = SHADER;
    struct whole_stream stream = whole(f.signature);
    stream.vs = shader;
    for (SIZE_T size = 1; size <= sizeof stream; size++) {
        ID3D12PipelineState *out = NULL;
        char *copy = malloc(size);
        cr_assert(copy);
        memcpy(copy, &stream, size);
        const bool damaged = size % sizeof(void *) != 0;
        HRESULT hr = create_stream(f.device, copy, size, &out);
        cr_assert(hr == E_INVALIDARG || (hr == S_OK && !damaged), "%u bytes: 0x%08x",
                  (unsigned)size, (unsigned)hr);
        cr_assert((hr == S_OK) == (out != NULL));
        cr_assert(hr != S_OK || size > offsetof(struct whole_stream, vs));
        if (out)
            ID3D12PipelineState_Release(out);
        free(copy);
    }
    end(&f);
}

/* ---- cached blobs ---- */

static ID3DBlob *blob_of(ID3D12PipelineState *state)
{
    ID3DBlob *blob = NULL;
    MUST(ID3D12PipelineState_GetCachedBlob(state, &blob));
    cr_assert(ID3D10Blob_GetBufferSize(blob) > 0);
    return blob;
}

static D3D12_CACHED_PIPELINE_STATE cached(ID3DBlob *blob)
{
    return (D3D12_CACHED_PIPELINE_STATE){ID3D10Blob_GetBufferPointer(blob),
                                         ID3D10Blob_GetBufferSize(blob)};
}

Test(cached_pipelines, the_device_says_that_it_has_them)
{
    ID3D12Device *device = kit_device();
    D3D12_FEATURE_DATA_SHADER_CACHE cache = {0};
    MUST(
        ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_SHADER_CACHE, &cache, sizeof cache));
    cr_assert((cache.SupportFlags & D3D12_SHADER_CACHE_SUPPORT_SINGLE_PSO) != 0);
    kit_close(device);
}

Test(cached_pipelines, a_blob_is_taken_for_the_same_description_only)
{
    struct fixture f = begin();
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(f.signature, EMU_KERNEL_FILL),
                                      other = compute(f.signature, EMU_KERNEL_ADD);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC draw = graphics(f.signature);
    ID3D12PipelineState *state = NULL, *again = NULL;
    EXPECT_HR(create_compute(f.device, &desc, &state), S_OK);
    ID3DBlob *blob = blob_of(state);
    desc.CachedPSO = other.CachedPSO = draw.CachedPSO = cached(blob);
    MUST(create_compute(f.device, &desc, &again));
    cr_assert(same_blob(state, again));
    cr_assert(kit_messages(f.device) == 0);
    ID3D12PipelineState_Release(again);
    again = state;
    HRESULT hr = create_compute(f.device, &other, &again);
    refused(&f, hr, again, STREAM_ID(CACHEDBLOBDESCMISMATCH), "another kernel");
    hr = create_graphics(f.device, &draw, &again);
    refused(&f, hr, again, STREAM_ID(CACHEDBLOBDESCMISMATCH), "graphics");
    EXPECT_HR(ID3D12PipelineState_GetCachedBlob(state, NULL), E_INVALIDARG);
    ID3D10Blob_Release(blob);
    ID3D12PipelineState_Release(state);
    end(&f);
}

Test(cached_pipelines, every_difference_of_a_description_counts)
{
    struct fixture f = begin();
    const D3D12_INPUT_ELEMENT_DESC element = {
        "POSITION", 0, DXGI_FORMAT_R32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0};
    D3D12_INPUT_ELEMENT_DESC changed = element;
    const UINT8 other_shader[sizeof some_shader] = {'D', 'X', 'B', 'C', 1, 2, 3, 5};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC good = graphics(f.signature);
    good.InputLayout = (D3D12_INPUT_LAYOUT_DESC){&element, 1};
    ID3D12RootSignature *another = signature_with_output(f.device);
    ID3D12PipelineState *state = NULL, *out;
    MUST(create_graphics(f.device, &good, &state));
    ID3DBlob *blob = blob_of(state);
    good.CachedPSO = cached(blob);
#define DIFFERS(statement) REFUSED(STREAM_ID(CACHEDBLOBDESCMISMATCH), statement)
    DIFFERS(desc.pRootSignature = another);
    DIFFERS(desc.VS.pShaderBytecode = other_shader);
    DIFFERS(desc.GS = desc.VS);
    DIFFERS(desc.SampleMask = 1);
    DIFFERS(desc.BlendState.RenderTarget[0].RenderTargetWriteMask = 1);
    DIFFERS(desc.BlendState.AlphaToCoverageEnable = TRUE);
    DIFFERS(desc.RasterizerState.CullMode = D3D12_CULL_MODE_BACK);
    DIFFERS(desc.RasterizerState.DepthBiasClamp = 1);
    DIFFERS(desc.DepthStencilState.StencilWriteMask = 1);
    DIFFERS(desc.InputLayout.NumElements = 0);
    DIFFERS((changed.SemanticName = "COLOR", desc.InputLayout.pInputElementDescs = &changed));
    DIFFERS(
        (changed = element, changed.InputSlot = 1, desc.InputLayout.pInputElementDescs = &changed));
    DIFFERS(desc.IBStripCutValue = D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFF);
    DIFFERS(desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE);
    DIFFERS(desc.RTVFormats[0] = DXGI_FORMAT_R8_UNORM);
    DIFFERS(desc.DSVFormat = DXGI_FORMAT_D16_UNORM);
    DIFFERS(desc.SampleDesc.Count = 2);
    ID3D10Blob_Release(blob);
    ID3D12PipelineState_Release(state);
    ID3D12RootSignature_Release(another);
    end(&f);
}

Test(cached_pipelines, a_damaged_blob_is_refused)
{
    struct fixture f = begin();
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(f.signature, EMU_KERNEL_FILL);
    ID3D12PipelineState *state = NULL, *out = NULL;
    MUST(create_compute(f.device, &desc, &state));
    ID3DBlob *blob = blob_of(state);
    const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
    for (SIZE_T cut = 1; cut < size; cut++) { /* of size 0: no blob */
        unsigned char *copy = malloc(cut);
        cr_assert(copy);
        memcpy(copy, ID3D10Blob_GetBufferPointer(blob), cut);
        desc.CachedPSO = (D3D12_CACHED_PIPELINE_STATE){copy, cut};
        HRESULT hr = create_compute(f.device, &desc, &out);
        refused(&f, hr, out, STREAM_ID(INVALIDCACHEDBLOB), "cut");
        free(copy);
    }
    for (SIZE_T at = 0; at < size; at++) {
        unsigned char *byte = (unsigned char *)ID3D10Blob_GetBufferPointer(blob) + at;
        *byte ^= 0x41;
        desc.CachedPSO = cached(blob);
        HRESULT hr = create_compute(f.device, &desc, &out);
        refused(&f, hr, out, STREAM_ID(INVALIDCACHEDBLOB), "flipped");
        *byte ^= 0x41;
    }
    desc.CachedPSO = (D3D12_CACHED_PIPELINE_STATE){NULL, size};
    HRESULT hr = create_compute(f.device, &desc, &out);
    refused(&f, hr, out, STREAM_ID(INVALIDCACHEDBLOB), "no pointer");
    ID3D10Blob_Release(blob);
    ID3D12PipelineState_Release(state);
    end(&f);
}

static HRESULT use_elsewhere(const char *driver, ID3DBlob *blob, int id)
{
    ID3D12Device *device = device_of(driver);
    ID3D12RootSignature *signature = kit_root_signature(device);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(signature, EMU_KERNEL_FILL);
    ID3D12PipelineState *state = (ID3D12PipelineState *)device;
    desc.CachedPSO = cached(blob);
    HRESULT hr = create_compute(device, &desc, &state);
    cr_assert((hr == S_OK) == (state != NULL));
    cr_assert(id == 0 || kit_count(device, id) == 1);
    if (state)
        ID3D12PipelineState_Release(state);
    ID3D12RootSignature_Release(signature);
    kit_close(device);
    return hr;
}

Test(cached_pipelines, a_blob_is_of_one_driver_and_adapter)
{
    struct fixture f = begin();
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = compute(f.signature, EMU_KERNEL_FILL);
    ID3D12PipelineState *state = NULL;
    MUST(create_compute(f.device, &desc, &state));
    ID3DBlob *blob = blob_of(state);
    EXPECT_HR(use_elsewhere("reference", blob, 0), S_OK);
    EXPECT_HR(use_elsewhere("legacy", blob, STREAM_ID(CACHEDBLOBDRIVERVERSIONMISMATCH)),
              D3D12_ERROR_DRIVER_VERSION_MISMATCH);
    EXPECT_HR(use_elsewhere("warp", blob, STREAM_ID(CACHEDBLOBADAPTERMISMATCH)),
              D3D12_ERROR_ADAPTER_NOT_FOUND);
    ID3D10Blob_Release(blob);
    ID3D12PipelineState_Release(state);
    end(&f);
}
