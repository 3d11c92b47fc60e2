/* One marker call: the driver call, its bytes, its EventID [ANN-MARK-01..05, 08, 09, 12, 14,
 * ANN-CAPS-02]. */
#include "spy.h"
#include "record/types.h"

#include <criterion/parameterized.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct place {
    bool queue;
    uint32_t list_type;
    const char *name;
};

static struct place places[] = {
    {false, 0, "direct list"},       {false, 1, "bundle"},
    {false, 2, "compute list"},      {false, 3, "copy list"},
    {false, 4, "video decode list"}, {false, 5, "video process list"},
    {false, 6, "video encode list"}, {true, 0, "direct queue"},
    {true, 2, "compute queue"},      {true, 3, "copy queue"},
    {true, 4, "video decode queue"}, {true, 5, "video process queue"},
    {true, 6, "video encode queue"},
};

struct scene {
    annot_device *device;
    annot_arena *arena;
    struct spy_child child;
};

static struct scene scene_make(const struct place *at, annot_mode mode)
{
    struct scene s = {.device = spy_device(mode, 0)};
    s.arena = spy_arena(s.device);
    s.child = at->queue ? spy_queue(s.device, at->list_type, spy_handle(7))
                        : spy_list(s.device, at->list_type, spy_handle(7));
    if (!at->queue)
        cr_assert_eq(annot_context_open(s.child.context, s.arena), ANNOT_OK);
    return s;
}

static void scene_done(struct scene *s)
{
    spy_child_done(s->child);
    annot_arena_destroy(s->arena);
    spy_device_done(s->device);
}

static const struct place direct_list = {false, 0, "direct list"};

/* ANN-MARK-01, -02, -05 [S0: "exactly one matching DDI call with the expected Metadata, Size, and
 * pData"] */
ParameterizedTestParameters(marker, each_call_makes_exactly_its_driver_call)
{
    return cr_make_param_array(struct place, places, sizeof places / sizeof *places);
}

ParameterizedTest(struct place *at, marker, each_call_makes_exactly_its_driver_call)
{
    AT_END(scene_done) struct scene s = scene_make(at, ANNOT_MODE_DRIVER_RETAIL);
    annot_context *context = s.child.context;
    const enum spy_function begin = at->queue ? SPY_QUEUE_BEGIN : SPY_LIST_BEGIN;
    const enum spy_function set = at->queue ? SPY_QUEUE_SET : SPY_LIST_SET;
    const enum spy_function end = at->queue ? SPY_QUEUE_END : SPY_LIST_END;
    cr_expect_eq(spy_calls.count, 0);

    annot_context_begin_event(context, 2, "frame", 6);
    cr_assert_eq(spy_calls.count, 1, "%s", at->name);
    const struct spy_call first = *spy_last();
    cr_expect_eq(first.function, begin);
    cr_expect_eq(first.handle, spy_handle(7));
    cr_expect_eq(first.metadata, 2);
    cr_expect_eq(first.size, 6);
    cr_expect_eq(first.hash, spy_hash("frame", 6));
    cr_expect_neq(first.id, 0);

    annot_context_set_marker(context, 6345127, "draw", 5);
    cr_assert_eq(spy_calls.count, 2);
    const struct spy_call second = *spy_last();
    cr_expect_eq(second.function, set);
    cr_expect_eq(second.handle, spy_handle(7));
    cr_expect_eq(second.metadata, 6345127);
    cr_expect_eq(second.size, 5);
    cr_expect_eq(second.hash, spy_hash("draw", 5));
    cr_expect_neq(second.id, 0);
    cr_expect_neq(second.id, first.id);

    annot_context_end_event(context);
    cr_assert_eq(spy_calls.count, 3);
    cr_expect_eq(spy_last()->function, end);
    cr_expect_eq(spy_last()->handle, spy_handle(7));
    cr_expect_eq(spy_last()->id, first.id);
    cr_expect_eq(spy_said.count, 0);
}

/* ANN-MARK-03: no call, no byte, no EventID. */
ParameterizedTestParameters(marker, runtime_only_leaves_no_trace)
{
    return cr_make_param_array(struct place, places, sizeof places / sizeof *places);
}

ParameterizedTest(struct place *at, marker, runtime_only_leaves_no_trace)
{
    AT_END(scene_done) struct scene s = scene_make(at, ANNOT_MODE_RUNTIME_ONLY);
    const size_t bytes = spy_heap.bytes, allocations = spy_heap.allocations;
    static const char payload[300];
    for (int i = 0; i < 10000; i++) {
        annot_context_begin_event(s.child.context, 0, payload, sizeof payload);
        annot_context_set_marker(s.child.context, 0, payload, sizeof payload);
        annot_context_end_event(s.child.context);
    }
    annot_context_end_event(s.child.context); /* surplus: nobody to tell */
    annot_context_set_marker(s.child.context, 0, NULL, 0);
    if (!at->queue)
        cr_expect_eq(annot_context_close(s.child.context), ANNOT_OK);
    cr_expect_eq(spy_calls.count, 0);
    cr_expect_eq(spy_heap.bytes, bytes);
    cr_expect_eq(spy_heap.allocations, allocations);
    cr_expect_eq(spy_stats(s.device).live_bytes, 0);
    cr_expect_eq(spy_stats(s.device).reserved_bytes, 0);
    cr_expect_eq(spy_stats(s.device).dropped_markers, 0);

    /* No ID was spent: the first marker of a device where nothing happened before has the same. */
    uint64_t first[2];
    annot_device *fresh = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    annot_device *devices[2] = {s.device, fresh};
    for (int i = 0; i < 2; i++) {
        annot_device_set_mode(devices[i], ANNOT_MODE_DRIVER_RETAIL);
        AT_END(spy_child_ended) struct spy_child queue = spy_queue(devices[i], 0, NULL);
        annot_context_set_marker(queue.context, 0, "m", 1);
        first[i] = spy_last()->id;
    }
    cr_expect_eq(first[0], first[1]);
    annot_device_destroy(fresh);
}

/* ANN-MARK-14: metadata is not the library's business. */
Test(marker, any_metadata_passes_through)
{
    static const uint32_t values[] = {0, 1, 2, 3, 6345127, 0x80000000, UINT32_MAX};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        AT_END(scene_done) struct scene s = scene_make(&places[p], ANNOT_MODE_DRIVER_RETAIL);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            annot_context_begin_event(s.child.context, values[i], "\xff\x00\x80", 3);
            cr_expect_eq(spy_last()->metadata, values[i]);
            cr_expect_eq(spy_last()->hash, spy_hash("\xff\x00\x80", 3));
            annot_context_set_marker(s.child.context, values[i], "\xff\x00\x80", 3);
            cr_expect_eq(spy_last()->metadata, values[i]);
            annot_marker_info info;
            cr_expect_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0),
                         ANNOT_LOOKUP_LIVE);
            cr_expect_eq(info.metadata, values[i]);
        }
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            annot_context_end_event(s.child.context);
    }
}

static void fill_pattern(unsigned char *bytes, size_t size, size_t seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 131 + i / 251 + seed * 17 + 1);
}

/* Every size from 0 to 100, and those that end at, before and behind a segment's and a chunk's
 * border, oversized ones too; what the driver was given is still there, byte for byte, when the
 * allocator is about to be reset [ANN-MARK-01, -09]. */
Test(marker, the_drivers_copy_stays_until_the_allocator_is_reset)
{
    enum { MOST = 4000 };
    static const uint32_t borders[] = {2048, 4096, 65536, 65536 - 16, 131072, 1u << 20};
    AT_END(scene_done) struct scene s = scene_make(&direct_list, ANNOT_MODE_DRIVER_RETAIL);
    AT_END(at_end_free) unsigned char *bytes = malloc((1u << 20) + 64);
    AT_END(at_end_free) uint64_t *hashes = malloc(MOST * sizeof *hashes);
    size_t count = 0;
    for (uint32_t size = 0; size <= 100; size++) {
        fill_pattern(bytes, size, count);
        hashes[count++] = spy_hash(bytes, size);
        annot_context_set_marker(s.child.context, size, bytes, size);
    }
    for (size_t b = 0; b < sizeof borders / sizeof *borders; b++)
        for (uint32_t off = 0; off <= 400; off += b < 2 ? 1 : 13) {
            uint32_t size = borders[b] + 40 - off;
            fill_pattern(bytes, size, count);
            hashes[count++] = spy_hash(bytes, size);
            if (off & 1)
                annot_context_begin_event(s.child.context, size, bytes, size);
            else
                annot_context_set_marker(s.child.context, size, bytes, size);
        }
    cr_assert_leq(count, MOST);
    memset(bytes, 0, 1u << 20); /* the caller's buffer is its own again */
    cr_assert_eq(spy_calls.count, count);
    cr_assert_eq(spy_stats(s.device).dropped_markers, 0);
    annot_context_close(s.child.context);
    annot_context_destroy(s.child.context); /* not the list's end decides, the allocator's does */
    s.child.context = NULL;
    AT_END(at_end_free) unsigned char *read = malloc((1u << 20) + 64);
    for (size_t i = 0; i < count; i++) {
        const struct spy_call *call = &spy_calls.calls[i];
        cr_assert_eq(call->hash, hashes[i], "call %zu of %u bytes", i, call->size);
        cr_assert_eq(spy_hash(call->data, call->size), hashes[i], "kept %zu", i);
        annot_marker_info info;
        cr_assert_eq(annot_device_lookup(s.device, call->id, &info, read, (1u << 20) + 64),
                     ANNOT_LOOKUP_LIVE);
        cr_assert_eq(info.size, call->size);
        cr_assert_eq(info.metadata, call->size);
        cr_assert_eq(info.is_scope, call->function == SPY_LIST_BEGIN);
        cr_assert_eq(spy_hash(read, info.size), hashes[i]);
    }
}

/* The same with payloads chosen so that each record ends exactly `distance` bytes from the end of
 * what is left of the segment or chunk: random sizes for many chunks. */
Test(marker, random_sizes_keep_bytes_and_order)
{
    AT_END(scene_done) struct scene s = scene_make(&direct_list, ANNOT_MODE_DRIVER_RETAIL);
    static unsigned char bytes[5000];
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t size = (uint32_t)(random % 97 == 0 ? random >> 32 & 4095 : random >> 40 & 127);
        fill_pattern(bytes, size, (size_t)i);
        annot_context_set_marker(s.child.context, (uint32_t)i, bytes, size);
        cr_assert_eq(spy_last()->hash, spy_hash(bytes, size));
    }
    for (int i = 0; i < 20000; i++) {
        const struct spy_call *call = &spy_calls.calls[i];
        cr_assert_eq(spy_hash(call->data, call->size), call->hash);
        annot_marker_info info;
        cr_assert_eq(annot_device_lookup(s.device, call->id, &info, bytes, sizeof bytes),
                     ANNOT_LOOKUP_LIVE);
        cr_assert_eq(info.metadata, (uint32_t)i);
        cr_assert_eq(spy_hash(bytes, info.size), call->hash);
    }
}

/* ANN-MARK-09 for queues: until the queue is released. */
Test(marker, a_queues_copy_stays_as_long_as_the_queue)
{
    AT_END(scene_done) struct scene s = scene_make(&places[7], ANNOT_MODE_DRIVER_RETAIL);
    static unsigned char bytes[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        fill_pattern(bytes, i, i);
        annot_context_set_marker(s.child.context, i, bytes, i);
        if (i % 100 == 0) { /* completed work makes it evictable, but only under pressure */
            uint64_t serial = annot_context_submit(s.child.context, NULL, 0);
            annot_context_completed(s.child.context, serial);
        }
    }
    for (uint32_t i = 0; i < 3000; i++) {
        const struct spy_call *call = &spy_calls.calls[i];
        cr_assert_eq(spy_hash(call->data, call->size), call->hash);
        cr_assert_eq(spy_lookup(s.device, call->id), ANNOT_LOOKUP_LIVE);
    }
}

/* Past what a record can hold (64 MiB) the marker is dropped, and the driver's call still comes
 * with the caller's bytes [ANN-LIFE-06]. The address space behind the payload is never touched
 * twice. */
Test(marker, a_payload_past_the_limit_is_forwarded_but_not_retained)
{
    static const uint32_t sizes[] = {(1u << 26) - 1u, 1u << 26, (1u << 26) + 1u};
    AT_END(at_end_free) unsigned char *bytes = calloc(1, (1u << 26) + 1u);
    bytes[12345] = 1;
    for (size_t p = 0; p < 8; p += 7) {
        AT_END(scene_done) struct scene s = scene_make(&places[p], ANNOT_MODE_DRIVER_RETAIL);
        for (size_t i = 0; i < 3; i++) {
            uint64_t dropped = spy_stats(s.device).dropped_markers;
            annot_context_set_marker(s.child.context, 9, bytes, sizes[i]);
            cr_expect_eq(spy_calls.calls[spy_calls.count - 1].size, sizes[i]);
            cr_expect_neq(spy_last()->id, 0);
            cr_expect_eq(((const unsigned char *)spy_last()->data)[12345], 1);
            cr_expect_eq(spy_lookup(s.device, spy_last()->id),
                         i ? ANNOT_LOOKUP_DROPPED : ANNOT_LOOKUP_LIVE);
            cr_expect_eq(spy_stats(s.device).dropped_markers, dropped + (i > 0));
        }
        cr_expect_eq(spy_stats(s.device).dropped_bytes, (uint64_t)sizes[1] + sizes[2]);
        annot_context_set_marker(s.child.context, 0, "after", 5);
        cr_expect_eq(spy_lookup(s.device, spy_last()->id), ANNOT_LOOKUP_LIVE);
    }
}

/* ANN-MARK-08 */
Test(marker, no_bytes_at_all_is_legal)
{
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        AT_END(scene_done) struct scene s = scene_make(&places[p], ANNOT_MODE_DRIVER_RETAIL);
        spy_forget_calls();
        spy_forget_messages();
        annot_context_begin_event(s.child.context, 1, NULL, 0);
        annot_context_set_marker(s.child.context, 1, NULL, 0);
        annot_context_set_marker(s.child.context, 1, "x", 0);
        annot_context_end_event(s.child.context);
        cr_expect_eq(spy_calls.count, 4);
        cr_expect_eq(spy_said.count, 0);
        for (int i = 0; i < 3; i++) {
            annot_marker_info info;
            cr_expect_eq(spy_calls.calls[i].size, 0);
            cr_expect_eq(annot_device_lookup(s.device, spy_calls.calls[i].id, &info, NULL, 0),
                         ANNOT_LOOKUP_LIVE);
            cr_expect_eq(info.size, 0);
        }
    }
}

/* ANN-MARK-08 */
Test(marker, null_data_with_a_size_is_forwarded_empty_with_one_message)
{
    static const uint32_t sizes[] = {1, 16, 70000, UINT32_MAX};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        AT_END(scene_done) struct scene s = scene_make(&places[p], ANNOT_MODE_DRIVER_RETAIL);
        for (size_t i = 0; i < 4; i++)
            for (int scope = 0; scope < 2; scope++) {
                spy_forget_calls();
                spy_forget_messages();
                if (scope)
                    annot_context_begin_event(s.child.context, 5, NULL, sizes[i]);
                else
                    annot_context_set_marker(s.child.context, 5, NULL, sizes[i]);
                cr_assert_eq(spy_calls.count, 1);
                cr_expect_eq(spy_last()->size, 0);
                cr_expect_eq(spy_last()->metadata, 5);
                cr_expect_eq(spy_said.count, 1);
                cr_expect_eq(spy_said.id, ANNOT_MESSAGE_MARKER_NULL_DATA);
                annot_marker_info info;
                cr_expect_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0),
                             ANNOT_LOOKUP_LIVE);
                cr_expect_eq(info.size, 0);
            }
        for (int i = 0; i < 4; i++)
            annot_context_end_event(s.child.context);
        cr_expect_eq(spy_stats(s.device).dropped_markers, 0);
    }
}

/* ANN-MARK-12: before the first recording, between two, after the last. */
Test(marker, a_list_that_is_not_recording_makes_no_call_and_a_message)
{
    for (uint32_t list_type = 0; list_type <= 6; list_type++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        AT_END(spy_child_ended) struct spy_child list = spy_list(device, list_type, spy_handle(1));
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
        for (int round = 0; round < 3; round++) {
            spy_forget_calls();
            spy_forget_messages();
            annot_context_begin_event(list.context, 0, "a", 1);
            annot_context_set_marker(list.context, 0, "a", 1);
            annot_context_end_event(list.context);
            cr_expect_eq(spy_calls.count, 0);
            cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKER_NOT_RECORDING), 3);
            cr_expect_eq(spy_said.count, 3);
            cr_expect_eq(spy_stats(device).dropped_markers, 0);
            cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
            annot_context_begin_event(list.context, 0, "a", 1);
            if (round == 1) /* closed with scopes open */
                annot_context_begin_event(list.context, 0, "a", 1);
            else
                annot_context_end_event(list.context);
            cr_expect_eq(spy_calls.count, 2);
            cr_assert_eq(annot_context_close(list.context), ANNOT_OK);
        }
    }
}

/* ---- EventIDs [ANN-MARK-04] ---- */

struct seen {
    uint64_t id;
    UT_hash_handle hh;
};

static struct seen *seen;

static void expect_new(uint64_t id)
{
    struct seen *known;
    cr_assert_neq(id, 0);
    HASH_FIND(hh, seen, &id, sizeof id, known);
    cr_assert_null(known, "EventID 0x%llx came twice", (unsigned long long)id);
    known = malloc(sizeof *known);
    known->id = id;
    HASH_ADD(hh, seen, id, sizeof known->id, known);
}

static void forget_seen(void)
{
    struct seen *one, *next;
    HASH_ITER(hh, seen, one, next)
    {
        HASH_DEL(seen, one);
        free(one);
    }
}

static void take_ids(void)
{
    for (size_t i = 0; i < spy_calls.count; i++)
        if (spy_calls.calls[i].function != SPY_LIST_END &&
            spy_calls.calls[i].function != SPY_QUEUE_END)
            expect_new(spy_calls.calls[i].id);
    spy_forget_calls();
}

Test(marker, a_million_ids_never_repeat_over_resets_and_destroys)
{
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 600000); /* some get dropped */
    annot_arena *arenas[4];
    struct spy_child lists[4], queue = spy_queue(device, 0, NULL);
    for (int i = 0; i < 4; i++) {
        arenas[i] = spy_arena(device);
        lists[i] = spy_list(device, 0, NULL);
    }
    static const char payload[200000];
    for (int round = 0; HASH_COUNT(seen) < 1000000; round++) {
        int i = round % 4;
        cr_assert_eq(annot_context_open(lists[i].context, arenas[i]), ANNOT_OK);
        for (uint32_t k = 0; k < 3000 + (uint32_t)round * 7 % 2000; k++) {
            annot_context_begin_event(lists[i].context, k, payload, k % 61);
            annot_context_set_marker(queue.context, k, payload, k % 5);
            annot_context_end_event(lists[i].context);
        }
        annot_context_set_marker(lists[i].context, 0, payload, sizeof payload);
        annot_context_close(lists[i].context);
        annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
        take_ids();
        switch (round % 5) {
        case 0:
        case 1:
            cr_assert_eq(annot_arena_reset(arenas[i]), ANNOT_OK);
            break;
        case 2:
            annot_arena_destroy(arenas[i]);
            arenas[i] = spy_arena(device);
            break;
        case 3:
            spy_child_done(lists[i]);
            lists[i] = spy_list(device, 0, NULL);
            break;
        case 4:
            spy_child_done(queue);
            queue = spy_queue(device, 0, NULL);
        }
    }
    cr_expect_gt(spy_stats(device).dropped_markers, 0, "the budget was to be hit");
    for (int i = 0; i < 4; i++) {
        spy_child_done(lists[i]);
        annot_arena_destroy(arenas[i]);
    }
    spy_child_done(queue);
    forget_seen();
    spy_device_done(device);
}

/* ANN-MARK-04, ANN-LIFE-03: a slot whose use count is used up is retired and not begun anew. */
Test(marker, ids_do_not_repeat_when_use_counts_run_out)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_arena *arena = spy_arena(device);
    struct spy_child list = spy_list(device, 0, NULL);
    static const char payload[300];
    uint64_t first = 0;
    for (int round = 0; round < 12; round++) {
        cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
        for (int i = 0; i < 1000; i++)
            annot_context_set_marker(list.context, 0, payload, sizeof payload);
        annot_context_set_marker(list.context, 0, spy_handle(0), 1);
        annot_context_close(list.context);
        if (round == 0) {
            first = spy_calls.calls[0].id;
            for (uint32_t i = 0; i < atomic_load(&device->slot_count); i++)
                atomic_store(&annot__device_slot(device, i)->use, UINT32_MAX - 3 - i % 3);
            spy_forget_calls(); /* their own uses were forged away */
        }
        for (size_t i = 0; i < spy_calls.count; i++)
            cr_assert_eq(spy_lookup(device, spy_calls.calls[i].id), ANNOT_LOOKUP_LIVE);
        uint64_t last = spy_calls.count ? spy_last()->id : 0;
        take_ids();
        if (round % 4 == 3) {
            annot_arena_destroy(arena);
            arena = spy_arena(device);
        } else {
            cr_assert_eq(annot_arena_reset(arena), ANNOT_OK);
        }
        if (last)
            cr_expect_eq(spy_lookup(device, last), ANNOT_LOOKUP_EXPIRED);
    }
    cr_expect_eq(spy_lookup(device, first), ANNOT_LOOKUP_EXPIRED);
    cr_expect_eq(spy_stats(device).dropped_markers, 0);
    spy_child_done(list);
    annot_arena_destroy(arena);
    forget_seen();
}

/* ANN-LIFE-07: without a slot number left, markers are dropped like without memory. */
Test(marker, ids_stay_valid_when_slots_run_out)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, NULL);
    atomic_store(&device->slot_count, ANNOT__SLOTS_MAX);
    annot_context_open(list.context, arena);
    annot_context_begin_event(list.context, 0, "a", 1);
    annot_context_end_event(list.context);
    annot_context_close(list.context);
    atomic_store(&device->slot_count, 0);
    cr_assert_eq(spy_calls.count, 2);
    cr_expect_neq(spy_calls.calls[0].id, 0);
    cr_expect_eq(spy_calls.calls[1].id, spy_calls.calls[0].id);
    cr_expect_eq(spy_lookup(device, spy_calls.calls[0].id), ANNOT_LOOKUP_DROPPED);
}
