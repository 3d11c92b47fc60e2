/* Dumps that no corpus has: very large ones, and ones full of hostile names.
 *
 *     fleet-dump markers N PATH     one list of N markers in scopes of a hundred, hung half-way
 *     fleet-dump hostile PATH       every name tries to leave the place that it is shown in
 *     fleet-dump renamed NAME PATH [DAYS]   a list recorded as "first use", as NAME, where it
 *                                   hung, and renamed again; DAYS after 2023-11-14, of version 1.2
 */
#include "deaf_driver.h"

#include <annot/annot.h>
#include <annot/dump.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t last_id; /* of the marker that was set last */

static void ANNOT_DDI_CALL list_mark(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t event_id)
{
    (void)list, (void)metadata, (void)data, (void)size;
    last_id = event_id;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {deaf_queue_marker, deaf_queue_end,
                                                                  deaf_queue_marker, list_mark,
                                                                  deaf_list_end,     list_mark,
                                                                  deaf_set_name};

static const annot_driver driver = {"test",
                                    D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
                                    &table, sizeof(ANNOT_DDI_WCHAR)};

static const char *const hostile[] = {
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "\"><svg onload=document.title='owned'>",
    "'; alert(1); //",
    "javascript:document.title='owned'",
    "${document.title='owned'}",
    "{{constructor.constructor('document.title=1')()}}",
    ("\xE2\x80\xAE"
     "desrever\xE2\x80\xAC"),
    "\x1b]0;owned\x07\x1b[2J",
    "line\nline\r\nline\ttab",
    "=HYPERLINK(\"http://example.com\")",
    "__proto__",
    "@DATA@",
    "-->",
    "\xFF\xFE not UTF-8",
};

enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

static struct scene {
    annot_device *device;
    annot_object *queue_object, *list_object;
    annot_context *queue, *list;
    annot_arena *arena;
    annot_dump_writer *writer;
} scene;

static void must(annot_result result)
{
    if (result == ANNOT_OK)
        return;
    fprintf(stderr, "fleet-dump: %s\n", annot_result_text(result));
    exit(1);
}

static void open_scene(void)
{
    static char queue_private, list_private;
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    const annot_object_desc queue = {.kind = D3D12DDI_HT_COMMAND_QUEUE,
                                     .driver_handle = &queue_private};
    const annot_object_desc list = {.kind = D3D12DDI_HT_COMMAND_LIST,
                                    .driver_handle = &list_private};
    desc.driver = &driver;
    desc.force_driver_retail = true;
    desc.memory_budget = ANNOT_BUDGET_NONE;
    must(annot_device_create(&desc, &scene.device));
    must(annot_dump_writer_create(scene.device, &scene.writer));
    must(annot_object_create(scene.device, &queue, &scene.queue_object));
    must(annot_object_create(scene.device, &list, &scene.list_object));
    must(annot_context_create(scene.queue_object, &scene.queue));
    must(annot_context_create(scene.list_object, &scene.list));
    must(annot_arena_create(scene.device, &scene.arena));
    annot_context_open(scene.list, scene.arena);
}

static void close_scene(void)
{
    annot_context_destroy(scene.list);
    annot_context_destroy(scene.queue);
    annot_object_destroy(scene.list_object);
    annot_object_destroy(scene.queue_object);
    annot_arena_destroy(scene.arena);
    annot_dump_writer_destroy(scene.writer);
    annot_device_destroy(scene.device);
}

static void begin(const char *text)
{
    annot_context_begin_event(scene.list, 1, text, (uint32_t)strlen(text));
}

static void submit(void)
{
    annot_context_close(scene.list);
    annot_context_submit(scene.queue, &scene.list, 1);
}

static int write_dump(uint64_t submission, uint64_t started, const annot_dump_info *texts,
                      const char *path)
{
    const annot_progress row = {.queue = annot_object_id(scene.queue_object),
                                .submission = submission,
                                .state = ANNOT_PROGRESS_STARTED,
                                .inside = ANNOT_INSIDE_TRACKED,
                                .started = started};
    const annot_crash_report report = {
        .size = sizeof report, .progress = &row, .progress_count = 1};
    annot_dump_info info = *texts;
    info.error = ANNOT_DEVICE_ERROR_HUNG;
    info.report = &report;
    const annot_result result = annot_dump_write_file(scene.writer, &info, path);
    if (result != ANNOT_OK)
        fprintf(stderr, "fleet-dump: %s: %s\n", path, annot_result_text(result));
    return result == ANNOT_OK ? 0 : 1;
}

static int make_markers(unsigned long count, const char *path)
{
    static const annot_dump_info texts = {.application = "large", .adapter = "test"};
    uint64_t started = 0;
    char name[64];
    begin("Frame");
    for (unsigned long i = 1; i < count; i++) {
        const bool is_scope = i % 100 == 1;
        if (is_scope && i > 1)
            annot_context_end_event(scene.list);
        snprintf(name, sizeof name, is_scope ? "Chunk %lu" : "Mesh %lu", i / (is_scope ? 100 : 1));
        if (is_scope)
            begin(name);
        else
            annot_context_set_marker(scene.list, 1, name, (uint32_t)strlen(name));
        if (i == count / 2)
            started = last_id;
    }
    annot_context_end_event(scene.list);
    annot_context_end_event(scene.list);
    submit();
    return write_dump(1, started, &texts, path);
}

static int make_hostile(const char *path)
{
    uint64_t started = 0;
    const annot_dump_info texts = {
        .application = hostile[0], .adapter = hostile[1], .reason = hostile[2]};
    annot_object_set_name(scene.queue_object, hostile[0], ANNOT_TEXT_UTF8);
    annot_object_set_name(scene.list_object, hostile[1], ANNOT_TEXT_UTF8);
    annot_device_set_fact(scene.device, "message.1",
                          "WARNING 1: <img src=x onerror=\"document.title='owned'\">");
    for (int i = 0; i < HOSTILE; i++) {
        annot_device_set_fact(scene.device, hostile[i], hostile[HOSTILE - 1 - i]);
        begin(hostile[i]);
        started = last_id;
    }
    for (int i = 0; i < HOSTILE; i++)
        annot_context_end_event(scene.list);
    submit();
    return write_dump(1, started, &texts, path);
}

static int make_renamed(const char *name, const char *path, const char *days)
{
    const annot_fact facts[] = {{"version", "1.2"}, {"level", days}};
    const annot_dump_info texts = {
        .application = "renamed",
        .adapter = "test",
        .time = days ? 1700000000000000000u + strtoul(days, NULL, 10) * 86400000000000u : 0,
        .facts = facts,
        .fact_count = days ? 2 : 0};
    annot_arena *arena;
    annot_object_set_name(scene.queue_object, "Graphics", ANNOT_TEXT_UTF8);
    annot_object_set_name(scene.list_object, "first use", ANNOT_TEXT_UTF8);
    begin("Frame");
    annot_context_end_event(scene.list);
    submit();
    must(annot_arena_create(scene.device, &arena));
    annot_context_open(scene.list, arena);
    annot_object_set_name(scene.list_object, name, ANNOT_TEXT_UTF8);
    begin("Frame");
    annot_context_end_event(scene.list);
    submit();
    annot_object_set_name(scene.list_object, "in the pool", ANNOT_TEXT_UTF8);
    const int code = write_dump(2, last_id, &texts, path);
    annot_arena_destroy(arena);
    return code;
}

int main(int argc, char **argv)
{
    int code;
    const bool is_markers = argc == 4 && strcmp(argv[1], "markers") == 0,
               is_renamed = (argc == 4 || argc == 5) && strcmp(argv[1], "renamed") == 0;
    if (!is_markers && !is_renamed && !(argc == 3 && strcmp(argv[1], "hostile") == 0)) {
        fputs("usage: fleet-dump markers N PATH | renamed NAME PATH [DAYS] | hostile PATH\n",
              stderr);
        return 2;
    }
    open_scene();
    if (is_markers)
        code = make_markers(strtoul(argv[2], NULL, 10), argv[3]);
    else
        code = is_renamed ? make_renamed(argv[2], argv[3], argv[4]) : make_hostile(argv[2]);
    close_scene();
    return code;
}
