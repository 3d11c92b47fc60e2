/* What the dump says of the device and its objects. */
#include "dump/writer.h"

#include <string.h>

/* ---- about ---- */

static void write_text(annot_dump_writer *writer, uint32_t role, const char *text)
{
    if (!text)
        return;
    size_t size = strlen(text);
    annot__write_TEXT(writer, &(struct annot__dump_TEXT){.role = role}, text,
                      annot__cut_text(text, size));
}

static uint64_t guid_half(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

void annot__write_section_ABOUT(annot_dump_writer *writer)
{
    annot_device *device = writer->device;
    const annot_dump_info *info = writer->info;
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    annot__section_begin(writer, ANNOT__DUMP_SECTION_ABOUT);
    annot__write_DEVICE(writer,
                        &(struct annot__dump_DEVICE){
                            .guid_low = guid_half(info->guid),
                            .guid_high = guid_half(info->guid + 8),
                            .time = info->time,
                            .budget = device->budget == UINT64_MAX ? 0 : device->budget,
                            .live_bytes = stats.live_bytes,
                            .error = (uint32_t)info->error,
                            .mode = (uint32_t)annot_device_mode(device),
                            .driver_supported = device->supported,
                            .order_window = info->report ? info->report->order_window : 0,
                            .has_report = info->report != NULL,
                            .pointer_size = sizeof(void *),
                        },
                        NULL, 0);
    write_text(writer, ANNOT__DUMP_TEXT_APPLICATION, info->application);
    write_text(writer, ANNOT__DUMP_TEXT_ADAPTER, info->adapter);
    write_text(writer, ANNOT__DUMP_TEXT_DRIVER, device->driver ? device->driver->name : NULL);
    write_text(writer, ANNOT__DUMP_TEXT_REASON, info->reason);
    write_text(writer, ANNOT__DUMP_TEXT_WRITER, annot_version());
    annot__write_loss(writer, ANNOT_LOSS_MARKERS, 0, stats.dropped_markers);
    annot__write_loss(writer, ANNOT_LOSS_BYTES, 0, stats.dropped_bytes);
    annot__write_loss(writer, ANNOT_LOSS_QUEUE_MARKERS, 0, stats.evicted_markers);
}

/* ---- objects ---- */

static void write_object(annot_dump_writer *writer, const annot_object *object)
{
    uint32_t flags = (object->destroyed ? ANNOT__DUMP_OBJECT_DESTROYED : 0u) |
                     (object->name ? ANNOT__DUMP_OBJECT_NAMED : 0u) |
                     (object->mode == ANNOT_MODE_DRIVER_RETAIL ? ANNOT__DUMP_OBJECT_RETAIL : 0u);
    uint64_t size = object->name_size;
    annot__write_OBJECT(writer,
                        &(struct annot__dump_OBJECT){
                            .id = object->id,
                            .handle = (uintptr_t)object->driver_handle,
                            .kind = (uint32_t)object->kind,
                            .flavor = object->flavor,
                            .flags = flags,
                            .name_size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                        },
                        object->name, annot__cut_text(object->name, size));
}

/* Under children. */
static void write_objects(annot_dump_writer *writer)
{
    annot_device *device = writer->device;
    for (annot_object *object = device->objects.first; object; object = object->next)
        write_object(writer, object);
    for (annot_object *object = device->freed.first; object; object = object->next)
        write_object(writer, object);
    annot__write_loss(writer, ANNOT_LOSS_FORGOTTEN_NAMES, 0, device->freed_forgotten);
}

void annot__write_section_OBJECTS(annot_dump_writer *writer)
{
    annot__section_begin(writer, ANNOT__DUMP_SECTION_OBJECTS);
    if (!annot__lock_children(writer))
        return;
    write_objects(writer);
    annot__mutex_unlock(&writer->device->children);
}
