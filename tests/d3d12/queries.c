/* Query heaps, timestamps that the GPU writes, and what they are compared with. */
#include "kit.h"

static HRESULT create(ID3D12Device *device, D3D12_QUERY_HEAP_TYPE type, UINT count, void **out)
{
    const D3D12_QUERY_HEAP_DESC desc = {type, count, 0};
    return ID3D12Device_CreateQueryHeap(device, &desc, &IID_ID3D12QueryHeap, out);
}

Test(query_heap, descriptions_and_names)
{
    ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    ID3D12QueryHeap *heap = NULL;
    void *out = &out;
    EXPECT_HR(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 0, &out), E_INVALIDARG);
    cr_assert(out == NULL);
    EXPECT_HR(create(device, (D3D12_QUERY_HEAP_TYPE)99, 1, &out), E_INVALIDARG);
    EXPECT_HR(ID3D12Device_CreateQueryHeap(device, NULL, &IID_ID3D12QueryHeap, &out), E_INVALIDARG);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_CREATEQUERY_HEAP_INVALID_PARAMETERS) == 3);
    EXPECT_HR(create(device, D3D12_QUERY_HEAP_TYPE_SO_STATISTICS, 1, NULL), S_FALSE);
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 4, (void **)&heap));
    MUST(ID3D12QueryHeap_SetName(heap, L"statistics"));
    cr_assert(heard_count == 1 && heard[0].type == D3D12DDI_HT_QUERY_HEAP);
    ID3D12QueryHeap_Release(heap);
    kit_close(device);
}

/* Under the seeded order time is virtual: passes with every packet, and as the test moves it. */
Test(queries, timestamps_are_the_times_at_which_the_gpu_came_by)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, COMPUTE, COPY};
    for (int i = 0; i < 3; i++) {
        ID3D12Device *device = kit_device();
        ID3D12CommandQueue *queue = kit_queue(device, types[i]);
        ID3D12CommandAllocator *allocator = kit_allocator(device, types[i]);
        ID3D12GraphicsCommandList *list = kit_list(device, allocator, types[i]);
        ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
        ID3D12QueryHeap *heap = NULL;
        UINT64 *ticks = NULL, frequency = 0, before = 0, after = 0, cpu = 0;
        MUST(create(device,
                    types[i] == COPY ? D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP
                                     : D3D12_QUERY_HEAP_TYPE_TIMESTAMP,
                    8, (void **)&heap));
        MUST(ID3D12Resource_Map(buffer, 0, NULL, (void **)&ticks));
        ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 5);
        ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 6);
        ID3D12GraphicsCommandList_ResolveQueryData(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 5, 2,
                                                   buffer, 16);
        emu_advance_clock(device, 5000000);
        MUST(ID3D12CommandQueue_GetClockCalibration(queue, &before, &cpu));
        kit_execute(queue, list);
        kit_finish(device, queue);
        MUST(ID3D12CommandQueue_GetClockCalibration(queue, &after, &cpu));
        MUST(ID3D12CommandQueue_GetTimestampFrequency(queue, &frequency));
        cr_assert(frequency == 1000000000);
        cr_assert(before >= 5000000 && cpu != 0);
        cr_assert(before < ticks[2] && ticks[2] < ticks[3] && ticks[3] < after);
        cr_assert(ticks[1] == 0 && ticks[4] == 0);
        cr_assert(kit_messages(device) == 0);
        EXPECT_HR(ID3D12CommandQueue_GetClockCalibration(queue, NULL, &cpu), E_INVALIDARG);
        EXPECT_HR(ID3D12CommandQueue_GetTimestampFrequency(queue, NULL), E_INVALIDARG);
        ID3D12QueryHeap_Release(heap);
        ID3D12Resource_Release(buffer);
        ID3D12GraphicsCommandList_Release(list);
        ID3D12CommandAllocator_Release(allocator);
        ID3D12CommandQueue_Release(queue);
        kit_close(device);
    }
}

Test(queries, the_real_clock_runs_between_two_timestamps)
{
    emu_config config = EMU_CONFIG_INIT;
    ID3D12Device *device = kit_device_with(&config);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 16);
    ID3D12QueryHeap *heap = NULL;
    UINT64 *ticks = NULL, before = 0, after = 0, cpu = 0;
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, (void **)&heap));
    MUST(ID3D12Resource_Map(buffer, 0, NULL, (void **)&ticks));
    ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 1);
    ID3D12GraphicsCommandList_ResolveQueryData(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, buffer,
                                               0);
    MUST(ID3D12CommandQueue_GetClockCalibration(queue, &before, &cpu));
    kit_execute(queue, list);
    kit_finish(device, queue);
    MUST(ID3D12CommandQueue_GetClockCalibration(queue, &after, &cpu));
    cr_assert(before <= ticks[0] && ticks[0] <= ticks[1] && ticks[1] <= after);
    ID3D12QueryHeap_Release(heap);
    ID3D12Resource_Release(buffer);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(queries, mistakes_fail_the_recording)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    ID3D12QueryHeap *times = NULL, *occlusion = NULL;
    const D3D12_QUERY_TYPE time = D3D12_QUERY_TYPE_TIMESTAMP;
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 9, (void **)&times));
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 2, (void **)&occlusion));
    for (int i = 0; i < 9; i++) {
        const bool resolves = i >= 5;
        if (i > 0)
            MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
        kit_clear(device);
        switch (i) {
        case 0: /* timestamps have no beginning */
            ID3D12GraphicsCommandList_BeginQuery(list, times, time, 0);
            break;
        case 1:
            ID3D12GraphicsCommandList_EndQuery(list, times, time, 9);
            break;
        case 2:
            ID3D12GraphicsCommandList_EndQuery(list, NULL, time, 0);
            break;
        case 3:
            ID3D12GraphicsCommandList_EndQuery(list, occlusion, time, 0);
            break;
        case 4:
            ID3D12GraphicsCommandList_BeginQuery(list, times, D3D12_QUERY_TYPE_OCCLUSION, 0);
            break;
        case 5: /* more than there are */
            ID3D12GraphicsCommandList_ResolveQueryData(list, times, time, 8, 2, buffer, 0);
            break;
        case 6: /* no room */
            ID3D12GraphicsCommandList_ResolveQueryData(list, times, time, 0, 9, buffer, 0);
            break;
        case 7:
            ID3D12GraphicsCommandList_ResolveQueryData(list, times, time, 0, 1, buffer, 4);
            break;
        case 8:
            ID3D12GraphicsCommandList_ResolveQueryData(list, times, time, 0, 1, NULL, 0);
            break;
        }
        cr_assert(kit_count(device, resolves
                                        ? D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS
                                        : D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS) == 1,
                  "case %d", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    }
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_BeginQuery(list, occlusion, D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1);
    ID3D12GraphicsCommandList_EndQuery(list, occlusion, D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12QueryHeap_Release(times);
    ID3D12QueryHeap_Release(occlusion);
    ID3D12Resource_Release(buffer);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
}
