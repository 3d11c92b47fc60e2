/* Callers may get these wrong, or not know them: NULL, calls that make no sense, and structs of an
 * older or newer interface [annot.h, first comment]. */
#include "device_dump.h"
#include "spy.h"

#include <annot/calls.h>
#include <annot/evidence.h>
#include <annot/timeline.h>

/* annot.h: a layer whose creation failed goes on: what creates fails, everything else does
 * nothing. */
Test(edges, null_makes_nothing_and_harms_nothing)
{
    annot_object *object = (annot_object *)1;
    annot_arena *arena = (annot_arena *)1;
    annot_context *context = (annot_context *)1;
    annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
    cr_expect_eq(annot_object_create(NULL, &desc, &object), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_arena_create(NULL, &arena), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_context_create(NULL, &context), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect(!object && !arena && !context);

    annot_device_stats stats;
    memset(&stats, 0xFF, sizeof stats);
    annot_device_get_stats(NULL, &stats);
    cr_expect_eqs(stats.live_bytes, 0, stats.evicted_markers, 0);
    cr_expect_eq(annot_device_set_mode(NULL, ANNOT_MODE_DRIVER_RETAIL),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_device_mode(NULL), ANNOT_MODE_RUNTIME_ONLY);
    cr_expect_not(annot_device_is_supported(NULL));
    cr_expect_eq(annot_device_reserve_id(NULL), 0);
    annot_marker_info info;
    cr_expect_eq(annot_device_lookup(NULL, 1, &info, NULL, 8), ANNOT_LOOKUP_NEVER_ISSUED);

    char name[4] = "abc";
    cr_expect_eq(annot_object_set_name(NULL, "x", ANNOT_TEXT_UTF8), ANNOT_OK);
    cr_expect_eq(annot_object_get_name(NULL, NULL, 0), 0);
    cr_expect_eq(annot_object_get_name(NULL, name, 0), 0);
    cr_expect_str_eq(name, "abc", "there is no room");
    cr_expect_eq(annot_object_get_name(NULL, name, 1), 0);
    cr_expect_str_eq(name, "");
    cr_expect_eq(annot_object_get_name(NULL, name, sizeof name), 0);
    cr_expect_str_eq(name, "");
    cr_expect_eq(annot_object_id(NULL), 0);
    cr_expect_eq(annot_object_mode(NULL), ANNOT_MODE_RUNTIME_ONLY);
    cr_expect_eq(annot_arena_reset(NULL), ANNOT_OK);

    cr_expect_eq(annot_context_open(NULL, NULL), ANNOT_OK);
    annot_context_begin_event(NULL, 1, "x", 1);
    annot_context_set_marker(NULL, 1, "x", 1);
    annot_context_begin_event_by_reference(NULL, 1, "x", 1);
    annot_context_end_event(NULL);
    annot_context_execute_bundle(NULL, NULL);
    cr_expect_eq(annot_context_close(NULL), ANNOT_OK);
    cr_expect_eq(annot_context_submit(NULL, NULL, 3), 0);
    cr_expect_eq(annot_object_set_name_counted(NULL, "x", 1, ANNOT_TEXT_UTF8), ANNOT_OK);
    annot_context_completed(NULL, 7);
    cr_expect_eq(annot_context_withdraw(NULL, 7), ANNOT_ERROR_INVALID_ARGUMENT);
    annot_context_destroy(NULL);
    annot_arena_destroy(NULL);
    annot_object_destroy(NULL);
    annot_device_destroy(NULL);
}

static bool make(void *user, uint64_t serial)
{
    *(uint64_t *)user = serial + 100;
    return true;
}

/* annot/evidence.h: what is NULL is not tracked, and everything else goes on without it. */
Test(edges, a_tracker_of_nothing_changes_nothing)
{
    const annot_tracker_desc odd = {.word_size = 3},
                             uneven = {.memory = (char *)8 + 4, .word_size = 8},
                             huge = {.memory = (char *)8,
                                     .memory_size = (uint64_t)UINT32_MAX * 16,
                                     .word_size = 8};
    annot_context *const nobody[2] = {NULL, NULL};
    const annot_tracker_desc none = {.word_size = 8, .memory_size = 1 << 20};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(spy_child_ended)
    struct spy_child list = spy_list(device, 0, spy_handle(1)),
                     queue = spy_queue(device, 0, spy_handle(2));
    annot_context *lists[] = {list.context, NULL};
    annot_tracker *tracker = (annot_tracker *)&device;
    annot_crash_report report = {.size = sizeof report};
    annot_progress row;
    annot_words words[2] = {{1, 1}, {1, 1}};
    annot_prologue prologues[2] = {{1, 1, 1, 1}, {1, 1, 1, 1}};
    uint32_t count = 7, in_flight = 7;
    cr_expect_eq(annot_tracker_create(NULL, &none, &tracker), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(tracker);
    cr_expect_eq(annot_tracker_create(device, NULL, &tracker), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_tracker_create(device, &odd, &tracker), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_tracker_create(device, &uneven, &tracker), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_tracker_create(device, &huge, &tracker), ANNOT_ERROR_TOO_LARGE);
    cr_expect_null(tracker);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 1, "no description");

    /* without memory there are no words */
    cr_assert_eq(annot_tracker_create(device, &none, &tracker), ANNOT_OK);
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    cr_expect_eq(annot_tracker_record(tracker, list.context).started, ANNOT_WORDS_NONE);
    cr_expect_eq(annot_tracker_record(tracker, NULL).started, ANNOT_WORDS_NONE);
    cr_expect_eq(annot_tracker_record(NULL, list.context).completed, ANNOT_WORDS_NONE);
    annot_tracker_execute_bundle(tracker, NULL, list.context);
    annot_tracker_execute_bundle(tracker, list.context, NULL);
    annot_tracker_execute_bundle(tracker, queue.context, list.context);
    annot_tracker_execute_bundle(tracker, list.context, queue.context);
    annot_tracker_forget(NULL, list.context);
    annot_tracker_forget(tracker, NULL);
    annot_context_close(list.context);

    /* a submission is one also where it isn't tracked, in a queue alone */
    cr_expect_eq(annot_tracker_submit(NULL, queue.context, lists, 2, words), 1);
    cr_expect_eq(annot_tracker_submit_apart(NULL, queue.context, lists, 2, prologues), 2);
    for (int i = 0; i < 2; i++) {
        cr_expect_eqs(words[i].started, ANNOT_WORDS_NONE, words[i].completed, ANNOT_WORDS_NONE);
        cr_expect_eqs(prologues[i].entered, ANNOT_WORDS_NONE, prologues[i].cleared,
                      ANNOT_WORDS_NONE);
    }
    cr_expect_eq(annot_tracker_submit(tracker, NULL, lists, 2, words), 0);
    cr_expect_eq(annot_tracker_submit(tracker, list.context, lists, 2, words), 0);
    cr_expect_eq(annot_tracker_submit(tracker, queue.context, NULL, 0, NULL), 3);
    cr_expect_eq(annot_tracker_submit(tracker, queue.context, NULL, 2, words), 4, "no lists");
    cr_expect_eq(annot_tracker_submit(tracker, queue.context, nobody, 2, NULL), 5);
    cr_expect_eq(annot_tracker_withdraw(tracker, list.context, 1), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_tracker_withdraw(tracker, NULL, 1), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_tracker_withdraw(NULL, queue.context, 5), ANNOT_OK);
    annot_tracker_completed(tracker, NULL, 1);
    annot_tracker_completed(tracker, list.context, 1);
    annot_tracker_completed(NULL, queue.context, 1);
    cr_expect_not(annot_tracker_report(NULL, &report));
    cr_expect_not(annot_tracker_report(tracker, NULL));
    cr_expect_not(annot_tracker_copy_rows(NULL, &row, 1, &count, &in_flight));
    cr_expect_eqs(count, 0, in_flight, 0);
    cr_expect_not(annot_tracker_copy_rows(tracker, NULL, 1, &count, &in_flight));
    cr_expect(annot_tracker_copy_rows(tracker, NULL, 0, &count, &in_flight));
    cr_expect_eq(in_flight, 0u);
    annot_tracker_forget(tracker, list.context);
    annot_tracker_destroy(tracker);
    annot_tracker_destroy(NULL);
}

static uint64_t call_now;

static uint64_t call_of_a_trace(void)
{
    return call_now;
}

/* annot/calls.h: a recording keeps the number of the call that began it. */
Test(edges, recordings_keep_the_number_of_their_call)
{
    static const struct {
        annot_call_counter counter;
        uint64_t call, kept;
    } rows[] = {{NULL, 7, 0},
                {call_of_a_trace, 0x123456789a, 0x123456789a},
                {call_of_a_trace, 0, 0},
                {NULL, 9, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
        AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
        annot_reader_stream stream;
        annot_set_call_counter(rows[i].counter);
        call_now = rows[i].call;
        annot_context_open(list.context, arena);
        annot_context_set_marker(list.context, 1, "m", 1);
        call_now++; /* a later call changes nothing */
        annot_context_set_marker(list.context, 1, "m", 1);
        annot_context_close(list.context);
        annot_set_call_counter(NULL);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
        cr_assert(annot_reader_stream_at(dump.reader, 0, &stream));
        cr_expect_eq(stream.call, rows[i].kept, "row %zu", i);
        cr_expect_neq(stream.thread, 0u);
    }
}

/* annot/annot.h: facts are kept in order, and a key has one value. */
Test(edges, facts_are_added_replaced_and_removed_anywhere)
{
    static const char *const keys[] = {"a", "b", "c", "d", "e"};
    for (unsigned removed = 0; removed < 5; removed++) {
        annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
        annot_reader_fact fact;
        for (unsigned i = 0; i < 5; i++)
            cr_assert_eq(annot_device_set_fact(device, keys[i], "1"), ANNOT_OK);
        cr_expect_eq(annot_device_set_fact(device, keys[removed], NULL), ANNOT_OK);
        cr_expect_eq(annot_device_set_fact(device, keys[removed], NULL), ANNOT_OK, "it is none");
        cr_expect_eq(annot_device_set_fact(device, keys[(removed + 1) % 5], "2"), ANNOT_OK);
        cr_expect_eq(annot_device_set_fact(device, NULL, "1"), ANNOT_ERROR_INVALID_ARGUMENT);
        cr_expect_eq(annot_device_set_fact(device, "", "1"), ANNOT_ERROR_INVALID_ARGUMENT);
        cr_expect_eq(annot_device_set_fact(NULL, "a", "1"), ANNOT_ERROR_INVALID_ARGUMENT);
        struct device_dump dump = device_dump_take(device, NULL);
        unsigned next = 0;
        for (size_t i = 0; annot_reader_fact_at(dump.reader, i, &fact); i++) {
            if (fact.source != ANNOT_FACT_DEVICE)
                continue;
            next += next == removed;
            cr_assert_lt(next, 5u);
            cr_expect_eqs(fact.key.size, 1, *fact.key.data, *keys[next]);
            cr_expect_eqs(fact.value.size, 1, *fact.value.data,
                          next == (removed + 1) % 5 ? '2' : '1');
            next++;
        }
        next += next == removed;
        cr_expect_eq(next, 5u, "without %s", keys[removed]);
        device_dump_done(&dump);
        spy_device_done(device);
    }
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    static char text[ANNOT_FACT_VALUE_MAX + 2];
    memset(text, 'x', sizeof text - 1);
    for (size_t more = 0; more < 2; more++) {
        text[ANNOT_FACT_VALUE_MAX + more] = 0;
        cr_expect_eq(annot_device_set_fact(device, "key", text),
                     more ? ANNOT_ERROR_TOO_LARGE : ANNOT_OK);
        text[ANNOT_FACT_VALUE_MAX + more] = 'x';
        text[ANNOT_FACT_KEY_MAX + more] = 0;
        cr_expect_eq(annot_device_set_fact(device, text, "value"),
                     more ? ANNOT_ERROR_TOO_LARGE : ANNOT_OK);
        text[ANNOT_FACT_KEY_MAX + more] = 'x';
    }
}

/* The real submission is made although nothing can be noted of it. */
Test(edges, a_submission_is_made_without_a_queue)
{
    uint64_t seen = 0;
    cr_expect_eq(annot_context_submit_with(NULL, NULL, 0, make, &seen), 0);
    cr_expect_eq(seen, 100);
}

/* Calls that make no sense: one message each, and the objects stay as they were. */
Test(edges, misuse_is_a_message_and_no_abort)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended)
    struct spy_child queue = spy_queue(device, 0, spy_handle(1)),
                     list = spy_list(device, 0, spy_handle(2));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
    AT_END(spy_object_ended) annot_object *fence;
    annot_context *none;
    cr_assert_eq(annot_object_create(device, &desc, &fence), ANNOT_OK);

    cr_expect_eq(annot_context_create(fence, &none), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(none);
    cr_expect_eq(annot_context_open(queue.context, arena), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_context_open(list.context, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    annot_device *other = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_arena *foreign = spy_arena(other);
    cr_expect_eq(annot_context_open(list.context, foreign), ANNOT_ERROR_INVALID_ARGUMENT);
    annot_arena_destroy(foreign);
    annot_device_destroy(other);
    cr_expect_eq(annot_object_create(device, NULL, &(annot_object *){NULL}),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    annot_context_execute_bundle(queue.context, list.context);
    cr_expect_eq(annot_context_close(queue.context), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 7);

    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    annot_context_execute_bundle(list.context, queue.context);
    annot_arena_destroy(arena);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 9);
    annot_context_set_marker(list.context, 1, "still here", 10);
    cr_expect_eq(spy_last()->size, 10);
    struct device_dump dump = device_dump_take(device, NULL);
    annot_reader_stream recorded;
    cr_assert(annot_reader_stream_at(dump.reader, 0, &recorded));
    cr_expect_eq(recorded.entry_count, 1, "the marker, and no bundle that is none");
    device_dump_done(&dump);
    cr_expect_eq(annot_context_close(list.context), ANNOT_OK);

    annot_device_destroy(device);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 10);
    cr_expect(strstr(spy_said.text, "3 objects"), "%s", spy_said.text);
}

static bool refuse_bytes(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return false;
}

/* There is nowhere to put the answer: the call fails with a message, and the others do nothing. */
Test(edges, nowhere_to_put_the_answer_is_a_message_and_no_crash)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(2));
    annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
    annot_tracker_desc words = {.word_size = 8};
    cr_expect_eq(annot_device_create(NULL, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_object_create(device, &desc, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_arena_create(device, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_context_create(list.object, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_tracker_create(device, &words, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_writer_create(device, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 5, "one each where there is a device");

    annot_dump_writer *writer = spy_writer(device);
    annot_dump_sink no_sink = {0};
    const annot_dump_sink whole = {.write = refuse_bytes, .finish = refuse_bytes};
    const annot_dump_sink no_write = {.finish = refuse_bytes}, no_finish = {.write = refuse_bytes};
    cr_expect_eq(annot_dump_write(NULL, &(annot_dump_info){0}, &whole),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write(writer, &(annot_dump_info){0}, &no_write),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write(writer, &(annot_dump_info){0}, &no_finish),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write(writer, &(annot_dump_info){0}, NULL),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write(writer, &(annot_dump_info){0}, &no_sink),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write_file(writer, &(annot_dump_info){0}, NULL),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    size_t size = 7;
    cr_expect_eq(annot_dump_write_memory(writer, &(annot_dump_info){0}, NULL, 8, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write_memory(writer, &(annot_dump_info){0}, NULL, 0, NULL),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 12);
    cr_expect_eq(annot_dump_write_file(NULL, &(annot_dump_info){0}, "x"),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_str_eq(annot_dump_writer_path(NULL), "");
    annot_dump_writer_destroy(writer);

    annot_device_get_stats(device, NULL);
    cr_expect_eq(annot_device_lookup(device, 0x1000, NULL, NULL, 0), ANNOT_LOOKUP_NEVER_ISSUED);
    cr_expect_eq(annot_context_submit(list.context, NULL, 0), 0, "a list takes no submissions");
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MISUSE), 13);
}

/* Readers take nothing, too; a function that fails leaves NULL. */
Test(edges, readers_of_nothing_say_nothing)
{
    annot_reader *reader = (annot_reader *)1;
    annot_timeline *timeline = (annot_timeline *)1;
    char *text = (char *)1;
    size_t size = 1;
    cr_expect_eq(annot_reader_open_memory(NULL, NULL, 8, &reader), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(reader);
    cr_expect_eq(annot_reader_open_memory(NULL, "", 0, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    reader = (annot_reader *)1;
    cr_expect_eq(annot_reader_open_file(NULL, NULL, &reader), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(reader);
    cr_expect_eq(annot_report_memory(NULL, ANNOT_REPORT_TEXT, NULL, &text, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect(!text && size == 0);
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct device_dump dump = device_dump_take(device, NULL);
    text = (char *)1, size = 1;
    cr_expect_eq(annot_report_memory(dump.reader, (annot_report_format)3, NULL, &text, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT, "no such format");
    cr_expect(!text && size == 0);
    cr_assert_eq(annot_report_memory(dump.reader, ANNOT_REPORT_JSON, NULL, &text, &size), ANNOT_OK);
    cr_expect_not_null(strstr(text, "\"guid\":\"00000000000000000000000000000000\""), "%s", text);
    annot_report_free(text);
    device_dump_done(&dump);
    spy_device_done(device);
    cr_expect_eq(annot_report_text(NULL, NULL, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_report_json(NULL, NULL, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_timeline_create(NULL, &timeline), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(timeline);
}

/* ---- structs by size ---- */

/* An older caller's descriptor ends early: what it doesn't have is the default. */
Test(edges, an_older_descriptor_is_filled_with_defaults)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_device *device;
    desc.force_driver_retail = true;
    size_t older = offsetof(annot_device_desc, force_driver_retail);
    cr_assert_eq(annot_device_create_sized(&desc, older, &device), ANNOT_OK);
    cr_expect_eq(annot_device_mode(device), ANNOT_MODE_RUNTIME_ONLY);
    annot_device_destroy(device);
    cr_assert_eq(annot_device_create_sized(&desc, sizeof desc, &device), ANNOT_OK);
    cr_expect_eq(annot_device_mode(device), ANNOT_MODE_DRIVER_RETAIL);
    annot_device_destroy(device);
}

/* A newer caller's unknown members are fine as long as they ask for nothing. */
Test(edges, a_newer_descriptor_is_taken_when_its_rest_is_zero)
{
    struct {
        annot_device_desc known;
        uint64_t later;
    } desc = {ANNOT_DEVICE_DESC_INIT, 0};
    annot_device *device = NULL;
    cr_assert_eq(annot_device_create_sized(&desc.known, sizeof desc, &device), ANNOT_OK);
    annot_device_destroy(device);
    desc.later = (uint64_t)1 << 63;
    device = (annot_device *)1;
    cr_expect_eq(annot_device_create_sized(&desc.known, sizeof desc, &device),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(device, "annot_device_create: NULL on failure");
}

/* The same of what is said of objects; of a caller that has none of the members all are zero. */
Test(edges, words_about_objects_are_taken_by_their_size)
{
    struct {
        annot_object_desc known;
        uint64_t later;
    } object_desc = {{.kind = 77, .type = ANNOT_OBJECT_PIPELINE, .id = 5}, 1};
    struct {
        annot_shader known;
        uint64_t later;
    } shader = {{.debug_name = "blur", .debug_name_size = SIZE_MAX}, 1};
    struct {
        annot_resource known;
        uint64_t later;
    } resource = {{.dimension = 3}, 1};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_object *object = (annot_object *)&device, *none;
    annot_reader_object view;
    annot_reader_shader seen;
    annot_resource given;
    cr_expect_eq(annot_object_create_sized(device, &object_desc.known, sizeof object_desc, &object),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(object);
    object_desc.later = 0;
    cr_assert_eq(annot_object_create_sized(device, &object_desc.known, sizeof object_desc, &object),
                 ANNOT_OK);
    cr_assert_eq(annot_object_create_sized(device, &object_desc.known, 0, &none), ANNOT_OK);
    cr_expect_eq(annot_object_add_shader_sized(object, &shader.known, sizeof shader),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_object_set_resource_sized(object, &resource.known, sizeof resource),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_object_add_shader_sized(object, &shader.known, 0), ANNOT_OK);
    char whole[ANNOT_SHADER_NAME_MAX + 1];
    memset(whole, 'b', sizeof whole);
    shader.known.debug_name = whole; /* of which no more is read, however long it is */
    cr_expect_eq(annot_object_add_shader(object, &shader.known), ANNOT_OK);
    cr_expect_eq(annot_object_set_resource(object, &resource.known), ANNOT_OK);
    cr_expect_eq(annot_object_set_resource_sized(none, &resource.known, 0), ANNOT_OK);

    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    cr_assert(annot_reader_object_find(dump.reader, 5, &view));
    cr_expect_eqs(view.kind, 77, view.type, ANNOT_OBJECT_PIPELINE);
    cr_assert(annot_reader_object_find(dump.reader, annot_object_id(none), &view));
    cr_expect_eqs(view.kind, 0, view.list_type, 0);
    cr_assert(annot_reader_shader_of(dump.reader, 5, 0, &seen));
    cr_expect_eqs((int)seen.form, 0, (int)seen.stage, 0);
    cr_assert(annot_reader_shader_of(dump.reader, 5, 1, &seen));
    cr_expect_eq(seen.debug_name.size, ANNOT_SHADER_NAME_MAX);
    cr_expect(annot_reader_resource_of(dump.reader, 5, &given) && given.dimension == 3);
    cr_expect_not(annot_reader_resource_of(dump.reader, annot_object_id(none), &given));
    annot_object_destroy(none);
    annot_object_destroy(object);
}

/* dump.h: of a dump that is not written the size is none, whatever stood there. */
Test(edges, a_newer_request_for_a_dump_is_refused_when_its_rest_is_not_zero)
{
    struct {
        annot_dump_info known;
        uint64_t later;
    } info = {.later = 1};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(spy_writer_ended) annot_dump_writer *writer;
    size_t size = 77;
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
    cr_expect_eq(annot_dump_write_memory_sized(writer, &info.known, sizeof info, NULL, 0, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(size, 0);
    info.later = 0;
    cr_expect_eq(annot_dump_write_memory_sized(writer, &info.known, sizeof info, NULL, 0, &size),
                 ANNOT_ERROR_TOO_LARGE);
    cr_expect_gt(size, 0);
}

/* An answer stays inside of an older caller's struct, and is zero in a newer one's rest. */
Test(edges, answers_fit_the_callers_struct)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(2));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    annot_context_open(list.context, arena);
    annot_context_set_marker(list.context, 7, "marker", 6);

    struct {
        annot_marker_info info;
        unsigned char later[16];
    } answer;
    memset(&answer, 0xAA, sizeof answer);
    size_t older = offsetof(annot_marker_info, metadata);
    cr_assert_eq(annot_device_lookup_sized(device, spy_last()->id, &answer.info, older, NULL, 0),
                 ANNOT_LOOKUP_LIVE);
    cr_expect_eq(answer.info.event_id, spy_last()->id);
    cr_expect_eq(answer.info.metadata, 0xAAAAAAAAu, "beyond the caller's struct");
    cr_assert_eq(annot_device_lookup_sized(device, spy_last()->id, &answer.info, sizeof answer,
                                           NULL, 0),
                 ANNOT_LOOKUP_LIVE);
    cr_expect_eq(answer.info.metadata, 7);
    for (size_t i = 0; i < sizeof answer.later; i++)
        cr_expect_eq(answer.later[i], 0);

    annot_context_close(list.context);
}

/* ---- names and lists as callers have them ---- */

/* annot_object_set_name_counted: no NUL is needed, and one that comes earlier ends the name. */
Test(edges, a_counted_name_needs_no_nul)
{
    static const uint16_t wide[] = {'W', 'i', 'd', 'e', 'r'};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(2));
    char *exact = malloc(6), name[16]; /* AddressSanitizer sees what is read past */
    memcpy(exact, "Shadow", 6);
    cr_assert_eq(annot_object_set_name_counted(list.object, exact, 6, ANNOT_TEXT_UTF8), ANNOT_OK);
    free(exact);
    annot_object_get_name(list.object, name, sizeof name);
    cr_expect_str_eq(name, "Shadow");
    cr_assert_eq(annot_object_set_name_counted(list.object, wide, 4, ANNOT_TEXT_UTF16), ANNOT_OK);
    annot_object_get_name(list.object, name, sizeof name);
    cr_expect_str_eq(name, "Wide");
    cr_assert_eq(annot_object_set_name_counted(list.object, "ab\0cd", 5, ANNOT_TEXT_UTF8),
                 ANNOT_OK);
    cr_expect_eq(annot_object_get_name(list.object, name, sizeof name), 2);
    cr_expect_eq(annot_object_set_name_counted(list.object, "x", SIZE_MAX, ANNOT_TEXT_UTF32),
                 ANNOT_ERROR_OUT_OF_MEMORY);
    cr_expect_eq(annot_object_get_name(list.object, NULL, 0), 0, "the old name is gone");
    cr_expect_eq(annot_object_set_name_counted(list.object, "x", 1, (annot_text_unit)3),
                 ANNOT_ERROR_INVALID_ARGUMENT);
}

/* A layer's own command buffer, of which the context is one member. */
struct command_buffer {
    int other[3];
    annot_context *context;
};

static annot_context *context_of(const void *buffers, uint32_t index)
{
    return ((const struct command_buffer *)buffers)[index].context;
}

/* annot_context_submit_each: lists come out of the caller's structs; one of which nothing is known
 * keeps its place. */
Test(edges, lists_need_no_array_of_pointers)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, spy_handle(1));
    struct command_buffer buffers[3] = {0};
    struct spy_child lists[2];
    annot_arena *arenas[2];
    for (unsigned i = 0; i < 2; i++) {
        lists[i] = spy_list(device, 0, spy_handle(2 + i));
        arenas[i] = spy_arena(device);
        annot_context_open(lists[i].context, arenas[i]);
        annot_context_set_marker(lists[i].context, 1, i ? "second" : "first", 6);
        annot_context_close(lists[i].context);
        buffers[2 * i].context = lists[i].context;
    }
    cr_expect_eq(annot_context_submit_each(queue.context, context_of, buffers, 3, NULL, NULL), 1);

    struct device_dump dump = device_dump_take(device, NULL);
    cr_assert_eq(annot_reader_execution_count(dump.reader), 3);
    const uint64_t expected[] = {annot_object_id(lists[0].object), 0,
                                 annot_object_id(lists[1].object)};
    for (uint32_t i = 0; i < 3; i++) {
        annot_reader_execution execution;
        cr_assert(annot_reader_execution_at(dump.reader, i, &execution));
        cr_expect_eq(execution.list, i);
        cr_expect_eq(execution.object, expected[i]);
        cr_expect_eq(execution.stream == ANNOT_READER_NONE, i == 1);
    }
    device_dump_done(&dump);
    for (unsigned i = 0; i < 2; i++) {
        annot_arena_destroy(arenas[i]);
        spy_child_done(lists[i]);
    }
}

/* A count of characters that no memory has is no name, and no other one. */
Test(edges, a_counted_name_of_more_than_all_memory_is_refused)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    static const annot_text_unit units[] = {ANNOT_TEXT_UTF8, ANNOT_TEXT_UTF16, ANNOT_TEXT_UTF32};
    annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
    annot_object *object;
    char name[4];
    cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
    for (size_t i = 0; i < 3; i++)
        for (size_t half = 0; half < 3; half++) {
            static const uint32_t characters[] = {'a', 'b', 'c', 0};
            const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / units[i]};
            cr_expect_eq(annot_object_set_name_counted(object, "a\0\0\0", 1, units[i]), ANNOT_OK);
            cr_expect_eq(annot_object_get_name(object, name, sizeof name), 1);
            cr_expect_str_eq(name, "a");
            cr_expect_eq(annot_object_set_name_counted(object, characters, counts[half], units[i]),
                         ANNOT_ERROR_OUT_OF_MEMORY, "unit %zu, %zu", i, half);
            cr_expect_eq(annot_object_get_name(object, NULL, 0), 0);
        }
    annot_object_destroy(object);
}

/* A pipeline's shader has the debug name that it was given, whatever becomes of the caller's. */
Test(edges, debug_names_of_shaders_are_copied)
{
    static char text[] = "blur.hlsl";
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    const annot_object_desc desc = {.type = ANNOT_OBJECT_PIPELINE};
    annot_object *pipeline;
    annot_reader_shader shader;
    cr_assert_eq(annot_object_create(device, &desc, &pipeline), ANNOT_OK);
    annot_shader said = {.debug_name = text, .debug_name_size = 4};
    cr_expect_eq(annot_object_add_shader(pipeline, &said), ANNOT_OK);
    said.debug_name = NULL;
    cr_expect_eq(annot_object_add_shader(pipeline, &said), ANNOT_OK);
    memset(text, '#', sizeof text - 1);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert(annot_reader_shader_at(dump.reader, i, &shader));
        cr_expect_eq(shader.debug_name.size, i == 0 ? 4u : 0u);
        cr_expect(i == 1 || memcmp(shader.debug_name.data, "blur", 4) == 0);
    }
    annot_object_destroy(pipeline);
}
