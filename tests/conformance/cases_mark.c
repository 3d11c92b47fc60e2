/* ANN-MARK: what the driver gets of a marker on a list. cases_queue.c: on queues;
 * cases_mark_scope.c: Begins and Ends that don't match; cases_mark_data.c: the payload's memory;
 * cases_mark_id.c: EventIDs; cases_mark_bundle.c: executions. */
#include "kit.h"

CASES(mark_cases, "mark");

CASE(list_calls_reach_the_driver_once, "ANN-MARK-01 ANN-MARK-05",
     "A marker is lost, doubled or changed between the application and the driver's dump.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_begin(&list, 2, "frame", 6);
    EXPECT_EQ(spy_count(), 1);
    kit_set(&list, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_count(), 2);
    kit_end(&list);
    EXPECT_EQ(spy_count(), 3);
    EXPECT_MARKER(0, SPY_LIST_BEGIN, 2, "frame", 6);
    EXPECT_MARKER(1, SPY_LIST_SET, 6345127, "\1\0\2", 3);
    EXPECT_EQ(spy_at(2)->function, SPY_LIST_END);
    EXPECT_EQ(spy_at(2)->event_id, spy_at(0)->event_id);
    EXPECT_EQ(spy_count_on(spy_at(0)->handle), 3);
    kit_list_close(&list);
}

CASE(
    a_list_is_heard_when_it_records, "ANN-MARK-01",
    "Markers are sent again when the list is closed, executed or reset: the driver has each twice.",
    .needs = SPY, .drivers = ANNOTATING_DRIVERS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    struct kit_list list = kit_list(device, DIRECT);
    kit_begin(&list, 1, "a", 2);
    kit_end(&list);
    EXPECT_EQ(spy_count(), 2);
    kit_execute(queue, &list);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list.list);
    kit_wait(device, queue);
    EXPECT_EQ(spy_count(), 2);
    kit_list_reset(&list);
    EXPECT_OK(ID3D12GraphicsCommandList_Close(kit_graphics(&list)));
    kit_list_done(&list);
    kit_release(queue);
    EXPECT_EQ(spy_count(), 2);
}

CASE(each_list_has_its_own_handle, "ANN-MARK-01",
     "The driver puts one list's markers into another's dump.", .needs = SPY, .rows = kit_list_rows)
{
    enum { LISTS = 5 };
    struct kit_list lists[LISTS];
    void *handles[LISTS];
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    for (UINT i = 0; i < LISTS; i++) {
        lists[i] = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
        kit_begin(&lists[i], i, "x", 1);
        handles[i] = spy_last()->handle;
        for (UINT other = 0; other < i; other++)
            EXPECT(handles[i] != handles[other]);
    }
    for (UINT i = LISTS; i-- > 0;) {
        kit_set(&lists[i], i, "x", 1);
        EXPECT(spy_last()->handle == handles[i]);
        kit_end(&lists[i]);
        EXPECT(spy_last()->handle == handles[i]);
        kit_list_close(&lists[i]);
        kit_list_reset(&lists[i]);
        kit_set(&lists[i], i, "x", 1);
        EXPECT(spy_last()->handle == handles[i]);
    }
    for (UINT i = 0; i < LISTS; i++)
        kit_list_done(&lists[i]);
}

CASE(calls_come_in_the_callers_order, "ANN-MARK-01",
     "Markers are gathered and sent later, and scopes close around the wrong work.", .needs = SPY,
     .rows = kit_list_rows)
{
    static const char script[] = "BSBBSEESEBESSBE";
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (UINT i = 0; script[i]; i++) {
        if (script[i] == 'E')
            kit_end(&list);
        else if (script[i] == 'B')
            kit_begin(&list, i, &script[i], 1);
        else
            kit_set(&list, i, &script[i], 1);
        EXPECT_EQ(spy_count(), i + 1);
        if (script[i] == 'E')
            EXPECT_EQ(spy_at(i)->function, SPY_LIST_END);
        else
            EXPECT_MARKER(i, script[i] == 'B' ? SPY_LIST_BEGIN : SPY_LIST_SET, i, &script[i], 1);
    }
    kit_list_close(&list);
}

/* ---- RUNTIME_ONLY ---- */

CASE(runtime_only_lists_are_unheard, "ANN-MARK-03",
     "The driver pays for markers that nobody asked it to keep.", .needs = SPY,
     .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RUNTIME);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_begin(&list, 2, "frame", 6);
    kit_set(&list, 1, NULL, 0);
    kit_set(&list, 1, NULL, 8);
    kit_end(&list);
    kit_end(&list);
    kit_begin(&list, 2, "open", 5);
    kit_list_close(&list);
    kit_set(&list, 1, "closed", 7);
    EXPECT_EQ(spy_count(), 0);
}

CASE(runtime_only_lists_keep_no_byte, "ANN-MARK-03",
     "Release builds full of markers grow by every marker's text.", .needs = LOOKUP,
     .rows = kit_list_rows)
{
    static char payload[4096];
    annot_device_stats before, after;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RUNTIME);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    the_runtime.get_stats(kit_annot(device), &before);
    for (int i = 0; i < 5000; i++) {
        kit_begin(&list, 1, payload, sizeof payload);
        kit_set(&list, 1, payload, sizeof payload);
        if (i % 2)
            kit_end(&list);
    }
    the_runtime.get_stats(kit_annot(device), &after);
    EXPECT_EQ(after.live_bytes, before.live_bytes);
    EXPECT_EQ(after.reserved_bytes, before.reserved_bytes);
    EXPECT_EQ(after.dropped_markers, 0);
}

/* ---- the values ---- */

/* All PIX encodings, what looks like them, and every bit. */
static UINT metadata_value(unsigned i)
{
    static const UINT values[] = {0,       1,       2,          3,         6345127,
                                  6345126, 6345128, 0xFF,       0x100,     0xFFFF,
                                  0x1234,  0x10001, 0x10002,    0x60D1A7,  6345127u | 0x80000000u,
                                  ~0u,     ~0u - 1, 0x7FFFFFFF, 0x80000000};
    enum { VALUES = sizeof values / sizeof values[0] };
    if (i < VALUES)
        return values[i];
    return i < VALUES + 32 ? 1u << (i - VALUES) : 0;
}
enum { METADATA_VALUES = 19 + 32 };

CASE(every_metadata_passes_through, "ANN-MARK-14 ANN-MARK-01",
     "Metadata loses bits on the way, and tools decode the payload as something else.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    static const unsigned char payload[] = {0x02, 0xF0, 0xCA, 0, 0, 0, 0, 0, 'p', 'i', 'x', 0};
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (unsigned i = 0; i < METADATA_VALUES; i++) {
        kit_begin(&list, metadata_value(i), payload, sizeof payload);
        kit_set(&list, metadata_value(i), payload, sizeof payload);
        EXPECT_MARKER(2 * i, SPY_LIST_BEGIN, metadata_value(i), payload, sizeof payload);
        EXPECT_MARKER(2 * i + 1, SPY_LIST_SET, metadata_value(i), payload, sizeof payload);
    }
    EXPECT_EQ(spy_count(), 2 * METADATA_VALUES);
}

/* Every size around what a copy in words, lines or a small buffer could lose. */
CASE(every_size_arrives_whole, "ANN-MARK-01 ANN-MARK-14",
     "The last bytes of a payload are missing, or zeros end it.", .needs = SPY,
     .rows = kit_list_rows)
{
    static const UINT large[] = {511,  512,   513,   1023,  4095,   4096,
                                 4097, 65535, 65536, 65537, 1048577};
    static unsigned char payload[1048577];
    enum { SMALL = 301 };
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (UINT i = 0; i < SMALL + sizeof large / sizeof large[0]; i++) {
        const UINT size = i < SMALL ? i : large[i - SMALL];
        for (UINT at = 0; at < size; at++)
            payload[at] = (unsigned char)((at + i) % 251);
        kit_begin(&list, i, payload, size);
        kit_set(&list, i, payload, size);
        EXPECT_MARKER(2 * i, SPY_LIST_BEGIN, i, payload, size);
        EXPECT_MARKER(2 * i + 1, SPY_LIST_SET, i, payload, size);
    }
}

CASE(unaligned_payloads_arrive_whole, "ANN-MARK-01",
     "A payload that starts in the middle of a word is shifted, or crashes.", .needs = SPY,
     .rows = kit_list_rows)
{
    static unsigned char payload[128];
    size_t number = 0;
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (unsigned char)(i + 1);
    for (size_t from = 0; from < 17; from++)
        for (UINT size = 1; size < 40; size += 2, number++) {
            kit_set(&list, 1, payload + from, size);
            EXPECT_MARKER(number, SPY_LIST_SET, 1, payload + from, size);
        }
}

CASE(an_empty_payload_is_legal, "ANN-MARK-08 ANN-MARK-01",
     "A marker that is only its metadata is dropped, or complained about.", .needs = SPY | MESSAGES,
     .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_forget_messages(device);
    kit_begin(&list, 7, NULL, 0);
    kit_set(&list, 8, NULL, 0);
    kit_set(&list, 9, "unread", 0);
    kit_end(&list);
    EXPECT_MARKER(0, SPY_LIST_BEGIN, 7, NULL, 0);
    EXPECT_MARKER(1, SPY_LIST_SET, 8, NULL, 0);
    EXPECT_MARKER(2, SPY_LIST_SET, 9, NULL, 0);
    EXPECT_EQ(spy_count(), 4);
    EXPECT_EQ(spy_at(3)->event_id, spy_at(0)->event_id);
    kit_list_close(&list);
    EXPECT_EQ(kit_messages(device), 0);
}

/* The last size that fits, and what a careless sum makes small. */
CASE(no_data_with_a_size_is_an_empty_payload, "ANN-MARK-08",
     "A NULL payload with a size crashes the application, or the driver that believes the size.",
     .needs = SPY, .rows = kit_list_rows)
{
    static const UINT sizes[] = {1, 8, 4096, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFFFFFF};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (size_t i = 0; i < SIZES; i++) {
        kit_begin(&list, 5, NULL, sizes[i]);
        kit_set(&list, 6, NULL, sizes[i]);
        kit_end(&list);
        EXPECT_MARKER(3 * i, SPY_LIST_BEGIN, 5, NULL, 0);
        EXPECT_MARKER(3 * i + 1, SPY_LIST_SET, 6, NULL, 0);
        EXPECT_EQ(spy_at(3 * i + 2)->event_id, spy_at(3 * i)->event_id);
    }
    EXPECT_EQ(spy_count(), 3 * SIZES);
    kit_list_close(&list);
}

CASE(no_data_with_a_size_is_told, "ANN-MARK-08",
     "An application wonders where its marker's text went.", .needs = MESSAGES,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_forget_messages(device);
    kit_begin(&list, 1, NULL, 4);
    EXPECT_EQ(kit_messages(device), 1);
    kit_set(&list, 1, NULL, 4);
    EXPECT_EQ(kit_messages(device), 2);
    kit_end(&list);
    kit_list_close(&list);
    EXPECT_EQ(kit_messages(device), 2);
}

CASE(markers_on_a_closed_list_are_unheard, "ANN-MARK-12",
     "The driver gets markers for a list that it has already translated, and crashes.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_begin(&list, 1, "kept", 5);
    kit_end(&list);
    kit_list_close(&list);
    kit_begin(&list, 1, "late", 5);
    kit_set(&list, 1, "late", 5);
    kit_end(&list);
    EXPECT_EQ(spy_count(), 2);
    kit_list_reset(&list);
    kit_set(&list, 1, "again", 6);
    EXPECT_EQ(spy_count(), 3);
    EXPECT_MARKER(2, SPY_LIST_SET, 1, "again", 6);
    kit_end(&list); /* the late Begin opened nothing */
    EXPECT_EQ(spy_last()->event_id, 0);
}

CASE(a_closed_lists_open_scope_is_never_ended, "ANN-MARK-12",
     "An End behind Close reaches the driver because its scope was left open.", .needs = SPY,
     .drivers = ANNOTATING_DRIVERS, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    kit_begin(&list, 1, "open", 5);
    kit_list_close(&list);
    kit_end(&list);
    EXPECT_EQ(spy_count(), 1);
}

CASE(markers_on_a_closed_list_are_told, "ANN-MARK-12",
     "An application never learns that its markers go nowhere.", .needs = MESSAGES,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_device(RETAIL);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_list_close(&list);
    kit_forget_messages(device);
    kit_begin(&list, 1, "late", 5);
    EXPECT_EQ(kit_messages(device), 1);
    kit_set(&list, 1, "late", 5);
    EXPECT_EQ(kit_messages(device), 2);
    kit_end(&list);
    EXPECT_EQ(kit_messages(device), 3);
    kit_list_reset(&list);
    kit_set(&list, 1, "in time", 8);
    kit_list_close(&list);
    EXPECT_EQ(kit_messages(device), 3);
}
