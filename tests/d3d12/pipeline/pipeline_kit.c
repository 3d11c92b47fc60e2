#include "pipeline/pipeline_kit.h"

D3D12_GRAPHICS_PIPELINE_STATE_DESC pipeline_graphics(ID3D12RootSignature *signature)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc =
        kit_graphics_desc(signature, (D3D12_SHADER_BYTECODE)KIT_SHADER(VS));
    desc.PS = (D3D12_SHADER_BYTECODE)KIT_SHADER(PS);
    desc.NumRenderTargets = 1;
    desc.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
    return desc;
}

D3D12_COMPUTE_PIPELINE_STATE_DESC pipeline_compute(ID3D12RootSignature *signature,
                                                   emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    return desc;
}

HRESULT pipeline_create_graphics(ID3D12Device *device,
                                 const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc,
                                 ID3D12PipelineState **out)
{
    return TRY(ID3D12PipelineState, out, device, CreateGraphicsPipelineState, desc);
}

HRESULT pipeline_create_compute(ID3D12Device *device, const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                ID3D12PipelineState **out)
{
    return TRY(ID3D12PipelineState, out, device, CreateComputePipelineState, desc);
}

HRESULT pipeline_create_stream(ID3D12Device *device, const void *stream, SIZE_T size,
                               ID3D12PipelineState **out)
{
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {size, (void *)(uintptr_t)stream};
    OWNED ID3D12Device2 *device2 = AS(ID3D12Device2, device);
    HRESULT hr =
        ID3D12Device2_CreatePipelineState(device2, &desc, &IID_ID3D12PipelineState, (void **)out);
    return hr;
}
struct pipelines pipeline_begin(void)
{
    struct pipelines f = {.device = kit_device()};
    f.signature = kit_root_signature(f.device);
    return f;
}

void pipeline_end(struct pipelines *f)
{
    ID3D12RootSignature_Release(f->signature);
    kit_close(f->device);
}

void pipeline_refused(struct pipelines *f, HRESULT hr, void *out, int id, const char *what)
{
    cr_assert_eq(hr, E_INVALIDARG, "%s: 0x%08x", what, (unsigned)hr);
    cr_assert_eq(out, NULL, "%s", what);
    cr_assert_eq(kit_messages(f->device), 1, "%s: %u messages", what,
                 (unsigned)kit_messages(f->device));
    cr_assert_eq(kit_count(f->device, id), 1, "%s: another number than %d", what, id);
    kit_clear(f->device);
}
ID3D12RootSignature *pipeline_signature_with_output(ID3D12Device *device)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {.Flags = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT};
    return kit_root_signature_of(device, &desc);
}
ID3D12Device *pipeline_device(const char *driver)
{
    emu_config config = kit_config();
    config.driver = driver;
    return kit_device_with(&config);
}
bool pipeline_same_blob(ID3D12PipelineState *a, ID3D12PipelineState *b)
{
    ID3DBlob *x = NULL, *y = NULL;
    MUST(ID3D12PipelineState_GetCachedBlob(a, &x));
    MUST(ID3D12PipelineState_GetCachedBlob(b, &y));
    const SIZE_T size = ID3D10Blob_GetBufferSize(x);
    const bool same =
        size == ID3D10Blob_GetBufferSize(y) &&
        memcmp(ID3D10Blob_GetBufferPointer(x), ID3D10Blob_GetBufferPointer(y), size) == 0;
    RELEASE(x, y);
    return same;
}
