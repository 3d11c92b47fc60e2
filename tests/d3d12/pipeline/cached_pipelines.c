/* Cached blobs of pipeline states: which description, driver and adapter they are taken for. */
#include "pipeline/pipeline_kit.h"

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
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_FEATURE_DATA_SHADER_CACHE cache = {0};
    MUST(
        ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_SHADER_CACHE, &cache, sizeof cache));
    cr_assert((cache.SupportFlags & D3D12_SHADER_CACHE_SUPPORT_SINGLE_PSO) != 0);
}

Test(cached_pipelines, a_blob_is_taken_for_the_same_description_only)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = pipeline_compute(f.signature, EMU_KERNEL_FILL),
                                      other = pipeline_compute(f.signature, EMU_KERNEL_ADD);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC draw = pipeline_graphics(f.signature);
    ID3D12PipelineState *state = NULL, *again = NULL;
    EXPECT_HR(pipeline_create_compute(f.device, &desc, &state), S_OK);
    ID3DBlob *blob = blob_of(state);
    desc.CachedPSO = other.CachedPSO = draw.CachedPSO = cached(blob);
    MUST(pipeline_create_compute(f.device, &desc, &again));
    cr_assert(pipeline_same_blob(state, again));
    cr_assert_eq(kit_messages(f.device), 0);
    ID3D12PipelineState_Release(again);
    again = state;
    HRESULT hr = pipeline_create_compute(f.device, &other, &again);
    pipeline_refused(&f, hr, again, STREAM_ID(CACHEDBLOBDESCMISMATCH), "another kernel");
    hr = pipeline_create_graphics(f.device, &draw, &again);
    pipeline_refused(&f, hr, again, STREAM_ID(CACHEDBLOBDESCMISMATCH), "graphics");
    EXPECT_HR(ID3D12PipelineState_GetCachedBlob(state, NULL), E_INVALIDARG);
    RELEASE(blob, state);
}

Test(cached_pipelines, every_difference_of_a_description_counts)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_INPUT_ELEMENT_DESC element = {
        "POSITION", 0, DXGI_FORMAT_R32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0};
    D3D12_INPUT_ELEMENT_DESC changed = element;
    const D3D12_SHADER_BYTECODE geometry = KIT_SHADER(GS);
    UINT8 other_shader[sizeof kit_shaders[0]];
    memcpy(other_shader, kit_shaders[KIT_VS], sizeof other_shader);
    other_shader[sizeof other_shader - 1] = 5;
    D3D12_GRAPHICS_PIPELINE_STATE_DESC good = pipeline_graphics(f.signature);
    good.InputLayout = (D3D12_INPUT_LAYOUT_DESC){&element, 1};
    OWNED ID3D12RootSignature *another = pipeline_signature_with_output(f.device);
    ID3D12PipelineState *state = NULL, *out;
    MUST(pipeline_create_graphics(f.device, &good, &state));
    ID3DBlob *blob = blob_of(state);
    good.CachedPSO = cached(blob);
#define DIFFERS(statement) REFUSED(STREAM_ID(CACHEDBLOBDESCMISMATCH), statement)
    DIFFERS(desc.pRootSignature = another);
    DIFFERS(desc.VS.pShaderBytecode = other_shader);
    DIFFERS(desc.GS = geometry);
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
    DIFFERS((changed = element, changed.SemanticIndex = 1,
             desc.InputLayout.pInputElementDescs = &changed));
    DIFFERS((changed = element, changed.Format = DXGI_FORMAT_R32_UINT,
             desc.InputLayout.pInputElementDescs = &changed));
    DIFFERS((changed = element, changed.AlignedByteOffset = 4,
             desc.InputLayout.pInputElementDescs = &changed));
    DIFFERS((changed = element,
             changed.InputSlotClass = D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA,
             desc.InputLayout.pInputElementDescs = &changed));
    DIFFERS(desc.BlendState.IndependentBlendEnable = TRUE);
    for (int i = 0; i < D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT; i++) {
#define TARGET_DIFFERS(member, value) DIFFERS(desc.BlendState.RenderTarget[i].member = (value))
        TARGET_DIFFERS(SrcBlend, D3D12_BLEND_SRC_ALPHA);
        TARGET_DIFFERS(DestBlend, D3D12_BLEND_SRC_ALPHA);
        TARGET_DIFFERS(BlendOp, D3D12_BLEND_OP_MAX);
        TARGET_DIFFERS(SrcBlendAlpha, D3D12_BLEND_SRC_ALPHA);
        TARGET_DIFFERS(DestBlendAlpha, D3D12_BLEND_SRC_ALPHA);
        TARGET_DIFFERS(BlendOpAlpha, D3D12_BLEND_OP_MAX);
        TARGET_DIFFERS(LogicOp, D3D12_LOGIC_OP_AND);
        TARGET_DIFFERS(RenderTargetWriteMask, 2);
    }
    DIFFERS(desc.RasterizerState.FillMode = D3D12_FILL_MODE_WIREFRAME);
    DIFFERS(desc.RasterizerState.FrontCounterClockwise ^= TRUE);
    DIFFERS(desc.RasterizerState.DepthBias = 1);
    DIFFERS(desc.RasterizerState.SlopeScaledDepthBias = 1);
    DIFFERS(desc.RasterizerState.DepthClipEnable ^= TRUE);
    DIFFERS(desc.RasterizerState.MultisampleEnable ^= TRUE);
    DIFFERS(desc.RasterizerState.AntialiasedLineEnable ^= TRUE);
    DIFFERS(desc.RasterizerState.ConservativeRaster = D3D12_CONSERVATIVE_RASTERIZATION_MODE_ON);
    DIFFERS(desc.DepthStencilState.DepthWriteMask ^= D3D12_DEPTH_WRITE_MASK_ALL);
    DIFFERS(desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_GREATER);
    DIFFERS(desc.DepthStencilState.StencilReadMask = 1);
    for (int i = 0; i < 2; i++) {
#define FACE_DIFFERS(member, value)                                                                \
    DIFFERS(*(i ? &desc.DepthStencilState.BackFace.member                                          \
                : &desc.DepthStencilState.FrontFace.member) = (value))
        FACE_DIFFERS(StencilFailOp, D3D12_STENCIL_OP_INVERT);
        FACE_DIFFERS(StencilDepthFailOp, D3D12_STENCIL_OP_INVERT);
        FACE_DIFFERS(StencilPassOp, D3D12_STENCIL_OP_INVERT);
        FACE_DIFFERS(StencilFunc, D3D12_COMPARISON_FUNC_GREATER);
    }
    DIFFERS(desc.IBStripCutValue = D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFF);
    DIFFERS(desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE);
    DIFFERS(desc.RTVFormats[0] = DXGI_FORMAT_R8_UNORM);
    DIFFERS(desc.DSVFormat = DXGI_FORMAT_D16_UNORM);
    DIFFERS(desc.SampleDesc.Count = 2);
    RELEASE(blob, state);
}

Test(cached_pipelines, a_damaged_blob_is_refused)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = pipeline_compute(f.signature, EMU_KERNEL_FILL);
    ID3D12PipelineState *state = NULL, *out = NULL;
    MUST(pipeline_create_compute(f.device, &desc, &state));
    ID3DBlob *blob = blob_of(state);
    const SIZE_T size = ID3D10Blob_GetBufferSize(blob);
    for (SIZE_T cut = 1; cut < size; cut++) { /* of size 0: no blob */
        unsigned char *copy = malloc(cut);
        cr_assert(copy);
        memcpy(copy, ID3D10Blob_GetBufferPointer(blob), cut);
        desc.CachedPSO = (D3D12_CACHED_PIPELINE_STATE){copy, cut};
        HRESULT hr = pipeline_create_compute(f.device, &desc, &out);
        pipeline_refused(&f, hr, out, STREAM_ID(INVALIDCACHEDBLOB), "cut");
        free(copy);
    }
    for (SIZE_T at = 0; at < size; at++) {
        unsigned char *byte = (unsigned char *)ID3D10Blob_GetBufferPointer(blob) + at;
        *byte ^= 0x41;
        desc.CachedPSO = cached(blob);
        HRESULT hr = pipeline_create_compute(f.device, &desc, &out);
        pipeline_refused(&f, hr, out, STREAM_ID(INVALIDCACHEDBLOB), "flipped");
        *byte ^= 0x41;
    }
    desc.CachedPSO = (D3D12_CACHED_PIPELINE_STATE){NULL, size};
    HRESULT hr = pipeline_create_compute(f.device, &desc, &out);
    pipeline_refused(&f, hr, out, STREAM_ID(INVALIDCACHEDBLOB), "no pointer");
    RELEASE(blob, state);
}

static HRESULT use_elsewhere(const char *driver, ID3DBlob *blob, int id)
{
    AT_END(kit_closed) ID3D12Device *device = pipeline_device(driver);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = pipeline_compute(signature, EMU_KERNEL_FILL);
    ID3D12PipelineState *state = (ID3D12PipelineState *)device;
    desc.CachedPSO = cached(blob);
    HRESULT hr = pipeline_create_compute(device, &desc, &state);
    cr_assert_eq(hr == S_OK, state != NULL);
    cr_assert(id == 0 || kit_count(device, id) == 1);
    if (state)
        ID3D12PipelineState_Release(state);
    return hr;
}

Test(cached_pipelines, a_blob_is_of_one_driver_and_adapter)
{
    AT_END(pipeline_end) struct pipelines f = pipeline_begin();
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = pipeline_compute(f.signature, EMU_KERNEL_FILL);
    OWNED ID3D12PipelineState *state = NULL;
    MUST(pipeline_create_compute(f.device, &desc, &state));
    OWNED ID3DBlob *blob = blob_of(state);
    EXPECT_HR(use_elsewhere("reference", blob, 0), S_OK);
    EXPECT_HR(use_elsewhere("legacy", blob, STREAM_ID(CACHEDBLOBDRIVERVERSIONMISMATCH)),
              D3D12_ERROR_DRIVER_VERSION_MISMATCH);
    EXPECT_HR(use_elsewhere("warp", blob, STREAM_ID(CACHEDBLOBADAPTERMISMATCH)),
              D3D12_ERROR_ADAPTER_NOT_FOUND);
}
