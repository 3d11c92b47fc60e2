/*
 * From a device to a dump, in a crash handler: nothing here allocates, formats with stdio or waits for a lock without
 * end. What is behind a lock that can't be had in bounded time is left out, and the dump says so.
 */
#include "dump/writer.h"

#include <string.h>

_Static_assert(ANNOT__REFERENCE_PIECE == ANNOT__DUMP_VARIABLE_MAX, "what a dump keeps of it");

/* ---- about ---- */

static void write_text(annot_dump_writer *writer, uint32_t role, const char *text)
{
    if (!text)
        return;
    size_t size = strlen(text);
    annot__write_TEXT(writer, &(struct annot__dump_TEXT){.role = role}, text,
                      annot__cut_text(text, size));
}

void annot__write_loss(annot_dump_writer *writer, uint32_t what, uint64_t object, uint64_t count)
{
    if (count)
        annot__write_LOSS(
            writer, &(struct annot__dump_LOSS){.what = what, .object = object, .count = count},
            NULL, 0);
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
    annot__write_loss(writer, ANNOT__DUMP_LOSS_MARKERS, 0, stats.dropped_markers);
    annot__write_loss(writer, ANNOT__DUMP_LOSS_BYTES, 0, stats.dropped_bytes);
    annot__write_loss(writer, ANNOT__DUMP_LOSS_EVICTED, 0, stats.evicted_markers);
}

bool annot__lock_children(annot_dump_writer *writer)
{
    bool locked = annot__mutex_try_long(&writer->device->children);
    writer->locked_children |= !locked;
    return locked;
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
    annot__write_loss(writer, ANNOT__DUMP_LOSS_FORGOTTEN_NAMES, 0, device->freed_forgotten);
}

void annot__write_section_OBJECTS(annot_dump_writer *writer)
{
    annot__section_begin(writer, ANNOT__DUMP_SECTION_OBJECTS);
    if (!annot__lock_children(writer))
        return;
    write_objects(writer);
    annot__mutex_unlock(&writer->device->children);
}

/* ---- end ---- */

/* What the writing could not get at goes into the section before the last. */
void annot__write_section_END(annot_dump_writer *writer)
{
    annot__write_loss(writer, ANNOT__DUMP_LOSS_LOCKED_ARENAS, 0, writer->locked_arenas);
    annot__write_loss(writer, ANNOT__DUMP_LOSS_LOCKED_NAMES, 0, writer->locked_children);
    annot__write_loss(writer, ANNOT__DUMP_LOSS_PROGRESS_ROWS, 0, writer->unknown_rows);
    annot__write_loss(writer, ANNOT__DUMP_LOSS_UNREADABLE, 0, writer->unreadable);
    annot__section_begin(writer, ANNOT__DUMP_SECTION_END);
    annot__write_END(writer,
                     &(struct annot__dump_END){.sections = writer->section_index,
                                               .records = writer->records,
                                               .markers = writer->markers},
                     NULL, 0);
    annot__section_flush(writer);
}

/* ---- the dump ---- */

#define WRITE_SECTION(name, kind, doc) annot__write_section_##name(writer);

annot_result annot_dump_write(annot_dump_writer *writer, const annot_dump_info *info,
                              const annot_dump_sink *sink)
{
    static const annot_dump_info nothing;
    assert(writer && sink && sink->write && sink->finish);
    writer->info = info ? info : &nothing;
    writer->sink = sink;
    writer->failed = false;
    writer->section_index = 0;
    writer->records = writer->markers = 0;
    writer->locked_arenas = writer->unknown_rows = writer->unreadable = 0;
    writer->locked_children = false;
    writer->used = ANNOT__DUMP_SECTION_HEADER;

    annot__write_header(writer);
    ANNOT__DUMP_SECTIONS(WRITE_SECTION)
    if (!writer->failed && !sink->finish(sink->user, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE))
        writer->failed = true;
    return writer->failed ? ANNOT_ERROR_IO : ANNOT_OK;
}

annot_result annot_dump_writer_create(annot_device *device, annot_dump_writer **out)
{
    assert(device && out);
    *out = annot__allocate(device, sizeof **out, _Alignof(max_align_t));
    if (!*out)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(*out, 0, sizeof **out); /* touched now, not in the crash handler */
    (*out)->device = device;
    return ANNOT_OK;
}

void annot_dump_writer_destroy(annot_dump_writer *writer)
{
    if (writer)
        annot__release(writer->device, writer, sizeof *writer);
}
