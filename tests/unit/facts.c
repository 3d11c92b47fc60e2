/* An application's and the library's words about themselves in a dump: facts, object kinds of any
 * API, a crash of its own. */
#include "device_dump.h"
#include "dump_bytes.h"
#include "spy.h"

#include <annot/reader.h>

#include <unistd.h>

static bool is(annot_text text, const char *words)
{
    return text.size == strlen(words) && memcmp(text.data, words, text.size) == 0;
}

static annot_reader *read_dump(const struct dump *d)
{
    annot_reader *reader;
    cr_assert_eq(annot_reader_open_memory(NULL, d->bytes, d->size, &reader), ANNOT_OK);
    return reader;
}

static bool has_fact(const annot_reader *reader, uint32_t source, const char *key,
                     const char *value)
{
    annot_reader_fact fact;
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++)
        if (fact.source == source && is(fact.key, key))
            return !value || is(fact.value, value);
    return false;
}

static char *report(annot_device *device, const annot_dump_info *info, annot_report_format format)
{
    struct device_dump dump = device_dump_with(device, info);
    char *text;
    size_t size;
    cr_assert_eq(annot_report_memory(dump.reader, format, NULL, &text, &size), ANNOT_OK);
    cr_assert_eq(strlen(text), size);
    device_dump_done(&dump);
    return text;
}

Test(facts, are_bounded)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    char key[80], value[2000];
    memset(value, 'v', sizeof value);
    value[1024] = 0;
    for (unsigned i = 0; i < ANNOT_FACTS_MAX; i++) {
        snprintf(key, sizeof key, "key %u", i);
        cr_assert_eq(annot_device_set_fact(device, key, value), ANNOT_OK);
    }
    cr_expect_eq(annot_device_set_fact(device, "one more", "x"), ANNOT_ERROR_TOO_LARGE);
    cr_expect_eq(annot_device_set_fact(device, "key 5", ""), ANNOT_OK); /* annot.h: removes it */
    cr_expect_eq(annot_device_set_fact(device, "one more", "x"), ANNOT_OK);
    cr_expect_eq(annot_device_set_fact(device, "key 3", "replaced"), ANNOT_OK);
    value[1024] = 'v', value[1025] = 0;
    cr_expect_eq(annot_device_set_fact(device, "key 4", value), ANNOT_ERROR_TOO_LARGE);
    memset(key, 'k', 65), key[65] = 0;
    cr_expect_eq(annot_device_set_fact(device, key, "x"), ANNOT_ERROR_TOO_LARGE);
    cr_expect_eq(annot_device_set_fact(device, "", "x"), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_device_set_fact(NULL, "key", "x"), ANNOT_ERROR_INVALID_ARGUMENT);
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    AT_END(at_end_close) annot_reader *reader = read_dump(&d);
    cr_expect(has_fact(reader, ANNOT_FACT_DEVICE, "key 3", "replaced"));
    cr_expect(has_fact(reader, ANNOT_FACT_DEVICE, "key 63", NULL));
}

/* Those of one dump come from a crash handler, which checks nothing: what is no fact is left out,
 * what is too long is cut, and the others stay. */
Test(facts, of_a_dump_are_kept_as_far_as_they_are_facts)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    char key[ANNOT_FACT_KEY_MAX + 2], value[ANNOT_FACT_VALUE_MAX + 2];
    char fits[ANNOT_FACT_VALUE_MAX + 1] = {[ANNOT_FACT_VALUE_MAX - 1] = '\xC3'};
    memset(key, 'k', sizeof key - 1), key[sizeof key - 1] = 0;
    memset(value, 'v', sizeof value - 1), value[sizeof value - 1] = 0;
    memset(fits, 'v', sizeof fits - 2); /* ends inside a character, and isn't too long */
    const annot_fact facts[] = {{NULL, "x"},  {"", "x"},         {"no value", NULL}, {"empty", ""},
                                {key, value}, {"frame", "4711"}, {"fits", fits}};
    AT_END(taken_free)
    struct dump d = taken_from(device, &(annot_dump_info){.facts = facts, .fact_count = 7});
    AT_END(at_end_close) annot_reader *reader = read_dump(&d);
    annot_reader_fact fact;
    key[ANNOT_FACT_KEY_MAX] = 0, value[ANNOT_FACT_VALUE_MAX] = 0;
    size_t count = 0;
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++)
        count += fact.source == ANNOT_FACT_DUMP;
    cr_expect_eq(count, 3);
    cr_expect(has_fact(reader, ANNOT_FACT_DUMP, "fits", fits));
    cr_expect(has_fact(reader, ANNOT_FACT_DUMP, key, value));
    cr_expect(has_fact(reader, ANNOT_FACT_DUMP, "frame", "4711"));
}

static char *lost_of(annot_device *device, const annot_dump_info *info)
{
    char *text = report(device, info, ANNOT_REPORT_TEXT);
    cr_assert(strstr(text, "LOST OR ODD"));
    return text;
}

/* "Nothing was lost" is said where nothing was. */
Test(facts, and_findings_without_room_are_counted)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_fact facts[ANNOT_FACTS_MAX + 3];
    for (unsigned i = 0; i < ANNOT_FACTS_MAX + 3; i++)
        facts[i] = (annot_fact){"key", "value"};
    annot_dump_info info = {.facts = facts, .fact_count = ANNOT_FACTS_MAX};
    AT_END(at_end_free_report) char *none = lost_of(device, &info);
    cr_expect(strstr(none, "Nothing was lost"), "%s", none);
    info.fact_count += 3;
    info.findings_cut = 4;
    info.progress_cut = 5;
    AT_END(at_end_free_report) char *some = lost_of(device, &info);
    cr_expect_null(strstr(some, "Nothing was lost"), "%s", some);
    cr_expect(strstr(some, "  7 findings about the failure"), "%s", some);
    cr_expect(strstr(some, "  5 executions in flight that had no room"), "%s", some);
}

Test(facts, operations_without_memory_are_counted)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 65536);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    const annot_operation dispatch = {.kind = 6};
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_NONE};
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    for (uint32_t i = 0; i < 4096; i++) /* of 32 bytes each, in a chunk of 64 KiB */
        annot_context_note_operation(list.context, &dispatch);
    AT_END(at_end_free_report) char *text = lost_of(device, &info);
    cr_expect(strstr(text, "operations not recorded for lack of memory"), "%s", text);
    annot_context_close(list.context);
}

Test(facts, survive_without_memory)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_device_set_fact(device, "key", "old");
    spy_heap.fail_at = spy_heap.allocations + 1;
    cr_expect_eq(annot_device_set_fact(device, "key", "new"), ANNOT_ERROR_OUT_OF_MEMORY);
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    AT_END(at_end_close) annot_reader *reader = read_dump(&d);
    cr_expect(has_fact(reader, ANNOT_FACT_DEVICE, "key", "old"));
}

/* The library fills in what the caller leaves out. */
Test(facts, the_moment_and_the_process_have_defaults)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    annot_reader_device about;
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    AT_END(at_end_close) annot_reader *reader = read_dump(&d);
    annot_reader_get_device(reader, &about);
    cr_expect(about.time > (uint64_t)1700000000 * 1000000000u, "now, not 1970");
    cr_expect(about.application.size > 0);
    annot_reader_close(reader);
    taken_free(&d);
    annot_dump_info info = {.time = UINT64_C(1700000000000000005), .application = "mine"};
    d = taken_from(device, &info);
    reader = read_dump(&d);
    annot_reader_get_device(reader, &about);
    cr_expect_eq(about.time, UINT64_C(1700000000000000005));
    cr_expect(is(about.application, "mine"));
}

/* A Vulkan layer's objects: its own numbers and names, and what they are in any API. */
Test(objects, of_any_api_keep_their_number_and_name)
{
    enum { VK_PIPELINE = 19, VK_QUEUE = 4 }; /* VK_PIPELINE is COMMAND_QUEUE's number in D3D12 */
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *pipeline, *queue, *fence;
    annot_object_create(device,
                        &(annot_object_desc){.kind = VK_PIPELINE,
                                             .type = ANNOT_OBJECT_PIPELINE,
                                             .kind_name = "VkPipeline"},
                        &pipeline);
    annot_object_create(
        device,
        &(annot_object_desc){.kind = VK_QUEUE, .type = ANNOT_OBJECT_QUEUE, .kind_name = "VkQueue"},
        &queue);
    annot_object_create(device, &(annot_object_desc){.kind = D3D12DDI_HT_FENCE}, &fence);
    annot_context *context;
    cr_assert_eq(annot_context_create(queue, &context), ANNOT_OK, "a queue by its type");
    annot_object_set_name(pipeline, "Sky", ANNOT_TEXT_UTF8);
    cr_expect_eq((int)spy_last()->type, VK_PIPELINE, "the driver gets the API's number");
    struct dump d = taken_from(device, NULL);
    annot_reader *reader = read_dump(&d);
    annot_reader_object object;
    cr_assert(annot_reader_object_find(reader, annot_object_id(pipeline), &object));
    cr_expect_eq(object.kind, VK_PIPELINE);
    cr_expect_eq(object.type, ANNOT_OBJECT_PIPELINE);
    cr_expect(is(object.kind_name, "VkPipeline"));
    cr_assert(annot_reader_object_find(reader, annot_object_id(fence), &object));
    cr_expect_eq(object.type, ANNOT_OBJECT_FENCE, "follows from D3D12's kind");
    cr_expect_eq(object.kind_name.size, 0);
    annot_reader_close(reader);
    taken_free(&d);
    annot_context_destroy(context);
}

/* A kind has its name once, however many objects are of it. */
Test(objects, of_one_kind_have_one_name)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_object *objects[3];
    for (int i = 0; i < 3; i++)
        annot_object_create(device,
                            &(annot_object_desc){.kind = 19,
                                                 .type = ANNOT_OBJECT_PIPELINE,
                                                 .kind_name = "VkPipeline"},
                            &objects[i]);
    struct dump d = taken_from(device, NULL);
    const char *first = memmem(d.bytes, d.size, "VkPipeline", 10);
    cr_assert(first);
    cr_expect_not(
        memmem(first + 1, d.size - (size_t)(first + 1 - (const char *)d.bytes), "VkPipeline", 10));
    taken_free(&d);
    for (int i = 0; i < 3; i++)
        annot_object_destroy(objects[i]);
}

/* [ANN-CRASH-02] A program that recorded nothing when it crashed: the report says so. */
Test(application_crash, says_that_nothing_was_being_recorded)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_APPLICATION, .reason = "SIGSEGV"};
    AT_END(at_end_free_report) char *text = report(device, &info, ANNOT_REPORT_TEXT);
    cr_expect(strstr(text, "WHAT WAS BEING RECORDED\n  No command list was being recorded.\n"),
              "%s", text);
}

/* annot_report_memory: where there is no report there are no bytes either, and none is said to be.
 */
Test(report_memory, leaves_nothing_behind_when_it_fails)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    AT_END(at_end_close) annot_reader *reader = read_dump(&d);
    AT_END(at_end_free_report) char *text = (char *)&d;
    size_t size = 7;
    cr_expect_eq(annot_report_memory(reader, (annot_report_format)99, NULL, &text, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(text);
    cr_expect_eq(size, 0);
    cr_expect_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, NULL, NULL, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, NULL, &text, &size), ANNOT_OK);
    cr_expect_eq(size, strlen(text));
}

Test(dump_memory, holds_the_same_dump_or_says_how_large_it_is)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(spy_writer_ended) annot_dump_writer *writer;
    annot_dump_info info = {.time = 1};
    annot_dump_writer_create(device, &writer);
    size_t size = 0, again = 0;
    cr_expect_eq(annot_dump_write_memory(writer, &info, NULL, 0, &size), ANNOT_ERROR_TOO_LARGE);
    cr_assert(size > 32);
    AT_END(at_end_free) char *buffer = malloc(size);
    AT_END(at_end_close) annot_reader *reader;
    cr_expect_eq(annot_dump_write_memory(writer, &info, buffer, size - 1, &again),
                 ANNOT_ERROR_TOO_LARGE);
    cr_expect_eq(again, size);
    cr_expect_eq(annot_dump_write_memory(writer, &info, buffer, size, &again), ANNOT_OK);
    cr_expect_eq(again, size);
    cr_assert_eq(annot_reader_open_memory(NULL, buffer, size, &reader), ANNOT_OK);
    cr_expect(!annot_reader_is_damaged(reader));
}

Test(device_error, follows_from_what_an_api_returned)
{
    cr_expect_eq(annot_device_error_from_hresult(0), ANNOT_DEVICE_ERROR_NONE);
    cr_expect_eq(annot_device_error_from_hresult(0x887A0006), ANNOT_DEVICE_ERROR_HUNG);
    cr_expect_eq(annot_device_error_from_hresult(0x887A0005), ANNOT_DEVICE_ERROR_UNKNOWN);
    cr_expect_eq(annot_device_error_from_hresult(0x887A0007), ANNOT_DEVICE_ERROR_UNKNOWN);
    cr_expect_eq(annot_device_error_from_hresult(0x887A0020), ANNOT_DEVICE_ERROR_UNKNOWN);
    cr_expect_eq(annot_device_error_from_hresult(0x80070057), ANNOT_DEVICE_ERROR_NONE);
    cr_expect_eq(annot_device_error_from_vk_result(-4), ANNOT_DEVICE_ERROR_UNKNOWN);
    cr_expect_eq(annot_device_error_from_vk_result(0), ANNOT_DEVICE_ERROR_NONE);
    cr_expect_eq(annot_device_error_from_vk_result(-1), ANNOT_DEVICE_ERROR_NONE);
}
