/* D3D12 in C for suites and programs, and the objects that most tests need. Only what a D3D12
 * program sees, and emu.h. One file of a program defines INITGUID before it. A file that has a way
 * of its own to fail defines MUST(call) before it. */
#pragma once

#define COBJMACROS
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>
#include <emu/emu.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The test fails and ends unless the call returns S_OK: S_FALSE says something else. */
#ifndef MUST
#ifdef cr_assert
#define MUST_FAIL(text, hr) cr_assert_fail("%s: 0x%08x", text, (unsigned)(hr))
#else
#define MUST_FAIL(text, hr) (fprintf(stderr, "%s: 0x%08x\n", text, (unsigned)(hr)), abort())
#endif
#define MUST(call)                                                                                 \
    do {                                                                                           \
        const HRESULT must_hr = (call);                                                            \
        if (must_hr != S_OK)                                                                       \
            MUST_FAIL(#call, must_hr);                                                             \
    } while (0)
#endif

/* The object that a method returns through its last argument: MADE(ID3D12Heap, device, CreateHeap,
 * &desc). GOT: the method has no other arguments; AS: another interface of the object. */
#define MADE(Interface, object, Method, ...)                                                       \
    __extension__({                                                                                \
        void *made_ = NULL;                                                                        \
        MUST((object)->lpVtbl->Method((object), __VA_ARGS__, &IID_##Interface, &made_));           \
        (Interface *)made_;                                                                        \
    })
#define GOT(Interface, object, Method)                                                             \
    __extension__({                                                                                \
        void *got_ = NULL;                                                                         \
        MUST((object)->lpVtbl->Method((object), &IID_##Interface, &got_));                         \
        (Interface *)got_;                                                                         \
    })
#define AS(Interface, object) GOT(Interface, object, QueryInterface)

/* The same with the method's answer, and what it gives in `*out`. */
#define TRY(Interface, out, object, Method, ...)                                                   \
    ((object)->lpVtbl->Method((object), __VA_ARGS__, &IID_##Interface, (void **)(out)))

/* Releases one reference of each, in this order. */
#define RELEASE(...)                                                                               \
    kit_release_all((void *const[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

static inline void kit_release_all(void *const objects[], size_t number)
{
    for (size_t i = 0; i < number; i++)
        IUnknown_Release((IUnknown *)objects[i]);
}

static inline void kit_set_mode(ID3D12Device *device, D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    ID3D12DeviceTools2 *tools = AS(ID3D12DeviceTools2, device);
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(tools, mode);
    ID3D12DeviceTools2_Release(tools);
}

static inline D3D12_USER_DEFINED_ANNOTATION_MODE kit_get_mode(ID3D12Device *device)
{
    ID3D12DeviceTools2 *tools = AS(ID3D12DeviceTools2, device);
    const D3D12_USER_DEFINED_ANNOTATION_MODE mode =
        ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools);
    ID3D12DeviceTools2_Release(tools);
    return mode;
}

/* How many stored messages have this ID; `text`, if not NULL, gets the last one's. */
static inline UINT64 kit_count_texts(ID3D12Device *device, int id, char text[512])
{
    ID3D12InfoQueue *queue = AS(ID3D12InfoQueue, device);
    UINT64 count = 0;
    for (UINT64 i = 0; i < ID3D12InfoQueue_GetNumStoredMessages(queue); i++) {
        union {
            D3D12_MESSAGE message;
            char room[1024];
        } buffer;
        SIZE_T size = sizeof buffer;
        MUST(ID3D12InfoQueue_GetMessage(queue, i, &buffer.message, &size));
        if ((int)buffer.message.ID != id)
            continue;
        count++;
        if (text)
            snprintf(text, 512, "%s", buffer.message.pDescription);
    }
    ID3D12InfoQueue_Release(queue);
    return count;
}

static inline UINT64 kit_count(ID3D12Device *device, int id)
{
    return kit_count_texts(device, id, NULL);
}

static inline ID3D12CommandQueue *kit_queue(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = type};
    return MADE(ID3D12CommandQueue, device, CreateCommandQueue, &desc);
}

static inline ID3D12CommandAllocator *kit_allocator(ID3D12Device *device,
                                                    D3D12_COMMAND_LIST_TYPE type)
{
    return MADE(ID3D12CommandAllocator, device, CreateCommandAllocator, type);
}

static inline ID3D12GraphicsCommandList *
kit_list(ID3D12Device *device, ID3D12CommandAllocator *allocator, D3D12_COMMAND_LIST_TYPE type)
{
    return MADE(ID3D12GraphicsCommandList, device, CreateCommandList, 0, type, allocator, NULL);
}

static inline ID3D12Fence *kit_fence(ID3D12Device *device, UINT64 value)
{
    return MADE(ID3D12Fence, device, CreateFence, value, D3D12_FENCE_FLAG_NONE);
}

static inline D3D12_RESOURCE_DESC kit_buffer_desc(UINT64 size)
{
    return (D3D12_RESOURCE_DESC){
        .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
        .Width = size,
        .Height = 1,
        .DepthOrArraySize = 1,
        .MipLevels = 1,
        .SampleDesc = {.Count = 1},
        .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
    };
}

/* A 2D texture of one sample. */
static inline D3D12_RESOURCE_DESC kit_texture_desc(DXGI_FORMAT format, UINT64 width, UINT height,
                                                   UINT slices, UINT mips,
                                                   D3D12_RESOURCE_FLAGS flags)
{
    return (D3D12_RESOURCE_DESC){
        .Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
        .Width = width,
        .Height = height,
        .DepthOrArraySize = (UINT16)slices,
        .MipLevels = (UINT16)mips,
        .Format = format,
        .SampleDesc = {.Count = 1},
        .Flags = flags,
    };
}

/* A committed resource that has memory of the GPU. */
static inline ID3D12Resource *kit_resource(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc,
                                           D3D12_RESOURCE_STATES state)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    return MADE(ID3D12Resource, device, CreateCommittedResource, &heap, D3D12_HEAP_FLAG_NONE, desc,
                state, NULL);
}

static inline ID3D12Resource *kit_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    const D3D12_RESOURCE_STATES state =
        type == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
        : type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                           : D3D12_RESOURCE_STATE_COMMON;
    return MADE(ID3D12Resource, device, CreateCommittedResource, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                state, NULL);
}

static inline ID3D12DescriptorHeap *kit_descriptors(ID3D12Device *device,
                                                    D3D12_DESCRIPTOR_HEAP_TYPE type, UINT number,
                                                    D3D12_DESCRIPTOR_HEAP_FLAGS flags)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {type, number, flags, 0};
    return MADE(ID3D12DescriptorHeap, device, CreateDescriptorHeap, &desc);
}

static inline ID3D12RootSignature *kit_root_signature_of(ID3D12Device *device,
                                                         const D3D12_ROOT_SIGNATURE_DESC *desc)
{
    ID3DBlob *blob = NULL;
    MUST(D3D12SerializeRootSignature(desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    ID3D12RootSignature *signature =
        MADE(ID3D12RootSignature, device, CreateRootSignature, 0, ID3D10Blob_GetBufferPointer(blob),
             ID3D10Blob_GetBufferSize(blob));
    ID3D10Blob_Release(blob);
    return signature;
}

/* Root parameters 0: UAV, 1: SRV, 2: two constants, as emu_kernel wants them. */
static inline const D3D12_ROOT_SIGNATURE_DESC *kit_root_signature_desc(void)
{
    static const D3D12_ROOT_PARAMETER parameters[3] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    static const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    return &desc;
}

static inline ID3D12RootSignature *kit_root_signature(ID3D12Device *device)
{
    return kit_root_signature_of(device, kit_root_signature_desc());
}

static inline ID3D12PipelineState *kit_pipeline(ID3D12Device *device,
                                                ID3D12RootSignature *signature, emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    return MADE(ID3D12PipelineState, device, CreateComputePipelineState, &desc);
}

/* Triangles without targets. */
static inline D3D12_GRAPHICS_PIPELINE_STATE_DESC kit_graphics_desc(ID3D12RootSignature *signature,
                                                                   D3D12_SHADER_BYTECODE vertex)
{
    return (D3D12_GRAPHICS_PIPELINE_STATE_DESC){
        .pRootSignature = signature,
        .VS = vertex,
        .SampleMask = UINT32_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleDesc = {.Count = 1},
    };
}

/* Records a dispatch of `pipeline` on `destination` and `source` (NULL: none). */
static inline void kit_dispatch(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                                ID3D12PipelineState *pipeline, ID3D12Resource *destination,
                                ID3D12Resource *source, UINT constant, UINT words)
{
    const UINT constants[2] = {constant, words};
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline);
    if (destination)
        ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
            list, 0, ID3D12Resource_GetGPUVirtualAddress(destination));
    if (source)
        ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(
            list, 1, ID3D12Resource_GetGPUVirtualAddress(source));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

/* Closes and executes one list; kit_finish waits for the queue. */
static inline void kit_execute(ID3D12CommandQueue *queue, ID3D12GraphicsCommandList *list)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
}

static inline void kit_finish(ID3D12Device *device, ID3D12CommandQueue *queue)
{
    ID3D12Fence *fence = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
    ID3D12Fence_Release(fence);
}

static inline void kit_run(ID3D12Device *device, ID3D12CommandQueue *queue,
                           ID3D12GraphicsCommandList *list)
{
    kit_execute(queue, list);
    kit_finish(device, queue);
}
