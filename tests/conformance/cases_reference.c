/* ANN-LIFE: markers whose payload stays the application's. */
#include "kit_dump.h"

#include "os.h"

CASES(reference_cases, "life");

enum { PAGE = 65536 }; /* a page or more, on every system */

/* Rows: the lists, then the queues. */
static const char *const rows[] = {"direct-list",        "bundle",
                                   "compute-list",       "copy-list",
                                   "video-decode-list",  "video-process-list",
                                   "video-encode-list",  "direct-queue",
                                   "compute-queue",      "copy-queue",
                                   "video-decode-queue", "video-process-queue",
                                   "video-encode-queue", NULL};
enum { LISTS = ENCODE + 1 };

struct scene {
    ID3D12Device *device;
    struct kit_list list;
    ID3D12CommandQueue *queue;
    void *target; /* the list or the queue of the row */
    char *page;   /* the application's memory */
};

static struct scene scene(kit_mode mode)
{
    struct scene s = {.device = kit_spied_device(mode), .page = os_map(PAGE)};
    REQUIRE(s.page);
    if (case_row() < LISTS) {
        s.list = kit_list(s.device, (D3D12_COMMAND_LIST_TYPE)case_row());
        s.target = s.list.list;
    } else {
        s.queue = kit_queue(s.device, kit_queue_types[case_row() - LISTS]);
        s.target = s.queue;
    }
    strcpy(s.page, "Shadow pass");
    return s;
}

static void take_page(struct scene *s)
{
    os_take(s->page, PAGE);
}

static void scene_done(struct scene *s)
{
    if (s->queue)
        kit_release(s->queue);
    else
        kit_list_done(&s->list);
    kit_device_done(s->device);
}

static uint64_t set(const struct scene *s, const void *data, UINT size)
{
    the_runtime.set_marker_by_reference(s->target, 1, data, size);
    return spy_last()->event_id;
}

static void end(const struct scene *s)
{
    if (s->queue)
        ID3D12CommandQueue_EndEvent(s->queue);
    else
        kit_end(&s->list);
}

static void expect_name(const annot_reader *dump, uint64_t id, const char *name)
{
    char got[64];
    annot_reader_entry_name(dump, annot_reader_entry_find(dump, id), got, sizeof got);
    if (!EXPECT(strcmp(got, name) == 0))
        case_note("\"%s\" instead of \"%s\"", got, name);
}

CASE(a_marker_by_reference_reaches_the_driver, "ANN-LIFE-08 ANN-MARK-01 ANN-MARK-02",
     "A marker that the application keeps itself is none to the driver.",
     .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    AT_END(scene_done) struct scene s = scene(RETAIL);
    the_runtime.begin_event_by_reference(s.target, 7, s.page, 11);
    the_runtime.set_marker_by_reference(s.target, 8, s.page, 6);
    end(&s);
    REQUIRE_EQ(spy_count(), 3);
    EXPECT_MARKER(0, s.queue ? SPY_QUEUE_BEGIN : SPY_LIST_BEGIN, 7, "Shadow pass", 11);
    EXPECT_MARKER(1, s.queue ? SPY_QUEUE_SET : SPY_LIST_SET, 8, "Shadow", 6);
    const uint64_t scope = spy_at(0)->event_id, point = spy_at(1)->event_id;
    EXPECT(scope != 0 && point != 0 && scope != point);
    EXPECT_EQ(spy_at(2)->event_id, scope);
    annot_marker_info info;
    REQUIRE_EQ(the_runtime.lookup(kit_annot(s.device), scope, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
    EXPECT(info.is_scope && info.is_closed && info.is_by_reference);
    REQUIRE_EQ(the_runtime.lookup(kit_annot(s.device), point, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
    EXPECT(!info.is_scope && info.is_by_reference);
    EXPECT_EQ(info.parent, scope);
    EXPECT_EQ(info.metadata, 8);
}

CASE(a_marker_by_reference_keeps_quiet_under_runtime_only, "ANN-LIFE-08 ANN-MARK-03",
     "An application that didn't ask for driver markers pays for them.",
     .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    AT_END(scene_done) struct scene s = scene(RUNTIME);
    the_runtime.begin_event_by_reference(s.target, 7, s.page, 11);
    the_runtime.set_marker_by_reference(s.target, 8, s.page, 6);
    end(&s);
    EXPECT_EQ(spy_count(), 0);
    annot_device_stats stats;
    the_runtime.get_stats(kit_annot(s.device), &stats);
    EXPECT_EQ(stats.live_bytes, 0);
}

CASE(a_payload_by_reference_is_not_kept, "ANN-LIFE-08",
     "The fast path copies all the same, or a lookup reads memory that is gone.",
     .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    AT_END(scene_done) struct scene s = scene(RETAIL);
    annot_device_stats stats;
    char buffer[16] = "untouched";
    annot_marker_info info;
    uint64_t id = 0;
    for (size_t i = 0; i < 100; i++)
        id = set(&s, s.page, PAGE);
    the_runtime.get_stats(kit_annot(s.device), &stats);
    EXPECT(stats.live_bytes < 100 * (uint64_t)PAGE / 4);
    EXPECT_EQ(stats.dropped_markers, 0);
    take_page(&s);
    REQUIRE_EQ(the_runtime.lookup(kit_annot(s.device), id, &info, buffer, sizeof buffer),
               ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(info.size, PAGE);
    EXPECT_BYTES(buffer, "untouched", 9);
}

CASE(a_dump_reads_a_payload_by_reference, "ANN-LIFE-08",
     "A dump has no text for markers by reference.", .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    AT_END(scene_done) struct scene s = scene(RETAIL);
    const uint64_t id = set(&s, s.page, 11);
    AT_END(at_end_close) annot_reader *dump = kit_dump(s.device);
    const annot_reader_entry entry = kit_dump_entry(dump, id);
    EXPECT_EQ(entry.payload, ANNOT_PAYLOAD_REFERENCED);
    EXPECT_EQ(entry.size, 11);
    REQUIRE_EQ(entry.stored, 11);
    EXPECT_BYTES(entry.data, "Shadow pass", 11);
    expect_name(dump, id, "Shadow pass");
}

CASE(a_payload_that_changed_is_said_to_have, "ANN-LIFE-08",
     "A dump shows what an application wrote over its marker as if it were the marker.",
     .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    AT_END(scene_done) struct scene s = scene(RETAIL);
    const uint64_t changed = set(&s, s.page, 11);
    const uint64_t before_it = set(&s, s.page, 10);
    s.page[10] = 'S'; /* the last byte of the first */
    const uint64_t after_it = set(&s, s.page, 11);
    AT_END(at_end_close) annot_reader *dump = kit_dump(s.device);
    EXPECT_EQ(kit_dump_entry(dump, changed).payload, ANNOT_PAYLOAD_CHANGED);
    EXPECT_EQ(kit_dump_entry(dump, before_it).payload, ANNOT_PAYLOAD_REFERENCED);
    EXPECT_EQ(kit_dump_entry(dump, after_it).payload, ANNOT_PAYLOAD_REFERENCED);
    expect_name(dump, after_it, "Shadow pasS");
}

CASE(a_payload_that_is_gone_is_said_to_be, "ANN-LIFE-08",
     "The crash handler crashes at a marker whose memory the application has freed.",
     .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    static const char still_there[] = "Cascade 2";
    AT_END(scene_done) struct scene s = scene(RETAIL);
    const uint64_t gone = set(&s, s.page, 11), kept = set(&s, still_there, 9);
    const uint64_t at_null = set(&s, NULL, 0);
    take_page(&s);
    AT_END(at_end_close) annot_reader *dump = kit_dump(s.device);
    const annot_reader_entry entry = kit_dump_entry(dump, gone);
    EXPECT_EQ(entry.payload, ANNOT_PAYLOAD_UNREADABLE);
    EXPECT_EQ(entry.size, 11);
    EXPECT_EQ(entry.stored, 0);
    EXPECT_EQ(kit_dump_entry(dump, kept).payload, ANNOT_PAYLOAD_REFERENCED);
    expect_name(dump, kept, "Cascade 2");
    EXPECT_EQ(kit_dump_entry(dump, at_null).size, 0);
}

CASE(a_marker_by_reference_ends_with_its_allocator, "ANN-LIFE-08 ANN-LIFE-01 ANN-LIFE-02",
     "A dump reads payloads that the application was told it may free.",
     .needs = SPY | LOOKUP | UNCOPIED, .rows = rows)
{
    AT_END(scene_done) struct scene s = scene(RETAIL);
    const uint64_t id = set(&s, s.page, 11);
    EXPECT_EQ(kit_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    if (s.queue) {
        kit_release(s.queue);
        s.queue = NULL;
    } else {
        kit_list_close(&s.list);
        REQUIRE_OK(ID3D12CommandAllocator_Reset(s.list.allocator));
    }
    EXPECT_EQ(kit_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
    AT_END(at_end_close) annot_reader *dump = kit_dump(s.device);
    EXPECT_EQ(annot_reader_entry_find(dump, id), ANNOT_READER_NONE);
}
