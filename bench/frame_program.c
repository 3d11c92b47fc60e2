/*
 * Frames of an engine's shape: 8 threads record 40 lists with 3,000 draws and 400 scopes of
 * markers, which are submitted at once. annot-bench runs it with the markers and without, alone and
 * under the layer and the recorder, and instructions.sh may count it.
 *
 *     annot-bench-frame FRAMES [with]
 */
#define INITGUID
#include "setup.h"

#include <pthread.h>

enum { THREADS = 8, LISTS = 5 /* of a thread */, SCOPES = 10 /* of a list */, DRAWS = 75 };

static struct scene {
    ID3D12Device *device;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *pipeline;
    ID3D12Resource *buffer;
    ID3D12CommandQueue *queue;
    ID3D12Fence *fence;
    ID3D12CommandAllocator *allocators[THREADS * LISTS];
    ID3D12GraphicsCommandList *lists[THREADS * LISTS];
    int is_marked;
    unsigned frames;
    pthread_barrier_t begin, end;
} scene;

static void make_scene(void)
{
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .SampleMask = UINT_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT,
        .SampleDesc = {.Count = 1}};
    scene.device = make_device();
    scene.signature = make_root_signature(scene.device);
    desc.pRootSignature = scene.signature;
    desc.VS.pShaderBytecode = emu_kernel_bytecode(EMU_KERNEL_FILL, &desc.VS.BytecodeLength);
    MUST(ID3D12Device_CreateGraphicsPipelineState(scene.device, &desc, &IID_ID3D12PipelineState,
                                                  (void **)&scene.pipeline));
    scene.buffer = make_buffer(scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536, L"vertices");
    scene.queue = make_queue(scene.device, direct, L"Graphics");
    scene.fence = make_fence(scene.device);
    for (int i = 0; i < THREADS * LISTS; i++) {
        scene.allocators[i] = make_allocator(scene.device, direct);
        scene.lists[i] = make_list(scene.device, scene.allocators[i], direct, L"part of a frame");
        MUST(ID3D12GraphicsCommandList_Close(scene.lists[i]));
    }
}

static void record(int index)
{
    ID3D12GraphicsCommandList *list = scene.lists[index];
    MUST(ID3D12CommandAllocator_Reset(scene.allocators[index]));
    MUST(ID3D12GraphicsCommandList_Reset(list, scene.allocators[index], scene.pipeline));
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, scene.signature);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, D3D_PRIMITIVE_TOPOLOGY_POINTLIST);
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(scene.buffer));
    for (UINT draw = 0, scope = 0; draw < DRAWS; draw++) {
        const UINT constants[2] = {draw, 0};
        const int is_first = draw * SCOPES / DRAWS >= scope;
        if (is_first && scene.is_marked && scope > 0)
            PIXEndEvent(list);
        if (is_first && scene.is_marked)
            PIXBeginEvent(list, 0, "Pass %d of list %d", (int)scope, index);
        scope += is_first ? 1 : 0;
        ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(list, 2, 2, constants, 0);
        ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, 0, 0);
    }
    if (scene.is_marked)
        PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

static void *work(void *first)
{
    for (unsigned frame = 0; frame < scene.frames; frame++) {
        pthread_barrier_wait(&scene.begin);
        for (int i = 0; i < LISTS; i++)
            record((int)(intptr_t)first + i);
        pthread_barrier_wait(&scene.end);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    help(argc, argv, "usage: annot-bench-frame FRAMES [with]");
    scene.frames = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    scene.is_marked = argc > 2;
    make_scene();
    pthread_barrier_init(&scene.begin, NULL, THREADS + 1);
    pthread_barrier_init(&scene.end, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)(i * LISTS));
    for (unsigned frame = 1; frame <= scene.frames; frame++) {
        pthread_barrier_wait(&scene.begin);
        pthread_barrier_wait(&scene.end);
        ID3D12CommandQueue_ExecuteCommandLists(scene.queue, THREADS * LISTS,
                                               (ID3D12CommandList *const *)scene.lists);
        MUST(ID3D12CommandQueue_Signal(scene.queue, scene.fence, frame));
        MUST(ID3D12Fence_SetEventOnCompletion(scene.fence, frame, NULL));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return ID3D12Device_GetDeviceRemovedReason(scene.device) == S_OK ? 0 : 1;
}
