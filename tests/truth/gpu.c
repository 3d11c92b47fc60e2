#define INITGUID
#include "gpu.h"

#include "list.h"

#include <directx/d3d12video.h>

#include <string.h>

enum { PREDICATES = 12 }; /* words of `arguments` before them */

/* ---- objects ---- */

static ID3D12PipelineState *make_draw(const struct gpu *gpu, emu_kernel kernel)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = gpu->root,
        .SampleMask = UINT32_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleDesc = {.Count = 1},
    };
    desc.VS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.VS.BytecodeLength);
    return MADE(ID3D12PipelineState, gpu->device, CreateGraphicsPipelineState, &desc);
}

static ID3D12Resource *make_buffer(const struct gpu *gpu, D3D12_HEAP_TYPE type, UINT words,
                                   uint32_t **mapped)
{
    ID3D12Resource *buffer = kit_buffer(gpu->device, type, (UINT64)words * sizeof(uint32_t));
    MUST(ID3D12Resource_Map(buffer, 0, NULL, (void **)mapped));
    return buffer;
}

static void make_indirect(struct gpu *gpu)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {12, 1, &argument, 0};
    uint32_t *words = NULL;
    gpu->signature = MADE(ID3D12CommandSignature, gpu->device, CreateCommandSignature, &desc, NULL);
    gpu->arguments = make_buffer(gpu, D3D12_HEAP_TYPE_UPLOAD, 64, &words);
    for (unsigned i = 0; i < 12; i++)
        words[i] = 1;
    words[PREDICATES + 2] = 1;
}

static ID3D12Resource *make_target(const struct gpu *gpu)
{
    const D3D12_RESOURCE_DESC desc =
        kit_texture_desc(DXGI_FORMAT_R8_UINT, 8, 4, 1, 1, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    return kit_resource(gpu->device, &desc, D3D12_RESOURCE_STATE_RENDER_TARGET);
}

static void descriptor_start(ID3D12DescriptorHeap *heap, D3D12_CPU_DESCRIPTOR_HANDLE *at)
{
#ifdef EMU_D3D12_ABI_VKD3D /* structs are returned through a pointer */
    heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap, at);
#else
    *at = heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap);
#endif
}

static void make_targets(struct gpu *gpu)
{
    gpu->targets = kit_descriptors(gpu->device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, 0);
    gpu->target = make_target(gpu);
}

void gpu_open(struct gpu *gpu)
{
    uint32_t *words = NULL;
    *gpu = (struct gpu){0};
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&gpu->device));
    gpu->root = kit_root_signature(gpu->device);
    gpu->add = kit_pipeline(gpu->device, gpu->root, EMU_KERNEL_ADD);
    gpu->spin = kit_pipeline(gpu->device, gpu->root, EMU_KERNEL_SPIN);
    gpu->touch = kit_pipeline(gpu->device, gpu->root, EMU_KERNEL_TOUCH);
    gpu->draw = make_draw(gpu, EMU_KERNEL_ADD);
    gpu->ones = make_buffer(gpu, D3D12_HEAP_TYPE_UPLOAD, 2 * BUNDLE_WORDS, &words);
    words[BUNDLE_WORDS] = 1;
    gpu->counters = make_buffer(gpu, D3D12_HEAP_TYPE_READBACK, WORDS, &words);
    gpu->words = words;
    gpu->counters_at = ID3D12Resource_GetGPUVirtualAddress(gpu->counters);
    gpu->ones_at = ID3D12Resource_GetGPUVirtualAddress(gpu->ones);
    make_indirect(gpu);
    make_targets(gpu);
}

void gpu_close(struct gpu *gpu)
{
    RELEASE(gpu->counters, gpu->ones, gpu->arguments, gpu->target, gpu->targets, gpu->signature);
    if (gpu->tiled)
        RELEASE(gpu->tiled, gpu->tiles);
    RELEASE(gpu->add, gpu->draw, gpu->spin, gpu->touch, gpu->root);
    const ULONG left = ID3D12Device_Release(gpu->device);
    if (left != 0) {
        fprintf(stderr, "%u references to the device are left\n", (unsigned)left);
        abort();
    }
}

/* ---- settings ---- */

void gpu_set_mode(const struct gpu *gpu, bool is_retail)
{
    kit_set_mode(gpu->device, is_retail ? D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL
                                        : D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY);
}

void gpu_set_dred(enum dred dred)
{
    ID3D12DeviceRemovedExtendedDataSettings2 *settings = NULL;
    const D3D12_DRED_ENABLEMENT on = dred == DRED_NONE     ? D3D12_DRED_ENABLEMENT_FORCED_OFF
                                     : dred == DRED_SYSTEM ? D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED
                                                           : D3D12_DRED_ENABLEMENT_FORCED_ON;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings2, (void **)&settings));
    settings->lpVtbl->SetAutoBreadcrumbsEnablement(settings, on);
    settings->lpVtbl->SetBreadcrumbContextEnablement(settings, on);
    settings->lpVtbl->SetPageFaultEnablement(settings, on);
    settings->lpVtbl->UseMarkersOnlyAutoBreadcrumbs(settings, dred == DRED_MARKERS_ONLY);
    settings->lpVtbl->Release(settings);
}

HRESULT gpu_name(void *object, const char *name)
{
    WCHAR wide[64] = {0};
    for (size_t i = 0; name && name[i] != '\0' && i < 63; i++)
        wide[i] = (WCHAR)name[i];
    return ID3D12Object_SetName((ID3D12Object *)object, name ? wide : NULL);
}

/* ---- work ---- */

/* Adds the vector that has 1 at the counter's place: the destination may so be the caller's. */
static void set_arguments(const struct gpu *gpu, ID3D12GraphicsCommandList *list, bool is_bundle,
                          bool draws, uint32_t word)
{
    const UINT constants[2] = {0, is_bundle ? BUNDLE_WORDS : 1};
    const uint64_t to = gpu->counters_at + word * sizeof(uint32_t);
    const uint64_t from =
        gpu->ones_at + (is_bundle ? BUNDLE_WORDS - word : BUNDLE_WORDS) * sizeof(uint32_t);
    if (draws) {
        ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, gpu->root);
        if (!is_bundle)
            ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(list, 0, to);
        ID3D12GraphicsCommandList_SetGraphicsRootShaderResourceView(list, 1, from);
        ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(list, 2, 2, constants, 0);
        ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
        return;
    }
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, gpu->root);
    if (!is_bundle)
        ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(list, 0, to);
    ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(list, 1, from);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
}

/* What follows in a bundle still has the destination that the caller bound. */
static void record_fault(const struct gpu *gpu, ID3D12GraphicsCommandList *list, bool is_bundle,
                         enum work work)
{
    const UINT nowhere[2] = {0xdead0000u, 0x7fffu};
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, gpu->root);
    if (!is_bundle)
        ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(list, 0, gpu->counters_at);
    ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(list, 1, gpu->ones_at);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, nowhere, 0);
    ID3D12GraphicsCommandList_SetPipelineState(list, work == WORK_SPIN ? gpu->spin : gpu->touch);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

/* The word is the first of a vector of one. */
static void record_dispatch(const struct gpu *gpu, ID3D12GraphicsCommandList *list,
                            D3D12_COMMAND_LIST_TYPE type, enum work work, uint32_t value,
                            uint32_t word)
{
    const bool draws = work == WORK_DRAW;
    set_arguments(gpu, list, type == D3D12_COMMAND_LIST_TYPE_BUNDLE, draws, word);
    ID3D12GraphicsCommandList_SetPipelineState(list, draws ? gpu->draw : gpu->add);
    if (draws)
        ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, 0, 0);
    else if (work == WORK_INDIRECT)
        ID3D12GraphicsCommandList_ExecuteIndirect(list, gpu->signature, value, gpu->arguments, 0,
                                                  NULL, 0);
    else
        ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

void gpu_end_pass(ID3D12GraphicsCommandList *list)
{
    ID3D12GraphicsCommandList4 *newer = AS(ID3D12GraphicsCommandList4, list);
    ID3D12GraphicsCommandList4_EndRenderPass(newer);
    ID3D12GraphicsCommandList4_Release(newer);
}

static void record_pass(struct gpu *gpu, ID3D12GraphicsCommandList *list, uint32_t value,
                        bool is_lost)
{
    ID3D12Resource *target = is_lost ? make_target(gpu) : gpu->target;
    D3D12_CPU_DESCRIPTOR_HANDLE at;
    descriptor_start(gpu->targets, &at);
    ID3D12Device_CreateRenderTargetView(gpu->device, target, NULL, at);
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC pass = {
        .cpuDescriptor = at,
        .BeginningAccess = {D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR,
                            {{{DXGI_FORMAT_R8_UINT, {{6}}}}}},
        .EndingAccess = {.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE}};
    const unsigned flags = is_lost ? 0
                                   : (value & 1 ? D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS : 0u) |
                                         (value & 2 ? D3D12_RENDER_PASS_FLAG_RESUMING_PASS : 0u);
    ID3D12GraphicsCommandList4 *newer = AS(ID3D12GraphicsCommandList4, list);
    ID3D12GraphicsCommandList4_BeginRenderPass(newer, 1, &pass, NULL,
                                               (D3D12_RENDER_PASS_FLAGS)flags);
    ID3D12GraphicsCommandList4_Release(newer);
    if (!is_lost)
        return;
    gpu_end_pass(list);
    ID3D12Resource_Release(target);
}

static void record_predicate(const struct gpu *gpu, ID3D12GraphicsCommandList *list, uint32_t value)
{
    if (value == 0)
        ID3D12GraphicsCommandList_SetPredication(list, NULL, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    else
        ID3D12GraphicsCommandList_SetPredication(
            list, gpu->arguments, (PREDICATES + (value == 1 ? 0u : 2u)) * sizeof(uint32_t),
            D3D12_PREDICATION_OP_EQUAL_ZERO);
}

bool gpu_can(D3D12_COMMAND_LIST_TYPE type, enum work work)
{
    const bool is_direct = type == D3D12_COMMAND_LIST_TYPE_DIRECT;
    const bool is_bundle = type == D3D12_COMMAND_LIST_TYPE_BUNDLE;
    const bool is_copy = type == D3D12_COMMAND_LIST_TYPE_COPY;
    if (list_is_video(type))
        return work == WORK_WRITE;
    switch (work) {
    case WORK_DISPATCH:
    case WORK_SPIN:
    case WORK_TOUCH:
        return !is_copy;
    case WORK_DRAW:
        return is_direct || is_bundle;
    case WORK_WRITE:
    case WORK_COPY:
        return !is_bundle;
    case WORK_PASS:
    case WORK_LOST_PASS:
        return is_direct;
    default:
        return !is_copy && !is_bundle;
    }
}

void gpu_work(struct gpu *gpu, ID3D12GraphicsCommandList *list, D3D12_COMMAND_LIST_TYPE type,
              enum work work, uint32_t value, uint32_t word)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    switch (work) {
    case WORK_WRITE:
        list_write((ID3D12CommandList *)list, type, gpu->counters_at + word * sizeof(uint32_t), 1);
        break;
    case WORK_COPY:
        ID3D12GraphicsCommandList_CopyBufferRegion(list, gpu->counters, word * sizeof(uint32_t),
                                                   gpu->ones, BUNDLE_WORDS * sizeof(uint32_t),
                                                   sizeof(uint32_t));
        break;
    case WORK_BARRIER:
        ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
        break;
    case WORK_PASS:
    case WORK_LOST_PASS:
        record_pass(gpu, list, value, work == WORK_LOST_PASS);
        break;
    case WORK_PREDICATE:
        record_predicate(gpu, list, value);
        break;
    case WORK_SPIN:
    case WORK_TOUCH:
        record_fault(gpu, list, type == D3D12_COMMAND_LIST_TYPE_BUNDLE, work);
        break;
    default:
        record_dispatch(gpu, list, type, work, value, word);
    }
}

void gpu_call(const struct gpu *gpu, ID3D12GraphicsCommandList *list,
              ID3D12GraphicsCommandList *bundle, uint32_t word)
{
    const uint64_t to = gpu->counters_at + word * sizeof(uint32_t);
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, gpu->root);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(list, 0, to);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, gpu->root);
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(list, 0, to);
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
}

void gpu_map_tile(struct gpu *gpu, ID3D12CommandQueue *queue)
{
    const D3D12_TILED_RESOURCE_COORDINATE at = {0};
    const D3D12_TILE_REGION_SIZE one = {.NumTiles = 1};
    const D3D12_TILE_RANGE_FLAGS flags = D3D12_TILE_RANGE_FLAG_NONE;
    const UINT offset = 0, count = 1;
    if (!gpu->tiled) {
        const D3D12_HEAP_DESC heap = {.SizeInBytes = 65536,
                                      .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                      .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
        const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                          .Width = 65536,
                                          .Height = 1,
                                          .DepthOrArraySize = 1,
                                          .MipLevels = 1,
                                          .SampleDesc = {.Count = 1},
                                          .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
        gpu->tiles = MADE(ID3D12Heap, gpu->device, CreateHeap, &heap);
        gpu->tiled = MADE(ID3D12Resource, gpu->device, CreateReservedResource, &desc,
                          D3D12_RESOURCE_STATE_COMMON, NULL);
    }
    ID3D12CommandQueue_UpdateTileMappings(queue, gpu->tiled, 1, &at, &one, gpu->tiles, 1, &flags,
                                          &offset, &count, D3D12_TILE_MAPPING_FLAG_NONE);
}
