/*
 * All that libannot asks of a translation layer or a Vulkan layer: labels become markers, markers
 * become words that the GPU writes, words become the report of a lost device.
 */
#include "glue.h"

/* ---- words ---- */

/* Writes that the GPU has come here: at the top of the pipe, or, without marker extensions, where
 * it stands. */
static void write_started(struct layer_command_buffer *buffer, uint64_t value)
{
    const struct layer *layer = buffer->layer;
    if (buffer->words.started != ANNOT_WORDS_NONE)
        gpu_record(&buffer->commands, layer->gpu->has_markers ? GPU_WRITE_TOP : GPU_FILL,
                   layer->word_size, buffer->words.started, value);
}

/* Writes that all before is done: at the bottom of the pipe, or behind a barrier that waits for all
 * work before. */
static void write_completed(struct layer_command_buffer *buffer, uint64_t value)
{
    const struct layer *layer = buffer->layer;
    if (buffer->words.completed == ANNOT_WORDS_NONE)
        return;
    if (!layer->gpu->has_markers)
        gpu_record(&buffer->commands, GPU_BARRIER, 0, 0, 0);
    gpu_record(&buffer->commands, layer->gpu->has_markers ? GPU_WRITE_BOTTOM : GPU_FILL,
               layer->word_size, buffer->words.completed, value);
}

/* ---- the driver's table: this layer is the driver ---- */

static void ANNOT_DDI_CALL on_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event)
{
    (void)metadata, (void)data, (void)size;
    write_started(list.pDrvPrivate, event);
}

static void ANNOT_DDI_CALL on_end(D3D12DDI_HCOMMANDLIST list, uint64_t event)
{
    if (event)
        write_completed(list.pDrvPrivate, event);
}

static void ANNOT_DDI_CALL on_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                  uint32_t size, uint64_t event)
{
    on_begin(list, metadata, data, size, event);
    on_end(list, event);
}

static void ANNOT_DDI_CALL on_queue(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                    const void *data, uint32_t size, uint64_t event)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event;
}

static void ANNOT_DDI_CALL on_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event)
{
    (void)queue, (void)event;
}

static void ANNOT_DDI_CALL on_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    on_queue, on_queue_end, on_queue, on_begin, on_end, on_set, on_name,
};
static const annot_driver driver = {
    .name = "pretend GPU",
    .annotation_version = D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST,
    .annotation = &table,
};

/* ---- device and queue ---- */

bool layer_create(struct layer *layer, struct gpu *gpu, uint32_t word_size)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    const annot_object_desc queue = {.type = ANNOT_OBJECT_QUEUE, .kind_name = "VkQueue"};
    *layer = (struct layer){.gpu = gpu, .word_size = word_size};
    const annot_tracker_desc words = {
        .memory = gpu->memory,
        .memory_size = sizeof gpu->memory,
        .word_size = word_size,
        .writes_entered = true,
        .writes_completed = true,
        .promises = ANNOT_PROMISE_STARTS_IN_ORDER,
    };
    desc.driver = &driver;
    desc.force_driver_retail = true;
    if (annot_device_create(&desc, &layer->device) ||
        annot_tracker_create(layer->device, &words, &layer->tracker) ||
        annot_dump_writer_create(layer->device, &layer->writer) ||
        annot_object_create(layer->device, &queue, &layer->queue_object))
        return false;
    annot_object_set_name(layer->queue_object, "universal", ANNOT_TEXT_UTF8);
    return annot_context_create(layer->queue_object, &layer->queue) == ANNOT_OK;
}

void layer_destroy(struct layer *layer)
{
    annot_context_destroy(layer->queue);
    annot_object_destroy(layer->queue_object);
    annot_dump_writer_destroy(layer->writer);
    annot_tracker_destroy(layer->tracker);
    annot_device_destroy(layer->device);
}

/* ---- command buffers ---- */

bool layer_allocate(struct layer *layer, struct layer_command_buffer *buffer, const char *name)
{
    *buffer = (struct layer_command_buffer){.layer = layer};
    const annot_object_desc desc = {
        .type = ANNOT_OBJECT_COMMAND_LIST,
        .kind_name = "VkCommandBuffer",
        .driver_handle = buffer,
    };
    if (annot_object_create(layer->device, &desc, &buffer->object) ||
        annot_arena_create(layer->device, &buffer->arena))
        return false;
    annot_object_set_name(buffer->object, name, ANNOT_TEXT_UTF8);
    return annot_context_create(buffer->object, &buffer->list) == ANNOT_OK;
}

void layer_free(struct layer_command_buffer *buffer)
{
    annot_tracker_forget(buffer->layer->tracker, buffer->list);
    annot_context_destroy(buffer->list);
    annot_arena_destroy(buffer->arena);
    annot_object_destroy(buffer->object);
}

void layer_begin(struct layer_command_buffer *buffer)
{
    annot_arena_reset(buffer->arena);
    buffer->commands.count = 0;
    annot_context_open(buffer->list, buffer->arena);
    buffer->words = annot_tracker_record(buffer->layer->tracker, buffer->list);
    write_started(buffer, ANNOT_WORD_ENTERED);
}

void layer_end(struct layer_command_buffer *buffer)
{
    write_completed(buffer, ANNOT_WORD_LEFT);
    annot_context_close(buffer->list);
}

void layer_begin_label(struct layer_command_buffer *buffer, const char *label)
{
    annot_context_begin_event(buffer->list, 1, label, (uint32_t)strlen(label) + 1);
}

void layer_insert_label(struct layer_command_buffer *buffer, const char *label)
{
    annot_context_set_marker(buffer->list, 1, label, (uint32_t)strlen(label) + 1);
}

void layer_end_label(struct layer_command_buffer *buffer)
{
    annot_context_end_event(buffer->list);
}

/* ---- submissions ---- */

/* The caller holds the queue's lock, as Vulkan demands of the application. */
uint64_t layer_submit(struct layer *layer, struct layer_command_buffer *buffer)
{
    uint64_t serial = annot_tracker_submit(layer->tracker, layer->queue, &buffer->list, 1, NULL);
    gpu_submit(layer->gpu, &buffer->commands);
    return serial;
}

void layer_completed(struct layer *layer, uint64_t serial)
{
    annot_tracker_completed(layer->tracker, layer->queue, serial);
}

/* ---- device lost ---- */

annot_result layer_lost(struct layer *layer, const char *path)
{
    annot_crash_report report = {.size = sizeof report};
    bool has_report = annot_tracker_report(layer->tracker, &report);
    const annot_dump_info info = {
        .error = ANNOT_DEVICE_ERROR_HUNG,
        .reason = "no fence in time",
        .report = has_report ? &report : NULL,
    };
    return annot_dump_write_file(layer->writer, &info, path);
}
