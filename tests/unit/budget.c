/* The bound on retained data and what gives way [ANN-LIFE-06]. */
#include "spy.h"

#include <criterion/criterion.h>
#include <stdlib.h>

typedef struct scene {
    annot_device *device;
    annot_arena *arena;
    spy_child list, queue;
} scene;

static scene scene_make(uint64_t budget)
{
    scene s = {.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, budget)};
    s.arena = spy_arena(s.device);
    s.list = spy_list(s.device, 0, spy_handle(1));
    s.queue = spy_queue(s.device, 0, spy_handle(2));
    cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
    return s;
}

static void scene_done(scene *s)
{
    spy_child_done(s->list);
    spy_child_done(s->queue);
    annot_arena_destroy(s->arena);
    spy_device_done(s->device);
}

static uint64_t mark(annot_context *context, uint32_t size)
{
    static const char payload[1 << 21];
    annot_context_set_marker(context, 0, payload, size);
    return spy_last()->id;
}

Test(budget, defaults_to_64_mib)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    cr_expect_eq(desc.memory_budget, 64u << 20);
    desc.driver = &spy_driver;
    annot_device *device;
    annot_device_create(&desc, &device);
    annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL);
    annot_arena *arena = spy_arena(device);
    spy_child list = spy_list(device, 0, NULL);
    annot_context_open(list.context, arena);
    for (int i = 0; i < 100; i++)
        mark(list.context, 1 << 20);
    cr_expect_leq(spy_stats(device).live_bytes, 64u << 20);
    cr_expect_geq(spy_stats(device).live_bytes, 62u << 20);
    cr_expect_geq(spy_stats(device).dropped_markers, 36);
    cr_expect_leq(spy_stats(device).dropped_markers, 38);
    cr_expect_eq(spy_stats(device).dropped_bytes, spy_stats(device).dropped_markers << 20);
    spy_child_done(list);
    annot_arena_destroy(arena);
    annot_device_destroy(device);
}

/* 0 = none: what would exceed the default by far is kept. */
Test(budget, zero_means_unbounded)
{
    scene s = scene_make(ANNOT_BUDGET_NONE);
    for (int i = 0; i < 80; i++)
        cr_assert_eq(spy_lookup(s.device, mark(s.list.context, 1 << 20)), ANNOT_LOOKUP_LIVE);
    cr_expect_geq(spy_stats(s.device).live_bytes, 80u << 20);
    cr_expect_eq(spy_stats(s.device).dropped_markers, 0);
    scene_done(&s);
}

/* Whatever the budget: never more bytes alive than it says, the driver always called with a valid
 * EventID and the right bytes, every loss counted, and each ID live or dropped, one or the other. */
Test(budget, bounds_live_bytes_and_counts_every_loss)
{
    static const uint64_t budgets[] = {1,      4096,   65535,  65536,   65537,
                                       131071, 131072, 400000, 1 << 20, 5 << 20};
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++)
        for (int which = 0; which < 2; which++) {
            scene s = scene_make(budgets[b]);
            annot_context *context = which ? s.queue.context : s.list.context;
            uint64_t dropped = 0, dropped_bytes = 0;
            spy_forget_calls();
            for (uint32_t i = 0; i < 6000; i++) {
                uint32_t size = i % 97 == 96 ? 90000 : i * 37 % 1500;
                uint64_t id = mark(context, size);
                cr_assert_eq(spy_calls.count, i + 1);
                cr_assert_neq(id, 0);
                cr_assert_eq(spy_last()->size, size);
                annot_lookup answer = spy_lookup(s.device, id);
                cr_assert(answer == ANNOT_LOOKUP_LIVE || answer == ANNOT_LOOKUP_DROPPED);
                if (answer == ANNOT_LOOKUP_DROPPED) {
                    dropped++;
                    dropped_bytes += size;
                }
                cr_assert_leq(spy_stats(s.device).live_bytes, budgets[b]);
            }
            cr_expect_eq(spy_stats(s.device).dropped_markers, dropped);
            cr_expect_eq(spy_stats(s.device).dropped_bytes, dropped_bytes);
            cr_expect_eq(spy_stats(s.device).evicted_markers, 0, "nothing was completed");
            /* The open list has a chunk, too. */
            cr_expect_eq(dropped == 6000, budgets[b] < 65536u * (1u + (unsigned)which));
            cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
            spy_forget_messages();
            scene_done(&s);
        }
}

/* Exact border: two chunks of 64 KiB fit a budget of 128 KiB, and not one of a byte less. */
Test(budget, is_exact_at_its_border)
{
    for (uint64_t less = 0; less < 2; less++) {
        scene s = scene_make(131072 - less);
        uint64_t first = mark(s.list.context, 60000);
        uint64_t second = mark(s.list.context, 60000);
        cr_expect_eq(spy_lookup(s.device, first), ANNOT_LOOKUP_LIVE);
        cr_expect_eq(spy_lookup(s.device, second), less ? ANNOT_LOOKUP_DROPPED : ANNOT_LOOKUP_LIVE);
        cr_expect_eq(spy_stats(s.device).live_bytes, less ? 65536 : 131072);
        scene_done(&s);
    }
}

/* A loss is told once, and again when there had been memory in between [annot.h: "once per device
 * until it recovers"]. */
Test(budget, drops_are_told_once_until_the_device_recovers)
{
    scene s = scene_make(131072);
    for (int i = 0; i < 5; i++)
        mark(s.list.context, 60000);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    annot_context_open(s.list.context, s.arena);
    cr_expect_eq(spy_lookup(s.device, mark(s.list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(s.device, mark(s.list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
    for (int i = 0; i < 5; i++)
        mark(s.list.context, 60000);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 2);
    scene_done(&s);
}

/* The chunk of a large payload is not charged to the small markers of the next recording. */
Test(budget, large_payloads_are_given_back_with_a_reset)
{
    scene s = scene_make(0);
    for (int i = 0; i < 3; i++)
        mark(s.list.context, 1 << 20);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    cr_expect_leq(spy_stats(s.device).reserved_bytes, 65536);
    annot_context_open(s.list.context, s.arena);
    for (int i = 0; i < 200; i++)
        mark(s.list.context, 1000);
    cr_expect_eq(spy_stats(s.device).live_bytes, 4 * 65536);
    scene_done(&s);
}

/* A reset makes the memory available to others: a second allocator, a large payload, a queue. */
Test(budget, comes_back_with_a_reset)
{
    scene s = scene_make(1 << 20);
    annot_arena *other = spy_arena(s.device);
    spy_child list = spy_list(s.device, 0, NULL);
    annot_context_open(list.context, other);
    for (int round = 0; round < 20; round++) {
        uint64_t kept = 0;
        for (int i = 0; i < 2000; i++)
            kept += spy_lookup(s.device, mark(s.list.context, 1000)) == ANNOT_LOOKUP_LIVE;
        cr_expect_gt(kept, 900, "round %d", round);
        cr_expect_eq(spy_lookup(s.device, mark(list.context, 66000)), ANNOT_LOOKUP_DROPPED);
        annot_context_close(s.list.context);
        annot_arena_reset(s.arena);
        cr_expect_eq(spy_stats(s.device).live_bytes, 65536, "the other list's");
        cr_expect_eq(spy_lookup(s.device, mark(list.context, 900000)), ANNOT_LOOKUP_LIVE);
        annot_context_close(list.context);
        annot_arena_reset(other);
        annot_context_open(list.context, other);
        annot_context_open(s.list.context, s.arena);
    }
    cr_expect_leq(spy_stats(s.device).reserved_bytes, 3u << 20);
    spy_child_done(list);
    annot_arena_destroy(other);
    scene_done(&s);
}

/* ---- queues: the oldest completed markers go first ---- */

static uint64_t submit(scene *s)
{
    return annot_context_submit(s->queue.context, NULL, 0);
}

Test(budget, queues_give_up_their_oldest_completed_markers)
{
    scene s = scene_make(4 * 65536);
    enum { COUNT = 2000 };
    static uint64_t ids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        ids[i] = mark(s.queue.context, 1000);
        annot_context_completed(s.queue.context, submit(&s));
        cr_assert_eq(spy_lookup(s.device, ids[i]), ANNOT_LOOKUP_LIVE, "the newest is kept");
    }
    cr_expect_eq(spy_stats(s.device).dropped_markers, 0);
    uint64_t expired = 0;
    bool live_seen = false;
    for (int i = 0; i < COUNT; i++) {
        annot_lookup answer = spy_lookup(s.device, ids[i]);
        cr_assert(answer == ANNOT_LOOKUP_LIVE || answer == ANNOT_LOOKUP_EXPIRED);
        if (answer == ANNOT_LOOKUP_LIVE)
            live_seen = true;
        else
            cr_assert(!live_seen, "an older one outlived marker %d", i);
        expired += answer == ANNOT_LOOKUP_EXPIRED;
    }
    cr_expect_eq(spy_stats(s.device).evicted_markers, expired);
    cr_expect_geq(COUNT - expired, 2 * 60, "no more goes than has to");
    cr_expect_leq(spy_stats(s.device).reserved_bytes, 5 * 65536, "what went is used again");
    scene_done(&s);
}

Test(budget, markers_of_unfinished_submissions_stay)
{
    scene s = scene_make(4 * 65536);
    uint64_t ids[400];
    bool live[400];
    int kept = 0;
    uint64_t serial = 0;
    for (int i = 0; i < 400; i++) {
        ids[i] = mark(s.queue.context, 1000);
        live[i] = spy_lookup(s.device, ids[i]) == ANNOT_LOOKUP_LIVE;
        kept += live[i];
        serial = submit(&s);
    }
    cr_expect_eq(spy_stats(s.device).evicted_markers, 0);
    cr_expect_lt(kept, 400);
    for (int i = 0; i < 400; i++)
        cr_expect_neq(spy_lookup(s.device, ids[i]), ANNOT_LOOKUP_EXPIRED);
    /* Completion up to marker 100 frees no more than what belongs to it. */
    annot_context_completed(s.queue.context, 100);
    for (int i = 0; i < 200; i++)
        mark(s.queue.context, 1000);
    for (int i = 100; i < 400; i++)
        cr_expect(!live[i] || spy_lookup(s.device, ids[i]) == ANNOT_LOOKUP_LIVE, "marker %d", i);
    cr_expect_eq(spy_lookup(s.device, ids[0]), ANNOT_LOOKUP_EXPIRED);
    cr_expect_gt(serial, 100);
    scene_done(&s);
}

/* A marker behind the last submission belongs to the next one, which nobody has completed. */
Test(budget, markers_that_no_submission_followed_stay)
{
    scene s = scene_make(2 * 65536);
    annot_context_completed(s.queue.context, submit(&s));
    uint64_t first = mark(s.queue.context, 1000);
    for (int i = 0; i < 300; i++)
        mark(s.queue.context, 1000);
    cr_expect_eq(spy_lookup(s.device, first), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_stats(s.device).evicted_markers, 0);
    scene_done(&s);
}

Test(budget, open_scopes_are_never_evicted)
{
    scene s = scene_make(4 * 65536);
    annot_context_begin_event(s.queue.context, 0, "outer", 5);
    uint64_t outer = spy_last()->id;
    annot_context_begin_event(s.queue.context, 0, "inner", 5);
    uint64_t inner = spy_last()->id;
    for (int i = 0; i < 1000; i++) {
        mark(s.queue.context, 1000);
        annot_context_completed(s.queue.context, submit(&s));
    }
    cr_expect_eq(spy_lookup(s.device, outer), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(s.device, inner), ANNOT_LOOKUP_LIVE);
    annot_context_end_event(s.queue.context);
    cr_expect_eq(spy_last()->id, inner);
    annot_context_end_event(s.queue.context);
    cr_expect_eq(spy_last()->id, outer);
    annot_marker_info info;
    cr_expect_eq(annot_device_lookup(s.device, outer, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
    cr_expect(info.is_closed);
    scene_done(&s);
}

/* A scope is completed when the work before its End is, not when the work around its Begin is. */
Test(budget, a_closed_scope_stays_until_the_work_in_it_is_completed)
{
    scene s = scene_make(4 * 65536);
    annot_context_begin_event(s.queue.context, 0, "frame", 5);
    uint64_t scope = spy_last()->id;
    submit(&s);
    for (int i = 0; i < 150; i++)
        mark(s.queue.context, 1000);
    uint64_t before = submit(&s);
    annot_context_end_event(s.queue.context);
    uint64_t late = submit(&s);
    annot_context_completed(s.queue.context, before);
    for (int i = 0; i < 300; i++)
        mark(s.queue.context, 1000);
    cr_expect_eq(spy_lookup(s.device, scope), ANNOT_LOOKUP_LIVE);
    annot_context_completed(s.queue.context, late);
    for (int i = 0; i < 300; i++)
        mark(s.queue.context, 1000);
    cr_expect_eq(spy_lookup(s.device, scope), ANNOT_LOOKUP_EXPIRED);
    scene_done(&s);
}

/* Completed queue markers make room for lists and for other queues, too. */
Test(budget, completed_queue_markers_make_room_for_others)
{
    scene s = scene_make(4 * 65536);
    spy_child other = spy_queue(s.device, 2, NULL);
    for (int i = 0; i < 200; i++)
        mark(s.queue.context, 1000);
    annot_context_completed(s.queue.context, submit(&s));
    cr_expect_eq(spy_lookup(s.device, mark(s.list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(s.device, mark(other.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_gt(spy_stats(s.device).evicted_markers, 0);
    cr_expect_leq(spy_stats(s.device).live_bytes, 4 * 65536);
    spy_child_done(other);
    scene_done(&s);
}

/* List markers are the application's own to end: they are never evicted. */
Test(budget, list_markers_are_never_evicted)
{
    scene s = scene_make(4 * 65536);
    uint64_t ids[300];
    for (int i = 0; i < 300; i++)
        ids[i] = mark(s.list.context, 1000);
    annot_context_close(s.list.context);
    annot_context *lists[] = {s.list.context};
    annot_context_completed(s.queue.context, annot_context_submit(s.queue.context, lists, 1));
    for (int i = 0; i < 300; i++)
        mark(s.queue.context, 1000);
    for (int i = 0; i < 300; i++)
        cr_expect_neq(spy_lookup(s.device, ids[i]), ANNOT_LOOKUP_EXPIRED);
    scene_done(&s);
}
