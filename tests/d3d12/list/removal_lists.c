/* After the device is removed: recording has no effect, Close and all methods with a result report
 * the removal, and waits end. */
#include "kit.h"

#include "base/abi.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A device that hung, with objects from before: a list that was recording meanwhile and one that is
 * closed. */
struct wreck {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *open_allocator, *closed_allocator, *spare, *bundling;
    ID3D12GraphicsCommandList *open, *closed, *bundle;
    ID3D12RootSignature *root;
    ID3D12PipelineState *spin, *fill;
    ID3D12Resource *buffer;
    ID3D12QueryHeap *times;
    ID3D12Fence *fence;
};

static struct wreck open_wreck(void)
{
    const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    struct wreck w = {.device = kit_device()};
    w.queue = kit_queue(w.device, DIRECT);
    w.open_allocator = kit_allocator(w.device, DIRECT);
    w.closed_allocator = kit_allocator(w.device, DIRECT);
    w.spare = kit_allocator(w.device, DIRECT);
    w.bundling = kit_allocator(w.device, BUNDLE);
    w.open = kit_list(w.device, w.open_allocator, DIRECT);
    w.closed = kit_list(w.device, w.closed_allocator, DIRECT);
    w.bundle = kit_list(w.device, w.bundling, BUNDLE);
    w.root = kit_root_signature(w.device);
    w.spin = kit_pipeline(w.device, w.root, EMU_KERNEL_SPIN);
    w.fill = kit_pipeline(w.device, w.root, EMU_KERNEL_FILL);
    w.buffer = kit_buffer(w.device, D3D12_HEAP_TYPE_READBACK, 256);
    w.fence = kit_fence(w.device, 0);
    w.times = MADE(ID3D12QueryHeap, w.device, CreateQueryHeap, &queries);
    MUST(ID3D12GraphicsCommandList_Close(w.bundle));
    kit_dispatch(w.closed, w.root, w.spin, NULL, NULL, 0, 0);
    kit_execute(w.queue, w.closed);
    emu_run_until_idle(w.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(w.device), DXGI_ERROR_DEVICE_HUNG);
    kit_clear(w.device);
    return w;
}

static void close_wreck(struct wreck *w)
{
    RELEASE(w->fence, w->times, w->buffer, w->spin, w->fill, w->root, w->open, w->closed, w->bundle,
            w->open_allocator, w->closed_allocator, w->spare, w->bundling, w->queue);
    kit_close(w->device);
}

Test(removal_lists, recording_goes_on_and_close_says_so)
{
    AT_END(close_wreck) struct wreck w = open_wreck();
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)w.open};
    kit_dispatch(w.open, w.root, w.fill, w.buffer, NULL, 1, 1);
    ID3D12GraphicsCommandList_CopyBufferRegion(w.open, w.buffer, 0, w.buffer, 8, 4);
    ID3D12GraphicsCommandList_ResourceBarrier(w.open, 1, &barrier);
    ID3D12GraphicsCommandList_EndQuery(w.open, w.times, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    ID3D12GraphicsCommandList_ResolveQueryData(w.open, w.times, D3D12_QUERY_TYPE_TIMESTAMP, 0, 1,
                                               w.buffer, 16);
    ID3D12GraphicsCommandList_ExecuteBundle(w.open, w.bundle);
    ID3D12GraphicsCommandList_BeginEvent(w.open, 1, "late", 4);
    ID3D12GraphicsCommandList_EndEvent(w.open);
    cr_assert_eq(kit_messages(w.device), 0);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(w.open), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(w.open), E_FAIL); /* it is closed all the same */
    kit_clear(w.device);
    ID3D12CommandQueue_ExecuteCommandLists(w.queue, 1, lists);
    cr_assert_eq(kit_messages(w.device), 0, "nothing is executed, and nothing wrong with that");
}

Test(removal_lists, a_mistake_before_the_end_does_not_hide_it)
{
    AT_END(close_wreck) struct wreck w = open_wreck();
    ID3D12GraphicsCommandList_CopyBufferRegion(w.open, NULL, 0, NULL, 0, 4);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(w.open), DXGI_ERROR_DEVICE_REMOVED);
}

Test(removal_lists, resets_are_refused)
{
    AT_END(close_wreck) struct wreck w = open_wreck();
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(w.closed, w.spare, NULL), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(w.closed, w.spare, w.fill),
              DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(w.open, w.spare, NULL), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandAllocator_Reset(w.spare), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandAllocator_Reset(w.open_allocator), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandAllocator_Reset(w.closed_allocator), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(kit_messages(w.device), 0);
    /* the list that was recording still is */
    ID3D12GraphicsCommandList_SetMarker(w.open, 1, "x", 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(w.open), DXGI_ERROR_DEVICE_REMOVED);
}

Test(removal_lists, queues_take_nothing_more)
{
    AT_END(close_wreck) struct wreck w = open_wreck();
    UINT64 frequency = 0, gpu = 0, cpu = 0;
    D3D12_COMMAND_QUEUE_DESC desc;
    EXPECT_HR(ID3D12CommandQueue_Signal(w.queue, w.fence, 1), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandQueue_Wait(w.queue, w.fence, 1), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandQueue_Signal(w.queue, NULL, 1), E_INVALIDARG);
    kit_clear(w.device);
    ID3D12CommandQueue_ExecuteCommandLists(w.queue, 1, NULL);
    ID3D12CommandQueue_ExecuteCommandLists(w.queue, 0, NULL);
    ID3D12CommandQueue_UpdateTileMappings(w.queue, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL,
                                          D3D12_TILE_MAPPING_FLAG_NONE);
    ID3D12CommandQueue_BeginEvent(w.queue, 1, "late", 4);
    ID3D12CommandQueue_SetMarker(w.queue, 1, "late", 4);
    ID3D12CommandQueue_EndEvent(w.queue);
    /* what asks for no work is answered */
    MUST(ID3D12CommandQueue_GetTimestampFrequency(w.queue, &frequency));
    MUST(ID3D12CommandQueue_GetClockCalibration(w.queue, &gpu, &cpu));
    ABI_CALL_STRUCT(w.queue, GetDesc, &desc);
    cr_assert(frequency == 1000000000 && gpu != 0 && cpu != 0 && desc.Type == DIRECT);
}

/* Every fence of a removed device is at UINT64_MAX, whatever was signalled, and stays there. */
Test(removal_lists, fences_let_everybody_go)
{
    AT_END(close_wreck) struct wreck w = open_wreck();
    const int event = eventfd(0, EFD_CLOEXEC);
    struct pollfd poller = {.fd = event, .events = POLLIN};
    cr_assert_eq(ID3D12Fence_GetCompletedValue(w.fence), UINT64_MAX);
    EXPECT_HR(ID3D12Fence_Signal(w.fence, 5), DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(w.fence), UINT64_MAX);
    MUST(ID3D12Fence_SetEventOnCompletion(w.fence, UINT64_MAX, (HANDLE)(intptr_t)event));
    cr_assert_eq(poll(&poller, 1, 0), 1);
    MUST(ID3D12Fence_SetEventOnCompletion(w.fence, 77, NULL));
    EXPECT_HR(ID3D12Fence_SetEventOnCompletion(w.fence, 1, (HANDLE)(intptr_t)9999), E_INVALIDARG);
    close(event);
}

Test(removal_lists, nothing_new_is_made)
{
    AT_END(close_wreck) struct wreck w = open_wreck();
    const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    const D3D12_INDIRECT_ARGUMENT_DESC dispatch = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC signature = {12, 1, &dispatch, 0};
    const D3D12_VIDEO_DECODER_DESC decoder = {
        .Configuration = {.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264}};
    OWNED ID3D12Device4 *device4 = AS(ID3D12Device4, w.device);
    OWNED ID3D12VideoDevice *video = AS(ID3D12VideoDevice, w.device);
    void *out = &out;
#define EXPECT_NONE(call)                                                                          \
    do {                                                                                           \
        out = &out;                                                                                \
        EXPECT_HR(call, DXGI_ERROR_DEVICE_REMOVED);                                                \
        cr_assert(!out);                                                                           \
    } while (0)
    EXPECT_NONE(ID3D12Device_CreateCommandList(w.device, 0, DIRECT, w.spare, NULL,
                                               &IID_ID3D12GraphicsCommandList, &out));
    EXPECT_NONE(ID3D12Device4_CreateCommandList1(device4, 0, DIRECT, D3D12_COMMAND_LIST_FLAG_NONE,
                                                 &IID_ID3D12GraphicsCommandList, &out));
    EXPECT_NONE(ID3D12Device_CreateQueryHeap(w.device, &queries, &IID_ID3D12QueryHeap, &out));
    EXPECT_NONE(ID3D12Device_CreateCommandSignature(w.device, &signature, NULL,
                                                    &IID_ID3D12CommandSignature, &out));
    EXPECT_NONE(
        ID3D12VideoDevice_CreateVideoDecoder(video, &decoder, &IID_ID3D12VideoDecoder, &out));
#undef EXPECT_NONE
}
