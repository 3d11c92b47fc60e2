/* Submissions that were never made, and ones that are made under the queue's lock [ANN-CRASH-02]. */
#include "device_dump.h"
#include "spy.h"

struct scene {
    annot_device *device;
    annot_arena *arena;
    spy_child list, queue;
};

static struct scene scene_start(annot_mode list_mode)
{
    struct scene s = {.device = spy_device(list_mode, 0)};
    s.arena = spy_arena(s.device);
    s.list = spy_list(s.device, 0, spy_handle(1));
    annot_device_set_mode(s.device, ANNOT_MODE_DRIVER_RETAIL);
    s.queue = spy_queue(s.device, 0, spy_handle(2));
    annot_context_open(s.list.context, s.arena);
    annot_context_set_marker(s.list.context, 1, "m", 1);
    annot_context_close(s.list.context);
    return s;
}

static void scene_end(struct scene *s)
{
    spy_child_done(s->list);
    spy_child_done(s->queue);
    annot_arena_destroy(s->arena);
    spy_device_done(s->device);
}

static void expect_serials(struct scene *s, size_t count, const uint64_t *serials)
{
    struct device_dump dump = device_dump_take(s->device, NULL);
    cr_assert_eq(annot_reader_submission_count(dump.reader), count);
    for (uint32_t i = 0; i < count; i++) {
        annot_reader_submission submission;
        cr_assert(annot_reader_submission_at(dump.reader, i, &submission));
        cr_expect_eq(submission.serial, serials[i]);
    }
    device_dump_done(&dump);
}

/* A later fence must not call finished what never ran. */
Test(withdraw, a_submission_that_was_never_made_is_in_no_dump)
{
    struct scene s = scene_start(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    cr_assert_eq(annot_context_submit(queue, &s.list.context, 1), 1);
    cr_assert_eq(annot_context_submit(queue, &s.list.context, 1), 2);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_OK);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_ERROR_INVALID_ARGUMENT, "it is gone");
    expect_serials(&s, 1, (const uint64_t[]){1});
    cr_expect_eq(annot_context_submit(queue, &s.list.context, 1), 2, "given out again");
    expect_serials(&s, 2, (const uint64_t[]){1, 2});
    cr_assert_eq(annot_context_submit(queue, &s.list.context, 1), 3);
    cr_expect_eq(annot_context_withdraw(queue, 2), ANNOT_OK, "not the last one");
    cr_expect_eq(annot_context_submit(queue, &s.list.context, 1), 4);
    expect_serials(&s, 3, (const uint64_t[]){1, 3, 4});
    annot_context_completed(queue, 3);
    cr_expect_eq(annot_context_withdraw(queue, 3), ANNOT_ERROR_INVALID_ARGUMENT, "it was made");
    cr_expect_eq(annot_context_withdraw(queue, 0), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_context_withdraw(queue, 5), ANNOT_ERROR_INVALID_ARGUMENT);
    expect_serials(&s, 3, (const uint64_t[]){1, 3, 4});
    scene_end(&s);
}

/* However far back its record is: markers fill chunks in between. */
Test(withdraw, reaches_a_submission_in_an_earlier_chunk)
{
    static const char payload[4000];
    struct scene s = scene_start(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    for (int i = 0; i < 40; i++)
        annot_context_set_marker(queue, 0, payload, sizeof payload);
    annot_context_submit(queue, &s.list.context, 1);
    for (int i = 0; i < 40; i++)
        annot_context_set_marker(queue, 0, payload, sizeof payload);
    annot_context_submit(queue, &s.list.context, 1);
    cr_expect_eq(annot_context_withdraw(queue, 1), ANNOT_OK);
    expect_serials(&s, 1, (const uint64_t[]){2});
    scene_end(&s);
}

struct attempt {
    annot_context *queue;
    uint64_t serial;
    bool succeeds;
};

static bool make(void *user, uint64_t serial)
{
    struct attempt *attempt = user;
    attempt->serial = serial;
    annot_context_completed(attempt->queue, serial - 1); /* the one call that is allowed */
    return attempt->succeeds;
}

Test(withdraw, a_submission_and_its_making_are_one_step)
{
    struct scene s = scene_start(ANNOT_MODE_DRIVER_RETAIL);
    annot_context *queue = s.queue.context;
    struct attempt attempt = {queue, 0, false};
    cr_expect_eq(annot_context_submit_with(queue, &s.list.context, 1, make, &attempt), 0);
    cr_expect_eq(attempt.serial, 1);
    expect_serials(&s, 0, NULL);
    attempt.succeeds = true;
    cr_expect_eq(annot_context_submit_with(queue, &s.list.context, 1, make, &attempt), 1);
    cr_expect_eq(annot_context_submit_with(queue, NULL, 0, make, &attempt), 2);
    expect_serials(&s, 2, (const uint64_t[]){1, 2});
    scene_end(&s);
}

/* Queue markers that only a fence follows are completed by a submission without lists, and can make room then. */
Test(withdraw, an_empty_submission_completes_the_markers_before_it)
{
    static const char payload[4000];
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 1 << 18);
    spy_child queue = spy_queue(device, 0, spy_handle(2));
    for (int i = 0; i < 1000; i++) {
        annot_context_set_marker(queue.context, 0, payload, sizeof payload);
        annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
    }
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    cr_expect_eq(stats.dropped_markers, 0);
    cr_expect_gt(stats.evicted_markers, 0);
    spy_child_done(queue);
    spy_device_done(device);
}

/* ANN-MARK-11: a retained marker is never missing because the list around it is not retained. */
Test(withdraw, a_retained_bundle_is_kept_in_a_list_that_retains_nothing)
{
    struct scene s = scene_start(ANNOT_MODE_RUNTIME_ONLY);
    spy_child bundle = spy_list(s.device, 1, spy_handle(3));
    spy_child plain = s.list;
    annot_arena *arena = spy_arena(s.device);
    annot_context_open(bundle.context, arena);
    annot_context_begin_event(bundle.context, 1, "trees", 5);
    annot_context_end_event(bundle.context);
    annot_context_close(bundle.context);
    uint64_t trees = spy_last()->id;

    cr_assert_not(annot_context_forwards(plain.context));
    annot_device_set_mode(s.device, ANNOT_MODE_RUNTIME_ONLY);
    spy_child silent = spy_list(s.device, 1, spy_handle(4));
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
    struct device_dump dump = device_dump_take(s.device, &report);
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
    device_dump_done(&dump);
    spy_child_done(bundle);
    spy_child_done(silent);
    annot_arena_destroy(arena);
    scene_end(&s);
}

/* A payload that can't be retained at all is said to be too large, not the budget of 0 bytes exhausted. */
Test(withdraw, a_payload_past_the_limit_is_called_too_large)
{
    const uint32_t size = 64u << 20;
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    spy_child list = spy_list(device, 0, spy_handle(1));
    annot_arena *arena = spy_arena(device);
    void *payload = calloc(1, size);
    annot_context_open(list.context, arena);
    annot_context_set_marker(list.context, 0, payload, size);
    cr_expect_eq(spy_said.id, ANNOT_MESSAGE_MARKERS_DROPPED);
    cr_expect(strstr(spy_said.text, "67108864 bytes"), "%s", spy_said.text);
    cr_expect_not(strstr(spy_said.text, "budget"), "%s", spy_said.text);
    annot_context_close(list.context);
    free(payload);
    spy_child_done(list);
    annot_arena_destroy(arena);
    spy_device_done(device);
}
