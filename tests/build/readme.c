/* The lines of README.md in a program that runs: one list that the GPU leaves, one that it
 * doesn't. */
#include <annot/annot.h>
#include <annot/dump.h>
#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                        const void *data, uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event_id;
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    (void)queue, (void)event_id;
}

/* A driver whose GPU gets as far as the last marker that it was given. */
static uint64_t reached;

static void ANNOT_DDI_CALL list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t event_id)
{
    (void)list, (void)metadata, (void)data, (void)size;
    reached = event_id;
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    (void)list, (void)event_id;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    queue_marker, queue_end, queue_marker, list_marker, list_end, list_marker, set_name,
};

static const annot_driver driver = {
    "readme", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &table, 0};

static annot_crash_report what_the_gpu_left(uint64_t queue)
{
    static annot_progress row;
    row = (annot_progress){.queue = queue,
                           .submission = 1,
                           .state = ANNOT_PROGRESS_STARTED,
                           .inside = ANNOT_INSIDE_TRACKED,
                           .started = reached};
    return (annot_crash_report){
        .size = sizeof(annot_crash_report), .progress = &row, .progress_count = 1};
}

int main(void)
{
    annot_device *device;
    annot_object *queue_object, *list_object;
    annot_context *queue, *list;
    annot_arena *allocator;
    annot_dump_writer *writer;
    annot_reader *reader;
    char handles[2], path[256];
    annot_object_desc queue_desc = {.kind = D3D12DDI_HT_COMMAND_QUEUE,
                                    .driver_handle = &handles[0]};
    annot_object_desc list_desc = {.kind = D3D12DDI_HT_COMMAND_LIST, .driver_handle = &handles[1]};

    remove("crash.annotdmp"); /* of a run that was killed */

    /* when the application creates things */
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = &driver; /* a table of seven functions that take markers and names */
    annot_device_create(&desc, &device);
    annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL);
    annot_dump_writer_create(device, &writer);
    annot_object_create(device, &queue_desc, &queue_object);
    annot_context_create(queue_object, &queue);
    annot_object_create(device, &list_desc, &list_object);
    annot_context_create(list_object, &list);
    annot_arena_create(device, &allocator);

    /* when it records and submits */
    annot_context_open(list, allocator);
    annot_context_begin_event(list, 1, "Shadow pass", 11); /* the driver gets it with an EventID */
    annot_context_end_event(list);
    annot_context_close(list);
    annot_context_submit(queue, &list, 1); /* and annot_context_completed when a fence says so */

    /* when the GPU hangs */
    annot_crash_report report = what_the_gpu_left(annot_object_id(queue_object));
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .report = &report};
    annot_dump_write_file(writer, &info, "crash.annotdmp");

    /* later, elsewhere: or `annot show crash.annotdmp` */
    annot_reader_open_file(NULL, "crash.annotdmp", &reader);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    printf("%s\n", path); /* Shadow pass */

    annot_reader_close(reader);
    annot_dump_writer_destroy(writer);
    annot_context_destroy(list);
    annot_context_destroy(queue);
    annot_object_destroy(list_object);
    annot_object_destroy(queue_object);
    annot_arena_destroy(allocator);
    annot_device_destroy(device);
    remove("crash.annotdmp");
    return strcmp(path, "Shadow pass") != 0;
}
