/* Every allocation of a frame's life fails once: first the 1st, then the 2nd, and so on until none
 * is left to fail; then the same with every allocation from the n-th on. D3D12's answers are
 * E_OUTOFMEMORY and nothing else, and afterwards not a byte is left. */
#include "failing_malloc.h"

#ifdef UNSUITED
int main(void)
{
    return 77;
}
#else

#include "d3d12_failing.h"

#include <sys/eventfd.h>
#include <unistd.h>

/* ---- the life ---- */

struct life {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator, *bundle_allocator;
    ID3D12GraphicsCommandList *list, *bundle;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *fill, *loaded;
    ID3D12PipelineLibrary *stored, *read;
    ID3D12StateObject *rays;
    ID3D12Heap *heap;
    ID3D12Resource *buffer, *placed, *reserved;
    ID3D12DescriptorHeap *views;
    ID3D12QueryHeap *queries;
    ID3D12Heap *existing;
    ID3D12Fence *fence;
    ID3D12Fence *other;
    ID3D12ProtectedResourceSession *session;
    ID3D12Resource *secret;
};

/* Stored, written, read and loaded. */
static bool make_library(struct life *l, ID3D12Device7 *device)
{
    unsigned char bytes[512];
    D3D12_COMPUTE_PIPELINE_STATE_DESC compute = {.pRootSignature = l->signature};
    compute.CS.pShaderBytecode = emu_kernel_bytecode(EMU_KERNEL_FILL, &compute.CS.BytecodeLength);
    return MADE_OK(ID3D12PipelineLibrary, &l->stored, device, CreatePipelineLibrary, NULL, 0) &&
           OK(ID3D12PipelineLibrary_StorePipeline(l->stored, L"fill", l->fill)) &&
           OK(ID3D12PipelineLibrary_Serialize(l->stored, bytes, sizeof bytes)) &&
           MADE_OK(ID3D12PipelineLibrary, &l->read, device, CreatePipelineLibrary, bytes,
                   sizeof bytes) &&
           OK(ID3D12PipelineLibrary_StorePipeline(l->read, L"fill", l->fill)) &&
           MADE_OK(ID3D12PipelineState, &l->loaded, l->read, LoadComputePipeline, L"fill",
                   &compute);
}

static bool make_rays(struct life *l, ID3D12Device7 *device)
{
    const D3D12_STATE_OBJECT_CONFIG config = {D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS};
    const D3D12_STATE_SUBOBJECT part = {D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG, &config};
    const D3D12_STATE_OBJECT_DESC desc = {D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE, 1, &part};
    return MADE_OK(ID3D12StateObject, &l->rays, device, CreateStateObject, &desc) &&
           OK(ID3D12StateObject_SetName(l->rays, L"rays"));
}

static bool make_programs(struct life *l)
{
    ID3D12Device7 *device = NULL;
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12Device7, (void **)&device);
    const bool done = make_pipeline(l->device, EMU_KERNEL_FILL, &l->signature, &l->fill) &&
                      make_library(l, device) && make_rays(l, device);
    ID3D12Device7_Release(device);
    return done;
}

static bool make_memory(struct life *l)
{
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_HEAP_DESC heap = {.SizeInBytes = 65536, .Properties = local};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    return MADE_OK(ID3D12Resource, &l->buffer, l->device, CreateCommittedResource, &local,
                   D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, NULL) &&
           MADE_OK(ID3D12Heap, &l->heap, l->device, CreateHeap, &heap) &&
           MADE_OK(ID3D12Resource, &l->placed, l->device, CreatePlacedResource, l->heap, 0, &desc,
                   D3D12_RESOURCE_STATE_COMMON, NULL) &&
           MADE_OK(ID3D12Resource, &l->reserved, l->device, CreateReservedResource, &desc,
                   D3D12_RESOURCE_STATE_COMMON, NULL);
}

/* Heaps of all kinds, one of them over memory that is there. */
static bool make_heaps(struct life *l)
{
    static _Alignas(4096) char memory[65536];
    const D3D12_DESCRIPTOR_HEAP_DESC views = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 4,
                                              D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
    ID3D12Device3 *device = NULL;
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12Device3, (void **)&device);
    const bool done =
        MADE_OK(ID3D12Heap, &l->existing, device, OpenExistingHeapFromAddress, memory) &&
        MADE_OK(ID3D12DescriptorHeap, &l->views, l->device, CreateDescriptorHeap, &views) &&
        MADE_OK(ID3D12QueryHeap, &l->queries, l->device, CreateQueryHeap, &queries);
    ID3D12Device3_Release(device);
    return done;
}

static bool make_recorders(struct life *l)
{
    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    const D3D12_COMMAND_LIST_TYPE bundle = D3D12_COMMAND_LIST_TYPE_BUNDLE;
    return MADE_OK(ID3D12CommandQueue, &l->queue, l->device, CreateCommandQueue, &queue) &&
           MADE_OK(ID3D12CommandAllocator, &l->allocator, l->device, CreateCommandAllocator,
                   direct) &&
           MADE_OK(ID3D12CommandAllocator, &l->bundle_allocator, l->device, CreateCommandAllocator,
                   bundle) &&
           MADE_OK(ID3D12GraphicsCommandList, &l->list, l->device, CreateCommandList, 0, direct,
                   l->allocator, NULL) &&
           MADE_OK(ID3D12GraphicsCommandList, &l->bundle, l->device, CreateCommandList, 0, bundle,
                   l->bundle_allocator, NULL) &&
           MADE_OK(ID3D12Fence, &l->fence, l->device, CreateFence, 0, D3D12_FENCE_FLAG_NONE);
}

/* ---- sessions ---- */

static bool make_sessions(struct life *l)
{
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC protection = {0};
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    ID3D12Device11 *device = NULL;
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12Device11, (void **)&device);
    const bool done =
        MADE_OK(ID3D12ProtectedResourceSession, &l->session, device, CreateProtectedResourceSession,
                &protection) &&
        MADE_OK(ID3D12Resource, &l->secret, device, CreateCommittedResource1, &local,
                D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, NULL, l->session) &&
        MADE_OK(ID3D12Fence, &l->other, device, CreateFence, 0, D3D12_FENCE_FLAG_NONE);
    ID3D12Device11_Release(device);
    return done;
}

static void wait_for_both(struct life *l)
{
    const UINT64 values[2] = {1, 0};
    ID3D12Fence *const fences[2] = {l->fence, l->other};
    ID3D12Device1 *device = NULL;
    const int event = eventfd(0, EFD_CLOEXEC);
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12Device1, (void **)&device);
    OK(ID3D12Device1_SetEventOnMultipleFenceCompletion(
        device, fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, (HANDLE)(intptr_t)event));
    OK(ID3D12Device1_SetEventOnMultipleFenceCompletion(device, fences, values, 2,
                                                       D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, NULL));
    close(event);
    ID3D12Device1_Release(device);
}

/* A report of what lives, a filter with lists and a listener. */
static void look_after(struct life *l)
{
    D3D12_MESSAGE_ID ids[2] = {(D3D12_MESSAGE_ID)1, (D3D12_MESSAGE_ID)2};
    D3D12_INFO_QUEUE_FILTER filter = {.DenyList = {.NumIDs = 2, .pIDList = ids}};
    ID3D12DebugDevice *debug = NULL;
    ID3D12InfoQueue *messages = NULL;
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12DebugDevice, (void **)&debug);
    OK(ID3D12DebugDevice_ReportLiveDeviceObjects(debug, D3D12_RLDO_DETAIL));
    ID3D12DebugDevice_Release(debug);
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12InfoQueue, (void **)&messages);
    if (OK(ID3D12InfoQueue_PushStorageFilter(messages, &filter)))
        OK(ID3D12InfoQueue_PushCopyOfStorageFilter(messages));
    OK(ID3D12InfoQueue_AddStorageFilterEntries(messages, &filter));
    OK(ID3D12InfoQueue_SetBreakOnID(messages, ids[0], TRUE));
    ID3D12InfoQueue_Release(messages);
}

static void record(struct life *l, ID3D12GraphicsCommandList *list)
{
    const UINT constants[2] = {7, 64};
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "scope", 5);
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, l->signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, l->fill);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(l->buffer));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
    ID3D12GraphicsCommandList_EndEvent(list);
}

static void work(struct life *l)
{
    OK(ID3D12CommandQueue_SetName(l->queue, L"queue"));
    OK(ID3D12Resource_SetPrivateData(l->buffer, &WKPDID_D3DDebugObjectName, 6, "buffer"));
    record(l, l->bundle);
    if (!OK(ID3D12GraphicsCommandList_Close(l->bundle)))
        return;
    record(l, l->list);
    ID3D12GraphicsCommandList_ExecuteBundle(l->list, l->bundle);
    ID3D12GraphicsCommandList_CopyBufferRegion(l->list, l->placed, 0, l->buffer, 0, 64);
    if (!OK(ID3D12GraphicsCommandList_Close(l->list)))
        return;
    ID3D12CommandQueue_BeginEvent(l->queue, 1, "frame", 5);
    for (int i = 0; i < 2; i++) {
        ID3D12CommandList *lists[20];
        for (int k = 0; k < 20; k++)
            lists[k] = (ID3D12CommandList *)l->list;
        ID3D12CommandQueue_ExecuteCommandLists(l->queue, i == 0 ? 1 : 20, lists);
    }
    ID3D12CommandQueue_EndEvent(l->queue);
    if (OK(ID3D12CommandQueue_Signal(l->queue, l->fence, 1)))
        OK(ID3D12Fence_SetEventOnCompletion(l->fence, 1, NULL));
    if (OK(ID3D12GraphicsCommandList_Reset(l->list, l->allocator, NULL)))
        OK(ID3D12GraphicsCommandList_Close(l->list));
}

static void live_once(void)
{
    struct life l = {0};
    if (OK(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                             (void **)&l.device))) {
        kit_set_mode(l.device, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
        if (make_programs(&l) && make_memory(&l) && make_heaps(&l) && make_recorders(&l) &&
            make_sessions(&l)) {
            work(&l);
            wait_for_both(&l);
            look_after(&l);
        }
    }
    void *const all[] = {l.other,     l.secret, l.session,          l.existing,  l.queries, l.views,
                         l.reserved,  l.fence,  l.bundle,           l.list,      l.placed,  l.heap,
                         l.buffer,    l.fill,   l.loaded,           l.stored,    l.read,    l.rays,
                         l.signature, l.queue,  l.bundle_allocator, l.allocator, l.device};
    release_any(all, sizeof all / sizeof all[0]);
}

/* Returns whether the n-th allocation existed. */
static bool live_with_failure(long n, bool from_there_on)
{
    const long before = allocated();
    const bool existed = fail_in(live_once, n, from_there_on);
    if (allocated() != before) {
        fprintf(stderr, "allocation %ld failed%s: %ld %s are left\n", n,
                from_there_on ? " and all after it" : "", allocated() - before,
                IS_SANITIZED ? "bytes" : "allocations");
        exit(1);
    }
    return existed;
}

int main(void)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.debug_layer = true;
    if (emu_configure(&config) != ANNOT_OK)
        return 1;
    record_all();
    live_once(); /* what libc keeps for ever is had now */
    long once = 1, on = 1;
    while (live_with_failure(once, false))
        once++;
    while (live_with_failure(on, true))
        on++;
    printf("%ld allocations failed one by one, %ld times all the rest\n", once - 1, on - 1);
    emu_configure(NULL);
    return once > 50 ? 0 : 1;
}
#endif
