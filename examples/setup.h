/* The D3D12 objects that every program has to create first; the examples share them. */
#ifndef EXAMPLES_SETUP_H
#define EXAMPLES_SETUP_H

#define COBJMACROS
#define USE_PIX
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>
#include <annot/pix3.h>
#include <emu/emu.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        HRESULT must_hr = (call);                                                                  \
        if (FAILED(must_hr)) {                                                                     \
            fprintf(stderr, "%s: 0x%08X\n", #call, (unsigned)must_hr);                             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* --help is help, and no run. */
static inline void help(int argc, char **argv, const char *usage)
{
    if (argc != 2 || strcmp(argv[1], "--help") != 0)
        return;
    puts(usage);
    exit(0);
}

/* A device whose children forward markers and names to the driver. */
static inline ID3D12Device *make_device(void)
{
    ID3D12Device *device = NULL;
    ID3D12DeviceTools2 *tools = NULL;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceTools2, (void **)&tools));
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
        tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    ID3D12DeviceTools2_Release(tools);
    return device;
}

static inline ID3D12CommandQueue *make_queue(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type,
                                             const WCHAR *name)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = type};
    ID3D12CommandQueue *queue = NULL;
    MUST(ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, (void **)&queue));
    MUST(ID3D12CommandQueue_SetName(queue, name));
    return queue;
}

static inline ID3D12CommandAllocator *make_allocator(ID3D12Device *device,
                                                     D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12CommandAllocator *allocator = NULL;
    MUST(ID3D12Device_CreateCommandAllocator(device, type, &IID_ID3D12CommandAllocator,
                                             (void **)&allocator));
    return allocator;
}

/* A list that is recording. */
static inline ID3D12GraphicsCommandList *make_list(ID3D12Device *device,
                                                   ID3D12CommandAllocator *allocator,
                                                   D3D12_COMMAND_LIST_TYPE type, const WCHAR *name)
{
    ID3D12GraphicsCommandList *list = NULL;
    MUST(ID3D12Device_CreateCommandList(device, 0, type, allocator, NULL,
                                        &IID_ID3D12GraphicsCommandList, (void **)&list));
    MUST(ID3D12GraphicsCommandList_SetName(list, name));
    return list;
}

static inline ID3D12Fence *make_fence(ID3D12Device *device)
{
    ID3D12Fence *fence = NULL;
    MUST(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                  (void **)&fence));
    return fence;
}

static inline D3D12_RESOURCE_DESC describe_buffer(UINT64 size)
{
    return (D3D12_RESOURCE_DESC){.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                 .Width = size,
                                 .Height = 1,
                                 .DepthOrArraySize = 1,
                                 .MipLevels = 1,
                                 .SampleDesc = {.Count = 1},
                                 .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
}

static inline ID3D12Resource *make_unnamed_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type,
                                                  UINT64 size)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    const D3D12_RESOURCE_DESC desc = describe_buffer(size);
    const D3D12_RESOURCE_STATES state =
        type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
        : type == D3D12_HEAP_TYPE_UPLOAD ? D3D12_RESOURCE_STATE_GENERIC_READ
                                         : D3D12_RESOURCE_STATE_COMMON;
    ID3D12Resource *buffer = NULL;
    MUST(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, &desc, state,
                                              NULL, &IID_ID3D12Resource, (void **)&buffer));
    return buffer;
}

static inline ID3D12Resource *make_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size,
                                          const WCHAR *name)
{
    ID3D12Resource *buffer = make_unnamed_buffer(device, type, size);
    MUST(ID3D12Resource_SetName(buffer, name));
    return buffer;
}

/* The arguments of the emulator's kernels: a destination, a source, and constants. */
static inline ID3D12RootSignature *make_root_signature(ID3D12Device *device)
{
    const D3D12_ROOT_PARAMETER parameters[3] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    ID3DBlob *blob = NULL;
    ID3D12RootSignature *signature = NULL;
    MUST(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    MUST(ID3D12Device_CreateRootSignature(device, 0, ID3D10Blob_GetBufferPointer(blob),
                                          ID3D10Blob_GetBufferSize(blob), &IID_ID3D12RootSignature,
                                          (void **)&signature));
    ID3D10Blob_Release(blob);
    return signature;
}

static inline ID3D12PipelineState *make_pipeline(ID3D12Device *device,
                                                 ID3D12RootSignature *signature, emu_kernel kernel,
                                                 const WCHAR *name)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    ID3D12PipelineState *pipeline = NULL;
    MUST(ID3D12Device_CreateComputePipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                 (void **)&pipeline));
    MUST(ID3D12PipelineState_SetName(pipeline, name));
    return pipeline;
}

/* Fills the start of a buffer, or hangs, or whatever the pipeline does with `value` and `words`. */
static inline void dispatch(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                            ID3D12PipelineState *pipeline, ID3D12Resource *destination, UINT value,
                            UINT words)
{
    const UINT constants[2] = {value, words};
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(destination));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

static inline void execute(ID3D12CommandQueue *queue, UINT count, ID3D12GraphicsCommandList **lists)
{
    ID3D12CommandQueue_ExecuteCommandLists(queue, count, (ID3D12CommandList **)(void *)lists);
}

/* Releases what was made in this order, the last first. */
#define RELEASE_ALL(...)                                                                           \
    release_all((void *const[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

static inline void release_all(void *const *objects, size_t count)
{
    while (count-- > 0)
        IUnknown_Release((IUnknown *)objects[count]);
}

#endif
