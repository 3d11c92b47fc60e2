/* `make cross` runs this on each machine: it records, submits, hangs and writes a dump with
 * everything in it that has a byte order or a size of its own, then checks its lookups and PIX
 * events itself. Prints nothing when all is well. cross-writer DUMP */
#include "deaf_driver.h"

#include <annot/annot.h>
#include <annot/dump.h>
#include <annot/pix.h>
#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "cross-writer: line %d: %s\n", __LINE__, #condition);                  \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static uint64_t last_id, draw_id, scope_id;

static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                        const void *data, uint32_t size, uint64_t id)
{
    (void)queue, (void)metadata, (void)data, (void)size;
    last_id = id;
}

static void ANNOT_DDI_CALL list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)metadata, (void)data, (void)size;
    last_id = id;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    queue_marker,  deaf_queue_end, queue_marker,  list_marker,
    deaf_list_end, list_marker,    deaf_set_name,
};

static const annot_driver driver = {"cross",
                                    D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
                                    &table, sizeof(ANNOT_DDI_WCHAR)};

struct scene {
    annot_device *device;
    annot_object *queue_object, *list_object, *bundle_object;
    annot_context *queue, *list, *bundle;
    annot_arena *arena, *bundle_arena;
};

static int make(struct scene *it)
{
    static char handles[3];
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    annot_object_desc objects[] = {
        {.kind = D3D12DDI_HT_COMMAND_QUEUE, .driver_handle = &handles[0]},
        {.kind = D3D12DDI_HT_COMMAND_LIST, .driver_handle = &handles[1]},
        {.kind = D3D12DDI_HT_COMMAND_LIST, .driver_handle = &handles[2]},
    };
    desc.driver = &driver;
    CHECK(annot_device_create(&desc, &it->device) == ANNOT_OK);
    CHECK(annot_device_set_mode(it->device, ANNOT_MODE_DRIVER_RETAIL) == ANNOT_OK);
    CHECK(annot_object_create(it->device, &objects[0], &it->queue_object) == ANNOT_OK);
    CHECK(annot_object_create(it->device, &objects[1], &it->list_object) == ANNOT_OK);
    CHECK(annot_object_create(it->device, &objects[2], &it->bundle_object) == ANNOT_OK);
    CHECK(annot_context_create(it->queue_object, &it->queue) == ANNOT_OK);
    CHECK(annot_context_create(it->list_object, &it->list) == ANNOT_OK);
    CHECK(annot_context_create(it->bundle_object, &it->bundle) == ANNOT_OK);
    CHECK(annot_arena_create(it->device, &it->arena) == ANNOT_OK);
    CHECK(annot_arena_create(it->device, &it->bundle_arena) == ANNOT_OK);
    return 0;
}

static int record(struct scene *it)
{
    char payload[300];
    memset(payload, 'x', sizeof payload);
    CHECK(annot_context_open(it->bundle, it->bundle_arena) == ANNOT_OK);
    annot_context_set_marker(it->bundle, 1, "in the bundle", 13);
    CHECK(annot_context_close(it->bundle) == ANNOT_OK);
    CHECK(annot_context_open(it->list, it->arena) == ANNOT_OK);
    ANNOT_PIX_BEGIN(it->list, ANNOT_PIX_COLOR(255, 128, 0), "Frame %d, %s, %.3f, %lld", 7, "hdr",
                    0.5, -5000000000ll);
    scope_id = last_id;
    annot_context_begin_event(it->list, 1, "Shadow pass", 11);
    for (uint32_t size = 0; size < sizeof payload; size += 7)
        annot_context_set_marker(it->list, 1, payload, size);
    annot_context_execute_bundle(it->list, it->bundle);
    annot_context_set_marker(it->list, 1, "Draw 3", 6);
    draw_id = last_id;
    annot_context_end_event(it->list);
    annot_context_set_marker(it->list, 1, "not reached", 11);
    annot_context_end_event(it->list);
    CHECK(annot_context_close(it->list) == ANNOT_OK);
    return 0;
}

/* Blobs are the same bytes on every machine, and decode to the same text. */
static int check_pix(const struct scene *it)
{
    static const char expected[] = "Frame 7, hdr, 0.500, -5000000000";
    unsigned char blob[256];
    char name[64];
    annot_marker_info info;
    annot_pix_event event;
    CHECK(annot_device_lookup(it->device, scope_id, &info, blob, sizeof blob) == ANNOT_LOOKUP_LIVE);
    CHECK(annot_pix_decode(info.metadata, blob, info.size, name, sizeof name, &event) ==
          ANNOT_PIX_OK);
    CHECK(event.name_length == sizeof expected - 1 && memcmp(name, expected, sizeof expected) == 0);
    return 0;
}

static int write(const struct scene *it, const char *path)
{
    annot_progress row = {.queue = annot_object_id(it->queue_object),
                          .object = annot_object_id(it->list_object),
                          .submission = 2,
                          .state = ANNOT_PROGRESS_STARTED,
                          .inside = ANNOT_INSIDE_TRACKED,
                          .started = draw_id};
    const annot_crash_report report = {
        .size = sizeof report, .progress = &row, .progress_count = 1};
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .report = &report};
    annot_dump_writer *writer;
    CHECK(annot_dump_writer_create(it->device, &writer) == ANNOT_OK);
    CHECK(annot_dump_write_file(writer, &info, path) == ANNOT_OK);
    annot_dump_writer_destroy(writer);
    return 0;
}

static void finish(const struct scene *it)
{
    annot_context_destroy(it->bundle);
    annot_context_destroy(it->list);
    annot_context_destroy(it->queue);
    annot_arena_destroy(it->bundle_arena);
    annot_arena_destroy(it->arena);
    annot_object_destroy(it->bundle_object);
    annot_object_destroy(it->list_object);
    annot_object_destroy(it->queue_object);
    annot_device_destroy(it->device);
}

int main(int count, char **arguments)
{
    struct scene it;
    if (count != 2 || make(&it) != 0)
        return 1;
    annot_context_begin_event(it.queue, 1, "Frame on the queue", 18);
    annot_context_submit(it.queue, NULL, 0);
    if (record(&it) != 0)
        return 1;
    annot_context_submit(it.queue, &it.list, 1);
    annot_context_completed(it.queue, 1);
    if (check_pix(&it) != 0 || write(&it, arguments[1]) != 0)
        return 1;
    finish(&it);
    return 0;
}
