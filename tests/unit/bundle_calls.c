/* ExecuteBundle: what a list retains of the bundles that it executes [ANN-MARK-11]. */
#include "device_dump.h"
#include "scene.h"
#include "record/types.h"

/* ANN-MARK-11: a retained marker is never missing because the list around it is not retained. */
Test(bundle_calls, a_retained_bundle_is_kept_in_a_list_that_retains_nothing)
{
    AT_END(scene_done) struct scene s = scene_recorded(ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended) struct spy_child bundle = spy_list(s.device, 1, spy_handle(3));
    struct spy_child plain = s.list;
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(s.device);
    annot_context_open(bundle.context, arena);
    annot_context_begin_event(bundle.context, 1, "trees", 5);
    annot_context_end_event(bundle.context);
    annot_context_close(bundle.context);
    uint64_t trees = spy_last()->id;

    cr_assert_not(annot_context_forwards(plain.context));
    annot_device_set_mode(s.device, ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended) struct spy_child silent = spy_list(s.device, 1, spy_handle(4));
    annot_context_open(plain.context, s.arena);
    annot_context_execute_bundle(plain.context, silent.context); /* retains nothing, but counts */
    annot_context_execute_bundle(plain.context, bundle.context);
    annot_context_execute_bundle(plain.context, silent.context);
    annot_context_execute_bundle(plain.context, bundle.context);
    annot_context_set_marker(plain.context, 1, "not kept", 8);
    annot_context_close(plain.context);
    annot_context_submit(s.queue.context, &plain.context, 1);
    const annot_progress rows[] = {
        {.queue = annot_object_id(s.queue.object),
         .object = annot_object_id(plain.object),
         .submission = 1,
         .state = ANNOT_PROGRESS_STARTED},
        {.queue = annot_object_id(s.queue.object),
         .object = annot_object_id(bundle.object),
         .submission = 1,
         .bundle = 4,
         .state = ANNOT_PROGRESS_STARTED,
         .inside = ANNOT_INSIDE_TRACKED,
         .started = trees},
    };
    const annot_crash_report report = {
        .size = sizeof report, .progress = rows, .progress_count = 2};
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, &report);
    char path[64] = "";
    cr_expect_eq(annot_reader_finding_count(dump.reader), 0);
    cr_assert_eq(annot_reader_stop_count(dump.reader), 1);
    annot_reader_stop_path(dump.reader, 0, path, sizeof path);
    cr_expect_str_eq(path, "trees");
    annot_reader_entry call;
    annot_reader_stop stop;
    cr_assert(annot_reader_stop_at(dump.reader, 0, &stop));
    cr_assert(annot_reader_entry_at(dump.reader, stop.bundle, &call));
    cr_expect_eq(call.ordinal, 4, "the fourth ExecuteBundle of the list");
}

/* DUMP_FORMAT.md: RECORDING.dropped counts what was not retained, so that nobody takes the rest for
 * all; `bundles` counts the calls, dropped ones too. */
Test(bundle_calls, those_that_are_not_retained_are_counted)
{
    AT_END(scene_done) struct scene s = scene_make(65536);
    AT_END(spy_child_ended) struct spy_child bundle = spy_list(s.device, 1, spy_handle(3));
    annot_context_execute_bundle(s.list.context, bundle.context);
    uint64_t kept = 0;
    for (int i = 0; i < 5000; i++) {
        annot_context_set_marker(s.list.context, 0, NULL, 0);
        kept += spy_lookup(s.device, spy_last()->id) == ANNOT_LOOKUP_LIVE;
    }
    cr_assert_lt(kept, 5000);
    for (int i = 0; i < 3; i++)
        annot_context_execute_bundle(s.list.context, bundle.context);
    annot_context_close(s.list.context);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
    annot_reader_stream stream;
    cr_assert(annot_reader_stream_at(dump.reader, 0, &stream));
    cr_expect_eq(stream.marker_count, kept);
    cr_expect_eq(stream.dropped, 5000 - kept + 3);
}

/* A list that retains nothing executes one that does. */
static struct scene scene_of_silent_list(struct spy_child *bundle, annot_arena **arena)
{
    struct scene s = scene_recorded(ANNOT_MODE_RUNTIME_ONLY);
    *bundle = spy_list(s.device, 1, spy_handle(3));
    *arena = spy_arena(s.device);
    annot_context_open(bundle->context, *arena);
    annot_context_set_marker(bundle->context, 1, "trees", 5);
    annot_context_close(bundle->context);
    annot_context_open(s.list.context, s.arena);
    return s;
}

/* Else a dump would have a gap in the serials that no loss explains. */
Test(bundle_calls, a_list_whose_calls_had_no_room_has_its_submissions_kept)
{
    struct spy_child bundle;
    annot_arena *arena;
    AT_END(scene_done) struct scene s = scene_of_silent_list(&bundle, &arena);
    annot_device_set_mode(s.device, ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(s.device, 0, spy_handle(4));
    spy_fail();
    annot_context_execute_bundle(s.list.context, bundle.context);
    spy_heap.fail_at = 0;
    annot_context_close(s.list.context);
    annot_context_submit(queue.context, &s.list.context, 1);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
    annot_reader_execution execution;
    cr_assert(annot_reader_execution_at(dump.reader, 0, &execution));
    cr_expect_eq(execution.object, annot_object_id(s.list.object));
    spy_child_done(bundle);
    annot_arena_destroy(arena);
}

/* There is memory again at once: the call has its number, or is none that the dump has. */
Test(bundle_calls, a_call_without_room_is_not_kept_without_its_number)
{
    for (unsigned failing = 1; failing < 5; failing++) {
        struct spy_child bundle;
        annot_arena *arena;
        AT_END(scene_done) struct scene s = scene_of_silent_list(&bundle, &arena);
        spy_heap.fail_at = spy_heap.allocations + failing;
        spy_heap.fail_from = false;
        annot_context_execute_bundle(s.list.context, bundle.context);
        spy_heap.fail_at = 0;
        annot_context_execute_bundle(s.list.context, bundle.context);
        annot_context_close(s.list.context);
        annot_context_submit(s.queue.context, &s.list.context, 1);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
        annot_reader_entry entry;
        uint32_t last = 0;
        for (uint32_t i = 0; annot_reader_entry_at(dump.reader, i, &entry); i++)
            if (entry.kind == ANNOT_ENTRY_BUNDLE) {
                cr_expect_gt(entry.ordinal, last);
                last = entry.ordinal;
            }
        cr_expect_eq(last, 2);
        spy_child_done(bundle);
        annot_arena_destroy(arena);
    }
}

/* Without a list or a bundle there is no call. */
Test(bundle_calls, null_calls_nothing)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    const uint64_t live = spy_stats(s.device).live_bytes;
    annot_context_execute_bundle(NULL, NULL);
    annot_context_execute_bundle(NULL, s.list.context);
    annot_context_execute_bundle(s.list.context, NULL);
    annot_context_close(s.list.context);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
    cr_expect_eq(annot_reader_entry_at(dump.reader, 0, &(annot_reader_entry){0}), false);
    cr_expect_eqs(spy_stats(s.device).live_bytes, live, spy_said.count, 0u);
}

/* Two that retain nothing leave nothing, and lose nothing. */
Test(bundle_calls, between_lists_that_retain_nothing_are_not_kept)
{
    AT_END(scene_done) struct scene s = scene_make_in(ANNOT_MODE_RUNTIME_ONLY, 0);
    annot_device_set_mode(s.device, ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended) struct spy_child bundle = spy_list(s.device, 1, spy_handle(3));
    annot_context_execute_bundle(s.list.context, bundle.context);
    cr_expect_eqs(spy_stats(s.device).live_bytes, 0, spy_said.count, 0u);
}

/* A call that there is no room for is told as every loss is. */
Test(bundle_calls, a_lost_call_is_told)
{
    AT_END(scene_done) struct scene s = scene_make(1);
    AT_END(spy_child_ended) struct spy_child bundle = spy_list(s.device, 1, spy_handle(3));
    cr_assert_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 0);
    annot_context_execute_bundle(s.list.context, bundle.context);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
}

/* Its recording says the name that it had when it was closed, or there was no room for that: then
 * the call says it. */
Test(bundle_calls, a_name_that_its_recording_had_no_room_for_is_the_calls)
{
    static const char payload[ANNOT__CHUNK_CAPACITY];
    for (int is_named = 0; is_named < 2; is_named++) {
        AT_END(scene_done) struct scene s = scene_make(0);
        AT_END(spy_child_ended) struct spy_child bundle = spy_list(s.device, 1, spy_handle(3));
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(s.device);
        annot_reader_entry entry;
        if (is_named)
            annot_object_set_name(bundle.object, "then", ANNOT_TEXT_UTF8);
        for (int round = 0; round < 2; round++) {
            annot_context_open(bundle.context, arena);
            if (round == 1) {
                const size_t left = (uintptr_t)arena->first->chunk + ANNOT__CHUNK_SIZE -
                                    ANNOT__UNIT - bundle.context->cursor.at;
                annot_context_set_marker(bundle.context, 0, payload,
                                         (uint32_t)(left - sizeof(struct annot__record)));
                spy_fail();
            }
            annot_context_close(bundle.context);
            spy_heap.fail_at = 0;
        }
        cr_assert_eq(bundle.context->cursor.at, 0);
        annot_context_execute_bundle(s.list.context, bundle.context);
        annot_context_close(s.list.context);
        annot_object_set_name(bundle.object, "now", ANNOT_TEXT_UTF8);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(s.device, NULL);
        uint32_t i = 0;
        while (annot_reader_entry_at(dump.reader, i, &entry) && entry.kind != ANNOT_ENTRY_BUNDLE)
            i++;
        cr_assert_eq(entry.kind, ANNOT_ENTRY_BUNDLE);
        cr_expect(entry.bundle_name.size == (is_named ? 4 : 0) &&
                      (!is_named || memcmp(entry.bundle_name.data, "then", 4) == 0),
                  "%.*s", (int)entry.bundle_name.size, entry.bundle_name.data);
    }
}
