/* A list that is renamed for each use: every recording keeps the name that it had when it was
 * closed [ANN-CRASH-01: every retained marker with its object's name]. */
#include "device_dump.h"
#include "spy.h"

#include <annot/fleet.h>

static void record(struct spy_child list, annot_arena *arena, const char *name, const char *marker)
{
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    annot_object_set_name(list.object, name, ANNOT_TEXT_UTF8);
    annot_context_set_marker(list.context, 1, marker, (uint32_t)strlen(marker) + 1);
    cr_assert_eq(annot_context_close(list.context), ANNOT_OK);
}

static void name_is(const annot_reader *reader, uint32_t stream, const char *expected)
{
    annot_reader_stream view;
    cr_assert(annot_reader_stream_at(reader, stream, &view));
    cr_expect_eq(view.name.size, strlen(expected), "%.*s", (int)view.name.size, view.name.data);
    cr_expect(expected[0] == 0 || memcmp(view.name.data, expected, strlen(expected)) == 0);
}

static struct device_dump two_uses(annot_device *device, struct spy_child queue,
                                   struct spy_child list, annot_arena *arena)
{
    record(list, arena, "shadows of frame 7", "first");
    annot_context_submit(queue.context, &list.context, 1);
    record(list, arena, "lighting of frame 7", "second");
    annot_context_submit(queue.context, &list.context, 1);
    annot_object_set_name(list.object, "in the pool", ANNOT_TEXT_UTF8);
    return device_dump_take(device, NULL);
}

Test(recording_name, is_that_of_its_own_use)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended)
    struct spy_child queue = spy_queue(device, 0, spy_handle(1)),
                     list = spy_list(device, 0, spy_handle(2));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(device_dump_done) struct device_dump dump = two_uses(device, queue, list, arena);
    name_is(dump.reader, 0, "shadows of frame 7");
    name_is(dump.reader, 1, "lighting of frame 7");
    annot_reader_object object;
    cr_assert(annot_reader_object_find(dump.reader, annot_object_id(list.object), &object));
    cr_expect_eq(object.name.size, strlen("in the pool"), "the object itself has its latest name");

    AT_END(at_end_free_report) char *text = device_dump_text(dump.reader, ANNOT_REPORT_TEXT);
    cr_expect(strstr(text, "list 1 of 1 \"shadows of frame 7\""), "%s", text);
    cr_expect(strstr(text, "list 1 of 1 \"lighting of frame 7\""), "%s", text);
    annot_report_free(text);
    text = device_dump_text(dump.reader, ANNOT_REPORT_JSON);
    cr_expect(strstr(text, "\"object_name\":\"shadows of frame 7\""), "%s", text);
}

/* While it is recorded a list has one name, its present one; and no name is none. */
Test(recording_name, an_open_recording_has_the_lists_name)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended)
    struct spy_child list = spy_list(device, 0, spy_handle(2)),
                     unnamed = spy_list(device, 0, spy_handle(3));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device), *second = spy_arena(device);
    annot_context_open(unnamed.context, second);
    annot_context_set_marker(unnamed.context, 1, "marker", 7);
    annot_context_close(unnamed.context);
    annot_object_set_name(list.object, "before", ANNOT_TEXT_UTF8);
    annot_context_open(list.context, arena);
    annot_context_set_marker(list.context, 1, "marker", 7);
    annot_object_set_name(list.object, "now", ANNOT_TEXT_UTF8);
    struct device_dump dump = device_dump_take(device, NULL);
    cr_assert_eq(annot_reader_stream_count(dump.reader), 2);
    name_is(dump.reader, 0, "");
    name_is(dump.reader, 1, "");
    char *text = device_dump_text(dump.reader, ANNOT_REPORT_TEXT);
    cr_expect(strstr(text, "list \"now\"  1 marker, still recording"), "%s", text);
    annot_report_free(text);
    device_dump_done(&dump);
    annot_context_close(list.context);
}

/* 255 bytes of it are kept, whole characters, and the report says that there is more. */
Test(recording_name, a_long_one_is_cut_and_said_to_be)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(2));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    char name[301], kept[256];
    memset(name, 'n', 300);
    name[300] = 0;
    memcpy(name + 254, "\xc3\xa4", 2);
    memcpy(kept, name, 254);
    kept[254] = 0;
    record(list, arena, name, "marker");
    annot_object_set_name(list.object, "other", ANNOT_TEXT_UTF8);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    name_is(dump.reader, 0, kept);
    AT_END(at_end_free_report) char *text = device_dump_text(dump.reader, ANNOT_REPORT_TEXT);
    cr_expect(strstr(text, "nnn...\"  1 marker"), "%s", text);
}

static bool collect(void *user, const void *data, size_t size)
{
    return device_dump_write(user, data, size);
}

/* [ANN-RPT-02] */
Test(recording_name, is_not_in_a_redacted_dump)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = {1};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_child_ended)
    struct spy_child queue = spy_queue(device, 0, spy_handle(1)),
                     list = spy_list(device, 0, spy_handle(2));
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(device_dump_done)
    struct device_dump dump = two_uses(device, queue, list, arena), redacted = {0};
    const annot_report_sink sink = {&redacted, collect};
    cr_assert_eq(annot_redact_write(dump.reader, key, &sink), ANNOT_OK);
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, redacted.data, redacted.size,
                                          &redacted.reader),
                 ANNOT_OK);
    cr_expect_null(memmem(redacted.data, redacted.size, "shadows", 7));
    cr_expect_null(memmem(redacted.data, redacted.size, "lighting", 8));
    annot_reader_stream first, second;
    annot_reader_stream_at(redacted.reader, 0, &first);
    annot_reader_stream_at(redacted.reader, 1, &second);
    cr_expect(first.name.size > 0 && second.name.size > 0);
    cr_expect(first.name.size != second.name.size ||
                  memcmp(first.name.data, second.name.data, first.name.size) != 0,
              "two names stay two");
}
