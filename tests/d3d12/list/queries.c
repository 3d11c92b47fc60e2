/* Query heaps, timestamps that the GPU writes, and what they are compared with. */
#include "kit.h"

static HRESULT create(ID3D12Device *device, D3D12_QUERY_HEAP_TYPE type, UINT count, void **out)
{
    const D3D12_QUERY_HEAP_DESC desc = {type, count, 0};
    return ID3D12Device_CreateQueryHeap(device, &desc, &IID_ID3D12QueryHeap, out);
}

Test(query_heap, descriptions_are_checked_and_names_kept)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12QueryHeap *heap = NULL;
    void *out = &out;
    EXPECT_HR(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 0, &out), E_INVALIDARG);
    cr_assert(!out);
    EXPECT_HR(create(device, (D3D12_QUERY_HEAP_TYPE)99, 1, &out), E_INVALIDARG);
    REFUSES(E_INVALIDARG, ID3D12QueryHeap, device, CreateQueryHeap, NULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATEQUERY_HEAP_INVALID_PARAMETERS), 3);
    EXPECT_HR(create(device, D3D12_QUERY_HEAP_TYPE_SO_STATISTICS, 1, NULL), S_FALSE);
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 4, (void **)&heap));
    out = AS(ID3D12Pageable, heap);
    cr_assert_eq(out, heap);
    ID3D12QueryHeap_Release(heap);
    EXPECT_HR(ID3D12QueryHeap_QueryInterface(heap, &IID_ID3D12Heap, &out), E_NOINTERFACE);
    MUST(ID3D12QueryHeap_SetName(heap, L"statistics"));
    cr_assert_eqs(heard_count, 1, heard[0].type, D3D12DDI_HT_QUERY_HEAP);
}

/* Under the seeded order time is virtual: passes with every packet, and as the test moves it. */
Test(queries, timestamps_are_the_times_at_which_the_gpu_came_by)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, COMPUTE, COPY};
    for (int i = 0; i < 3; i++) {
        AT_END(kit_closed) ID3D12Device *device = kit_device();
        OPEN_QUEUE_AND_LIST(types[i]);
        OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
        OWNED ID3D12QueryHeap *heap = NULL;
        UINT64 *ticks = NULL, frequency = 0, before = 0, after = 0, cpu = 0;
        MUST(create(device,
                    types[i] == COPY ? D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP
                                     : D3D12_QUERY_HEAP_TYPE_TIMESTAMP,
                    8, (void **)&heap));
        ticks = kit_map(buffer);
        ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 5);
        ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 6);
        ID3D12GraphicsCommandList_ResolveQueryData(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 5, 2,
                                                   buffer, 16);
        emu_advance_clock(device, 5000000);
        MUST(ID3D12CommandQueue_GetClockCalibration(queue, &before, &cpu));
        kit_run(device, queue, list);
        MUST(ID3D12CommandQueue_GetClockCalibration(queue, &after, &cpu));
        MUST(ID3D12CommandQueue_GetTimestampFrequency(queue, &frequency));
        cr_assert_eq(frequency, 1000000000);
        cr_assert(before >= 5000000 && cpu != 0);
        cr_assert(before < ticks[2] && ticks[2] < ticks[3] && ticks[3] < after);
        cr_assert_eqs(ticks[1], 0, ticks[4], 0);
        cr_assert_eq(kit_messages(device), 0);
        EXPECT_HR(ID3D12CommandQueue_GetClockCalibration(queue, NULL, &cpu), E_INVALIDARG);
        EXPECT_HR(ID3D12CommandQueue_GetTimestampFrequency(queue, NULL), E_INVALIDARG);
    }
}

Test(queries, the_real_clock_runs_between_two_timestamps)
{
    emu_config config = EMU_CONFIG_INIT;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    OPEN_QUEUE_AND_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 16);
    OWNED ID3D12QueryHeap *heap = NULL;
    UINT64 *ticks = NULL, before = 0, after = 0, cpu = 0;
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, (void **)&heap));
    ticks = kit_map(buffer);
    ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 1);
    ID3D12GraphicsCommandList_ResolveQueryData(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, buffer,
                                               0);
    MUST(ID3D12CommandQueue_GetClockCalibration(queue, &before, &cpu));
    kit_run(device, queue, list);
    MUST(ID3D12CommandQueue_GetClockCalibration(queue, &after, &cpu));
    cr_assert(before <= ticks[0] && ticks[0] <= ticks[1] && ticks[1] <= after);
}

Test(queries, mistakes_fail_the_recording)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    OWNED ID3D12QueryHeap *times = NULL, *occlusion = NULL;
    const D3D12_QUERY_TYPE time = D3D12_QUERY_TYPE_TIMESTAMP;
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 9, (void **)&times));
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 2, (void **)&occlusion));
#define REFUSED(id, ...)                                                                           \
    KIT_MISTAKE(device, list, allocator, E_INVALIDARG, D3D12_MESSAGE_ID_##id##_INVALID_PARAMETERS, \
                __VA_ARGS__)
    REFUSED(BEGIN_END_QUERY, BeginQuery, times, time, 0); /* timestamps have no beginning */
    REFUSED(BEGIN_END_QUERY, EndQuery, times, time, 9);
    REFUSED(BEGIN_END_QUERY, EndQuery, NULL, time, 0);
    REFUSED(BEGIN_END_QUERY, EndQuery, occlusion, time, 0);
    REFUSED(BEGIN_END_QUERY, BeginQuery, times, D3D12_QUERY_TYPE_OCCLUSION, 0);
    /* more than there are, no room, askew, and nowhere */
    REFUSED(RESOLVE_QUERY_DATA, ResolveQueryData, times, time, 8, 2, buffer, 0);
    REFUSED(RESOLVE_QUERY_DATA, ResolveQueryData, times, time, 0, 9, buffer, 0);
    REFUSED(RESOLVE_QUERY_DATA, ResolveQueryData, times, time, 0, 1, buffer, 4);
    REFUSED(RESOLVE_QUERY_DATA, ResolveQueryData, times, time, 0, 1, NULL, 0);
    ID3D12GraphicsCommandList_BeginQuery(list, occlusion, D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1);
    ID3D12GraphicsCommandList_EndQuery(list, occlusion, D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

Test(queries, are_begun_once_and_ended_before_close)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(DIRECT);
    OWNED ID3D12QueryHeap *heap = NULL;
    const D3D12_QUERY_TYPE type = D3D12_QUERY_TYPE_OCCLUSION;
    const int mistake = D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS;
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 8, (void **)&heap));

    for (UINT i = 0; i < 8; i++)
        ID3D12GraphicsCommandList_BeginQuery(list, heap, type, i);
    for (UINT i = 0; i < 8; i++)
        ID3D12GraphicsCommandList_EndQuery(list, heap, type, i);
    MUST(ID3D12GraphicsCommandList_Close(list));
    cr_assert_eq(kit_messages(device), 0);

    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_BeginQuery(list, heap, type, 0);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_CLOSE_COMMAND_LIST_OPEN_QUERY);

    for (int i = 0; i < 3; i++) {
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL)); /* nothing is open */
        kit_clear(device);
        if (i == 0) {
            ID3D12GraphicsCommandList_EndQuery(list, heap, type, 0);
        } else if (i == 1) {
            ID3D12GraphicsCommandList_BeginQuery(list, heap, type, 0);
            ID3D12GraphicsCommandList_BeginQuery(list, heap, type, 0);
            ID3D12GraphicsCommandList_EndQuery(list, heap, type, 0);
        } else {
            ID3D12GraphicsCommandList_BeginQuery(list, heap, type, 0);
            ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_BINARY_OCCLUSION, 0);
            cr_assert_eq(kit_messages(device), 1);
            ID3D12GraphicsCommandList_EndQuery(list, heap, type, 0);
        }
        cr_assert_eqs(kit_messages(device), 1, kit_count(device, mistake), 1, "case %d", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    }
}

/* "Subsequent … commands are not actually performed if the resulting predicate data is equal to the
 * operation specified"; query results are resolved all the same [SetPredication, Predication]. */
Test(predication, skips_work_by_what_is_in_memory_when_the_gpu_comes_there)
{
    for (int not_zero = 0; not_zero < 2; not_zero++) {
        AT_END(kit_closed) ID3D12Device *device = kit_device();
        OPEN_QUEUE_AND_LIST(DIRECT);
        OWNED ID3D12RootSignature *root = kit_root_signature(device);
        OWNED ID3D12PipelineState *fill = kit_pipeline(device, root, EMU_KERNEL_FILL);
        OWNED ID3D12Resource *from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 64);
        OWNED ID3D12Resource *to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
        OWNED ID3D12QueryHeap *heap = NULL;
        MUST(create(device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, (void **)&heap));
        uint64_t *source = kit_map(from), *result = kit_map(to);
        emu_advance_clock(device, 1000);

        ID3D12GraphicsCommandList_SetPredication(list, from, 8, (D3D12_PREDICATION_OP)not_zero);
        ID3D12GraphicsCommandList_CopyBufferRegion(list, to, 0, from, 0, 8);
        kit_dispatch(list, root, fill, to, NULL, 9, 2);
        ID3D12GraphicsCommandList_EndQuery(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 0);
        ID3D12GraphicsCommandList_ResolveQueryData(list, heap, D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, to,
                                                   8);
        if (not_zero) /* either way there is no predicate any more */
            ID3D12GraphicsCommandList_SetPredication(list, NULL, 0,
                                                     D3D12_PREDICATION_OP_EQUAL_ZERO);
        else
            ID3D12GraphicsCommandList_ClearState(list, NULL);
        ID3D12GraphicsCommandList_CopyBufferRegion(list, to, 16, from, 0, 8);
        MUST(ID3D12GraphicsCommandList_Close(list));
        source[0] = 5;
        source[1] = not_zero ? (uint64_t)1 << 63 : 0;
        ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
        kit_finish(device, queue);
        cr_assert(result[0] == 0 && result[1] != 0 && result[2] == 5);
        source[1] = !not_zero;
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
        kit_finish(device, queue);
        cr_assert_eq(result[0], (uint64_t)9 << 32 | 9);
        cr_assert_eq(kit_messages(device), 0);
    }
}

Test(predication, wants_eight_bytes_of_a_buffer)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OPEN_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 64);
    OWNED ID3D12Resource *foreign = kit_buffer(stranger, D3D12_HEAP_TYPE_DEFAULT, 64);
    const struct {
        ID3D12Resource *buffer;
        UINT64 offset;
        D3D12_PREDICATION_OP operation;
    } wrong[] = {{buffer, 4, D3D12_PREDICATION_OP_EQUAL_ZERO},
                 {buffer, 64, D3D12_PREDICATION_OP_EQUAL_ZERO},
                 {buffer, UINT64_MAX - 7, D3D12_PREDICATION_OP_EQUAL_ZERO},
                 {buffer, 0, (D3D12_PREDICATION_OP)2},
                 {foreign, 0, D3D12_PREDICATION_OP_EQUAL_ZERO}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        kit_clear(device);
        ID3D12GraphicsCommandList_SetPredication(list, wrong[i].buffer, wrong[i].offset,
                                                 wrong[i].operation);
        cr_assert_eqs(kit_messages(device), 1,
                      kit_count(device, D3D12_MESSAGE_ID_SET_PREDICATION_INVALID_PARAMETERS), 1,
                      "case %zu", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    }
}

/* A heap has the queries of its type [D3D12_QUERY_HEAP_TYPE], and copy lists have timestamps of
 * their own heaps only. */
Test(queries, are_of_heaps_of_their_kind)
{
    enum { HEAPS = 5, TYPES = 8, UNKNOWN = 99 };
    static const D3D12_QUERY_HEAP_TYPE heaps[HEAPS] = {D3D12_QUERY_HEAP_TYPE_OCCLUSION,
                                                       D3D12_QUERY_HEAP_TYPE_TIMESTAMP,
                                                       D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS,
                                                       D3D12_QUERY_HEAP_TYPE_SO_STATISTICS,
                                                       D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP};
    static const D3D12_QUERY_TYPE types[TYPES] = {D3D12_QUERY_TYPE_OCCLUSION,
                                                  D3D12_QUERY_TYPE_BINARY_OCCLUSION,
                                                  D3D12_QUERY_TYPE_TIMESTAMP,
                                                  D3D12_QUERY_TYPE_PIPELINE_STATISTICS,
                                                  D3D12_QUERY_TYPE_SO_STATISTICS_STREAM0,
                                                  D3D12_QUERY_TYPE_SO_STATISTICS_STREAM3,
                                                  D3D12_QUERY_TYPE_VIDEO_DECODE_STATISTICS,
                                                  (D3D12_QUERY_TYPE)UNKNOWN};
    static const char has[2][HEAPS][TYPES] = {
        {{1, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1, 1}, {0}}, /* on direct lists */
        {{0}, {0}, {0}, {0}, {0, 0, 1}},                            /* on copy lists */
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 4096);
    for (int copies = 0; copies < 2; copies++)
        for (int h = 0; h < HEAPS; h++)
            for (int t = 0; t < TYPES; t++) {
                const D3D12_COMMAND_LIST_TYPE type = copies ? COPY : DIRECT;
                OPEN_LIST(type);
                OWNED ID3D12QueryHeap *heap = NULL;
                MUST(create(device, heaps[h], 2, (void **)&heap));
                ID3D12GraphicsCommandList_ResolveQueryData(list, heap, types[t], 0, 2, buffer, 0);
                EXPECT_HR(ID3D12GraphicsCommandList_Close(list),
                          has[copies][h][t] ? S_OK : E_INVALIDARG);
            }
}

/* The size of a result is its kind's [D3D12_QUERY_DATA_PIPELINE_STATISTICS, …]: room for two is for
 * no more. */
Test(queries, results_take_the_room_of_their_kind)
{
    static const struct {
        D3D12_QUERY_HEAP_TYPE heap;
        D3D12_QUERY_TYPE type;
        UINT64 size;
    } kinds[] = {{D3D12_QUERY_HEAP_TYPE_OCCLUSION, D3D12_QUERY_TYPE_OCCLUSION, 8},
                 {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, D3D12_QUERY_TYPE_TIMESTAMP, 8},
                 {D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, D3D12_QUERY_TYPE_PIPELINE_STATISTICS,
                  sizeof(D3D12_QUERY_DATA_PIPELINE_STATISTICS)},
                 {D3D12_QUERY_HEAP_TYPE_SO_STATISTICS, D3D12_QUERY_TYPE_SO_STATISTICS_STREAM1,
                  sizeof(D3D12_QUERY_DATA_SO_STATISTICS)}};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_QUEUE_AND_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 4096);
    uint8_t *bytes = kit_map(buffer);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const UINT64 size = kinds[i].size;
        OWNED ID3D12QueryHeap *heap = NULL;
        MUST(create(device, kinds[i].heap, 4, (void **)&heap));
        memset(bytes, 0xEE, 4096);
        ID3D12GraphicsCommandList_ResolveQueryData(list, heap, kinds[i].type, 2, 2, buffer,
                                                   4096 - 2 * size);
        ID3D12GraphicsCommandList_ResolveQueryData(list, heap, kinds[i].type, 0, 0, buffer, 4096);
        kit_run(device, queue, list);
        for (UINT64 at = 4096 - 2 * size - 1; at < 4096; at++)
            cr_assert_eq(bytes[at], at == 4096 - 2 * size - 1 ? 0xEE : 0, "kind %zu", i);
        cr_assert_eq(kit_messages(device), 0);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
        ID3D12GraphicsCommandList_ResolveQueryData(list, heap, kinds[i].type, 2, 2, buffer,
                                                   4096 - 2 * size + 8);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
        kit_clear(device);
    }
}

Test(queries, of_other_devices_and_on_other_lists_are_refused)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OPEN_LIST(COMPUTE);
    OWNED ID3D12QueryHeap *foreign = NULL, *counts = NULL;
    const D3D12_QUERY_HEAP_DESC elsewhere = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 2};
    REFUSES(E_INVALIDARG, ID3D12QueryHeap, device, CreateQueryHeap, &elsewhere);
    cr_assert_eq(kit_messages(device), 1);
    kit_clear(device);
    MUST(create(stranger, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, (void **)&foreign));
    MUST(create(device, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 1, (void **)&counts));
    ID3D12GraphicsCommandList_EndQuery(list, foreign, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    kit_clear(device);
    /* compute lists have timestamps only, which have no beginning */
    ID3D12GraphicsCommandList_BeginQuery(list, counts, D3D12_QUERY_TYPE_OCCLUSION, 0);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_INVALID_ARGUMENT);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_FAIL);
    kit_clear(device);
    ID3D12GraphicsCommandList_BeginQuery(list, counts, D3D12_QUERY_TYPE_OCCLUSION, 0);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED);
}
