/* Markers through the COM interface: one driver call each, with what the application gave
 * [ANN-MARK]. */
#include "kit.h"

static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, COMPUTE, COPY, BUNDLE};

Test(markers, each_call_on_a_list_makes_one_driver_call) /* ANN-MARK-01, -04, -05 */
{
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, types[t]);
        OWNED ID3D12GraphicsCommandList *list = kit_list(device, allocator, types[t]);
        ID3D12GraphicsCommandList_BeginEvent(list, 2, "begin", 5);
        ID3D12GraphicsCommandList_SetMarker(list, 6345127, "set", 3);
        ID3D12GraphicsCommandList_EndEvent(list);
        cr_assert_eq(heard_count, 3);
        cr_assert_eq3(heard[0].what, HEARD_BEGIN, heard[0].metadata, 2, heard[0].size, 5);
        cr_assert_mem_eq(heard[0].bytes, "begin", 5);
        cr_assert_eqs(heard[1].what, HEARD_SET, heard[1].metadata, 6345127);
        cr_assert_eqs(heard[2].what, HEARD_END, heard[2].event_id, heard[0].event_id);
        cr_assert(heard[0].event_id != 0 && heard[1].event_id != 0);
        cr_assert(heard[0].event_id != heard[1].event_id);
        cr_assert(!heard[0].on_queue);
        cr_assert_eq(heard[0].handle, heard[2].handle);
        MUST(ID3D12GraphicsCommandList_Close(list));
        cr_assert_eq(kit_messages(device), 0);
    }
}

Test(markers, each_call_on_a_queue_makes_one_driver_call) /* ANN-MARK-02 */
{
    for (size_t t = 0; t < 3; t++) {
        AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
        OWNED ID3D12CommandQueue *queue = kit_queue(device, types[t]);
        ID3D12CommandQueue_BeginEvent(queue, 1, "frame", 5);
        ID3D12CommandQueue_SetMarker(queue, 0, NULL, 0);
        ID3D12CommandQueue_EndEvent(queue);
        cr_assert(heard_count == 3 && heard[0].on_queue && heard[1].size == 0);
        cr_assert_eq(heard[2].event_id, heard[0].event_id);
    }
}

Test(markers, runtime_only_makes_no_call_and_keeps_no_byte) /* ANN-MARK-03 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RUNTIME);
    OPEN_LIST(DIRECT);
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "x", 1);
    ID3D12GraphicsCommandList_EndEvent(list);
    annot_device_stats stats;
    annot_device_get_stats(emu_annot_device(device), &stats);
    cr_assert_eqs(heard_count, 0, stats.live_bytes, 0);
}

/* Scopes that one list opens and another one closes are normal: nothing that a program would stop
 * at. */
static void expect_info(ID3D12Device *device, int id)
{
    _Alignas(D3D12_MESSAGE) char room[512];
    SIZE_T size = sizeof room;
    OWNED ID3D12InfoQueue *queue = AS(ID3D12InfoQueue, device);
    MUST(ID3D12InfoQueue_GetMessage(queue, 0, (D3D12_MESSAGE *)(void *)room, &size));
    const D3D12_MESSAGE *message = (const D3D12_MESSAGE *)(const void *)room;
    cr_assert_eqs((int)message->ID, id, message->Severity, D3D12_MESSAGE_SEVERITY_INFO);
}

Test(markers, a_surplus_end_makes_its_call_with_zero_and_a_message) /* ANN-MARK-06 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OPEN_LIST(DIRECT);
    ID3D12GraphicsCommandList_EndEvent(list);
    cr_assert_eq3(heard_count, 1, heard[0].what, HEARD_END, heard[0].event_id, 0);
    EXPECT_MESSAGES(device, 1, 1384);
    expect_info(device, 1384);
}

Test(markers, a_scope_left_open_is_reported_and_does_not_leak_into_the_next_recording)
{ /* ANN-MARK-07 */
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OPEN_LIST(DIRECT);
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "open", 4);
    MUST(ID3D12GraphicsCommandList_Close(list));
    EXPECT_MESSAGES(device, 1, 1383);
    expect_info(device, 1383);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_EndEvent(list);
    cr_assert_eq(heard[heard_count - 1].event_id, 0);
}

Test(markers, null_data_with_a_size_is_an_empty_marker_and_a_message) /* ANN-MARK-08 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandQueue_SetMarker(queue, 2, NULL, 100);
    cr_assert_eqs(heard_count, 1, heard[0].size, 0);
    cr_assert(heard[0].event_id != 0);
    EXPECT_MESSAGES(device, 1, ANNOT_MESSAGE_MARKER_NULL_DATA);
}

Test(markers, on_a_closed_list_make_no_call_but_a_message) /* ANN-MARK-12 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OPEN_LIST(DIRECT);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "x", 1);
    cr_assert_eq(heard_count, 0);
    cr_assert_eq(kit_count(device, ANNOT_MESSAGE_MARKER_NOT_RECORDING), 1);
}

Test(markers, list_markers_live_until_their_allocator_is_reset) /* ANN-LIFE-01, -03 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    annot_marker_info info;
    char bytes[8];
    ID3D12GraphicsCommandList_SetMarker(list, 1, "still", 5);
    const uint64_t id = heard[0].event_id;
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12GraphicsCommandList_Release(list);
    cr_assert_eq(annot_device_lookup(emu_annot_device(device), id, &info, bytes, sizeof bytes),
                 ANNOT_LOOKUP_LIVE);
    cr_assert_eq(info.size, 5);
    cr_assert_mem_eq(bytes, "still", 5);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    cr_assert_eq(annot_device_lookup(emu_annot_device(device), id, &info, bytes, sizeof bytes),
                 ANNOT_LOOKUP_EXPIRED);
}
