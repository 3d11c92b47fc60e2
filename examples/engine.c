/*
 * You will see where an engine's GPU stopped, from two words in its memory:
 *
 *     $ engine
 *     stopped in: Frame 1 / Lighting pass
 *     annot show engine.annotdmp tells the rest
 *
 * For an engine whose backend records commands of its own, below it Vulkan, Metal, a console or, as
 * here, a GPU that pretends: it is its own driver, and lets the GPU write EventIDs as it comes by.
 * On D3D12 an engine uses pix3.h, and the rest is the runtime's.
 */
#include <annot/dump.h>
#include <annot/evidence.h>
#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

/* ---- a GPU: it executes commands in order, until one never ends ---- */

enum op { WORK, WRITE, HANG };

struct command {
    enum op op;
    uint64_t offset, value; /* WRITE: 8 bytes in gpu_memory */
};

struct commands {
    annot_words words; /* of this recording */
    uint32_t count;
    struct command all[64];
};

static uint64_t gpu_memory[128]; /* mapped; stays readable when the device is lost */

static void record(struct commands *commands, enum op op, uint64_t offset, uint64_t value)
{
    if (commands->count < sizeof commands->all / sizeof commands->all[0])
        commands->all[commands->count++] = (struct command){op, offset, value};
}

static void gpu_run(const struct commands *commands)
{
    for (uint32_t i = 0; i < commands->count && commands->all[i].op != HANG; i++)
        if (commands->all[i].op == WRITE)
            memcpy((char *)gpu_memory + commands->all[i].offset, &commands->all[i].value, 8);
}

/* ---- the driver's table: a marker becomes a write of its EventID ---- */

/* A real GPU makes this write when it comes by, in front of the work that follows. */
static void write_started(struct commands *commands, uint64_t value)
{
    if (commands->words.started != ANNOT_WORDS_NONE)
        record(commands, WRITE, commands->words.started, value);
}

/* And this one when all work before it is done: at the bottom of the pipe, or behind a barrier. */
static void write_completed(struct commands *commands, uint64_t value)
{
    if (commands->words.completed != ANNOT_WORDS_NONE)
        record(commands, WRITE, commands->words.completed, value);
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    write_started(list.pDrvPrivate, event_id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    if (event_id != 0) /* 0: an End without a Begin */
        write_completed(list.pDrvPrivate, event_id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    list_begin(list, metadata, data, size, event_id);
    list_end(list, event_id);
}

static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
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
    queue_marker, queue_end, queue_marker, list_begin, list_end, list_set, set_name,
};

static const annot_driver driver = {
    .name = "engine",
    .annotation_version = D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST,
    .annotation = &table,
};

/* ---- one frame ---- */

static void pass(struct commands *commands, annot_context *list, const char *name, enum op work)
{
    annot_context_begin_event(list, 1, name, (uint32_t)strlen(name) + 1);
    record(commands, work, 0, 0);
    annot_context_end_event(list);
}

int main(void)
{
    annot_device *device = NULL;
    annot_object *queue_object = NULL, *list_object = NULL;
    annot_context *queue = NULL, *list = NULL;
    annot_arena *allocator = NULL;
    annot_tracker *tracker = NULL;
    annot_dump_writer *writer = NULL;
    annot_reader *reader = NULL;
    char path[256] = "";
    static struct commands commands;
    const annot_tracker_desc words = {
        .memory = gpu_memory,
        .memory_size = sizeof gpu_memory,
        .word_size = 8,
        .writes_entered = true,
        .writes_completed = true,
        .promises = ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER,
    };
    const annot_object_desc queue_desc = {.type = ANNOT_OBJECT_QUEUE};
    const annot_object_desc list_desc = {.type = ANNOT_OBJECT_COMMAND_LIST,
                                         .driver_handle = &commands};

    remove("engine.annotdmp"); /* of a run before: a dump replaces nothing */

    /* when the engine creates things */
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = &driver; /* a table of seven functions that take markers and names */
    annot_device_create(&desc, &device);
    annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL); /* before queues and lists */
    annot_tracker_create(device, &words, &tracker);          /* memory that the GPU writes */
    annot_dump_writer_create(device, &writer);
    annot_object_create(device, &queue_desc, &queue_object);
    annot_context_create(queue_object, &queue);
    annot_object_create(device, &list_desc, &list_object);
    annot_context_create(list_object, &list);
    annot_arena_create(device, &allocator);

    /* when it records and submits */
    annot_context_open(list, allocator);
    commands.words = annot_tracker_record(tracker, list); /* two words for this recording */
    write_started(&commands, ANNOT_WORD_ENTERED);
    annot_context_begin_event(list, 1, "Frame 1", 8); /* the driver gets it with an EventID */
    pass(&commands, list, "Shadow pass", WORK);
    pass(&commands, list, "Lighting pass", HANG);
    annot_context_end_event(list);
    write_completed(&commands, ANNOT_WORD_LEFT);
    annot_context_close(list);
    annot_tracker_submit(tracker, queue, &list, 1, NULL);
    gpu_run(&commands); /* and annot_tracker_completed when a fence says so */

    /* when the GPU hangs */
    annot_crash_report report = {.size = sizeof report};
    annot_tracker_report(tracker, &report);
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .report = &report};
    annot_dump_write_file(writer, &info, "engine.annotdmp");

    /* later, elsewhere: or `annot show engine.annotdmp` */
    annot_reader_open_file(NULL, annot_dump_writer_path(writer), &reader);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    printf("stopped in: %s\n", path); /* Frame 1 / Lighting pass */

    printf("annot show %s tells the rest\n", annot_dump_writer_path(writer));
    annot_reader_close(reader);
    annot_tracker_forget(tracker, list);
    annot_context_destroy(list);
    annot_context_destroy(queue);
    annot_object_destroy(list_object);
    annot_object_destroy(queue_object);
    annot_arena_destroy(allocator);
    annot_dump_writer_destroy(writer);
    annot_tracker_destroy(tracker);
    annot_device_destroy(device);
    return strcmp(path, "Frame 1 / Lighting pass") != 0;
}
