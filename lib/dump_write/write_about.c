/* Writes the device and its objects. */
#include "base/utf.h"
#include "dump_write/writer.h"

/* ---- about ---- */

static void write_text(annot_dump_writer *writer, uint32_t role, const char *text)
{
    if (!text)
        return;
    size_t size = strlen(text);
    ANNOT__WRITE(writer, TEXT, text, annot__cut_text(text, size), .role = role);
}

static uint64_t guid_half(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* ---- facts ---- */

/* Returns how many bytes of a key or value are written. A short text is kept unchanged, UTF-8 or
 * not. */
static size_t fact_size(const char *text, size_t max)
{
    const size_t size = strnlen(text, max + 1);
    return size > max ? annot__utf8_prefix(text, max) : size;
}

void annot__write_fact(annot_dump_writer *writer, uint32_t source, const char *key,
                       const char *value)
{
    char bytes[ANNOT_FACT_KEY_MAX + ANNOT_FACT_VALUE_MAX];
    if (!key || !*key || !value || !*value)
        return;
    const size_t key_size = fact_size(key, ANNOT_FACT_KEY_MAX);
    const size_t value_size = fact_size(value, ANNOT_FACT_VALUE_MAX);
    memcpy(bytes, key, key_size);
    memcpy(bytes + key_size, value, value_size);
    ANNOT__WRITE(writer, FACT, bytes, (uint32_t)(key_size + value_size), .source = source,
                 .key_size = (uint32_t)key_size);
}

static void write_facts(annot_dump_writer *writer)
{
    const annot_device *device = writer->device;
    const annot_dump_info *info = writer->info;
    for (size_t i = 0; info->facts && i < info->fact_count && i < ANNOT_FACTS_MAX; i++)
        annot__write_fact(writer, ANNOT_FACT_DUMP, info->facts[i].key, info->facts[i].value);
    annot__write_fact(writer, ANNOT_FACT_LIBRARY, "process", writer->process.id);
    annot__write_fact(writer, ANNOT_FACT_LIBRARY, "system", writer->process.system);
    if (!annot__lock_objects(writer))
        return;
    for (uint32_t i = 0; i < device->fact_count; i++)
        annot__write_fact(writer, ANNOT_FACT_DEVICE, device->facts[i].key, device->facts[i].value);
    annot__mutex_unlock(&writer->device->objects_lock);
}

void annot__write_section_ABOUT(annot_dump_writer *writer)
{
    annot_device *device = writer->device;
    const annot_dump_info *info = writer->info;
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    ANNOT__WRITE(writer, DEVICE, NULL, 0, .guid_low = guid_half(info->guid),
                 .guid_high = guid_half(info->guid + 8),
                 .time = info->time || info->has_virtual_clock ? info->time : annot__time_now(),
                 .budget = device->budget == UINT64_MAX ? 0 : device->budget,
                 .live_bytes = stats.live_bytes, .error = (uint32_t)info->error,
                 .mode = (uint32_t)annot_device_mode(device), .driver_supported = device->supported,
                 .order_window = info->report ? info->report->order_window : 0,
                 .has_report = !!info->report, .pointer_size = sizeof(void *),
                 .promises = info->report ? info->report->promises : 0,
                 .virtual_clock = info->has_virtual_clock, .thread = info->thread);
    write_text(writer, ANNOT__DUMP_TEXT_APPLICATION,
               info->application         ? info->application
               : writer->process.name[0] ? writer->process.name
                                         : NULL);
    write_text(writer, ANNOT__DUMP_TEXT_ADAPTER, info->adapter);
    write_text(writer, ANNOT__DUMP_TEXT_DRIVER, device->driver ? device->driver->name : NULL);
    write_text(writer, ANNOT__DUMP_TEXT_REASON, info->reason);
    write_text(writer, ANNOT__DUMP_TEXT_WRITER, annot_version());
    annot__write_loss(writer, ANNOT_LOSS_MARKERS, 0, stats.dropped_markers);
    annot__write_loss(writer, ANNOT_LOSS_BYTES, 0, stats.dropped_bytes);
    annot__write_loss(writer, ANNOT_LOSS_QUEUE_MARKERS, 0, stats.evicted_markers);
    write_facts(writer);
}

/* ---- objects ---- */

static void write_object(annot_dump_writer *writer, const annot_object *object)
{
    uint32_t flags = (object->destroyed ? ANNOT__DUMP_OBJECT_DESTROYED : 0u) |
                     (object->name ? ANNOT__DUMP_OBJECT_NAMED : 0u) |
                     (object->mode == ANNOT_MODE_DRIVER_RETAIL ? ANNOT__DUMP_OBJECT_RETAIL : 0u);
    const bool has_life = object->resource.dimension != 0;
    const bool is_freed = object->destroyed || object->resource.memory == ANNOT_MEMORY_FREED;
    uint64_t size = object->name_size;
    ANNOT__WRITE(writer, OBJECT, object->name, annot__cut_text(object->name, size),
                 .id = object->id, .handle = (uintptr_t)object->driver_handle, .kind = object->kind,
                 .type = (uint32_t)object->type, .list_type = object->list_type, .flags = flags,
                 .name_size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                 .made = has_life ? object->made_at + 1 : 0,
                 .destroyed = has_life && is_freed ? object->destroyed_at + 1 : 0);
}

static void write_shader(annot_dump_writer *writer, uint64_t object,
                         const struct annot__shader *shader)
{
    const annot_shader *said = &shader->said;
    ANNOT__WRITE(writer, SHADER, shader->name, (uint32_t)said->debug_name_size, .object = object,
                 .xxh3 = said->xxh3, .digest_low = guid_half(said->digest),
                 .digest_high = guid_half(said->digest + 8), .hash_low = guid_half(said->hash),
                 .hash_high = guid_half(said->hash + 8), .form = said->form, .stage = said->stage,
                 .flags = said->flags, .name_size = shader->name_size);
}

static void write_resource(annot_dump_writer *writer, const annot_object *object)
{
    const annot_resource *of = &object->resource;
    if (of->dimension == 0)
        return;
    const struct annot__dump_RESOURCE fields = {.object = object->id, ANNOT__RESOURCE_MEMBERS(of)};
    annot__write_RESOURCE(writer, &fields, NULL, 0);
}

static void write_with_parts(annot_dump_writer *writer, const annot_object *object)
{
    write_object(writer, object);
    write_resource(writer, object);
    for (const struct annot__shader *shader = object->shaders; shader; shader = shader->next)
        write_shader(writer, object->id, shader);
}

/* Under objects_lock. */
static void write_objects(annot_dump_writer *writer)
{
    annot_device *device = writer->device;
    for (struct annot__kind_name *kind = device->kind_names; kind; kind = kind->next)
        ANNOT__WRITE(writer, KIND, kind->name, annot__cut_text(kind->name, strlen(kind->name)),
                     .kind = kind->kind);
    for (annot_object *object = device->objects.first; object; object = object->next)
        write_with_parts(writer, object);
    for (annot_object *object = device->freed.first; object; object = object->next)
        write_with_parts(writer, object);
    for (const struct annot__former *former = device->formers; former; former = former->next)
        ANNOT__WRITE(writer, FORMER, former->name, annot__cut_text(former->name, former->size),
                     .object = former->object, .until = former->until,
                     .name_size = (uint32_t)former->size);
    annot__write_loss(writer, ANNOT_LOSS_FORGOTTEN_NAMES, 0, device->freed_forgotten);
}

void annot__write_section_OBJECTS(annot_dump_writer *writer)
{
    if (!annot__lock_objects(writer))
        return;
    write_objects(writer);
    annot__mutex_unlock(&writer->device->objects_lock);
}
