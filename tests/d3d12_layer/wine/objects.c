#define INITGUID
#include "objects.h"

#include "shaders.h"

#include <limits.h>

ID3D12Device *device;
ID3D12RootSignature *signature;

ID3D12Resource *create_resource(const D3D12_HEAP_PROPERTIES *heap, const D3D12_RESOURCE_DESC *desc,
                                D3D12_RESOURCE_STATES state, const WCHAR *name)
{
    ID3D12Resource *resource = NULL;
    MUST(ID3D12Device_CreateCommittedResource(device, heap, D3D12_HEAP_FLAG_NONE, desc, state, NULL,
                                              &IID_ID3D12Resource, (void **)&resource));
    MUST(ID3D12Resource_SetName(resource, name));
    return resource;
}

ID3D12Resource *create_buffer(const D3D12_HEAP_PROPERTIES *heap, UINT64 size,
                              D3D12_RESOURCE_STATES state, const WCHAR *name)
{
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                      .Width = size,
                                      .Height = 1,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .SampleDesc = {1, 0},
                                      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                      .Flags = state == D3D12_RESOURCE_STATE_UNORDERED_ACCESS
                                                   ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                                   : D3D12_RESOURCE_FLAG_NONE};
    return create_resource(heap, &desc, state, name);
}

const D3D12_HEAP_PROPERTIES gpu_heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
const D3D12_HEAP_PROPERTIES readback_heap = {.Type = D3D12_HEAP_TYPE_READBACK};
/* The host writes it while the GPU reads. */
static const D3D12_HEAP_PROPERTIES shared_heap = {.Type = D3D12_HEAP_TYPE_CUSTOM,
                                                  .CPUPageProperty =
                                                      D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                                  .MemoryPoolPreference = D3D12_MEMORY_POOL_L0};

void create_signature(void)
{
    const D3D12_ROOT_PARAMETER parameters[] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV, .Descriptor = {.ShaderRegister = 1}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV, .Descriptor = {.ShaderRegister = 2}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    ID3DBlob *blob = NULL;
    MUST(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    MUST(ID3D12Device_CreateRootSignature(device, 0, ID3D10Blob_GetBufferPointer(blob),
                                          ID3D10Blob_GetBufferSize(blob), &IID_ID3D12RootSignature,
                                          (void **)&signature));
    ID3D10Blob_Release(blob);
}

static ID3D12PipelineState *create_compute(const unsigned char *code, size_t size,
                                           const WCHAR *name)
{
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature,
                                                    .CS = {code, size}};
    ID3D12PipelineState *pipeline = NULL;
    MUST(ID3D12Device_CreateComputePipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                 (void **)&pipeline));
    MUST(ID3D12PipelineState_SetName(pipeline, name));
    return pipeline;
}

static ID3D12PipelineState *create_graphics(const unsigned char *code, size_t size,
                                            const WCHAR *name)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = signature,
        .VS = {vs_all, sizeof vs_all},
        .PS = {code, size},
        .SampleMask = UINT_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID,
                            .CullMode = D3D12_CULL_MODE_NONE,
                            .DepthClipEnable = TRUE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .NumRenderTargets = 1,
        .RTVFormats = {DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {1, 0},
    };
    desc.BlendState.RenderTarget[0].RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
    ID3D12PipelineState *pipeline = NULL;
    MUST(ID3D12Device_CreateGraphicsPipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                  (void **)&pipeline));
    MUST(ID3D12PipelineState_SetName(pipeline, name));
    return pipeline;
}

ID3D12PipelineState *create_fill(void)
{
    return create_compute(cs_fill, sizeof cs_fill, L"Fill");
}

ID3D12PipelineState *create_spin(void)
{
    return create_compute(cs_spin, sizeof cs_spin, L"Spin");
}

ID3D12PipelineState *create_draw(void)
{
    return create_graphics(ps_fill, sizeof ps_fill, L"Paint");
}

ID3D12PipelineState *create_draw_spin(void)
{
    return create_graphics(ps_spin, sizeof ps_spin, L"Paint endlessly");
}

ID3D12Resource *create_word(volatile LONG **host)
{
    void *mapped = NULL;
    ID3D12Resource *word =
        create_buffer(&shared_heap, 256, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, L"Word");
    MUST(ID3D12Resource_Map(word, 0, NULL, &mapped));
    *host = mapped;
    **host = 0;
    return word;
}

void dispatch(ID3D12GraphicsCommandList *list, ID3D12PipelineState *pipeline, ID3D12Resource *word,
              ID3D12Resource *results, const UINT constants[2], UINT x, UINT y)
{
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline);
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, signature);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(word));
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        list, 1, ID3D12Resource_GetGPUVirtualAddress(results));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(list, x, y, 1);
}

bool appears(const char *file)
{
    for (unsigned i = 0; i < 6000; i++) {
        if (GetFileAttributesA(file) != INVALID_FILE_ATTRIBUTES)
            return true;
        Sleep(10);
    }
    return false;
}
