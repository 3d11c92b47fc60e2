/* ANN-LIFE: which data is dropped when memory for markers is short. */
#include "kit_dump.h"
#include "kit_room.h"

#include "os.h"

CASES(budget_cases, "life");

enum { LARGE = 60000 }; /* bytes of a payload of which a few fill a small budget */
static const char payload[1 << 20];

static ID3D12Device *device_with_budget(uint64_t budget)
{
    emu_config config = kit_config();
    config.memory_budget = budget;
    config.annotation = spy_driver(kit_driver());
    return kit_device_with(&config, RETAIL);
}

/* The EventID of a marker of `size` zeros that has just been forwarded as it was. */
static uint64_t forwarded(size_t before, enum spy_function function, UINT size)
{
    EXPECT_EQ(spy_count(), before + 1);
    EXPECT_MARKER(before, function, 1, payload, size);
    EXPECT(spy_last()->event_id != 0);
    return spy_last()->event_id;
}

static uint64_t list_set(const struct kit_list *list, UINT size)
{
    const size_t before = spy_count();
    kit_set(list, 1, payload, size);
    return forwarded(before, SPY_LIST_SET, size);
}

static uint64_t queue_set(ID3D12CommandQueue *queue, UINT size)
{
    const size_t before = spy_count();
    ID3D12CommandQueue_SetMarker(queue, 1, payload, size);
    return forwarded(before, SPY_QUEUE_SET, size);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void expect_all_different(const uint64_t *ids, size_t count)
{
    AT_END(at_end_free) uint64_t *sorted = malloc(count * sizeof *sorted);
    REQUIRE(sorted);
    memcpy(sorted, ids, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 1; i < count; i++)
        EXPECT(sorted[i] != sorted[i - 1]);
}

/* Every marker is live or dropped, and what the device counted is what was dropped. */
static void expect_counted(ID3D12Device *device, const uint64_t *ids, size_t count, UINT size)
{
    uint64_t live = 0, dropped = 0;
    for (size_t i = 0; i < count; i++) {
        const annot_lookup answer = kit_lookup(device, ids[i]);
        live += answer == ANNOT_LOOKUP_LIVE;
        dropped += answer == ANNOT_LOOKUP_DROPPED;
    }
    EXPECT_EQ(live + dropped, count);
    EXPECT(live > 0 && dropped > 0);
    EXPECT_EQ(kit_stats(device).dropped_markers, dropped);
    EXPECT_EQ(kit_stats(device).dropped_bytes, dropped * size);
    EXPECT_EQ(kit_stats(device).evicted_markers, 0);
}

/* ---- lists ---- */

CASE(a_full_list_goes_on_without_payloads, "ANN-LIFE-06 ANN-MARK-04",
     "An application with too many markers stops, eats the machine's memory, or hides markers from "
     "the driver.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    enum { COUNT = 1000, SIZE = 1000, ROOM = 256 << 10 };
    uint64_t ids[COUNT];
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(ROOM);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    for (size_t i = 0; i < COUNT; i++) {
        ids[i] = list_set(&list, SIZE);
        EXPECT(kit_stats(device).live_bytes <= KIT_BUDGET);
    }
    expect_all_different(ids, COUNT);
    expect_counted(device, ids, COUNT, SIZE);
    EXPECT_EQ(kit_lookup(device, ids[0]), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_lookup(device, ids[COUNT - 1]), ANNOT_LOOKUP_DROPPED);
    /* The recording is as good as any, and the allocator's reset makes room again. */
    kit_list_close(&list);
    REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
    EXPECT_EQ(kit_lookup(device, ids[0]), ANNOT_LOOKUP_EXPIRED);
    kit_list_reset(&list);
    const uint64_t dropped = kit_stats(device).dropped_markers;
    for (size_t i = 0; i < 100; i++)
        EXPECT_EQ(kit_lookup(device, list_set(&list, SIZE)), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_stats(device).dropped_markers, dropped);
}

CASE(a_dropped_scope_is_closed_by_its_id, "ANN-LIFE-06 ANN-MARK-05",
     "Past the budget a driver can no longer tell which scope ends.", .needs = SPY | LOOKUP,
     .rows = kit_list_rows)
{
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(128 << 10);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    while (kit_lookup(device, list_set(&list, LARGE)) == ANNOT_LOOKUP_LIVE)
        ;
    kit_begin(&list, 1, payload, LARGE);
    const uint64_t outer = spy_last()->event_id;
    kit_begin(&list, 1, payload, LARGE);
    const uint64_t inner = spy_last()->event_id;
    EXPECT(outer != 0 && inner != 0 && outer != inner);
    kit_end(&list);
    EXPECT_EQ(spy_last()->function, SPY_LIST_END);
    EXPECT_EQ(spy_last()->event_id, inner);
    kit_end(&list);
    EXPECT_EQ(spy_last()->event_id, outer);
    EXPECT_EQ(kit_lookup(device, outer), ANNOT_LOOKUP_DROPPED);
}

CASE(a_budget_of_nothing_loses_every_payload, "ANN-LIFE-06",
     "The smallest budget stops the calls to the driver.", .needs = SPY | EMULATOR | LOOKUP)
{
    uint64_t ids[100];
    AT_END(kit_device_end) ID3D12Device *device = device_with_budget(1);
    OWNED_LIST list = kit_list(device, DIRECT);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    for (size_t i = 0; i < 100; i += 2) {
        ids[i] = list_set(&list, 10);
        ids[i + 1] = queue_set(queue, 10);
    }
    expect_all_different(ids, 100);
    for (size_t i = 0; i < 100; i++)
        EXPECT_EQ_AT(i, kit_lookup(device, ids[i]), ANNOT_LOOKUP_DROPPED);
    EXPECT_EQ(kit_stats(device).dropped_markers, 100);
    EXPECT_EQ(kit_stats(device).dropped_bytes, 1000);
    EXPECT(kit_stats(device).live_bytes <= 1);
}

/* Records 80 markers of 1 MiB and lets the spy forget each; how many are live. */
static uint64_t live_of_80_mib(ID3D12Device *device, const struct kit_list *list)
{
    uint64_t live = 0;
    for (size_t i = 0; i < 80; i++) {
        live += kit_lookup(device, list_set(list, sizeof payload)) == ANNOT_LOOKUP_LIVE;
        spy_forget();
    }
    return live;
}

CASE(the_budget_is_64_mib_by_default, "ANN-LIFE-06",
     "Every application pays for a budget that nobody asked for.", .needs = SPY | LOOKUP)
{
    OPEN_SPIED_LIST(DIRECT);
    const uint64_t live = live_of_80_mib(device, &list);
    EXPECT(live >= 60 && live <= 64);
    EXPECT_EQ(kit_stats(device).dropped_markers, 80 - live);
    EXPECT(kit_stats(device).live_bytes <= KIT_BUDGET);
}

CASE(a_budget_of_0_is_none, "ANN-LIFE-06", "A tool that wants every marker can't have them.",
     .needs = SPY | EMULATOR | LOOKUP)
{
    AT_END(kit_device_end) ID3D12Device *device = device_with_budget(ANNOT_BUDGET_NONE);
    OWNED_LIST list = kit_list(device, DIRECT);
    EXPECT_EQ(live_of_80_mib(device, &list), 80);
    EXPECT_EQ(kit_stats(device).dropped_markers, 0);
}

CASE(a_loss_is_told_once, "ANN-LIFE-06",
     "Markers are missing from a dump without a word, or a word for each drowns all others.",
     .needs = SPY | LOOKUP | MESSAGES)
{
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(128 << 10);
    OWNED_LIST list = kit_list(device, DIRECT);
    EXPECT_EQ(kit_lookup(device, list_set(&list, LARGE)), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_count(device, ANNOT_MESSAGE_MARKERS_DROPPED), 0);
    for (size_t i = 0; i < 10; i++)
        list_set(&list, LARGE);
    EXPECT(kit_stats(device).dropped_markers > 1);
    EXPECT_EQ(kit_count(device, ANNOT_MESSAGE_MARKERS_DROPPED), 1);
}

/* ---- what a report says of it ---- */

struct found {
    const char *text;
    size_t matched;
    bool is_there;
};

/* A search over pieces; the text that is sought doesn't begin with a part of itself. */
static bool search(void *user, const void *data, size_t size)
{
    struct found *found = user;
    const char *bytes = data;
    for (size_t i = 0; i < size && !found->is_there; i++) {
        if (bytes[i] != found->text[found->matched])
            found->matched = 0;
        found->matched += bytes[i] == found->text[found->matched];
        found->is_there = found->text[found->matched] == '\0';
    }
    return true;
}

CASE(a_loss_is_shown_in_reports, "ANN-LIFE-06",
     "Someone reads a report and takes the markers in it for all that there were.",
     .needs = SPY | LOOKUP)
{
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(128 << 10);
    OWNED_LIST list = kit_list(device, DIRECT);
    for (size_t i = 0; i < 10; i++)
        list_set(&list, LARGE);
    const uint64_t dropped = kit_stats(device).dropped_markers;
    AT_END(at_end_close) annot_reader *dump = kit_dump(device);
    annot_reader_stream stream;
    uint64_t in_streams = 0;
    for (uint32_t i = 0; annot_reader_stream_at(dump, i, &stream); i++)
        in_streams += stream.dropped;
    EXPECT(dropped > 0);
    EXPECT_EQ(in_streams, dropped);
    struct found found = {.text = "dropped"};
    const annot_report_sink sink = {&found, search};
    EXPECT_EQ(annot_report_text(dump, NULL, &sink), ANNOT_OK);
    EXPECT(found.is_there);
}

/* ---- queues ---- */

static void execute_nothing(ID3D12Device *device, ID3D12CommandQueue *queue)
{
    OWNED_LIST list = kit_list(device, kit_queue_types[case_row()]);
    kit_run(device, queue, &list);
}

CASE(a_queues_oldest_completed_markers_go_first, "ANN-LIFE-06 ANN-LIFE-02",
     "After a minute of frames a queue has the markers of the first second, and none of the last.",
     .needs = SPY | LOOKUP, .rows = kit_queue_rows)
{
    enum { FRAMES = 100, ROOM = 6 << 16 };
    uint64_t ids[FRAMES], live = 0;
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(ROOM);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    for (size_t i = 0; i < FRAMES; i++) {
        ids[i] = queue_set(queue, LARGE / 2);
        EXPECT_EQ_AT(i, kit_lookup(device, ids[i]), ANNOT_LOOKUP_LIVE);
        EXPECT(kit_stats(device).live_bytes <= KIT_BUDGET);
        execute_nothing(device, queue);
    }
    for (size_t i = 0; i < FRAMES; i++) {
        const annot_lookup answer = kit_lookup(device, ids[i]);
        EXPECT(answer == ANNOT_LOOKUP_LIVE || (answer == ANNOT_LOOKUP_EXPIRED && live == 0));
        live += answer == ANNOT_LOOKUP_LIVE;
    }
    EXPECT(live >= 2 && live < FRAMES);
    EXPECT_EQ(kit_stats(device).dropped_markers, 0);
    EXPECT_EQ(kit_stats(device).evicted_markers, FRAMES - live);
}

CASE(a_queues_unfinished_markers_stay, "ANN-LIFE-06 ANN-LIFE-02",
     "The markers around the work that hangs gave way to those behind it.", .needs = SPY | LOOKUP,
     .rows = kit_queue_rows)
{
    enum { COUNT = 40 };
    uint64_t ids[COUNT];
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(4 << 16);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    OWNED ID3D12Fence *gate = kit_fence(device, 0);
    OWNED_LIST list = kit_list(device, kit_queue_types[case_row()]);
    ids[0] = queue_set(queue, LARGE / 2);
    REQUIRE_OK(ID3D12CommandQueue_Wait(queue, gate, 1));
    kit_execute(queue, &list); /* submitted, and not begun */
    for (size_t i = 1; i < COUNT; i++)
        ids[i] = queue_set(queue, LARGE / 2);
    EXPECT_EQ(kit_lookup(device, ids[0]), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_lookup(device, ids[COUNT - 1]), ANNOT_LOOKUP_DROPPED);
    expect_counted(device, ids, COUNT, LARGE / 2);
    /* Completed, they make room. */
    const uint64_t dropped = kit_stats(device).dropped_markers;
    REQUIRE_OK(ID3D12Fence_Signal(gate, 1));
    execute_nothing(device, queue);
    EXPECT_EQ(kit_lookup(device, queue_set(queue, LARGE / 2)), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_lookup(device, ids[0]), ANNOT_LOOKUP_EXPIRED);
    EXPECT_EQ(kit_stats(device).dropped_markers, dropped);
}

CASE(a_lists_completed_markers_stay, "ANN-LIFE-06 ANN-LIFE-01",
     "A list that is executed again has lost its markers to the budget.", .needs = SPY | LOOKUP)
{
    AT_END(kit_device_with_room_done) ID3D12Device *device = kit_device_with_room(4 << 16);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED_LIST list = kit_list(device, DIRECT);
    const uint64_t id = list_set(&list, LARGE);
    kit_run(device, queue, &list);
    for (size_t i = 0; i < 40; i++)
        queue_set(queue, LARGE / 2);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
}

/* ---- no memory at all ---- */

static struct {
    size_t calls, wrong;
    uint64_t last;
} counted;

static void ANNOT_DDI_CALL count_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t id)
{
    (void)list;
    counted.calls++;
    counted.wrong += metadata != 1 || size != sizeof payload || !data || id == 0 ||
                     id == counted.last || memcmp(data, payload, size) != 0;
    counted.last = id;
}

/* The spy's table, but for a function that needs no memory of its own. */
static const annot_driver *counting_driver(void)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    static annot_driver driver;
    driver = *spy_driver(NULL);
    table = *driver.annotation;
    table.pfnCmdListSetMarker = count_set;
    driver.annotation = &table;
    return &driver;
}

CASE(markers_need_no_memory, "ANN-LIFE-07 ANN-LIFE-06",
     "An application that is short of memory is killed by its markers, or a driver misses them.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    enum { COUNT = 60, ROOM = 16 << 20 }; /* the budget has room for all of them */
    AT_END(kit_device_end) ID3D12Device *device = kit_device_on(counting_driver(), RETAIL);
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    if (!os_limit_memory(ROOM))
        SKIP("the memory of this process can't be limited");
    for (size_t i = 0; i < COUNT; i++)
        kit_set(&list, 1, payload, sizeof payload);
    EXPECT_EQ(counted.calls, COUNT);
    EXPECT_EQ(counted.wrong, 0);
    EXPECT_EQ(kit_lookup(device, counted.last), ANNOT_LOOKUP_DROPPED);
    EXPECT(kit_stats(device).dropped_markers > 0 && kit_stats(device).dropped_markers < COUNT);
    EXPECT_EQ(kit_stats(device).dropped_bytes, kit_stats(device).dropped_markers * sizeof payload);
    /* The reset gives back what the markers had. */
    kit_list_close(&list);
    REQUIRE_OK(ID3D12CommandAllocator_Reset(list.allocator));
    kit_list_reset(&list);
    kit_set(&list, 1, payload, sizeof payload);
    EXPECT_EQ(kit_lookup(device, counted.last), ANNOT_LOOKUP_LIVE);
}
