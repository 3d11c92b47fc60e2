/* A dump of a Vulkan program is told in Vulkan's words: command buffers, labels, secondaries, and
 * the layer that looked [ANN-VK, ANN-TRUTH-04]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(report_vulkan, .fini = guarded_expect_nothing_left);

enum { VK_QUEUE = 4, VK_COMMAND_BUFFER = 6, UNMARKED = 0 }; /* VkObjectType, and the layer's own */

static void object(struct dump *dump, uint64_t id, annot_object_type type, uint32_t kind,
                   uint32_t list_type, const char *name)
{
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_add_with(dump, OBJECT, name, name ? strlen(name) : 0, .id = id, .kind = kind,
                  .list_type = list_type, .flags = name ? 2 : 0,
                  .name_size = name ? (uint32_t)strlen(name) : 0, .type = (uint32_t)type);
}

/* Everything that a report has many words for: odd ends, secondaries, labels that are not marked
 * one by one, work that is unknown, rows that are not believed, recordings that are gone. */
static void everything(struct dump *dump, bool has_report)
{
    dump_start_device(
        dump, &(struct annot__dump_DEVICE){
                  .error = ERROR_HUNG, .mode = 2, .driver_supported = 1, .has_report = has_report});
    object(dump, 21, ANNOT_OBJECT_QUEUE, VK_QUEUE, 0, "the driver's list of markers");
    object(dump, 100, ANNOT_OBJECT_COMMAND_LIST, VK_COMMAND_BUFFER, 0, NULL);
    object(dump, 8, ANNOT_OBJECT_COMMAND_LIST, UNMARKED, 1, NULL);
    object(dump, 9, ANNOT_OBJECT_COMMAND_LIST, VK_COMMAND_BUFFER, 1, "particles");
    dump_recording(dump, 8, 8);
    dump_begin(dump, "draw");
    dump_end(dump);
    dump_recording(dump, 9, 9);
    dump_begin(dump, "sparks");
    dump_end(dump);
    dump_recording(dump, 1, 100);
    dump_end(dump);
    const uint64_t frame = dump_begin(dump, "EndEvent of a bundle");
    dump_bundle(dump, 1, 8, 8);
    dump_bundle(dump, 2, 9, 9);
    dump_begin(dump, "open");
    dump_queue(dump, 21, 5, 2);
    dump_submit(dump, 1, 1, (uint64_t[]){7});
    dump_submit(dump, 2, 1, (uint64_t[]){1});
    dump_submit(dump, 3, 2, (uint64_t[]){1, 1});
    dump_submit(dump, 4, 1, (uint64_t[]){1});
    dump_submit(dump, 5, 2, (uint64_t[]){0, 77});
    if (!has_report)
        return;
    dump_row(dump, 21, 3, 0, 0, STARTED, frame, 0);
    dump_row(dump, 21, 3, 1, 0, STARTED, 0, frame);
    dump_row(dump, 21, 9, 0, 0, STARTED, 0, 0);
}

static char *text_of(struct dump *dump, bool is_json)
{
    const annot_report_options all = {.all = true};
    char *text = dump_report(dump, is_json, &all);
    dump_free(dump);
    return text;
}

/* Takes out what the application said itself. */
static void without(char *text, const char *name)
{
    for (char *at; (at = strstr(text, name));)
        memmove(at, at + strlen(name), strlen(at + strlen(name)) + 1);
}

static void has_only_vulkans_words(bool has_report)
{
    static const char *const words[] = {"Event ", "Event:",   "Event\n", "Events",
                                        "undle",  "driver",   " list",   "List",
                                        "marker", "llocator", "(direct)"};
    struct dump dump;
    everything(&dump, has_report);
    OWNED char *text = text_of(&dump, false);
    cr_expect(strstr(text, "\"the driver's list of markers\""), "names stay: %s", text);
    without(text, "the driver's list of markers");
    without(text, "EndEvent of a bundle");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        cr_expect_null(strstr(text, words[i]), "\"%s\":\n%s", words[i], text);
}

Test(report_vulkan, has_none_of_d3d12s_words)
{
    has_only_vulkans_words(true);
    has_only_vulkans_words(false);
}

Test(report_vulkan, speaks_of_command_buffers_labels_and_the_layer)
{
    static const char *const sentences[] = {
        "command buffer 1 of 2 #100",
        "(graphics): work in progress",
        "2 labels  -- finished",
        "labels without marks of their own",
        "vkCmdExecuteCommands 1: \"particles\"",
        "surplus label end: no open scope",
        "the layer's report",
        "1 finished command buffer without its recording (command pool reset)",
    };
    struct dump dump;
    everything(&dump, true);
    OWNED char *text = text_of(&dump, false);
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        cr_expect(strstr(text, sentences[i]), "not \"%s\":\n%s", sentences[i], text);
}

Test(report_vulkan, json_has_its_sentences_too)
{
    struct dump dump;
    everything(&dump, true);
    OWNED char *text = text_of(&dump, true);
    cr_expect(strstr(text, "\"the layer's report\""), "%s", text);
    cr_expect(strstr(text, "the layer reported executions that do not exist"), "%s", text);
    cr_expect_null(strstr(text, "the driver "), "%s", text);
}

Test(report_vulkan, a_d3d12_dump_keeps_its_own)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    OWNED char *text = dump_report(&dump, false, &(annot_report_options){.all = true});
    cr_expect(strstr(text, "ExecuteBundle 1"), "%s", text);
    cr_expect_null(strstr(text, "command buffer"), "%s", text);
}

/* The driver of a dump that the D3D12 layer wrote is that: all else is told in D3D12's words. */
Test(report_vulkan, a_d3d12_layers_dump_speaks_of_the_layer)
{
    static const char name[] = "annot d3d12";
    for (int has_report = 0; has_report < 2; has_report++) {
        struct dump dump;
        dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = ERROR_HUNG,
                                                              .mode = 2,
                                                              .driver_supported = 1,
                                                              .has_report = (uint32_t)has_report});
        dump_add_with(&dump, TEXT, name, sizeof name - 1, .role = ANNOT__DUMP_TEXT_DRIVER);
        dump_recording(&dump, 1, 100);
        const uint64_t frame = dump_begin(&dump, "frame");
        dump_bundle(&dump, 1, 8, 8);
        dump_queue(&dump, 21, 2, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
        dump_submit(&dump, 2, 1, (uint64_t[]){1});
        if (has_report)
            dump_row(&dump, 21, 1, 0, 0, STARTED, frame, 0);
        OWNED char *text = text_of(&dump, false);
        cr_expect_null(strstr(text, "driver"), "%s", text);
        cr_expect(strstr(text, has_report ? "the layer's report" : "the layer writes no words"),
                  "%s", text);
        cr_expect(strstr(text, "ExecuteBundle 1"), "%s", text);
    }
}
