/*
 * You will see a driver of twenty lines take markers through annot/ddi.h, its toy GPU hang between
 * two of them, and the driver's crash report become the path to the hang:
 *
 *     GPU stopped at: Frame / Draw the dragon
 *
 * No D3D12 here: main plays the runtime's part, as docs/INTEGRATION.md describes it.
 */
#include <annot/annot.h>
#include <annot/dump.h>
#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

/* ---- the toy GPU: runs commands, and notes in memory how far it came ---- */

enum command_kind { COMMAND_BEGIN, COMMAND_END, COMMAND_SET, COMMAND_DRAW, COMMAND_HANG };

struct command {
    enum command_kind kind;
    uint64_t event_id;
};

static struct command commands[64];
static size_t command_count;
static struct {
    uint64_t started, completed;
} breadcrumbs;

static void gpu_run(void)
{
    for (size_t i = 0; i < command_count && commands[i].kind != COMMAND_HANG; i++) {
        if (commands[i].kind == COMMAND_BEGIN || commands[i].kind == COMMAND_SET)
            breadcrumbs.started = commands[i].event_id;
        if (commands[i].kind == COMMAND_END || commands[i].kind == COMMAND_SET)
            breadcrumbs.completed = commands[i].event_id;
    }
}

/* ---- the driver: puts EventIDs between its commands, and after a crash returns what the GPU noted
 * ---- */

static char queue_private, list_private; /* pDrvPrivate: addresses are all this driver needs */

static void put(enum command_kind kind, uint64_t event_id)
{
    if (command_count < sizeof commands / sizeof commands[0])
        commands[command_count++] = (struct command){kind, event_id};
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)list, (void)metadata, (void)data, (void)size; /* the text can wait for the dump */
    put(COMMAND_BEGIN, event_id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    (void)list;
    put(COMMAND_END, event_id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    (void)list, (void)metadata, (void)data, (void)size;
    put(COMMAND_SET, event_id);
}

static void ANNOT_DDI_CALL queue_mark(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event_id;
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    (void)queue, (void)event_id;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    queue_mark, queue_end, queue_mark, list_begin, list_end, list_set, set_name};

static const annot_driver driver = {"toy", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
                                    &table, sizeof(ANNOT_DDI_WCHAR)};

/* One list was submitted: one row, and the state is left for the analysis to find out. */
static annot_crash_report report_crash(const annot_object *queue)
{
    static annot_progress row;
    row = (annot_progress){.queue = annot_object_id(queue),
                           .submission = 1,
                           .list = 0,
                           .state = ANNOT_PROGRESS_STARTED,
                           .inside = ANNOT_INSIDE_TRACKED,
                           .started = breadcrumbs.started,
                           .completed = breadcrumbs.completed};
    return (annot_crash_report){.size = sizeof(annot_crash_report),
                                .order_window = 0, /* this GPU keeps the order */
                                .progress = &row,
                                .progress_count = 1};
}

/* ---- the runtime ---- */

static void begin(annot_context *list, const char *text)
{
    annot_context_begin_event(list, 1, text, (uint32_t)strlen(text));
}

static void print_stop(const char *path)
{
    annot_reader *reader = NULL;
    char line[256] = "nowhere";
    if (annot_reader_open_file(NULL, path, &reader) == ANNOT_OK)
        annot_reader_stop_path(reader, 0, line, sizeof line);
    printf("GPU stopped at: %s\n", line);
    annot_reader_close(reader);
}

int main(void)
{
    static const char path[] = "own_driver.annotdmp";
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_object_desc queue_desc = {.kind = D3D12DDI_HT_COMMAND_QUEUE,
                                    .driver_handle = &queue_private};
    annot_object_desc list_desc = {.kind = D3D12DDI_HT_COMMAND_LIST,
                                   .driver_handle = &list_private};
    annot_device *device = NULL;
    annot_object *queue_object = NULL, *list_object = NULL;
    annot_context *queue = NULL, *list = NULL;
    annot_arena *arena = NULL;
    annot_dump_writer *writer = NULL;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    desc.driver = &driver;
    desc.force_driver_retail = true;
    if (annot_device_create(&desc, &device) == ANNOT_OK &&
        annot_dump_writer_create(device, &writer) == ANNOT_OK && /* before anything can go wrong */
        annot_object_create(device, &queue_desc, &queue_object) == ANNOT_OK &&
        annot_object_create(device, &list_desc, &list_object) == ANNOT_OK &&
        annot_context_create(queue_object, &queue) == ANNOT_OK &&
        annot_context_create(list_object, &list) == ANNOT_OK &&
        annot_arena_create(device, &arena) == ANNOT_OK) {
        annot_context_open(list, arena);
        begin(list, "Frame");
        begin(list, "Draw the castle");
        put(COMMAND_DRAW, 0);
        annot_context_end_event(list);
        begin(list, "Draw the dragon");
        put(COMMAND_HANG, 0);
        annot_context_end_event(list);
        annot_context_end_event(list);
        annot_context_close(list);
        annot_context_submit(queue, &list, 1);
        gpu_run();

        const annot_crash_report report = report_crash(queue_object);
        const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG,
                                      .adapter = "toy GPU",
                                      .reason = "it does not answer",
                                      .report = &report};
        result = annot_dump_write_file(writer, &info, path);
        print_stop(annot_dump_writer_path(writer));
    }
    annot_context_destroy(list);
    annot_context_destroy(queue);
    annot_object_destroy(list_object);
    annot_object_destroy(queue_object);
    annot_arena_destroy(arena);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    return result == ANNOT_OK ? 0 : 1;
}
