/* How long marker data lives, and what becomes of its memory [ANN-LIFE-01, -02, -05]. */
#include "spy.h"

struct scene {
    annot_device *device;
    annot_arena *arena;
    struct spy_child list;
};

static struct scene scene_make(void)
{
    struct scene s = {.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0)};
    s.arena = spy_arena(s.device);
    s.list = spy_list(s.device, 0, spy_handle(1));
    return s;
}

static void scene_done(struct scene *s)
{
    spy_child_done(s->list);
    annot_arena_destroy(s->arena);
    spy_device_done(s->device);
}

static uint64_t mark(annot_context *context, const char *text)
{
    annot_context_set_marker(context, 0, text, 1);
    return spy_last()->id;
}

/* ANN-LIFE-01: neither the list's next recording nor its release ends the data's life. */
Test(lifetime, data_outlives_the_lists_reset_and_release)
{
    AT_END(scene_done) struct scene s = scene_make();
    annot_arena *other = spy_arena(s.device);
    annot_context_open(s.list.context, s.arena);
    uint64_t id = mark(s.list.context, "a");
    annot_context_close(s.list.context);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    annot_context_open(s.list.context, other); /* the list is reset, with another allocator */
    uint64_t second = mark(s.list.context, "b");
    annot_context_close(s.list.context);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    annot_context_open(s.list.context, s.arena); /* and with the first */
    annot_context_close(s.list.context);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    uint64_t object = annot_object_id(s.list.object);
    spy_child_done(s.list);
    s.list = (struct spy_child){NULL, NULL};
    annot_marker_info info;
    cr_expect_eq(annot_device_lookup(s.device, id, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(info.object, object);
    cr_expect_eq(annot_arena_reset(other), ANNOT_OK);
    cr_expect_eq(spy_lookup(s.device, second), ANNOT_LOOKUP_EXPIRED);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    annot_arena_destroy(other);
    cr_expect_eq(annot_arena_reset(s.arena), ANNOT_OK);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
}

/* ANN-LIFE-01 */
Test(lifetime, destroying_the_allocator_ends_it)
{
    AT_END(scene_done) struct scene s = scene_make();
    annot_arena *arena = spy_arena(s.device);
    annot_context_open(s.list.context, arena);
    uint64_t id = mark(s.list.context, "a");
    annot_context_close(s.list.context);
    annot_arena_destroy(arena);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
    cr_expect_eq(spy_stats(s.device).live_bytes, 0);
    annot_arena_destroy(NULL);
}

/* ANN-LIFE-02 */
Test(lifetime, a_queues_data_lives_until_the_queue_is_destroyed)
{
    AT_END(scene_done) struct scene s = scene_make();
    struct spy_child queue = spy_queue(s.device, 0, NULL);
    uint64_t id = mark(queue.context, "q");
    annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
    for (int i = 0; i < 100; i++) {
        annot_context_open(s.list.context, s.arena);
        mark(s.list.context, "l");
        annot_context_close(s.list.context);
        annot_arena_reset(s.arena);
    }
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    spy_child_done(queue);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
}

/* D3D12: an allocator can't be reset while a list records into it. */
Test(lifetime, reset_is_refused_while_a_list_records)
{
    AT_END(scene_done) struct scene s = scene_make();
    AT_END(spy_child_ended) struct spy_child other = spy_list(s.device, 0, NULL);
    AT_END(spy_arena_ended) annot_arena *second = spy_arena(s.device);
    annot_context_open(s.list.context, s.arena);
    uint64_t id = mark(s.list.context, "a");
    cr_expect_eq(annot_arena_reset(s.arena), ANNOT_ERROR_BUSY);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(annot_context_open(other.context, s.arena), ANNOT_ERROR_BUSY);
    cr_expect_eq(annot_context_open(s.list.context, s.arena), ANNOT_ERROR_BUSY);
    cr_expect_eq(annot_context_open(s.list.context, second), ANNOT_ERROR_BUSY);
    cr_expect_eq(annot_context_open(other.context, second), ANNOT_OK, "second was left alone");
    annot_context_close(other.context);
    /* Nothing has happened: the recording goes on. */
    uint64_t next = mark(s.list.context, "b");
    cr_expect_eq(spy_lookup(s.device, next), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(annot_context_close(s.list.context), ANNOT_OK);
    cr_expect_eq(annot_context_close(s.list.context), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_arena_reset(s.arena), ANNOT_OK);
}

/* The same rules under RUNTIME_ONLY, where nothing is kept. */
Test(lifetime, runtime_only_lists_occupy_their_allocator_too)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(spy_child_ended)
    struct spy_child list = spy_list(device, 0, NULL), other = spy_list(device, 0, NULL);
    cr_expect_eq(annot_context_open(list.context, arena), ANNOT_OK);
    cr_expect_eq(annot_context_open(other.context, arena), ANNOT_ERROR_BUSY);
    cr_expect_eq(annot_arena_reset(arena), ANNOT_ERROR_BUSY);
    cr_expect_eq(annot_context_close(list.context), ANNOT_OK);
    cr_expect_eq(annot_arena_reset(arena), ANNOT_OK);
    cr_expect_eq(annot_context_open(other.context, arena), ANNOT_OK);
    cr_expect_eq(annot_context_close(other.context), ANNOT_OK);
}

static void record_frame(annot_context *list, annot_arena *arena, unsigned markers,
                         uint32_t largest)
{
    static const char payload[300000];
    cr_assert_eq(annot_arena_reset(arena), ANNOT_OK);
    cr_assert_eq(annot_context_open(list, arena), ANNOT_OK);
    for (unsigned i = 0; i < markers; i++) {
        annot_context_begin_event(list, 0, payload, i % 120);
        annot_context_set_marker(list, 0, payload, i % 70);
        annot_context_end_event(list);
    }
    if (largest)
        annot_context_set_marker(list, 0, payload, largest);
    annot_context_close(list);
    spy_forget_calls();
}

/* ANN-LIFE-05: 10,000 frames of three allocators in flight; after a few, no byte and no allocation
 * more, though every seventh frame is busier and lists come and go. */
Test(lifetime, ten_thousand_frames_keep_memory_flat)
{
    AT_END(scene_done) struct scene s = scene_make();
    annot_arena *arenas[3] = {spy_arena(s.device), spy_arena(s.device), spy_arena(s.device)};
    size_t bytes = 0, allocations = 0;
    uint64_t reserved = 0;
    for (unsigned frame = 0; frame < 10000; frame++) {
        record_frame(s.list.context, arenas[frame % 3], frame % 7 ? 20 : 2000, 0);
        if (frame == 50) {
            bytes = spy_heap.bytes;
            allocations = spy_heap.allocations;
            reserved = spy_stats(s.device).reserved_bytes;
        }
    }
    cr_expect_leq(spy_heap.bytes, bytes);
    cr_expect_eq(spy_heap.allocations, allocations);
    cr_expect_leq(spy_stats(s.device).reserved_bytes, reserved);
    cr_expect_leq(spy_stats(s.device).live_bytes, reserved);
    for (int i = 0; i < 3; i++)
        annot_arena_destroy(arenas[i]);
    cr_expect_eq(spy_stats(s.device).live_bytes, 0);
}

/* ANN-LIFE-05: with oversized payloads and new allocators each frame the high-water mark is
 * flat. */
Test(lifetime, frames_with_large_payloads_and_fresh_allocators_keep_memory_flat)
{
    AT_END(scene_done) struct scene s = scene_make();
    size_t bytes = 0;
    for (unsigned frame = 0; frame < 1000; frame++) {
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(s.device);
        record_frame(s.list.context, arena, 100, 200000 + frame % 3 * 40000);
        if (frame < 10 && spy_heap.bytes > bytes)
            bytes = spy_heap.bytes;
        cr_assert_leq(spy_heap.bytes, bytes + 65536, "frame %u", frame);
    }
}

/* ANN-LIFE-05: what one busy frame took is not lost to the others. */
Test(lifetime, memory_of_a_busy_frame_is_there_for_other_allocators)
{
    AT_END(scene_done) struct scene s = scene_make();
    AT_END(spy_arena_ended) annot_arena *other = spy_arena(s.device);
    record_frame(s.list.context, s.arena, 20000, 0);
    uint64_t reserved = spy_stats(s.device).reserved_bytes;
    record_frame(s.list.context, s.arena, 10, 0); /* an idle frame, then its reset gives it back */
    annot_arena_reset(s.arena);
    record_frame(s.list.context, other, 15000, 0);
    cr_expect_leq(spy_stats(s.device).reserved_bytes, reserved + 2 * 65536);
}

/* ANN-LIFE-01: reset of an arena that holds nothing, or nothing yet. */
Test(lifetime, empty_arenas_can_be_reset_and_destroyed)
{
    AT_END(scene_done) struct scene s = scene_make();
    for (int i = 0; i < 3; i++)
        cr_expect_eq(annot_arena_reset(s.arena), ANNOT_OK);
    annot_context_open(s.list.context, s.arena);
    annot_context_close(s.list.context);
    cr_expect_eq(annot_arena_reset(s.arena), ANNOT_OK);
    cr_expect_eq(spy_stats(s.device).live_bytes, 0);
    annot_device_destroy(NULL);
    annot_context_destroy(NULL);
}
