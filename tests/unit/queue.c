/* Queues: submissions, completion, eviction's books [ANN-LIFE-02, -06, ANN-MARK-11]. */
#include "device_dump.h"
#include "spy.h"
#include "record/types.h"

Test(queue, submissions_are_numbered_from_one_per_queue)
{
    for (uint32_t mode = 1; mode <= 2; mode++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(mode, 0);
        AT_END(spy_child_ended)
        struct spy_child first = spy_queue(device, 0, NULL), second = spy_queue(device, 2, NULL);
        for (uint64_t i = 1; i <= 100; i++)
            cr_expect_eq(annot_context_submit(first.context, NULL, 0), i);
        cr_expect_eq(annot_context_submit(second.context, NULL, 0), 1);
    }
}

/* Serials count on without memory, and for any number of lists. */
Test(queue, submit_never_fails)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 1);
    AT_END(spy_child_ended)
    struct spy_child queue = spy_queue(device, 0, NULL), list = spy_list(device, 0, NULL);
    static annot_context *lists[20000];
    for (size_t i = 0; i < 20000; i++)
        lists[i] = list.context;
    uint64_t expected = 0;
    for (uint32_t count = 0; count <= 20000; count = count * 3 + 1)
        cr_expect_eq(annot_context_submit(queue.context, lists, count), ++expected);
    cr_expect_eq(spy_calls.count, 0, "submissions are no driver calls");
}

Test(queue, completion_never_goes_backwards)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 2 * 65536);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    uint64_t first = spy_mark(queue.context, 60000);
    annot_context_submit(queue.context, NULL, 0);
    annot_context_submit(queue.context, NULL, 0);
    annot_context_completed(queue.context, 2);
    annot_context_completed(queue.context, 1);
    annot_context_completed(queue.context, 0);
    cr_expect_eq(atomic_load(&queue.context->queue->completed), 2);
    spy_mark(queue.context, 60000);
    spy_mark(queue.context, 60000);
    cr_expect_eq(spy_lookup(device, first), ANNOT_LOOKUP_EXPIRED);
}

/* While a reader holds the arena, nothing is evicted, and nothing is counted as such. */
Test(queue, eviction_that_a_reader_prevents_is_not_counted)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 2 * 65536);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    uint64_t first = spy_mark(queue.context, 60000);
    annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
    spy_mark(queue.context, 60000);
    annot_arena *arena = queue.context->queue->cursor.arena;
    annot__mutex_lock(&arena->guard); /* as a dump does while it writes */
    for (int i = 0; i < 5; i++)
        cr_expect_eq(spy_mark(queue.context, 60000) >> 12 & 0xFFFFF, 0xFFFFF);
    annot__mutex_unlock(&arena->guard);
    cr_expect_eq(spy_stats(device).dropped_markers, 5);
    cr_expect_eq(spy_stats(device).evicted_markers, 0);
    cr_expect_eq(atomic_load(&queue.context->queue->evicted_submissions), 0);
    cr_expect_eq(spy_lookup(device, first), ANNOT_LOOKUP_LIVE);
    spy_mark(queue.context, 60000);
    cr_expect_eq(spy_lookup(device, first), ANNOT_LOOKUP_EXPIRED);
    cr_expect_eq(spy_stats(device).evicted_markers, 1);
}

/* Several queues, each with its own scopes [ANN-MARK-02]. */
Test(queue, scopes_of_queues_are_apart)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child queues[3];
    uint64_t ids[3];
    for (size_t i = 0; i < 3; i++)
        queues[i] = spy_queue(device, 0, spy_handle(i));
    for (size_t i = 0; i < 3; i++) {
        annot_context_begin_event(queues[i].context, 0, "q", 1);
        ids[i] = spy_last()->id;
    }
    for (size_t i = 0; i < 3; i++) {
        annot_marker_info info;
        cr_expect_eq(annot_device_lookup(device, ids[i], &info, NULL, 0), ANNOT_LOOKUP_LIVE);
        cr_expect_eq(info.parent, 0);
        cr_expect_eq(info.object, annot_object_id(queues[i].object));
        annot_context_end_event(queues[i].context);
        cr_expect_eq(spy_last()->id, ids[i]);
        cr_expect_eq(spy_last()->handle, spy_handle(i));
        annot_context_end_event(queues[i].context);
        cr_expect_eq(spy_last()->id, 0);
    }
    for (size_t i = 0; i < 3; i++)
        spy_child_done(queues[i]);
}

/* Destroying queues in any order leaves the others whole. */
Test(queue, can_be_destroyed_in_any_order)
{
    for (int order = 0; order < 6; order++) {
        static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        AT_END(spy_device_ended)
        annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 3 * 65536);
        struct spy_child queues[3];
        for (int i = 0; i < 3; i++)
            queues[i] = spy_queue(device, 0, NULL);
        for (int k = 0; k < 3; k++) {
            for (int i = k; i < 3; i++) { /* evicts among those that are left */
                struct spy_child queue = queues[orders[order][i]];
                for (int n = 0; n < 3; n++) {
                    cr_expect_eq(spy_lookup(device, spy_mark(queue.context, 1000)),
                                 ANNOT_LOOKUP_LIVE);
                    annot_context_completed(queue.context,
                                            annot_context_submit(queue.context, NULL, 0));
                }
            }
            spy_child_done(queues[orders[order][k]]);
        }
        cr_expect_eq(spy_stats(device).live_bytes, 0);
    }
}

/* ANN-MARK-03, annot.h: a queue that records no markers of its own keeps the submissions of lists
 * that do, and no others. */
Test(queue, a_queue_without_markers_keeps_submissions_of_lists_with_markers)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
    annot_device_set_mode(device, ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended)
    struct spy_child queue = spy_queue(device, 0, spy_handle(2)),
                     plain = spy_list(device, 0, spy_handle(3));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    annot_context_open(list.context, arena);
    annot_context_set_marker(list.context, 1, "marker", 7);
    annot_context_close(list.context);
    annot_context *const lists[] = {list.context}, *const plains[] = {plain.context};
    cr_expect_eq(annot_context_submit(queue.context, plains, 1), 1);
    cr_expect_eq(annot_context_submit(queue.context, lists, 1), 2);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    annot_reader_submission submission;
    cr_assert_eq(annot_reader_submission_count(dump.reader), 1);
    cr_assert(annot_reader_submission_at(dump.reader, 0, &submission));
    cr_expect_eq(submission.serial, 2);
}

/* Without it a dump would have a gap that no loss explains. */
Test(queue, one_without_markers_keeps_submissions_of_lists_whose_markers_had_no_room)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 1);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, NULL);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    annot_reader_submission submission;
    annot_reader_execution execution;
    annot_device_set_mode(device, ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    spy_mark(list.context, 100);
    cr_assert_eq(annot_context_close(list.context), ANNOT_OK);
    cr_assert_eq(annot_context_submit(queue.context, &list.context, 1), 1);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    cr_expect_eq(annot_reader_loss(dump.reader, ANNOT_LOSS_MARKERS), 1);
    cr_assert(annot_reader_submission_at(dump.reader, 0, &submission));
    cr_expect_eq(submission.serial, 1);
    cr_assert(annot_reader_execution_at(dump.reader, 0, &execution));
    cr_expect_eq(execution.object, annot_object_id(list.object));
}

/* A queue that goes is in no dump, and the next one is, wherever in their order it was. */
Test(queue, a_queue_behind_one_that_is_gone_is_in_dumps)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child first = spy_queue(device, 0, spy_handle(1));
    spy_child_done(spy_queue(device, 0, spy_handle(2)));
    AT_END(spy_child_ended) struct spy_child last = spy_queue(device, 0, spy_handle(3));
    annot_reader_stream stream;
    uint32_t queues = 0;
    spy_mark(last.context, 8);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    for (uint32_t i = 0; annot_reader_stream_at(dump.reader, i, &stream); i++)
        queues += stream.is_queue;
    cr_expect_eq(queues, 2u);
}

/* Submissions of lists that keep nothing, on a queue that keeps nothing, take no memory; one
 * without a list's array has no lists. */
Test(queue, what_keeps_nothing_takes_no_memory)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    struct spy_child queue = spy_queue(device, 0, spy_handle(1)),
                     list = spy_list(device, 0, spy_handle(2));
    annot_object_set_name(list.object, "list", ANNOT_TEXT_UTF8);
    annot_context *lists[] = {list.context, NULL};
    cr_expect_eq(annot_context_submit(queue.context, lists, 2), 1);
    cr_expect_eq(annot_context_submit(queue.context, NULL, 3), 2);
    cr_expect_eq(spy_stats(device).live_bytes, 0);
    spy_child_done(queue);
    spy_child_done(list);
}

static annot_context *no_list(const void *lists, uint32_t index)
{
    (void)lists, (void)index;
    return NULL;
}

/* A submission of more lists than a record can have is made, and counted as lost. */
Test(queue, a_submission_of_too_many_lists_is_a_loss)
{
    enum { MANY = 4194303 }; /* 16 bytes each, and 16 of the submission: 64 MiB */
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    const size_t allocations = spy_heap.allocations;
    cr_expect_eq(annot_context_submit_each(queue.context, no_list, NULL, MANY, NULL, NULL), 1);
    cr_expect_eq(atomic_load(&queue.context->queue->dropped_submissions), 1);
    cr_expect_eq(spy_heap.allocations, allocations);
}

/* Whatever scopes are open, the oldest completed markers make room and the newest is kept. Of a
 * scope around what is left its own record stays until that has gone as well. */
Test(queue, chunks_make_room_but_for_the_scopes_around_what_is_left)
{
    static const char payload[60000];
    for (int first_is_scope = 0; first_is_scope < 2; first_is_scope++)
        for (int is_closed = 0; is_closed < 2; is_closed++) {
            AT_END(spy_device_ended)
            annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 3 * 65536);
            AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
            for (int chunk = 0; chunk < 2; chunk++) {
                if (chunk != first_is_scope)
                    annot_context_begin_event(queue.context, 0, "scope", 5);
                spy_mark(queue.context, sizeof payload);
            }
            const uint64_t first = spy_calls.calls[0].id;
            spy_mark(queue.context, sizeof payload);
            if (is_closed)
                annot_context_end_event(queue.context);
            annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
            cr_expect_eq(spy_lookup(device, spy_mark(queue.context, sizeof payload)),
                         ANNOT_LOOKUP_LIVE);
            cr_expect_eq(spy_lookup(device, first),
                         first_is_scope ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_EXPIRED);
            for (int chunk = 0; chunk < 2; chunk++) {
                annot_context_completed(queue.context,
                                        annot_context_submit(queue.context, NULL, 0));
                spy_mark(queue.context, sizeof payload);
            }
            cr_expect_eq(spy_lookup(device, first),
                         first_is_scope && !is_closed ? ANNOT_LOOKUP_LIVE : ANNOT_LOOKUP_EXPIRED);
            spy_forget_calls();
        }
}

/* Eviction does not wait for whoever has the objects: the marker is lost, and the next one kept. */
Test(queue, nothing_is_evicted_while_the_objects_are_locked)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 3 * 65536);
    AT_END(spy_child_ended)
    struct spy_child queue = spy_queue(device, 0, NULL), list = spy_list(device, 0, NULL);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    for (int i = 0; i < 2; i++)
        spy_mark(queue.context, 60000);
    annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    spy_mark(list.context, 60000);
    annot__mutex_lock(&device->objects_lock);
    cr_expect_eq(spy_lookup(device, spy_mark(list.context, 60000)), ANNOT_LOOKUP_DROPPED);
    annot__mutex_unlock(&device->objects_lock);
    cr_expect_eq(spy_stats(device).evicted_markers, 0);
    cr_expect_eq(spy_lookup(device, spy_mark(list.context, 60000)), ANNOT_LOOKUP_LIVE);
    cr_expect_eq(spy_stats(device).evicted_markers, 1);
    annot_context_close(list.context);
}

/* A queue's submissions go on without a budget for 16 chunks, of which none goes while it is not
 * completed, and the first one as soon as it is. */
Test(queue, submissions_beyond_the_budget_are_bounded)
{
    enum { CHUNKS = 16, MORE = 4, LISTS = 3000 }; /* so many fill a chunk */
    static annot_context *lists[LISTS];
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 1);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    struct annot__queue *its = queue.context->queue;
    for (uint64_t i = 1; i <= CHUNKS + MORE; i++) {
        cr_assert_eq(annot_context_submit(queue.context, lists, LISTS), i);
        cr_expect_eq(spy_stats(device).live_bytes, (i < CHUNKS ? i : CHUNKS) * 65536);
        cr_expect_eq(atomic_load(&its->dropped_submissions), i < CHUNKS ? 0 : i - CHUNKS);
    }
    cr_expect_eq(atomic_load(&its->evicted_submissions), 0);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
    annot_context_completed(queue.context, 1);
    annot_context_submit(queue.context, lists, LISTS);
    cr_expect_eq(atomic_load(&its->dropped_submissions), MORE);
    cr_expect_eq(atomic_load(&its->evicted_submissions), 1);
    cr_expect_eq(spy_stats(device).live_bytes, CHUNKS * 65536);
}

/* annot_device_stats: what an open scope needs when its chunk has made room is live as long as the
 * scope's queue. */
Test(queue, a_scope_that_outlives_its_chunk_is_live_until_its_queue_is_gone)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 131072);
    struct spy_child queue = spy_queue(device, 0, NULL);
    annot_context_begin_event(queue.context, 0, "open", 4);
    for (int i = 0; i < 4; i++)
        spy_mark(queue.context, 60000);
    cr_expect_gt(spy_stats(device).evicted_markers, 0);
    cr_expect_neq(spy_stats(device).live_bytes % 65536, 0);
    spy_child_done(queue);
    cr_expect_eq(spy_stats(device).live_bytes, 0);
}

/* Where its chunk makes room and there is no memory for it, a scope goes, and none around it. */
Test(queue, a_scope_without_memory_goes_alone)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 196608);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    annot_reader_entry entry;
    char name[8];
    annot_context_begin_event(queue.context, 1, "outer", 5);
    for (int i = 0; i < 5; i++) {
        if (i == 3)
            annot_context_begin_event(queue.context, 1, "inner", 5);
        if (i == 4)
            spy_fail();
        spy_mark(queue.context, 60000);
        spy_heap.fail_at = 0;
    }
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    for (uint32_t i = 0; annot_reader_entry_at(dump.reader, i, &entry); i++) {
        annot_reader_entry_name(dump.reader, i, name, sizeof name);
        cr_expect_str_neq(name, "inner");
        cr_expect_eq(strcmp(name, "outer") == 0, i == 0);
    }
}

static bool make_or_not(void *user, uint64_t serial)
{
    (void)serial;
    return *(const bool *)user;
}

/* A marker that was not made is no loss, whether there was room for it or not. */
Test(queue, a_submission_that_was_not_made_is_no_loss)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
    for (uint64_t is_made = 0; is_made < 2; is_made++) {
        bool answer = is_made > 0;
        spy_fail();
        annot_context_submit_with(queue.context, NULL, 0, make_or_not, &answer);
        spy_heap.fail_at = 0;
        cr_expect_eq(atomic_load(&queue.context->queue->dropped_submissions), is_made);
        cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), is_made);
    }
}

/* A queue's markers are told when they are lost, as a list's are, and its Ends too many are where
 * they were among its markers. */
Test(queue, losses_are_told_and_ends_too_many_are_in_their_place)
{
    for (uint64_t budget = 0; budget < 2; budget++) {
        AT_END(spy_device_ended)
        annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, budget);
        AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
        static const annot_entry_kind kinds[] = {ANNOT_ENTRY_SET, ANNOT_ENTRY_SURPLUS_END,
                                                 ANNOT_ENTRY_BEGIN, ANNOT_ENTRY_SET};
        annot_reader_entry entry;
        uint32_t count = 0;
        spy_forget_messages();
        spy_mark(queue.context, 8);
        cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), budget);
        annot_context_end_event(queue.context);
        annot_context_begin_event(queue.context, 0, "b", 1);
        spy_mark(queue.context, 8);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
        for (; annot_reader_entry_at(dump.reader, count, &entry); count++) {
            cr_assert_lt(count, 4u);
            cr_expect_eq(entry.kind, kinds[count]);
            cr_expect_eq(entry.parent, count == 3 ? 2 : ANNOT_READER_NONE);
        }
        cr_expect_eq(count, budget ? 0u : 4u);
    }
}

/* A record for which there is room is kept where the next one has none, be it a marker, a
 * submission or its queue's name: as much as one more needs, in steps of 16. */
Test(queue, a_submission_is_kept_whose_name_has_no_room)
{
    for (uint32_t left = 0; left <= 160; left += 16) {
        AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, NULL);
        const bool is_kept =
            left >= sizeof(struct annot__record) + sizeof(struct annot__submission);
        annot_object_set_name(queue.object, "then", ANNOT_TEXT_UTF8);
        spy_mark(queue.context, ANNOT__CHUNK_CAPACITY - sizeof(struct annot__record) - left);
        cr_assert_eq(spy_stats(device).live_bytes, 65536);
        spy_fail();
        annot_context_submit(queue.context, NULL, 0);
        spy_heap.fail_at = 0;
        cr_expect_eq(atomic_load(&queue.context->queue->dropped_submissions), !is_kept, "%u", left);
        annot_context_submit(queue.context, NULL, 0);
        annot_object_set_name(queue.object, "now", ANNOT_TEXT_UTF8);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
        annot_reader_submission submission;
        const size_t count = annot_reader_submission_count(dump.reader);
        cr_assert_eq(count, 1u + is_kept);
        cr_assert(annot_reader_submission_at(dump.reader, (uint32_t)count - 1, &submission));
        cr_expect(submission.queue_name.size == 4 &&
                      memcmp(submission.queue_name.data, "then", 4) == 0,
                  "%u bytes left", left);
    }
}

/* The same of a list that was never recorded, and of one that retains nothing but which bundles it
 * executes, wherever it is among the lists; each has its name. */
Test(queue, a_queue_without_markers_keeps_submissions_of_each_kind_of_list)
{
    for (int executes = 0; executes < 2; executes++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        AT_END(spy_child_ended) struct spy_child retail = spy_list(device, 0, spy_handle(1));
        annot_device_set_mode(device, ANNOT_MODE_RUNTIME_ONLY);
        AT_END(spy_child_ended)
        struct spy_child queue = spy_queue(device, 0, NULL), plain = spy_list(device, 0, NULL),
                         silent = spy_list(device, 0, spy_handle(2));
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device), *other = spy_arena(device);
        annot_object_set_name(plain.object, "plain", ANNOT_TEXT_UTF8);
        annot_object_set_name((executes ? silent : retail).object, "other", ANNOT_TEXT_UTF8);
        if (executes) {
            annot_context_open(retail.context, arena);
            spy_mark(retail.context, 8);
            annot_context_close(retail.context);
            annot_context_open(silent.context, other);
            annot_context_execute_bundle(silent.context, retail.context);
            annot_context_close(silent.context);
        }
        annot_context *lists[] = {plain.context, executes ? silent.context : retail.context};
        cr_assert_eq(annot_context_submit(queue.context, lists, 2), 1);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
        annot_reader_execution execution;
        cr_assert_eq(annot_reader_submission_count(dump.reader), 1);
        for (uint32_t i = 0; i < 2; i++) {
            cr_assert(annot_reader_execution_at(dump.reader, i, &execution));
            cr_expect(execution.name.size == 5 &&
                      memcmp(execution.name.data, i ? "other" : "plain", 5) == 0);
        }
    }
}
