/* ANN-LIFE: how long a marker's data lives, and what a lookup of its EventID returns. */
#include "kit_dump.h"

#include <pthread.h>
#include <stdatomic.h>

CASES(life_cases, "life");

#define FAIL_CODE 0x80004005 /* E_FAIL */

static struct kit_list list_of_row(ID3D12Device *device)
{
    return kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
}

/* Records one marker; its EventID. */
static uint64_t set(const struct kit_list *list, const void *data, UINT size)
{
    kit_set(list, 1, data, size);
    return spy_last()->event_id;
}

static void reset_allocator(const struct kit_list *list)
{
    REQUIRE_OK(ID3D12CommandAllocator_Reset(list->allocator));
}

/* ---- a list's markers and its allocator ---- */

CASE(a_lists_markers_outlive_the_list, "ANN-LIFE-01 ANN-LIFE-03",
     "The dump of a hang has EventIDs whose text was thrown away with a list that was no longer "
     "needed.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST list = list_of_row(device);
    const uint64_t first = set(&list, "kept", 5);
    kit_list_close(&list);
    EXPECT_EQ(kit_lookup(device, first), ANNOT_LOOKUP_LIVE);
    kit_list_reset(&list);
    const uint64_t second = set(&list, "kept too", 9);
    EXPECT_EQ(kit_lookup(device, first), ANNOT_LOOKUP_LIVE);
    kit_list_close(&list);
    kit_release(list.list);
    list.list = NULL;
    EXPECT_EQ(kit_lookup(device, first), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(kit_lookup(device, second), ANNOT_LOOKUP_LIVE);
    reset_allocator(&list);
    EXPECT_EQ(kit_lookup(device, first), ANNOT_LOOKUP_EXPIRED);
    EXPECT_EQ(kit_lookup(device, second), ANNOT_LOOKUP_EXPIRED);
}

CASE(a_released_allocator_ends_its_markers, "ANN-LIFE-01",
     "An application that makes an allocator per frame keeps the markers of every frame.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_list list = list_of_row(device);
    const uint64_t id = set(&list, "kept", 5);
    kit_list_close(&list);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
    kit_list_done(&list);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_EXPIRED);
}

CASE(an_allocators_reset_ends_its_own_markers_only, "ANN-LIFE-01",
     "A frame's reset throws away the markers of the frame that the GPU is still at.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST list = list_of_row(device);
    ID3D12CommandAllocator *const first = list.allocator;
    const uint64_t old = set(&list, "first", 5);
    kit_list_close(&list);
    list.allocator = kit_allocator(device, list.type);
    kit_list_reset(&list); /* the same list, onto another allocator */
    const uint64_t new = set(&list, "second", 6);
    REQUIRE_OK(ID3D12CommandAllocator_Reset(first));
    EXPECT_EQ(kit_lookup(device, old), ANNOT_LOOKUP_EXPIRED);
    EXPECT_EQ(kit_lookup(device, new), ANNOT_LOOKUP_LIVE);
    kit_release(first);
    EXPECT_EQ(kit_lookup(device, new), ANNOT_LOOKUP_LIVE);
    kit_list_close(&list);
    reset_allocator(&list);
    EXPECT_EQ(kit_lookup(device, new), ANNOT_LOOKUP_EXPIRED);
}

CASE(a_refused_allocator_reset_ends_nothing, "ANN-LIFE-01",
     "A call that failed has thrown away markers all the same.", .needs = SPY | LOOKUP,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST list = list_of_row(device);
    const uint64_t id = set(&list, "kept", 5);
    EXPECT_HR(ID3D12CommandAllocator_Reset(list.allocator), FAIL_CODE);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
    const uint64_t next = set(&list, "goes on", 8);
    EXPECT_EQ(kit_lookup(device, next), ANNOT_LOOKUP_LIVE);
    kit_list_close(&list);
}

CASE(an_allocators_reset_awaits_its_own_work_only, "ANN-LIFE-01",
     "A frame can't be recorded anew while some other queue still has work to do.",
     .needs = SPY | LOOKUP, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *busy = kit_queue(device, kit_queue_types[case_row()]);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    OWNED_LIST waiting = kit_list(device, kit_queue_types[case_row()]);
    OWNED_LIST list = kit_list(device, kit_queue_types[case_row()]);
    OWNED ID3D12Fence *gate = kit_fence(device, 0);
    const uint64_t kept = set(&waiting, "waits", 6), done = set(&list, "done", 5);
    REQUIRE_OK(ID3D12CommandQueue_Wait(busy, gate, 1));
    kit_execute(busy, &waiting);
    kit_run(device, queue, &list);
    reset_allocator(&list);
    EXPECT_EQ(kit_lookup(device, done), ANNOT_LOOKUP_EXPIRED);
    EXPECT_EQ(kit_lookup(device, kept), ANNOT_LOOKUP_LIVE);
    REQUIRE_OK(ID3D12Fence_Signal(gate, 1));
    kit_wait(device, busy);
}

/* ---- a queue's markers ---- */

CASE(a_queues_markers_live_as_long_as_the_queue, "ANN-LIFE-02",
     "What a queue was marked with is gone when the GPU hangs a frame later, or never goes.",
     .needs = SPY | LOOKUP, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    struct kit_list list = kit_list(device, kit_queue_types[case_row()]);
    ID3D12CommandQueue_SetMarker(queue, 1, "frame", 6);
    const uint64_t id = spy_last()->event_id;
    kit_run(device, queue, &list);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
    reset_allocator(&list);
    kit_list_done(&list);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
    kit_release(queue);
    EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_EXPIRED);
}

CASE(a_released_queue_leaves_the_others_markers, "ANN-LIFE-02",
     "The end of one queue takes the markers of another along.", .needs = SPY | LOOKUP,
     .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    OWNED ID3D12CommandQueue *other = kit_queue(device, kit_queue_types[case_row()]);
    ID3D12CommandQueue_SetMarker(queue, 1, "one", 4);
    ID3D12CommandQueue_SetMarker(other, 1, "other", 6);
    kit_release(queue);
    EXPECT_EQ(kit_lookup(device, spy_at(0)->event_id), ANNOT_LOOKUP_EXPIRED);
    EXPECT_EQ(kit_lookup(device, spy_at(1)->event_id), ANNOT_LOOKUP_LIVE);
}

/* ---- what an EventID answers ---- */

/* Looks a live marker up, with its bytes; returns what is known of it. */
static annot_marker_info found(ID3D12Device *device, uint64_t id, UINT metadata, const void *data,
                               UINT size)
{
    annot_marker_info info = {0};
    unsigned char bytes[64];
    memset(bytes, 0xA5, sizeof bytes);
    REQUIRE_EQ(the_runtime.lookup(kit_annot(device), id, &info, bytes, sizeof bytes),
               ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(info.event_id, id);
    EXPECT_EQ(info.metadata, metadata);
    EXPECT_EQ(info.size, size);
    EXPECT_BYTES(bytes, data, size);
    EXPECT_EQ(bytes[size], 0xA5); /* no byte more */
    EXPECT(!info.is_by_reference);
    return info;
}

CASE(a_lists_event_id_resolves, "ANN-LIFE-03",
     "A tool shows another marker's text, or the marker under the wrong scope or list.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST list = list_of_row(device), other = list_of_row(device);
    kit_begin(&list, 2, "outer", 6);
    kit_begin(&other, 7, "elsewhere", 9); /* between: a scope of another list is no parent */
    kit_begin(&list, 0xFFFFFFFF, "in\0ner", 6);
    kit_set(&list, 0, NULL, 0);
    const uint64_t outer = spy_at(0)->event_id, elsewhere = spy_at(1)->event_id,
                   inner = spy_at(2)->event_id, point = spy_at(3)->event_id;
    annot_marker_info a = found(device, outer, 2, "outer", 6);
    const annot_marker_info b = found(device, elsewhere, 7, "elsewhere", 9);
    const annot_marker_info c = found(device, inner, 0xFFFFFFFF, "in\0ner", 6);
    const annot_marker_info d = found(device, point, 0, "", 0);
    EXPECT(a.is_scope && b.is_scope && c.is_scope && !d.is_scope);
    EXPECT(!a.is_closed && !b.is_closed && !c.is_closed);
    EXPECT_EQ(a.parent, 0);
    EXPECT_EQ(b.parent, 0);
    EXPECT_EQ(c.parent, outer);
    EXPECT_EQ(d.parent, inner);
    EXPECT(a.object != 0 && b.object != 0 && a.object != b.object);
    EXPECT(c.object == a.object && d.object == a.object);
    kit_end(&list); /* closes the inner one alone */
    EXPECT(found(device, inner, 0xFFFFFFFF, "in\0ner", 6).is_closed);
    EXPECT(!found(device, outer, 2, "outer", 6).is_closed);
    kit_set(&list, 3, "sibling", 8);
    EXPECT_EQ(found(device, spy_last()->event_id, 3, "sibling", 8).parent, outer);
    kit_end(&list);
    a = found(device, outer, 2, "outer", 6);
    EXPECT(a.is_closed && a.parent == 0);
    EXPECT(!found(device, elsewhere, 7, "elsewhere", 9).is_closed);
    kit_end(&other);
}

CASE(a_queues_event_id_resolves, "ANN-LIFE-03",
     "A tool shows a queue's marker under the wrong scope, or as another queue's.",
     .needs = SPY | LOOKUP, .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    OWNED ID3D12CommandQueue *other = kit_queue(device, kit_queue_types[case_row()]);
    ID3D12CommandQueue_BeginEvent(queue, 2, "frame", 6);
    ID3D12CommandQueue_SetMarker(other, 7, "elsewhere", 9);
    ID3D12CommandQueue_SetMarker(queue, 6345127, "\1\0\2", 3);
    const uint64_t frame = spy_at(0)->event_id;
    const annot_marker_info a = found(device, frame, 2, "frame", 6);
    const annot_marker_info b = found(device, spy_at(1)->event_id, 7, "elsewhere", 9);
    const annot_marker_info c = found(device, spy_at(2)->event_id, 6345127, "\1\0\2", 3);
    EXPECT(a.is_scope && !a.is_closed && !b.is_scope && !c.is_scope);
    EXPECT_EQ(a.parent, 0);
    EXPECT_EQ(b.parent, 0);
    EXPECT_EQ(c.parent, frame);
    EXPECT(a.object != 0 && a.object == c.object && a.object != b.object);
    ID3D12CommandQueue_EndEvent(queue);
    EXPECT(found(device, frame, 2, "frame", 6).is_closed);
}

static const WCHAR list_name[] = {'s', 'h', 'a', 'd', 'o', 'w', 's', 0};

CASE(an_event_id_leads_to_its_named_list, "ANN-LIFE-03",
     "A dump says what hung, and not on which of the application's lists.", .needs = SPY | LOOKUP,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED_LIST list = list_of_row(device), nameless = list_of_row(device);
    REQUIRE_OK(ID3D12Object_SetName((ID3D12Object *)list.list, list_name));
    const uint64_t on_it = set(&list, "on it", 5), beside = set(&nameless, "beside", 6);
    AT_END(at_end_close) annot_reader *dump = kit_dump(device);
    EXPECT(kit_dump_is_on(dump, on_it, "shadows"));
    EXPECT(!kit_dump_is_on(dump, beside, "shadows"));
}

CASE(a_lookup_writes_no_more_than_there_is_room_for, "ANN-LIFE-03",
     "A tool's buffer is overrun by a long marker.", .needs = SPY | LOOKUP)
{
    OPEN_SPIED_LIST(DIRECT);
    annot_marker_info info;
    char room[8];
    memset(room, '.', sizeof room);
    const uint64_t id = set(&list, "0123456789", 10);
    EXPECT_EQ(the_runtime.lookup(kit_annot(device), id, &info, room, 4), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(info.size, 10);
    EXPECT_BYTES(room, "0123....", 8);
    EXPECT_EQ(the_runtime.lookup(kit_annot(device), id, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
    EXPECT_EQ(info.size, 10);
}

CASE(an_id_that_no_marker_had_was_never_issued, "ANN-LIFE-03",
     "A driver's wild EventID is shown as a marker of the application.", .needs = SPY | LOOKUP,
     .rows = kit_list_rows)
{
    enum { MARKERS = 40, AROUND = 3000 };
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    for (unsigned bit = 0; bit < 64; bit++) /* before there is any */
        EXPECT_EQ(kit_lookup(device, (uint64_t)1 << bit), ANNOT_LOOKUP_NEVER_ISSUED);
    EXPECT_EQ(kit_lookup(device, 0), ANNOT_LOOKUP_NEVER_ISSUED);
    EXPECT_EQ(kit_lookup(device, UINT64_MAX), ANNOT_LOOKUP_NEVER_ISSUED);
    OWNED_LIST list = list_of_row(device);
    uint64_t ids[MARKERS], payload[32] = {0};
    for (size_t i = 0; i < MARKERS; i++) {
        ids[i] = set(&list, payload, sizeof payload);
        for (size_t k = 0; k < 32; k++) /* the next payload looks like records of these IDs */
            payload[k] = ids[i] + k * 4 + i;
    }
    size_t live = 0;
    for (uint64_t id = ids[0] - AROUND; id < ids[MARKERS - 1] + AROUND; id++) {
        bool issued = false;
        for (size_t i = 0; i < MARKERS; i++)
            issued |= ids[i] == id;
        live += issued;
        if (kit_lookup(device, id) != (issued ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_NEVER_ISSUED))
            case_note("EventID 0x%llx, %sissued", (unsigned long long)id, issued ? "" : "not ");
        REQUIRE_EQ(kit_lookup(device, id), issued ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_NEVER_ISSUED);
    }
    EXPECT_EQ(live, MARKERS);
    EXPECT_EQ(kit_lookup(device, 0), ANNOT_LOOKUP_NEVER_ISSUED);
    EXPECT_EQ(kit_lookup(device, UINT64_MAX), ANNOT_LOOKUP_NEVER_ISSUED);
}

CASE(expired_stays_expired, "ANN-LIFE-03 ANN-LIFE-05",
     "After an hour of frames an old EventID shows the text of a new marker.",
     .needs = SPY | LOOKUP)
{
    enum { ROUNDS = 20000, SAMPLES = 100 };
    static uint64_t samples[SAMPLES];
    OPEN_SPIED_LIST(DIRECT);
    for (size_t i = 0; i < ROUNDS; i++) {
        const uint64_t id = set(&list, &i, sizeof i);
        if (i % (ROUNDS / SAMPLES) == 0)
            samples[i / (ROUNDS / SAMPLES)] = id;
        EXPECT_EQ(kit_lookup(device, id), ANNOT_LOOKUP_LIVE);
        EXPECT(id != samples[0] || i == 0);
        kit_list_close(&list);
        reset_allocator(&list);
        kit_list_reset(&list);
        spy_forget();
    }
    set(&list, "the last", 8);
    for (size_t i = 0; i < SAMPLES; i++)
        EXPECT_EQ_AT(i, kit_lookup(device, samples[i]), ANNOT_LOOKUP_EXPIRED);
    EXPECT_EQ(kit_lookup(device, 0), ANNOT_LOOKUP_NEVER_ISSUED);
    EXPECT_EQ(kit_lookup(device, UINT64_MAX), ANNOT_LOOKUP_NEVER_ISSUED);
}

/* ---- while others record and reset ---- */

enum { RECENT = 64 };

struct traffic {
    ID3D12Device *device;
    _Atomic uint64_t ids[RECENT]; /* 0: none yet */
    atomic_bool is_over;
    atomic_uint live, expired;
};

/* Every payload is one byte over and over: a torn one has two. */
static bool is_whole(const unsigned char *bytes, uint32_t size)
{
    for (uint32_t i = 1; i < size; i++)
        if (bytes[i] != bytes[0])
            return false;
    return true;
}

static void *look(void *context)
{
    struct traffic *t = context;
    unsigned char bytes[512];
    for (size_t i = 0; !atomic_load(&t->is_over); i++) {
        const uint64_t id = atomic_load(&t->ids[i % RECENT]);
        annot_marker_info info;
        if (id == 0)
            continue;
        const annot_lookup answer =
            the_runtime.lookup(kit_annot(t->device), id, &info, bytes, sizeof bytes);
        REQUIRE(answer == ANNOT_LOOKUP_LIVE || answer == ANNOT_LOOKUP_EXPIRED);
        if (answer == ANNOT_LOOKUP_LIVE) {
            REQUIRE_EQ(info.event_id, id);
            REQUIRE(info.size >= 100 && info.size < 400 && is_whole(bytes, info.size));
        }
        atomic_fetch_add(answer == ANNOT_LOOKUP_LIVE ? &t->live : &t->expired, 1);
    }
    return NULL;
}

static bool is_enough(struct traffic *t)
{
    return atomic_load(&t->live) >= 500 && atomic_load(&t->expired) >= 500;
}

CASE(lookups_are_safe_beside_recording_and_resets, "ANN-LIFE-04",
     "A crash handler that reads markers crashes itself, or shows half of one and half of another.",
     .needs = SPY | LOOKUP, .rows = kit_list_rows)
{
    enum { LEAST = 400, MOST = 100000, MARKERS = 40 }; /* frames, and what is in each */
    static struct traffic t;
    unsigned char payload[400];
    pthread_t threads[2];
    t.device = kit_spied_device(RETAIL);
    struct kit_list list = list_of_row(t.device);
    for (size_t i = 0; i < 2; i++)
        REQUIRE_EQ(pthread_create(&threads[i], NULL, look, &t), 0);
    for (unsigned frame = 0; frame < LEAST || (frame < MOST && !is_enough(&t)); frame++) {
        for (unsigned n = frame * MARKERS; n < (frame + 1) * MARKERS; n++) {
            memset(payload, (int)(n % 251), sizeof payload);
            atomic_store(&t.ids[n % RECENT], set(&list, payload, 100 + n % 300));
        }
        kit_list_close(&list);
        reset_allocator(&list);
        kit_list_reset(&list);
        spy_forget();
    }
    atomic_store(&t.is_over, true);
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    EXPECT(is_enough(&t));
    kit_list_done(&list);
    kit_device_done(t.device);
}

/* ---- memory comes back ---- */

static annot_device_stats stats(ID3D12Device *device)
{
    annot_device_stats now;
    the_runtime.get_stats(kit_annot(device), &now);
    return now;
}

/* 64 markers of up to 1,600 bytes and, where `large`, one that is larger than any block of memory
 * would be. */
static void record_frame(const struct kit_list *list, bool large)
{
    static const char payload[200000];
    for (UINT i = 0; i < 64; i++) {
        kit_begin(list, 1, payload, i * 25);
        kit_end(list);
    }
    if (large)
        kit_set(list, 1, payload, sizeof payload);
    kit_list_close(list);
}

CASE(a_steady_frame_loop_needs_no_more_memory, "ANN-LIFE-05",
     "An application with markers on grows until it is out of memory.", .needs = SPY | LOOKUP,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_list list = list_of_row(device); /* three frames in flight */
    ID3D12CommandAllocator *allocators[3] = {list.allocator, kit_allocator(device, list.type),
                                             kit_allocator(device, list.type)};
    kit_list_close(&list);
    uint64_t reserved = 0, live = 0;
    for (size_t frame = 0; frame < 200; frame++) {
        list.allocator = allocators[frame % 3];
        reset_allocator(&list);
        kit_list_reset(&list);
        record_frame(&list, frame % 3 == 0);
        spy_forget();
        const annot_device_stats now = stats(device);
        EXPECT(now.reserved_bytes >= now.live_bytes && now.live_bytes > 0);
        EXPECT_EQ(now.dropped_markers, 0);
        if (frame == 20) {
            reserved = now.reserved_bytes;
            live = now.live_bytes;
        } else if (frame > 20) {
            EXPECT(now.reserved_bytes <= reserved);
            EXPECT(frame % 3 != 20 % 3 || now.live_bytes == live);
        }
    }
    kit_release(list.list);
    for (size_t i = 0; i < 3; i++)
        kit_release(allocators[i]);
    EXPECT_EQ(stats(device).live_bytes, 0);
}
