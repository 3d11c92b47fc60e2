/* The way back from an EventID: live, expired, dropped, never issued, and never one for another
 * [ANN-LIFE-03]. */
#include "scene.h"
#include "record/types.h"

Test(lookup, answers_what_was_recorded)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_marker_info info;
    char buffer[8];
    annot_context_begin_event(s.list.context, 77, "outer", 5);
    uint64_t outer = spy_last()->id;
    annot_context_set_marker(s.list.context, 78, "inside", 6);
    uint64_t inside = spy_last()->id;
    memset(buffer, '#', sizeof buffer);
    cr_assert_eq(annot_device_lookup(s.device, inside, &info, buffer, sizeof buffer),
                 ANNOT_LOOKUP_LIVE);
    cr_expect_eq(info.event_id, inside);
    cr_expect_eq(info.parent, outer);
    cr_expect_eq(info.object, annot_object_id(s.list.object));
    cr_expect_eq(info.metadata, 78);
    cr_expect_eq(info.size, 6);
    cr_expect(!info.is_scope && !info.is_closed);
    cr_expect_eq(memcmp(buffer, "inside##", 8), 0, "no byte more than the payload");

    memset(buffer, '#', sizeof buffer);
    cr_assert_eq(annot_device_lookup(s.device, outer, &info, buffer, 3), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(info.size, 5, "the whole size, whatever the buffer holds");
    cr_expect_eq(memcmp(buffer, "out#####", 8), 0, "no byte more than the capacity");
    cr_expect(info.is_scope && !info.is_closed);
    annot_context_end_event(s.list.context);
    annot_device_lookup(s.device, outer, &info, NULL, 0);
    cr_expect(info.is_scope && info.is_closed);
    cr_expect_eq(annot_device_lookup(s.device, inside, &info, NULL, 8), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(info.event_id, inside);
    cr_expect_eq(annot_device_lookup(s.device, inside + 2, &info, NULL, 0),
                 ANNOT_LOOKUP_NEVER_ISSUED);
    cr_expect_eq(info.event_id, inside, "nothing is told of one that was never issued");
}

Test(lookup, a_new_device_has_issued_nothing)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    static const uint64_t ids[] = {0,          1,          4095,        4096,
                                   1ull << 32, UINT64_MAX, 0xFFFFF000u, 1ull << 32 | 0xFFFFF000u,
                                   1ull << 63};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        cr_expect_eq(spy_lookup(device, ids[i]), ANNOT_LOOKUP_NEVER_ISSUED, "%zu", i);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x < y ? -1 : x > y;
}

/* Every unit of every chunk, of sizes that hit segment and chunk borders: exactly the IDs that the
 * driver was given are live, all other addresses were never issued. */
Test(lookup, exactly_the_issued_units_are_live)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    AT_END(spy_child_ended) struct spy_child second = spy_list(s.device, 0, NULL);
    uint64_t random = 42;
    for (int i = 0; i < 9000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t size = (uint32_t)(random >> 60 == 0 ? random >> 45 & 8191 : random >> 50 & 63);
        if (i % 1000 == 999)
            size = 70000;
        if (random >> 59 & 1)
            annot_context_begin_event(s.list.context, 0, spy_handle(0), 1);
        spy_mark(s.list.context, size);
        if (i % 50 == 0)
            annot_context_end_event(s.list.context); /* surplus ones make records, too */
        if (i % 700 == 0) {                          /* and recordings, bundle calls */
            annot_context_execute_bundle(s.list.context, second.context);
            annot_context_close(s.list.context);
            annot_context_open(s.list.context, s.arena);
        }
    }
    size_t count = 0;
    AT_END(at_end_free) uint64_t *ids = malloc(spy_calls.count * sizeof *ids);
    for (size_t i = 0; i < spy_calls.count; i++)
        if (spy_calls.calls[i].function != SPY_LIST_END)
            ids[count++] = spy_calls.calls[i].id;
    qsort(ids, count, sizeof *ids, by_value);
    size_t live = 0;
    uint32_t slots = atomic_load(&s.device->slot_count);
    cr_assert_gt(slots, 10);
    for (uint64_t slot = 0; slot < slots; slot++)
        for (uint64_t unit = 0; unit < 4096; unit++) {
            uint64_t id = (uint64_t)1 << 32 | slot << 12 | unit;
            bool issued = bsearch(&id, ids, count, sizeof id, by_value) != NULL;
            cr_assert_eq(spy_lookup(s.device, id),
                         issued ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_NEVER_ISSUED, "0x%llx",
                         (unsigned long long)id);
            live += issued;
        }
    cr_expect_eq(live, count, "all IDs lie where they were looked for");
}

/* ANN-LIFE-03: uses that are yet to come. */
Test(lookup, future_ids_were_never_issued)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    uint64_t id = spy_mark(s.list.context, 8);
    uint64_t use = (uint64_t)1 << 32, slot = 1 << 12;
    cr_expect_eq(spy_lookup(s.device, id + use), ANNOT_LOOKUP_NEVER_ISSUED);
    cr_expect_eq(spy_lookup(s.device, id + slot), ANNOT_LOOKUP_NEVER_ISSUED);
    cr_expect_eq(spy_lookup(s.device, id + 2), ANNOT_LOOKUP_NEVER_ISSUED);
    cr_expect_eq(spy_lookup(s.device, id - use), ANNOT_LOOKUP_NEVER_ISSUED, "uses count from 1");
    cr_expect_eq(spy_lookup(s.device, id | (uint64_t)0xFFFFFFFF << 32), ANNOT_LOOKUP_NEVER_ISSUED);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
    cr_expect_eq(spy_lookup(s.device, id + use), ANNOT_LOOKUP_NEVER_ISSUED);
    annot_context_open(s.list.context, s.arena);
    uint64_t next = spy_mark(s.list.context, 8);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
    cr_expect_eq(spy_lookup(s.device, next), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(s.device, next + use), ANNOT_LOOKUP_NEVER_ISSUED);
}

/* An ID of another device means there what it means there. */
Test(lookup, devices_do_not_answer_for_each_other)
{
    struct scene first = scene_make(0), second = scene_make(0);
    uint64_t id = 0;
    for (int i = 0; i < 5000; i++)
        id = spy_mark(first.list.context, 100);
    cr_expect_eq(spy_lookup(first.device, id), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(second.device, id), ANNOT_LOOKUP_NEVER_ISSUED);
    spy_child_done(first.list);
    spy_child_done(first.queue);
    annot_arena_destroy(first.arena);
    annot_device_destroy(first.device);
    scene_done(&second);
}

/* ANN-LIFE-06: what was issued and never kept has an answer of its own, for ever. */
Test(lookup, dropped_ids_are_neither_expired_nor_unknown)
{
    AT_END(scene_done) struct scene s = scene_make(1);
    enum { COUNT = 10000 };
    static uint64_t ids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        ids[i] = spy_mark(s.list.context, 3);
        /* The documented way for a driver to see it [ddi.h]. */
        cr_assert_eq(ids[i] >> 12 & 0xFFFFF, 0xFFFFF);
    }
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    for (int i = 0; i < COUNT; i++)
        cr_assert_eq(spy_lookup(s.device, ids[i]), ANNOT_LOOKUP_DROPPED);
    qsort(ids, COUNT, sizeof *ids, by_value);
    for (uint64_t use = 0; use < 5; use++)
        for (uint64_t unit = 0; unit < 4096; unit++) {
            uint64_t id = use << 32 | 0xFFFFF000u | unit;
            bool issued = bsearch(&id, ids, COUNT, sizeof id, by_value) != NULL;
            cr_assert_eq(spy_lookup(s.device, id),
                         issued ? ANNOT_LOOKUP_DROPPED : ANNOT_LOOKUP_NEVER_ISSUED);
        }
}

/* Several lists take turns with one allocator, in pieces that end at any place of a segment; each
 * marker knows its own list and its own parent. */
Test(lookup, knows_the_list_when_several_share_an_allocator)
{
    for (uint32_t step = 0; step < 160; step++) {
        annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        annot_arena *arena = spy_arena(device);
        struct spy_child lists[3];
        for (int i = 0; i < 3; i++)
            lists[i] = spy_list(device, 0, spy_handle((size_t)i));
        spy_forget_calls();
        for (uint32_t turn = 0; turn < 90; turn++) {
            uint32_t i = turn % 3;
            cr_assert_eq(annot_context_open(lists[i].context, arena), ANNOT_OK);
            annot_context_begin_event(lists[i].context, turn, "p", 1);
            for (uint32_t k = 0; k < turn % 7; k++)
                spy_mark(lists[i].context, 16 * step % 2048 + k * 16);
            annot_context_end_event(lists[i].context);
            annot_context_close(lists[i].context);
        }
        uint64_t scope = 0;
        for (size_t c = 0; c < spy_calls.count; c++) {
            const struct spy_call *call = &spy_calls.calls[c];
            if (call->function == SPY_LIST_END)
                continue;
            annot_marker_info info;
            cr_assert_eq(annot_device_lookup(device, call->id, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
            size_t owner = 0;
            while (spy_handle(owner) != call->handle)
                owner++;
            cr_assert_eq(info.object, annot_object_id(lists[owner].object), "step %u call %zu",
                         step, c);
            cr_assert_eq(info.parent, call->function == SPY_LIST_BEGIN ? 0 : scope);
            if (call->function == SPY_LIST_BEGIN)
                scope = call->id;
        }
        for (int i = 0; i < 3; i++)
            spy_child_done(lists[i]);
        annot_arena_destroy(arena);
        spy_device_done(device);
    }
}

static void expect_end(annot_context *context, uint64_t scope)
{
    annot_context_end_event(context);
    cr_assert_eq(spy_last()->function, SPY_LIST_END);
    cr_assert_eq(spy_last()->id, scope);
}

/* ANN-MARK-04, -05: an EventID counts the uses of its memory in its upper half, up to the last bit.
 */
Test(lookup, scopes_are_known_in_memory_that_was_used_billions_of_times)
{
    static const uint32_t uses[] = {0x0fffffff, 0x10000000, 0x7fffffff, 0xabcdef01, 0xfffffffe};
    annot_marker_info info;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        AT_END(scene_done) struct scene s = scene_make(0);
        annot_context *list = s.list.context;
        struct annot__slot *slot = annot__device_slot(s.device, annot__id_slot(spy_mark(list, 0)));
        annot_context_close(list);
        cr_assert_eq(annot_arena_reset(s.arena), ANNOT_OK);
        atomic_store(&slot->use, uses[i]);
        cr_assert_eq(annot_context_open(list, s.arena), ANNOT_OK);
        annot_context_begin_event(list, 0, "outer", 6);
        const uint64_t outer = spy_last()->id;
        cr_assert_eq(outer >> 32, uses[i] + 1);
        annot_context_begin_event(list, 0, "inner", 6);
        const uint64_t inner = spy_last()->id;
        cr_assert_eq(annot_device_lookup(s.device, inner, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
        cr_assert_eq(info.parent, outer);
        expect_end(list, inner);
        for (int more = 0; more < 80; more++) /* into memory that was not used before */
            spy_mark(list, 1024);
        annot_context_begin_event(list, 0, "later", 6);
        const uint64_t later = spy_last()->id;
        cr_assert_eq(later >> 32, 1);
        cr_assert_eq(annot_device_lookup(s.device, later, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
        cr_assert_eq(info.parent, outer);
        expect_end(list, later);
        expect_end(list, outer);
    }
}

/* When a list's recording could not be noted for want of memory, its markers must not turn up under
 * the list that recorded before it in the same chunk. */
Test(lookup, a_recording_without_memory_is_not_taken_for_its_predecessor)
{
    for (uint32_t left = 0; left <= 160; left += 16) {
        AT_END(scene_done) struct scene s = scene_make(65536);
        AT_END(spy_child_ended) struct spy_child second = spy_list(s.device, 0, spy_handle(2));
        uint64_t used = 0;
        spy_mark(s.list.context, 0);
        struct annot__slot *slot = annot__device_slot(s.device, 0);
        used = annot__id_unit(spy_last()->id) * 16ull + 16;
        cr_assert_not_null(slot->chunk);
        /* Fill the only chunk that the budget allows, but for `left` bytes. */
        uint64_t end = ANNOT__CHUNK_SIZE - ANNOT__UNIT - left;
        while (end - used >= 1024) {
            spy_mark(s.list.context, 1008 - 16);
            used += 1008;
        }
        if (end - used >= 16)
            spy_mark(s.list.context, (uint32_t)(end - used) - 16);
        annot_context_close(s.list.context);
        cr_assert_eq(annot_context_open(second.context, s.arena), ANNOT_OK);
        for (int i = 0; i < 6; i++) {
            annot_context_begin_event(second.context, 0, "", 0);
            annot_context_set_marker(second.context, 0, "x", 0);
            for (int k = 1; k <= 2; k++) {
                annot_marker_info info;
                annot_lookup answer = annot_device_lookup(
                    s.device, spy_calls.calls[spy_calls.count - (size_t)k].id, &info, NULL, 0);
                cr_assert(answer == ANNOT_LOOKUP_LIVE || answer == ANNOT_LOOKUP_DROPPED);
                if (answer == ANNOT_LOOKUP_LIVE)
                    cr_assert_eq(info.object, annot_object_id(second.object), "%u bytes left",
                                 left);
            }
        }
    }
}

/* ANN-LIFE-03: an ID stays expired while its chunk lies idle in the device and its former arena
 * grows past the place that the chunk had there. */
Test(lookup, idle_chunks_do_not_come_back_to_life)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_arena *big = spy_arena(s.device);
    AT_END(spy_child_ended) struct spy_child other = spy_list(s.device, 0, NULL);
    enum { PER_CHUNK = 60 };
    uint64_t ids[5 * PER_CHUNK];
    for (int i = 0; i < 5 * PER_CHUNK; i++)
        ids[i] = spy_mark(s.list.context, 1000);
    annot_context_close(s.list.context);
    annot_context_open(other.context, big); /* takes chunks that will lie above in the pool */
    for (int i = 0; i < 6 * PER_CHUNK; i++)
        spy_mark(other.context, 1000);
    annot_context_close(other.context);
    annot_arena_reset(s.arena);
    annot_context_open(s.list.context, s.arena);
    spy_mark(s.list.context, 1000);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena); /* four chunks go to the pool */
    annot_arena_destroy(big);   /* six on top of them */
    annot_context_open(s.list.context, s.arena);
    for (int i = 0; i < 6 * PER_CHUNK; i++) {
        spy_mark(s.list.context, 1000);
        for (int k = 0; k < 5 * PER_CHUNK; k++)
            cr_assert_eq(spy_lookup(s.device, ids[k]), ANNOT_LOOKUP_EXPIRED);
    }
}

/* ANN-LIFE-03: the same for the memory of large payloads, which is given back at once. */
Test(lookup, freed_large_payloads_stay_expired)
{
    for (int before = 0; before < 4; before++)
        for (int large = 1; large < 4; large++) {
            AT_END(scene_done) struct scene s = scene_make(0);
            annot_arena *spare = spy_arena(s.device);
            AT_END(spy_child_ended) struct spy_child other = spy_list(s.device, 0, NULL);
            uint64_t ids[512];
            int count = 0;
            for (int i = 0; i < before * 60; i++)
                ids[count++] = spy_mark(s.list.context, 1000);
            for (int i = 0; i < large; i++)
                ids[count++] = spy_mark(s.list.context, 100000);
            for (int i = 0; i < 200; i++)
                ids[count++] = spy_mark(s.list.context, 1000);
            annot_context_open(other.context, spare);
            for (int i = 0; i < 400; i++)
                spy_mark(other.context, 1000);
            annot_context_close(other.context);
            annot_context_close(s.list.context);
            annot_arena_destroy(spare);
            annot_arena_reset(s.arena);
            annot_context_open(s.list.context, s.arena);
            for (int i = 0; i < 500; i++) {
                uint64_t id = spy_mark(s.list.context, i % 3 ? 1000 : 70000);
                cr_assert_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
                if (i % 10 == 0)
                    for (int k = 0; k < count; k++)
                        cr_assert_eq(spy_lookup(s.device, ids[k]), ANNOT_LOOKUP_EXPIRED);
            }
        }
}

/* ---- memory and the places in EventIDs ---- */

static uint64_t chunks_of(const annot_device *device)
{
    return spy_stats(device).reserved_bytes / ANNOT__CHUNK_SIZE;
}

/* A device with few markers stays small: each block of memory is as large as all before it, up to 2
 * MiB; one that there is no memory for is as small as it can be. No place is lost. */
Test(lookup, memory_grows_with_what_is_there)
{
    static const uint64_t grown[] = {1, 2, 4, 8, 16, 32, 64, 96, 128};
    for (int fails = 0; fails < 3; fails++) { /* none, the block of four, everything for once */
        AT_END(scene_done) struct scene s = scene_make(0);
        size_t step = 0;
        for (int i = 0; chunks_of(s.device) < 128; i++) {
            const uint64_t before = chunks_of(s.device);
            if (fails > 0 && i == 4)
                spy_heap.fail_at = spy_heap.allocations + (fails == 1 ? 2 : 1);
            spy_heap.fail_from = fails == 2;
            spy_mark(s.list.context, 60000);
            spy_heap.fail_at = 0;
            if (fails > 0 && i == 4)
                cr_assert_eq(chunks_of(s.device), fails == 1 ? 5u : 4u);
            if (fails == 1 && i >= 4) {
                cr_assert(chunks_of(s.device) == before || chunks_of(s.device) == 2 * before ||
                          chunks_of(s.device) == before + 32 || i == 4);
                continue;
            }
            step += chunks_of(s.device) != before;
            cr_assert_eq(chunks_of(s.device), grown[step]);
        }
        cr_expect_eq(atomic_load(&s.device->slot_count), chunks_of(s.device));
    }
}

/* A place whose memory was given back, or that there was no memory for, is the next one's. */
Test(lookup, places_of_large_payloads_are_used_again)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    spy_mark(s.list.context, 1 << 20);
    const uint32_t slots = atomic_load(&s.device->slot_count);
    for (int i = 0; i < 8; i++) {
        annot_context_close(s.list.context);
        cr_assert_eq(annot_arena_reset(s.arena), ANNOT_OK);
        annot_context_open(s.list.context, s.arena);
        spy_heap.fail_at = spy_heap.allocations + 1;
        cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 1 << 20)), ANNOT_LOOKUP_DROPPED);
        spy_heap.fail_at = 0;
        cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 1 << 20)), ANNOT_LOOKUP_LIVE);
    }
    cr_expect_eq(atomic_load(&s.device->slot_count), slots);
}

/* When all places have been used, markers are dropped as for lack of memory. */
Test(lookup, without_places_markers_are_dropped)
{
    enum { LEFT = 2 };
    AT_END(scene_done) struct scene s = scene_make(0);
    spy_mark(s.list.context, 60000);
    atomic_store(&s.device->slot_count, ANNOT__SLOTS_MAX - LEFT);
    for (int i = 0; i < LEFT + 3; i++)
        cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 60000)),
                     i < LEFT ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_DROPPED, "%d", i);
    cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 1 << 20)), ANNOT_LOOKUP_DROPPED);
}

/* A place whose uses have all been counted is left: its memory gets another one, that of a large
 * payload goes. */
Test(lookup, a_place_is_left_when_its_uses_are_counted)
{
    for (uint32_t is_large = 0; is_large < 2; is_large++) {
        const uint32_t size = is_large ? 1 << 20 : 8;
        AT_END(scene_done) struct scene s = scene_make(0);
        const uint64_t id = spy_mark(s.list.context, size);
        struct annot__slot *slot = annot__device_slot(s.device, annot__id_slot(id));
        const uint64_t bytes = spy_stats(s.device).reserved_bytes;
        annot_context_close(s.list.context);
        atomic_store(&slot->use, UINT32_MAX);
        for (int round = 0; round < 3; round++) {
            cr_assert_eq(annot_arena_reset(s.arena), ANNOT_OK);
            annot_context_open(s.list.context, s.arena);
            const uint64_t next = spy_mark(s.list.context, size);
            cr_expect_neq(annot__id_slot(next), annot__id_slot(id));
            cr_expect_eq(spy_lookup(s.device, next), ANNOT_LOOKUP_LIVE);
            cr_expect_eq(spy_stats(s.device).reserved_bytes, bytes);
            annot_context_close(s.list.context);
        }
        annot_context_open(s.list.context, s.arena);
    }
}

/* Allocators come and go without taking more memory, and each is there once. */
Test(lookup, arenas_are_used_again)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_arena *arenas[3] = {NULL};
    size_t blocks = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3; i++)
            arenas[i] = spy_arena(device);
        cr_expect(arenas[0] != arenas[1] && arenas[1] != arenas[2] && arenas[0] != arenas[2]);
        blocks = round == 0 ? spy_heap.blocks : blocks;
        cr_expect_eq(spy_heap.blocks, blocks);
        for (int i = 0; i < 3; i++)
            annot_arena_destroy(arenas[i]);
    }
}

/* Each arena has positions of its own: what is live in one is not live in another. */
Test(lookup, a_place_is_live_in_one_arena)
{
    enum { ARENAS = 3, CHUNKS = 3 };
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child queues[ARENAS];
    for (size_t i = 0; i < ARENAS; i++) {
        queues[i] = spy_queue(device, 0, NULL);
        for (int chunk = 0; chunk < CHUNKS; chunk++)
            spy_mark(queues[i].context, 60000);
    }
    for (uint32_t number = 0; number < atomic_load(&device->slot_count); number++)
        for (size_t i = 0; i < ARENAS; i++) {
            const struct annot__slot *slot = annot__device_slot(device, number);
            if (atomic_load(&slot->use) == 0)
                continue;
            const annot_arena *arena = queues[i].context->queue->cursor.arena;
            cr_expect_eq(annot__slot_is_live(slot, arena), atomic_load(&slot->arena) == arena,
                         "place %u, arena %zu", number, i);
        }
    for (size_t i = 0; i < ARENAS; i++)
        spy_child_done(queues[i]);
}

/* Old records lie where none is yet in the memory's next use, and whatever its number of uses says,
 * read as a record, they are no markers. */
Test(lookup, memory_of_an_earlier_use_is_not_read)
{
    enum { MARKERS = 1000 };
    AT_END(scene_done) struct scene s = scene_make(0);
    static uint64_t ids[MARKERS];
    for (int i = 0; i < MARKERS; i++)
        ids[i] = spy_mark(s.list.context, 0);
    struct annot__slot *slot = annot__device_slot(s.device, annot__id_slot(ids[0]));
    for (int i = MARKERS / 2; i < MARKERS; i += 7) {
        const uint32_t unit = annot__id_unit(ids[i]);
        const uint32_t use = ANNOT__WORD(ANNOT__KIND_SET, (unit - 1) * ANNOT__UNIT);
        annot_context_close(s.list.context);
        cr_assert_eq(annot_arena_reset(s.arena), ANNOT_OK);
        atomic_store(&slot->use, use - 1);
        annot_context_open(s.list.context, s.arena);
        cr_expect_eq(spy_lookup(s.device, annot__id_make(use, slot->number, unit)),
                     ANNOT_LOOKUP_NEVER_ISSUED);
    }
}

/* Words of places that do not exist, or that nothing was put into, are no EventID. */
Test(lookup, words_of_unused_places_are_no_events)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    for (uint32_t used = 0; used <= 3; used++) {
        const uint32_t places = atomic_load(&device->slot_count);
        for (uint32_t number = 0; number <= places; number++) {
            const uint32_t word = (uint32_t)annot__id_make(0, number, ANNOT__CHUNK_FIRST_UNIT);
            const uint64_t event = annot_device_event_from_word(device, word);
            const bool is_used =
                number < places && atomic_load(&annot__device_slot(device, number)->use) > 0;
            cr_expect_eq(event, is_used ? annot__id_make(1, number, ANNOT__CHUNK_FIRST_UNIT) : 0,
                         "place %u of %u", number, places);
        }
        spy_mark(queue.context, 60000);
    }
}
