/* ANN-MARK-03, -04: EventIDs. */
#include "kit.h"

CASES(mark_id_cases, "mark");

CASE(event_ids_are_unique_over_resets, "ANN-MARK-04",
     "An EventID from a hang names a marker of another frame: it was given again after a Reset.",
     .needs = SPY, .rows = kit_list_rows)
{
    enum { FRAMES = 60, MARKERS = 80 };
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (int frame = 0; frame < FRAMES; frame++) {
        for (UINT i = 0; i < MARKERS; i++) {
            kit_begin(&list, i, "begin", 6);
            kit_set(&list, i, NULL, 0);
            kit_end(&list);
        }
        kit_list_close(&list);
        if (frame % 3)
            REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
        kit_list_reset(&list);
    }
    spy_expect_unique_ids(FRAMES * MARKERS * 2);
}

CASE(event_ids_are_unique_over_children, "ANN-MARK-04",
     "Two lists, or a list and a queue, or a child and one that was destroyed, share an EventID.",
     .needs = SPY)
{
    enum { ROUNDS = 40, LISTS = 7, MARKERS = 5 };
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    for (int round = 0; round < ROUNDS; round++) {
        struct kit_list lists[LISTS];
        OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[round % 6]);
        for (int type = 0; type < LISTS; type++)
            lists[type] = kit_list(device, (D3D12_COMMAND_LIST_TYPE)type);
        for (UINT i = 0; i < MARKERS; i++) {
            for (int type = 0; type < LISTS; type++)
                kit_begin(&lists[type], i, "list", 5);
            ID3D12CommandQueue_SetMarker(queue, i, "queue", 6);
        }
        for (int type = 0; type < LISTS; type++)
            kit_list_done(&lists[type]);
    }
    spy_expect_unique_ids(ROUNDS * (LISTS + 1) * MARKERS);
}

CASE(event_ids_are_unique_over_a_long_life, "ANN-MARK-04",
     "EventIDs wrap, or are numbers of a small pool.", .needs = SPY)
{
    enum { FRAMES = 200, MARKERS = 500 };
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(spy_driver(NULL), RETAIL);
    OWNED_LIST list = kit_list(device, DIRECT);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (UINT i = 0; i < MARKERS; i++)
            kit_set(&list, i, &i, sizeof i);
        kit_list_close(&list);
        REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
        kit_list_reset(&list);
    }
    spy_expect_unique_ids(FRAMES * MARKERS);
}

/* An EventID stays expired: it is not the EventID of what was recorded in its place. */
CASE(an_old_event_id_is_nobodys, "ANN-MARK-04",
     "The EventID of last frame's hang resolves to this frame's marker.", .needs = SPY | LOOKUP)
{
    enum { FRAMES = 50 };
    OPEN_SPIED_LIST(DIRECT);
    for (size_t frame = 0; frame < FRAMES; frame++) {
        kit_set(&list, 1, "frame", 6);
        for (size_t i = 0; i <= frame; i++)
            EXPECT_EQ(kit_lookup(device, spy_at(i)->event_id),
                      i == frame ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_EXPIRED);
        kit_list_close(&list);
        REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
        kit_list_reset(&list);
    }
}

/* The EventIDs of ten markers, with or without markers on RUNTIME_ONLY children between them. */
static void ten_ids(uint64_t ids[10], bool with_unheard)
{
    ID3D12Device *device = kit_spied_device(RUNTIME);
    struct kit_list unheard = kit_list(device, DIRECT);
    ID3D12CommandQueue *unheard_queue = kit_queue(device, DIRECT);
    kit_set_mode(device, RETAIL);
    struct kit_list heard = kit_list(device, DIRECT);
    for (UINT i = 0; i < 10; i++) {
        for (int n = 0; n < 1000 && with_unheard; n++) {
            kit_begin(&unheard, 1, "unheard", 8);
            kit_set(&unheard, 1, "unheard", 8);
            ID3D12CommandQueue_BeginEvent(unheard_queue, 1, "unheard", 8);
        }
        kit_set(&heard, i, "heard", 6);
        ids[i] = spy_last()->event_id;
    }
    EXPECT_EQ(spy_count(), 10);
    kit_list_done(&heard);
    kit_list_done(&unheard);
    kit_release(unheard_queue);
    kit_device_done(device);
    spy_forget();
}

/* libannot's EventIDs depend on nothing but the calls. */
CASE(runtime_only_spends_no_event_id, "ANN-MARK-03",
     "Markers that nobody asked for use up EventIDs.", .needs = SPY | LOOKUP)
{
    uint64_t without[10], with[10];
    ten_ids(without, false);
    ten_ids(with, true);
    for (int i = 0; i < 10; i++)
        EXPECT_EQ_AT(i, with[i], without[i]);
}
