/* Objects have the names that they had when their work was submitted [ANN-TRUTH-03]: pools name a
 * list between Close and ExecuteCommandLists, and rename it for its next use. */
#include "device_dump.h"
#include "spy.h"

#include <annot/fleet.h>

struct scene {
    annot_device *device;
    struct spy_child queue, list;
    annot_arena *arena;
};

static struct scene scene_make(annot_mode mode)
{
    annot_device *device = spy_device(mode, 0);
    return (struct scene){device, spy_queue(device, 0, spy_handle(1)),
                          spy_list(device, 0, spy_handle(2)), spy_arena(device)};
}

static void scene_done(struct scene *scene)
{
    annot_arena_destroy(scene->arena);
    spy_child_done(scene->list);
    spy_child_done(scene->queue);
    spy_device_done(scene->device);
}

static void name(struct spy_child child, const char *to)
{
    annot_object_set_name(child.object, to, ANNOT_TEXT_UTF8);
}

static void record(struct scene *scene)
{
    cr_assert_eq(annot_context_open(scene->list.context, scene->arena), ANNOT_OK);
    annot_context_set_marker(scene->list.context, 1, "marker", 7);
    cr_assert_eq(annot_context_close(scene->list.context), ANNOT_OK);
}

static uint64_t submit(struct scene *scene)
{
    return annot_context_submit(scene->queue.context, &scene->list.context, 1);
}

static bool is(annot_text text, const char *expected)
{
    return text.size == strlen(expected) &&
           (text.size == 0 || memcmp(text.data, expected, text.size) == 0);
}

static void list_is(const annot_reader *reader, uint32_t execution, const char *expected)
{
    annot_reader_execution view;
    cr_assert(annot_reader_execution_at(reader, execution, &view));
    cr_expect(is(view.name, expected), "list of execution %u: \"%.*s\", not \"%s\"", execution,
              (int)view.name.size, view.name.data, expected);
}

static void queue_is(const annot_reader *reader, uint32_t submission, const char *expected)
{
    annot_reader_submission view;
    cr_assert(annot_reader_submission_at(reader, submission, &view));
    cr_expect(is(view.queue_name, expected), "queue of submission %u: \"%.*s\", not \"%s\"",
              submission, (int)view.queue_name.size, view.queue_name.data, expected);
}

/* The recording, and the name in it, go when their allocator is reset for the next use. */
Test(submitted_name, a_name_outlives_the_recording)
{
    static const struct {
        const char *first, *next;
    } cases[] = {{"shadows", "lighting"}, {NULL, "lighting"}, {"shadows", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
        name(scene.list, cases[i].first);
        record(&scene);
        submit(&scene);
        cr_assert_eq(annot_arena_reset(scene.arena), ANNOT_OK);
        name(scene.list, cases[i].next);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, NULL);
        list_is(dump.reader, 0, cases[i].first ? cases[i].first : "");
    }
}

Test(submitted_name, a_list_without_a_name_gets_none_from_later)
{
    AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
    record(&scene);
    submit(&scene);
    name(scene.list, "later");
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, NULL);
    list_is(dump.reader, 0, "");
    AT_END(at_end_free_report) char *text = device_dump_text(dump.reader, ANNOT_REPORT_TEXT);
    cr_expect_null(strstr(text, "later"), "%s", text);
}

/* Its recording is not kept, so that nothing else knows the name. */
Test(submitted_name, a_list_that_keeps_no_markers_has_one_too)
{
    AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
    annot_device_set_mode(scene.device, ANNOT_MODE_RUNTIME_ONLY);
    AT_END(spy_child_ended) struct spy_child list = spy_list(scene.device, 0, spy_handle(3));
    annot_context_open(list.context, scene.arena);
    name(list, "water");
    annot_context_close(list.context);
    annot_context_submit(scene.queue.context, &list.context, 1);
    name(list, "later");
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, NULL);
    list_is(dump.reader, 0, "water");
}

/* It is named between its own Close and ExecuteBundle, and again later. */
Test(submitted_name, a_bundle_has_the_name_of_each_execution)
{
    AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
    AT_END(spy_child_ended) struct spy_child bundle = spy_list(scene.device, 1, spy_handle(3));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(scene.device);
    name(bundle, "closed");
    annot_context_open(bundle.context, arena);
    annot_context_set_marker(bundle.context, 1, "inside", 7);
    annot_context_close(bundle.context);
    annot_context_open(scene.list.context, scene.arena);
    annot_context_execute_bundle(scene.list.context, bundle.context);
    name(bundle, "particles");
    annot_context_execute_bundle(scene.list.context, bundle.context);
    name(bundle, NULL);
    annot_context_execute_bundle(scene.list.context, bundle.context);
    annot_context_close(scene.list.context);
    name(bundle, "later");
    submit(&scene);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, NULL);
    annot_reader_stream stream;
    annot_reader_entry entry;
    static const char *const names[] = {"closed", "particles", ""};
    cr_assert(annot_reader_stream_at(dump.reader, 1, &stream));
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert(annot_reader_entry_at(dump.reader, stream.first_entry + i, &entry));
        cr_expect(is(entry.bundle_name, names[i]), "execution %u: %.*s", i,
                  (int)entry.bundle_name.size, entry.bundle_name.data);
    }
    AT_END(at_end_free_report) char *text;
    const annot_report_options all = {.all = true};
    cr_assert_eq(annot_report_memory(dump.reader, ANNOT_REPORT_TEXT, &all, &text, NULL), ANNOT_OK);
    cr_expect(strstr(text, "ExecuteBundle 1: \"closed\"") &&
                  strstr(text, "ExecuteBundle 2: \"particles\"") &&
                  strstr(text, "ExecuteBundle 3: #"),
              "%s", text);
    cr_expect_null(strstr(text, "later"), "%s", text);
    annot_report_free(text);
    cr_assert_eq(annot_report_memory(dump.reader, ANNOT_REPORT_JSON, &all, &text, NULL), ANNOT_OK);
    char expected[3][96];
    for (int i = 0; i < 3; i++) {
        snprintf(expected[i], sizeof expected[i],
                 "\"bundle\":%d,\"object\":\"%llu\",\"object_name\":%s%s%s", i + 1,
                 (unsigned long long)annot_object_id(bundle.object), names[i][0] ? "\"" : "",
                 names[i][0] ? names[i] : "null", names[i][0] ? "\"" : "");
        cr_expect(strstr(text, expected[i]), "%s is not in %s", expected[i], text);
    }
}

static bool refuse(void *user, uint64_t serial)
{
    (void)user;
    (void)serial;
    return false;
}

/* Its serial is given to the next one. */
Test(submitted_name, a_submission_that_was_not_made_leaves_no_name)
{
    AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
    name(scene.list, "closed");
    name(scene.queue, "first");
    record(&scene);
    AT_END(spy_child_ended) struct spy_child other = spy_list(scene.device, 0, spy_handle(3));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(scene.device);
    name(other, "other");
    annot_context_open(other.context, arena);
    annot_context_close(other.context);
    name(scene.list, "refused");
    annot_context_submit_with(scene.queue.context, &scene.list.context, 1, refuse, NULL);
    annot_context_submit(scene.queue.context, &other.context, 1);
    name(scene.queue, "later");
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, NULL);
    cr_assert_eq(annot_reader_execution_count(dump.reader), 1);
    list_is(dump.reader, 0, "other");
    queue_is(dump.reader, 0, "first");
}

/* Chunks of a queue's stream make room when the budget is used up, the oldest first. */
Test(submitted_name, a_queues_name_outlives_what_makes_room)
{
    enum { MANY = 20000 };
    AT_END(spy_device_ended)
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 256u << 10);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, spy_handle(1));
    name(queue, "graphics");
    for (unsigned i = 0; i < MANY; i++) {
        annot_context_set_marker(queue.context, 1, "marker", 7);
        annot_context_completed(queue.context, annot_context_submit(queue.context, NULL, 0));
    }
    name(queue, "later");
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    cr_assert_gt(annot_reader_loss(dump.reader, ANNOT_LOSS_EVICTED_SUBMISSIONS), 0);
    const size_t count = annot_reader_submission_count(dump.reader);
    cr_assert_gt(count, 0);
    queue_is(dump.reader, (uint32_t)count - 1, "graphics");
}

/* [ANN-RPT-02] */
Test(submitted_name, is_not_in_a_redacted_dump)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = {1};
    AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
    AT_END(spy_child_ended) struct spy_child bundle = spy_list(scene.device, 1, spy_handle(3));
    name(bundle, "particles");
    annot_context_open(scene.list.context, scene.arena);
    annot_context_execute_bundle(scene.list.context, bundle.context);
    annot_context_set_marker(scene.list.context, 1, "marker", 7);
    annot_context_execute_bundle(scene.list.context, bundle.context);
    annot_context_close(scene.list.context);
    name(scene.list, "shadows");
    name(scene.queue, "graphics");
    submit(&scene);
    name(bundle, NULL);
    name(scene.list, NULL);
    name(scene.queue, NULL);
    AT_END(device_dump_done)
    struct device_dump dump = device_dump_take(scene.device, NULL), redacted = {0};
    cr_assert_not_null(memmem(dump.data, dump.size, "shadows", 7));
    const annot_report_sink sink = {&redacted, device_dump_write};
    cr_assert_eq(annot_redact_write(dump.reader, key, &sink), ANNOT_OK);
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, redacted.data, redacted.size,
                                          &redacted.reader),
                 ANNOT_OK);
    cr_expect_null(memmem(redacted.data, redacted.size, "shadows", 7));
    cr_expect_null(memmem(redacted.data, redacted.size, "graphics", 8));
    cr_expect_null(memmem(redacted.data, redacted.size, "particles", 9));
    annot_reader_execution execution;
    annot_reader_submission submission;
    cr_assert(annot_reader_execution_at(redacted.reader, 0, &execution));
    cr_assert(annot_reader_submission_at(redacted.reader, 0, &submission));
    cr_expect_gt(execution.name.size, 0);
    cr_expect_gt(submission.queue_name.size, 0);
}

/* The record of a queue's name stands for nothing when the submission that it was made for was not
 * made: the next one has another. */
Test(submitted_name, a_queue_has_its_name_behind_a_submission_that_was_not_made)
{
    for (int is_named = 0; is_named < 2; is_named++) {
        AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
        if (is_named)
            name(scene.queue, "then");
        record(&scene);
        cr_assert_eq(annot_context_withdraw(scene.queue.context, submit(&scene)), ANNOT_OK);
        submit(&scene);
        submit(&scene);
        name(scene.queue, "now");
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, NULL);
        for (uint32_t i = 0; i < 2; i++)
            queue_is(dump.reader, i, is_named ? "then" : "");
    }
}

/* A pooled target is named for the next pass while the GPU works on this one. */
Test(submitted_name, what_an_operation_is_bound_to_has_the_name_of_its_submission)
{
    static const struct {
        const char *made, *recorded, *later[2]; /* names; NULL: none */
        const char *expected;
    } rows[] = {
        {"frame 6", "frame 7", {"frame 8", "frame 9"}, "\"frame 7\""},
        {"frame 7", "frame 7", {"frame 7", "frame 8"}, "\"frame 7\""},
        {"frame 6", NULL, {"frame 8", NULL}, "(unnamed)"},
        {NULL, "frame 7", {NULL, NULL}, "\"frame 7\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
        const annot_object_desc desc = {.type = ANNOT_OBJECT_RESOURCE};
        annot_object *other, *target;
        cr_assert_eq(annot_object_create(scene.device, &desc, &other), ANNOT_OK);
        cr_assert_eq(annot_object_create(scene.device, &desc, &target), ANNOT_OK);
        annot_object_set_name(target, rows[i].made, ANNOT_TEXT_UTF8);
        submit(&(struct scene){scene.device, scene.queue, {NULL, NULL}, NULL});
        const annot_bound_object bound = {annot_object_id(target), ANNOT_BOUND_TARGET, 0};
        const annot_operation draw = {.kind = 3, .object_count = 1, .objects = &bound};
        cr_assert_eq(annot_context_open(scene.list.context, scene.arena), ANNOT_OK);
        annot_context_begin_event(scene.list.context, 1, "pass", 5);
        const uint64_t pass = spy_last()->id;
        annot_context_note_operation(scene.list.context, &draw);
        annot_context_end_event(scene.list.context);
        cr_assert_eq(annot_context_close(scene.list.context), ANNOT_OK);
        annot_object_set_name(target, rows[i].recorded, ANNOT_TEXT_UTF8);
        const uint64_t serial = submit(&scene);
        for (unsigned k = 0; k < 2; k++) {
            annot_object_set_name(target, rows[i].later[k], ANNOT_TEXT_UTF8);
            annot_object_set_name(other, "of another", ANNOT_TEXT_UTF8); /* in another order */
            submit(&(struct scene){scene.device, scene.queue, {NULL, NULL}, NULL});
        }
        const annot_progress row = {.queue = annot_object_id(scene.queue.object),
                                    .submission = serial,
                                    .state = ANNOT_PROGRESS_STARTED,
                                    .inside = ANNOT_INSIDE_TRACKED,
                                    .started = pass};
        const annot_crash_report report = {
            .size = sizeof report, .progress = &row, .progress_count = 1};
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(scene.device, &report);
        AT_END(at_end_free_report) char *text = device_dump_text(dump.reader, ANNOT_REPORT_TEXT);
        const char *said = strstr(text, "    target ");
        cr_assert_not_null(said, "row %zu: %s", i, text);
        cr_expect_not_null(strstr(said, rows[i].expected), "row %zu: %s", i, text);
        cr_expect_null(strstr(text, "frame 8"), "row %zu: %s", i, text);
        annot_object_destroy(target);
        annot_object_destroy(other);
    }
}

/* A described buffer is told with the submissions before which it was made and destroyed, counted
 * over all queues; another object is not [ANN-CRASH-04]. */
Test(submitted_name, a_buffer_has_its_life)
{
    static const struct row {
        uint32_t before, between;
        bool is_described, is_destroyed;
        const char *life, *json;
    } rows[] = {
        {0, 0, true, true, "made before the device's submission 1, destroyed before submission 1\n",
         "\"made_before\":\"1\",\"destroyed_before\":\"1\""},
        {2, 3, true, true, "made before the device's submission 3, destroyed before submission 6\n",
         "\"made_before\":\"3\",\"destroyed_before\":\"6\""},
        {1, 2, true, false, "made before the device's submission 2\n",
         "\"made_before\":\"2\",\"resource\""},
        {1, 2, true, true,
         "made before the device's submission 2, memory freed before submission 4\n",
         "\"memory\":\"freed\""},
        {1, 2, false, true, NULL, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        AT_END(scene_done) struct scene scene = scene_make(ANNOT_MODE_DRIVER_RETAIL);
        annot_object *buffer;
        record(&scene);
        for (uint32_t k = 0; k < row->before; k++)
            submit(&scene);
        annot_object_create(scene.device, &(annot_object_desc){.kind = 77}, &buffer);
        annot_object_set_name(buffer, "Vertices", ANNOT_TEXT_UTF8);
        if (row->is_described)
            annot_object_set_resource(buffer, &(annot_resource){.dimension = 1, .width = 16});
        const annot_allocation_range range = {
            .address = 0x1000, .size = 16, .object = annot_object_id(buffer)};
        for (uint32_t k = 0; k < row->between; k++)
            submit(&scene);
        if (row->json && strstr(row->json, "freed")) {
            annot_object_set_resource(buffer, &(annot_resource){.dimension = 1,
                                                                .memory = ANNOT_MEMORY_FREED});
            submit(&scene);
        }
        if (row->is_destroyed)
            annot_object_destroy(buffer);
        submit(&scene);
        const annot_fault fault = {.address = 0x1008, .source = ANNOT_FAULT_DRIVER};
        AT_END(device_dump_done)
        struct device_dump dump = device_dump_with(
            scene.device, &(annot_dump_info){.error = ANNOT_DEVICE_ERROR_PAGE_FAULT,
                                             .ranges = &range,
                                             .range_count = 1,
                                             .faults = &fault,
                                             .fault_count = 1});
        AT_END(at_end_free_report) char *text = device_dump_text(dump.reader, ANNOT_REPORT_TEXT);
        AT_END(at_end_free_report) char *json = device_dump_text(dump.reader, ANNOT_REPORT_JSON);
        cr_expect_not_null(strstr(text, "8 bytes into \"Vertices\""), "%s", text);
        cr_expect_eq(strstr(text, "  life  ") != NULL, row->is_described, "%s", text);
        cr_expect(!row->life || strstr(text, row->life), "%zu: %s", i, text);
        cr_expect(!row->json || strstr(json, row->json), "%zu: %s", i, json);
        cr_expect(row->json || !strstr(json, "made_before"), "%zu: %s", i, json);
        if (!row->is_destroyed)
            annot_object_destroy(buffer);
    }
}
