/* The bound on retained data, and what is dropped to keep it [ANN-LIFE-06]. */
#include "device_dump.h"
#include "scene.h"
#include "record/types.h"

Test(budget, defaults_to_64_mib)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    cr_expect_eq(desc.memory_budget, 64u << 20);
    desc.driver = &spy_driver;
    annot_device *device;
    annot_device_create(&desc, &device);
    annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL);
    annot_arena *arena = spy_arena(device);
    struct spy_child list = spy_list(device, 0, NULL);
    annot_context_open(list.context, arena);
    for (int i = 0; i < 100; i++)
        spy_mark(list.context, 1 << 20);
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
    AT_END(scene_done) struct scene s = scene_make(ANNOT_BUDGET_NONE);
    for (int i = 0; i < 80; i++)
        cr_assert_eq(spy_lookup(s.device, spy_mark(s.list.context, 1 << 20)), ANNOT_LOOKUP_LIVE);
    cr_expect_geq(spy_stats(s.device).live_bytes, 80u << 20);
    cr_expect_eq(spy_stats(s.device).dropped_markers, 0);
}

/* Whatever the budget: never more bytes alive than it says, the driver always called with a valid
 * EventID and the right bytes, every loss counted, and each ID live or dropped, one or the other.
 */
Test(budget, bounds_live_bytes_and_counts_every_loss)
{
    static const uint64_t budgets[] = {1,      4096,   65535,  65536,   65537,
                                       131071, 131072, 400000, 1 << 20, 5 << 20};
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++)
        for (int which = 0; which < 2; which++) {
            AT_END(scene_done) struct scene s = scene_make(budgets[b]);
            annot_context *context = which ? s.queue.context : s.list.context;
            uint64_t dropped = 0, dropped_bytes = 0;
            if (budgets[b] >= 131072)
                annot_context_submit(s.queue.context, NULL, 0); /* in flight for good */
            spy_forget_calls();
            for (uint32_t i = 0; i < 6000; i++) {
                uint32_t size = i % 97 == 96 ? 90000 : i * 37 % 1500;
                uint64_t id = spy_mark(context, size);
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
        }
}

/* Exact border: two chunks of 64 KiB fit a budget of 128 KiB, and not one of a byte less. */
Test(budget, is_exact_at_its_border)
{
    for (uint64_t less = 0; less < 2; less++) {
        AT_END(scene_done) struct scene s = scene_make(131072 - less);
        uint64_t first = spy_mark(s.list.context, 60000);
        uint64_t second = spy_mark(s.list.context, 60000);
        cr_expect_eq(spy_lookup(s.device, first), ANNOT_LOOKUP_LIVE);
        cr_expect_eq(spy_lookup(s.device, second), less ? ANNOT_LOOKUP_DROPPED : ANNOT_LOOKUP_LIVE);
        cr_expect_eq(spy_stats(s.device).live_bytes, less ? 65536 : 131072);
    }
}

/* A loss is told once, and again when there had been memory in between [annot.h: "once per device
 * until it recovers"]. */
Test(budget, drops_are_told_once_until_the_device_recovers)
{
    AT_END(scene_done) struct scene s = scene_make(131072);
    for (int i = 0; i < 5; i++)
        spy_mark(s.list.context, 60000);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    annot_context_open(s.list.context, s.arena);
    cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
    for (int i = 0; i < 5; i++)
        spy_mark(s.list.context, 60000);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 2);
}

/* The chunk of a large payload is not charged to the small markers of the next recording. */
Test(budget, large_payloads_are_given_back_with_a_reset)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    for (int i = 0; i < 3; i++)
        spy_mark(s.list.context, 1 << 20);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    cr_expect_leq(spy_stats(s.device).reserved_bytes, 65536);
    annot_context_open(s.list.context, s.arena);
    for (int i = 0; i < 200; i++)
        spy_mark(s.list.context, 1000);
    cr_expect_eq(spy_stats(s.device).live_bytes, 4 * 65536);
}

/* A reset makes the memory available to others: a second allocator, a large payload, a queue. */
Test(budget, comes_back_with_a_reset)
{
    AT_END(scene_done) struct scene s = scene_make(1 << 20);
    AT_END(spy_arena_ended) annot_arena *other = spy_arena(s.device);
    AT_END(spy_child_ended) struct spy_child list = spy_list(s.device, 0, NULL);
    annot_context_open(list.context, other);
    for (int round = 0; round < 20; round++) {
        uint64_t kept = 0;
        for (int i = 0; i < 2000; i++)
            kept += spy_lookup(s.device, spy_mark(s.list.context, 1000)) == ANNOT_LOOKUP_LIVE;
        cr_expect_gt(kept, 900, "round %d", round);
        cr_expect_eq(spy_lookup(s.device, spy_mark(list.context, 66000)), ANNOT_LOOKUP_DROPPED);
        annot_context_close(s.list.context);
        annot_arena_reset(s.arena);
        cr_expect_eq(spy_stats(s.device).live_bytes, 65536, "the other list's");
        cr_expect_eq(spy_lookup(s.device, spy_mark(list.context, 900000)), ANNOT_LOOKUP_LIVE);
        annot_context_close(list.context);
        annot_arena_reset(other);
        annot_context_open(list.context, other);
        annot_context_open(s.list.context, s.arena);
    }
    cr_expect_leq(spy_stats(s.device).reserved_bytes, 3u << 20);
}

/* ---- queues: the oldest completed markers go first ---- */

static uint64_t submit(struct scene *s)
{
    return annot_context_submit(s->queue.context, NULL, 0);
}

Test(budget, queues_give_up_their_oldest_completed_markers)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    enum { COUNT = 2000 };
    static uint64_t ids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        ids[i] = spy_mark(s.queue.context, 1000);
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
}

Test(budget, markers_of_unfinished_submissions_stay)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    uint64_t ids[400];
    bool live[400];
    int kept = 0;
    uint64_t serial = 0;
    for (int i = 0; i < 400; i++) {
        ids[i] = spy_mark(s.queue.context, 1000);
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
        spy_mark(s.queue.context, 1000);
    for (int i = 100; i < 400; i++)
        cr_expect(!live[i] || spy_lookup(s.device, ids[i]) == ANNOT_LOOKUP_LIVE, "marker %d", i);
    cr_expect_eq(spy_lookup(s.device, ids[0]), ANNOT_LOOKUP_EXPIRED);
    cr_expect_gt(serial, 100);
}

/* A marker behind the last submission belongs to the next one, which nobody has completed. */
Test(budget, markers_that_no_submission_followed_stay)
{
    AT_END(scene_done) struct scene s = scene_make(2 * 65536);
    annot_context_completed(s.queue.context, submit(&s));
    uint64_t first = spy_mark(s.queue.context, 1000);
    for (int i = 0; i < 300; i++)
        spy_mark(s.queue.context, 1000);
    cr_expect_eq(spy_lookup(s.device, first), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_stats(s.device).evicted_markers, 0);
}

Test(budget, open_scopes_are_never_evicted)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    annot_context_begin_event(s.queue.context, 0, "outer", 5);
    uint64_t outer = spy_last()->id;
    annot_context_begin_event(s.queue.context, 0, "inner", 5);
    uint64_t inner = spy_last()->id;
    for (int i = 0; i < 1000; i++) {
        spy_mark(s.queue.context, 1000);
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
}

/* A scope is completed when the work before its End is, not when the work around its Begin is. */
Test(budget, a_closed_scope_stays_until_the_work_in_it_is_completed)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    annot_context_begin_event(s.queue.context, 0, "frame", 5);
    uint64_t scope = spy_last()->id;
    submit(&s);
    for (int i = 0; i < 150; i++)
        spy_mark(s.queue.context, 1000);
    uint64_t before = submit(&s);
    annot_context_end_event(s.queue.context);
    uint64_t late = submit(&s);
    annot_context_completed(s.queue.context, before);
    for (int i = 0; i < 300; i++)
        spy_mark(s.queue.context, 1000);
    cr_expect_eq(spy_lookup(s.device, scope), ANNOT_LOOKUP_LIVE);
    annot_context_completed(s.queue.context, late);
    for (int i = 0; i < 300; i++)
        spy_mark(s.queue.context, 1000);
    cr_expect_eq(spy_lookup(s.device, scope), ANNOT_LOOKUP_EXPIRED);
}

/* Eviction gives back what it takes, once: when the queue is gone nothing is left, and nothing is
 * owed. */
Test(budget, what_was_evicted_is_given_back_once)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    struct spy_child other = spy_queue(s.device, 2, NULL);
    const uint64_t before = spy_stats(s.device).live_bytes;
    for (int i = 0; i < 2000; i++) {
        spy_mark(other.context, 1000);
        annot_context_completed(other.context, annot_context_submit(other.context, NULL, 0));
        cr_assert_leq(spy_stats(s.device).live_bytes, 4 * 65536);
    }
    cr_assert_gt(spy_stats(s.device).evicted_markers, 0);
    cr_expect_geq(spy_stats(s.device).live_bytes, before + 65536);
    spy_child_done(other);
    cr_expect_eq(spy_stats(s.device).live_bytes, before);
}

/* annot.h: live_bytes are the chunks that hold live data, and the budget bounds what markers take
 * of it. Submissions of lists with markers are kept beyond it, and counted. */
Test(budget, submissions_beyond_it_are_counted_and_given_back)
{
    AT_END(scene_done) struct scene s = scene_make(65536);
    spy_mark(s.list.context, 8);
    annot_context_close(s.list.context);
    cr_assert_eq(spy_stats(s.device).live_bytes, 65536, "the list's");
    const uint64_t serial = annot_context_submit(s.queue.context, &s.list.context, 1);
    cr_assert_neq(serial, 0);
    cr_expect_eq(spy_stats(s.device).live_bytes, 2 * 65536, "and the queue's");
    annot_context_completed(s.queue.context, serial);
    spy_child_done(s.queue);
    cr_expect_eq(spy_stats(s.device).live_bytes, 65536);
    s.queue = spy_queue(s.device, 0, spy_handle(2));
}

/* A list that lost markers and their recording loses none in the next one, which says so. */
Test(budget, a_recording_counts_its_own_losses)
{
    AT_END(scene_done) struct scene s = scene_make(65536);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(s.device);
    AT_END(spy_child_ended) struct spy_child list = spy_list(s.device, 3, spy_handle(3));
    cr_assert_eq(spy_lookup(s.device, spy_mark(s.list.context, 8)), ANNOT_LOOKUP_LIVE);
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK); /* s.list has the only chunk */
    spy_mark(list.context, 8);
    spy_mark(list.context, 8);
    cr_assert_eq(spy_stats(s.device).dropped_markers, 2);
    annot_context_close(list.context);
    annot_context_close(s.list.context);
    annot_arena_reset(s.arena);
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    cr_assert_eq(spy_lookup(s.device, spy_mark(list.context, 8)), ANNOT_LOOKUP_LIVE);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
    uint64_t markers = 0;
    for (uint32_t i = 0; i < annot_reader_stream_count(dump.reader); i++) {
        annot_reader_stream stream;
        cr_assert(annot_reader_stream_at(dump.reader, i, &stream));
        cr_expect_eq(stream.dropped, 0);
        markers += stream.marker_count;
    }
    cr_expect_eq(markers, 1);
}

/* Completed queue markers make room for lists and for other queues, too. */
Test(budget, completed_queue_markers_make_room_for_others)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    AT_END(spy_child_ended) struct spy_child other = spy_queue(s.device, 2, NULL);
    for (int i = 0; i < 200; i++)
        spy_mark(s.queue.context, 1000);
    annot_context_completed(s.queue.context, submit(&s));
    cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_lookup(s.device, spy_mark(other.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_gt(spy_stats(s.device).evicted_markers, 0);
    cr_expect_leq(spy_stats(s.device).live_bytes, 4 * 65536);
}

/* annot/ddi.h: "the oldest of these are evicted", no more than has to be: the queue that was there
 * first gives first, whoever asks, unless nothing of it is completed. */
Test(budget, of_several_queues_the_first_gives_first)
{
    for (int is_first_busy = 0; is_first_busy < 2; is_first_busy++)
        for (int who = 0; who < 2; who++) {
            AT_END(scene_done)
            struct scene s = scene_make(5 * 65536); /* the list's chunk, and two of each queue */
            AT_END(spy_child_ended) struct spy_child second = spy_queue(s.device, 2, NULL);
            spy_mark(s.list.context, 60000);
            const uint64_t first_id = spy_mark(s.queue.context, 60000);
            spy_mark(s.queue.context, 60000);
            const uint64_t second_id = spy_mark(second.context, 60000);
            const uint64_t newest = spy_mark(second.context, 60000);
            const uint64_t serial = submit(&s);
            annot_context_completed(s.queue.context, is_first_busy ? 0 : serial);
            annot_context_completed(second.context, annot_context_submit(second.context, NULL, 0));
            spy_mark(who ? second.context : s.list.context, 60000);
            cr_expect_eq(spy_lookup(s.device, spy_last()->id), ANNOT_LOOKUP_LIVE);
            cr_expect_eq(spy_lookup(s.device, first_id),
                         is_first_busy ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_EXPIRED);
            cr_expect_eq(spy_lookup(s.device, second_id),
                         is_first_busy ? ANNOT_LOOKUP_EXPIRED : ANNOT_LOOKUP_LIVE);
            cr_expect_eq(spy_lookup(s.device, newest), ANNOT_LOOKUP_LIVE);
            cr_expect_eq(spy_stats(s.device).evicted_markers, 1);
        }
}

/* List markers are the application's own to end: they are never evicted. */
Test(budget, list_markers_are_never_evicted)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    uint64_t ids[300];
    for (int i = 0; i < 300; i++)
        ids[i] = spy_mark(s.list.context, 1000);
    annot_context_close(s.list.context);
    annot_context *lists[] = {s.list.context};
    annot_context_completed(s.queue.context, annot_context_submit(s.queue.context, lists, 1));
    for (int i = 0; i < 300; i++)
        spy_mark(s.queue.context, 1000);
    for (int i = 0; i < 300; i++)
        cr_expect_neq(spy_lookup(s.device, ids[i]), ANNOT_LOOKUP_EXPIRED);
}

/* ANN-LIFE-06: open scopes that are dropped stay within 1 MiB a device, however many there are in
 * however many lists. The driver still gets every Begin and every End: those of scopes past the
 * bound have EventID 0. */
Test(budget, open_dropped_scopes_are_bounded)
{
    enum { LISTS = 4, DEPTH = 200000 };
    AT_END(scene_done) struct scene s = scene_make(1);
    annot_arena *arenas[LISTS];
    struct spy_child lists[LISTS];
    const size_t before = spy_heap.bytes;
    for (int i = 0; i < LISTS; i++) {
        arenas[i] = spy_arena(s.device);
        lists[i] = spy_list(s.device, 0, spy_handle(10u + (unsigned)i));
        annot_context_open(lists[i].context, arenas[i]);
        for (int depth = 0; depth < DEPTH; depth++)
            annot_context_begin_event(lists[i].context, 0, "x", 1);
        cr_expect_neq(spy_last()->id, 0);
    }
    for (int depth = 0; depth < DEPTH; depth++)
        annot_context_begin_event(s.queue.context, 0, "x", 1);
    cr_expect_leq(spy_heap.bytes - before, (1u << 20) + 65536, "%lu",
                  (unsigned long)(spy_heap.bytes - before));
    cr_expect_eq(spy_stats(s.device).dropped_markers, (LISTS + 1) * (uint64_t)DEPTH);
    for (int i = 0; i < LISTS; i++) {
        const uint64_t first = spy_calls.calls[i * DEPTH].id;
        annot_context_end_event(lists[i].context);
        cr_expect_eq(spy_last()->id, 0, "the innermost of list %d is past the bound", i);
        for (int depth = 1; depth < DEPTH; depth++)
            annot_context_end_event(lists[i].context);
        cr_expect_eq(spy_last()->id, first, "the outermost of list %d is known", i);
        annot_context_end_event(lists[i].context);
        cr_expect_eq(spy_last()->id, 0);
        annot_context_close(lists[i].context);
    }
    /* Memory that one recording held another one gets: a stack goes back with its list's next
     * recording. */
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < LISTS; i++) {
            annot_context_open(lists[i].context, arenas[i]);
            for (int depth = 0; depth < 20000; depth++)
                annot_context_begin_event(lists[i].context, 0, "x", 1);
            const uint64_t innermost = spy_last()->id;
            annot_context_end_event(lists[i].context);
            cr_expect_eq(spy_last()->id, innermost);
            annot_context_close(lists[i].context);
        }
    for (int i = 0; i < LISTS; i++) {
        spy_child_done(lists[i]);
        annot_arena_destroy(arenas[i]);
    }
}

/* ANN-MARK-05: a scope past the bound stays there when another list gives memory back meanwhile:
 * its End never passes the EventID of a scope inside it. */
Test(budget, a_scope_inside_one_past_the_bound_is_past_it_too)
{
    enum { KNOWN = 65536, UNKNOWN = 2 };
    AT_END(scene_done) struct scene s = scene_make(1);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(s.device);
    AT_END(spy_child_ended) struct spy_child other = spy_list(s.device, 0, spy_handle(10));
    annot_context_open(other.context, arena);
    for (int depth = 0; depth < KNOWN / 4; depth++)
        annot_context_begin_event(other.context, 0, "x", 1);
    uint64_t innermost_known = 0;
    for (int depth = 0; depth < KNOWN + UNKNOWN; depth++) {
        annot_context_begin_event(s.list.context, 0, "x", 1);
        if (depth == KNOWN - 1)
            innermost_known = spy_last()->id;
    }
    annot_context_close(other.context);
    annot_context_open(other.context, arena); /* gives its stack back */
    annot_context_begin_event(s.list.context, 0, "x", 1);
    for (int i = 0; i < UNKNOWN + 1; i++) {
        annot_context_end_event(s.list.context);
        cr_expect_eq(spy_last()->id, 0, "End %d", i);
    }
    annot_context_end_event(s.list.context);
    cr_expect_eq(spy_last()->id, innermost_known);
    annot_context_close(other.context);
}

/* What can't be kept whatever goes makes nothing go. */
Test(budget, nothing_is_evicted_for_a_marker_beyond_the_whole_budget)
{
    AT_END(scene_done) struct scene s = scene_make(8 * 65536);
    const uint64_t first = spy_mark(s.queue.context, 60000);
    for (int i = 0; i < 4; i++)
        spy_mark(s.queue.context, 60000);
    annot_context_completed(s.queue.context, annot_context_submit(s.queue.context, NULL, 0));
    cr_expect_eq(spy_lookup(s.device, spy_mark(s.list.context, 1 << 20)), ANNOT_LOOKUP_DROPPED);
    cr_expect_eq(spy_lookup(s.device, first), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_stats(s.device).evicted_markers, 0);
}

/* A loss is told again when memory came back in between, and only then; and what was lacking. */
Test(budget, a_loss_is_told_with_its_cause_and_once)
{
    static const struct {
        uint64_t budget;
        const char *cause;
    } rows[] = {{1, "(budget 1 bytes)"}, {0, "the process is out of memory"}};
    for (size_t i = 0; i < 2; i++) {
        AT_END(spy_device_ended)
        annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, rows[i].budget);
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
        AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
        spy_forget_messages();
        for (int round = 0; round < 3; round++) {
            spy_fail();
            annot_context_open(list.context, arena);
            spy_mark(list.context, 8);
            spy_mark(list.context, 8);
            annot_context_close(list.context);
            spy_heap.fail_at = 0;
            annot_arena_reset(arena); /* which gives nothing back */
        }
        cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
        cr_expect_not_null(strstr(spy_said.text, rows[i].cause), "%s", spy_said.text);
    }
}

/* Nothing is read of a payload that is too long to be kept, and what one may have at most is
 * said. */
Test(budget, the_longest_payload_is_said)
{
    static const char *const words =
        "payload of 67108864 bytes was not retained: a payload may have at most 67108863 bytes";
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_device *device;
    desc.message = spy_message;
    desc.memory_budget = 1 << 20;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL);
    annot_arena *arena = spy_arena(device);
    struct spy_child list = spy_list(device, 0, NULL);
    annot_context_open(list.context, arena);
    for (uint32_t more = 0; more < 2; more++) {
        annot_context_set_marker(list.context, 1, "x", (1u << 26) - 1 + more);
        cr_expect_eq(strstr(spy_said.text, words) != NULL, more == 1, "%s", spy_said.text);
        cr_expect_eq(strstr(spy_said.text, "(budget 1048576 bytes)") != NULL, more == 0);
    }
    spy_forget_messages();
    annot_context_set_marker_by_reference(list.context, 1, "x", 1u << 26);
    cr_expect_not_null(strstr(spy_said.text, words), "%s", spy_said.text);
    spy_child_done(list);
    annot_arena_destroy(arena);
    annot_device_destroy(device);
}

/* ANN-MARK-07: scopes that not even their EventIDs were kept of are told at Close, and closed by
 * it. */
Test(budget, scopes_past_the_bound_end_with_their_recording)
{
    AT_END(scene_done) struct scene s = scene_make(1);
    spy_fail();
    for (int i = 0; i < 11; i++)
        annot_context_begin_event(s.list.context, 0, "x", 1);
    spy_heap.fail_at = 0;
    annot_context_close(s.list.context);
    cr_expect_eq(spy_said.id, ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK);
    cr_expect_not_null(strstr(spy_said.text, "with 11 open"), "%s", spy_said.text);
    annot_context_open(s.list.context, s.arena);
    spy_forget_messages();
    annot_context_end_event(s.list.context);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW), 1);
}

/* ---- what is left of a chunk ---- */

/* Markers that leave `left` bytes of the list's chunk. */
static void fill(const struct scene *s, uint32_t left)
{
    const uintptr_t end =
        (uintptr_t)s->arena->first->chunk + ANNOT__CHUNK_SIZE - ANNOT__UNIT - left;
    spy_mark(s->list.context,
             (uint32_t)(end - s->list.context->cursor.at - sizeof(struct annot__record)));
    cr_assert_eq(end, s->list.context->cursor.at);
}

/* A recording that has no room for its own record puts nothing behind the one before. */
Test(budget, a_recording_without_room_adds_nothing_to_another)
{
    for (uint32_t left = 0; left <= 128; left += 16) {
        AT_END(scene_done) struct scene s = scene_make(65536);
        const bool is_kept = left >= sizeof(struct annot__record) + sizeof(struct annot__recording);
        annot_reader_stream stream;
        fill(&s, left + 16); /* what its lack of a name takes, too */
        annot_context_close(s.list.context);
        cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
        annot_context_end_event(s.list.context);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
        cr_assert(annot_reader_stream_at(dump.reader, 0, &stream));
        cr_expect_eqs(stream.surplus_ends, 0, stream.entry_count, 1, "%u bytes left", left);
        cr_assert_eq(annot_reader_stream_at(dump.reader, 1, &stream) && !stream.is_queue, is_kept,
                     "%u bytes left", left);
        if (is_kept)
            cr_expect_eq(stream.surplus_ends, 1);
    }
}

/* An End too many is counted, and lost where there is no room for it. */
Test(budget, an_end_too_many_without_room_is_a_loss)
{
    for (uint32_t left = 0; left <= 16; left += 16) {
        AT_END(scene_done) struct scene s = scene_make(65536);
        annot_reader_stream stream;
        fill(&s, left);
        annot_context_end_event(s.list.context);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
        cr_assert(annot_reader_stream_at(dump.reader, 0, &stream));
        cr_expect_eqs(stream.surplus_ends, 1, stream.dropped, left == 0);
    }
}

/* A name is worth a chunk: the recording has the one that it was closed with. */
Test(budget, a_recording_has_its_name_where_its_chunk_has_no_room)
{
    for (uint32_t left = 0; left <= 48; left += 16) {
        AT_END(scene_done) struct scene s = scene_make(0);
        annot_reader_stream stream;
        annot_object_set_name(s.list.object, "then", ANNOT_TEXT_UTF8);
        fill(&s, left);
        annot_context_close(s.list.context);
        annot_object_set_name(s.list.object, "now", ANNOT_TEXT_UTF8);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
        cr_assert(annot_reader_stream_at(dump.reader, 0, &stream));
        cr_expect(stream.has_name && stream.name.size == 4 &&
                      memcmp(stream.name.data, "then", 4) == 0,
                  "%u bytes left", left);
    }
}

/* An operation takes no more than it has: 16 bytes, 8 and 8 an argument, in whole units. */
Test(budget, operations_fill_a_chunk)
{
    static const int64_t argument = 7;
    const annot_operation operation = {.kind = 6, .arguments = &argument, .argument_count = 1};
    const uint32_t recording = sizeof(struct annot__record) + sizeof(struct annot__recording);
    AT_END(scene_done) struct scene s = scene_make(0);
    for (uint32_t i = 0; i < (ANNOT__CHUNK_CAPACITY - recording) / 32; i++)
        annot_context_note_operation(s.list.context, &operation);
    cr_expect_eq(spy_stats(s.device).live_bytes, 65536);
    annot_context_note_operation(s.list.context, &operation);
    cr_expect_eq(spy_stats(s.device).live_bytes, 2 * 65536);
}

/* Between a scope that was lost and its End an operation leaves the markers behind it where they
 * are: inside of the last scope that was kept. */
Test(budget, an_operation_inside_a_lost_scope_changes_no_parents)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_marker_info info;
    annot_context_begin_event(s.list.context, 0, "outer", 5);
    const uint64_t outer = spy_last()->id;
    static const char payload[70000];
    spy_heap.fail_at = spy_heap.allocations + 1;
    annot_context_begin_event(s.list.context, 0, payload, sizeof payload);
    spy_heap.fail_at = 0;
    const uint64_t lost = spy_last()->id;
    cr_assert_eq(spy_lookup(s.device, lost), ANNOT_LOOKUP_DROPPED);
    annot_context_note_operation(s.list.context, &(annot_operation){.kind = 6});
    const uint64_t inside = spy_mark(s.list.context, 4);
    cr_assert_eq(annot_device_lookup(s.device, inside, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(info.parent, outer);
    annot_context_end_event(s.list.context);
    cr_expect_eq(spy_last()->id, lost);
    annot_context_end_event(s.list.context);
    cr_expect_eq(spy_last()->id, outer);
}

/* A record may end where its chunk ends. */
Test(budget, a_chunk_is_filled_to_its_end)
{
    const uint32_t most = ANNOT__CHUNK_CAPACITY - sizeof(struct annot__record);
    for (uint32_t more = 0; more < 2; more++) {
        AT_END(scene_done) struct scene s = scene_make(0);
        const uint64_t before = spy_stats(s.device).live_bytes;
        spy_mark(s.queue.context, most - 1008);
        spy_mark(s.queue.context, 992 + more);
        cr_expect_eq(spy_stats(s.device).live_bytes - before, (1 + more) * 65536);
    }
}
