#include "asserts.h"
#include "deaf_driver.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- a driver that only notes the last EventID ---- */

static uint64_t last_event;

static void ANNOT_DDI_CALL queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                        const void *data, uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size;
    last_event = event_id;
}

static void ANNOT_DDI_CALL list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t event_id)
{
    (void)list, (void)metadata, (void)data, (void)size;
    last_event = event_id;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    queue_marker,  deaf_queue_end, queue_marker,  list_marker,
    deaf_list_end, list_marker,    deaf_set_name,
};
static const annot_driver driver = {
    "model", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &table, 0};

/* ---- the scene ---- */

static annot_context *make_context(struct scene *scene, D3D12DDI_HANDLETYPE kind, uint32_t type,
                                   annot_object **object)
{
    const annot_object_desc desc = {.kind = kind, .list_type = type};
    annot_context *context = NULL;
    cr_assert_eq(annot_object_create(scene->device, &desc, object), ANNOT_OK);
    cr_assert_eq(annot_context_create(*object, &context), ANNOT_OK);
    return context;
}

void scene_start(struct scene *scene)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    memset(scene, 0, sizeof *scene);
    desc.driver = &driver;
    desc.force_driver_retail = true;
    cr_assert_eq(annot_device_create(&desc, &scene->device), ANNOT_OK);
    for (int i = 0; i < SCENE_LISTS; i++) {
        scene->lists[i] = make_context(scene, D3D12DDI_HT_COMMAND_LIST, 0, &scene->list_objects[i]);
        cr_assert_eq(annot_arena_create(scene->device, &scene->arenas[i]), ANNOT_OK);
    }
    scene->bundle = make_context(scene, D3D12DDI_HT_COMMAND_LIST, 1, &scene->bundle_object);
    cr_assert_eq(annot_arena_create(scene->device, &scene->bundle_arena), ANNOT_OK);
    scene->queue = make_context(scene, D3D12DDI_HT_COMMAND_QUEUE, 0, &scene->queue_object);
    cr_assert_eq(annot_dump_writer_create(scene->device, &scene->writer), ANNOT_OK);
}

void scene_finish(struct scene *scene)
{
    annot_dump_writer_destroy(scene->writer);
    annot_context_destroy(scene->bundle);
    annot_object_destroy(scene->bundle_object);
    annot_arena_destroy(scene->bundle_arena);
    annot_context_destroy(scene->queue);
    annot_object_destroy(scene->queue_object);
    for (int i = 0; i < SCENE_LISTS; i++) {
        annot_context_destroy(scene->lists[i]);
        annot_object_destroy(scene->list_objects[i]);
        annot_arena_destroy(scene->arenas[i]);
    }
    annot_device_destroy(scene->device);
    free(scene->dump);
}

uint64_t scene_begin(annot_context *context)
{
    annot_context_begin_event(context, 1, "scope", 5);
    return last_event;
}

uint64_t scene_set(annot_context *context)
{
    annot_context_set_marker(context, 1, "marker", 6);
    return last_event;
}

/* ---- dumps ---- */

static bool sink_write(void *user, const void *data, size_t size)
{
    struct scene *scene = user;
    if (scene->size + size > scene->capacity) {
        scene->capacity = (scene->size + size) * 2;
        scene->dump = realloc(scene->dump, scene->capacity);
        cr_assert(scene->dump);
    }
    memcpy(scene->dump + scene->size, data, size);
    scene->size += size;
    return true;
}

static bool sink_finish(void *user, const void *magic, size_t size)
{
    memcpy(((struct scene *)user)->dump, magic, size);
    return true;
}

uint32_t scene_call(const annot_reader *reader, uint32_t stream, int n)
{
    annot_reader_entry entry;
    uint32_t at = 0;
    for (; annot_reader_entry_at(reader, at, &entry); at++)
        if (entry.kind == ANNOT_ENTRY_BUNDLE && entry.stream == stream && n-- == 0)
            break;
    cr_assert(n < 0);
    return at;
}

annot_reader *scene_open(struct scene *scene, const annot_crash_report *report)
{
    const annot_dump_sink sink = {scene, sink_write, sink_finish};
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG,
                                  .report = report,
                                  .crumbs = scene->crumbs,
                                  .crumb_count = scene->crumb_count};
    annot_reader *reader = NULL;
    scene->size = 0;
    cr_assert_eq(annot_dump_write(scene->writer, &info, &sink), ANNOT_OK);
    cr_assert_eq(annot_reader_open_memory(NULL, scene->dump, scene->size, &reader), ANNOT_OK);
    return reader;
}
