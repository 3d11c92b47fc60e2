/* Makes device children, latches the mode, and keeps names. A destroyed object moves to a second
 * list, where a dump still finds the name. If there are too many destroyed objects, the oldest are
 * removed. */
#include "base/object_type.h"
#include "base/sized.h"
#include "base/utf.h"
#include "record/record.h"

#include <stdio.h>

/* The limit in bytes of destroyed objects and their names, which also take at most a quarter of the
 * budget. Long names are removed early. */
#define FREED_BYTES_MAX ((uint64_t)16 << 20)

/* `object->next` is NULL. */
static void list_append(struct annot__object_list *list, annot_object *object)
{
    object->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = object;
    list->last = object;
    list->count++;
}

static void list_remove(struct annot__object_list *list, annot_object *object)
{
    *(object->previous ? &object->previous->next : &list->first) = object->next;
    *(object->next ? &object->next->previous : &list->last) = object->previous;
    list->count--;
}

static void object_free(annot_device *device, annot_object *object)
{
    while (object->shaders) {
        struct annot__shader *next = object->shaders->next;
        annot__release(device, object->shaders, sizeof *next);
        object->shaders = next;
    }
    annot__release(device, object->name, object->name_size + 1);
    annot__release(device, object, sizeof *object);
}

/* Notes the name of a kind; without memory the kind has no name. Hold objects_lock. */
static void note_kind(annot_device *device, uint32_t kind, const char *name)
{
    for (struct annot__kind_name *known = device->kind_names; known; known = known->next)
        if (known->kind == kind)
            return;
    struct annot__kind_name *noted =
        annot__allocate(device, sizeof *noted, _Alignof(struct annot__kind_name));
    if (!noted)
        return;
    *noted = (struct annot__kind_name){device->kind_names, kind, name};
    device->kind_names = noted;
}

uint64_t annot_device_reserve_id(annot_device *device)
{
    if (!device || annot__is_inherited(device))
        return 0;
    return atomic_fetch_add_explicit(&device->next_object, 1, memory_order_relaxed) + 1;
}

annot_result annot_object_create_sized(annot_device *device, const annot_object_desc *desc,
                                       size_t desc_size, annot_object **out)
{
    annot_object_desc known = {0};
    if (!out)
        return annot__misuse(device, "annot_object_create", "`out` must not be NULL");
    *out = NULL;
    if (!ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (!device || !desc)
        return annot__misuse(device, "annot_object_create", "no description");
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    annot_object *object = annot__allocate(device, sizeof *object, ANNOT__MAX_ALIGN);
    *out = object;
    if (!object)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *object = (annot_object){
        .device = device,
        .id = known.id ? known.id : annot_device_reserve_id(device),
        .driver_handle = known.driver_handle,
        .kind = known.kind,
        .type =
            known.type ? (annot_object_type)known.type : annot__object_type_of_d3d12(known.kind),
        .list_type = known.list_type,
        .mode = annot__device_mode(device),
        .made_at = atomic_load_explicit(&device->made, memory_order_relaxed),
    };
    object->named_at = object->made_at;
    annot__mutex_lock(&device->objects_lock);
    list_append(&device->objects, object);
    if (known.kind_name)
        note_kind(device, known.kind, known.kind_name);
    annot__mutex_unlock(&device->objects_lock);
    return ANNOT_OK;
}

/* Returns true if a destroyed object is kept. Lists and pipelines with shaders are kept even
 * without a name, because recordings in a dump refer to them. Queues without a name are not
 * kept. */
static bool worth_remembering(const annot_object *object)
{
    return object->name || object->shaders || object->type == ANNOT_OBJECT_COMMAND_LIST;
}

static uint64_t bytes_of(const annot_object *object)
{
    return sizeof *object + object->shader_count * sizeof *object->shaders +
           (object->name ? object->name_size + 1 : 0);
}

static bool is_too_much(const annot_device *device)
{
    const uint64_t share = device->budget / 4;
    return device->freed.count > device->freed_max ||
           device->freed_bytes > (share < FREED_BYTES_MAX ? share : FREED_BYTES_MAX);
}

/* Takes the surplus destroyed objects out, and returns them as a list by `next`. Hold
 * objects_lock. */
static annot_object *trim_freed(annot_device *device)
{
    annot_object *removed = NULL;
    while (is_too_much(device)) {
        annot_object *oldest = device->freed.first;
        list_remove(&device->freed, oldest);
        device->freed_bytes -= bytes_of(oldest);
        device->freed_forgotten += !!oldest->name;
        oldest->next = removed;
        removed = oldest;
    }
    return removed;
}

void annot_object_destroy(annot_object *object)
{
    if (!object || annot__is_inherited(object->device))
        return;
    annot_device *device = object->device;
    annot__mutex_lock(&device->objects_lock);
    list_remove(&device->objects, object);
    annot_object *removed = object;
    object->next = NULL;
    if (worth_remembering(object)) {
        object->destroyed = true;
        if (object->resource.memory != ANNOT_MEMORY_FREED)
            object->destroyed_at = atomic_load_explicit(&device->made, memory_order_relaxed);
        list_append(&device->freed, object);
        device->freed_bytes += bytes_of(object);
        removed = trim_freed(device);
    }
    annot__mutex_unlock(&device->objects_lock);
    while (removed) {
        annot_object *next = removed->next;
        object_free(device, removed);
        removed = next;
    }
}

uint64_t annot_object_id(const annot_object *object)
{
    return object ? object->id : 0;
}

annot_mode annot_object_mode(const annot_object *object)
{
    return object ? object->mode : ANNOT_MODE_RUNTIME_ONLY;
}

static char *name_convert(const annot_device *device, const void *name, annot_text_unit unit,
                          size_t *size)
{
    size_t count = annot__text_length(name, unit);
    *size = annot__utf8_from(NULL, 0, name, count, unit);
    char *text = annot__allocate(device, *size + 1, ANNOT__MAX_ALIGN);
    if (!text)
        return NULL;
    annot__utf8_from(text, *size, name, count, unit);
    return text;
}

/* Converts a UTF-8 name to the wide characters of a driver that takes names. Returns NULL without
 * memory. */
static void *name_widen(const annot_device *device, const char *name, size_t *size)
{
    uint32_t asked = device->driver->name_unit;
    annot_text_unit unit = asked == 2 || asked == 4       ? (annot_text_unit)asked
                           : sizeof(ANNOT_DDI_WCHAR) == 2 ? ANNOT_TEXT_UTF16
                                                          : ANNOT_TEXT_UTF32;
    size_t count = strlen(name);
    size_t units = annot__utf8_to(NULL, unit, name, count);
    *size = (units + 1) * (size_t)unit;
    char *wide = annot__allocate(device, *size, ANNOT__MAX_ALIGN);
    if (!wide)
        return NULL;
    annot__utf8_to(wide, unit, name, count);
    memset(wide + units * (size_t)unit, 0, (size_t)unit);
    return wide;
}

/* ---- former names ---- */

/* The limit in bytes of the former names of renamed objects. */
#define FORMER_BYTES_MAX ((uint64_t)1 << 20)

static void former_free_first(annot_device *device)
{
    struct annot__former *first = device->formers;
    device->formers = first->next;
    if (!first->next)
        device->last_former = NULL;
    device->former_bytes -= sizeof *first + first->size;
    annot__release(device, first, sizeof *first + first->size);
}

/* Keeps the old name for work that was submitted with it. Lists and queues note names with each
 * submission. Without memory, reports show the new name. Hold objects_lock. */
static void keep_former(annot_object *object)
{
    annot_device *device = object->device;
    const uint64_t made = atomic_load_explicit(&device->made, memory_order_relaxed);
    const size_t bytes = sizeof(struct annot__former) + object->name_size;
    const bool is_seen = object->named_at < made;
    object->named_at = made;
    if (!is_seen || object->type == ANNOT_OBJECT_COMMAND_LIST ||
        object->type == ANNOT_OBJECT_QUEUE || bytes > FORMER_BYTES_MAX / 4)
        return;
    struct annot__former *former = annot__allocate(device, bytes, ANNOT__MAX_ALIGN);
    if (!former)
        return;
    *former =
        (struct annot__former){.object = object->id, .until = made, .size = object->name_size};
    if (object->name_size > 0)
        memcpy(former->name, object->name, object->name_size);
    *(device->last_former ? &device->last_former->next : &device->formers) = former;
    device->last_former = former;
    device->former_bytes += bytes;
    while (device->former_bytes > FORMER_BYTES_MAX)
        former_free_first(device);
}

/* Gives the driver a name. Returns false without memory for the driver's form of the name. Hold
 * `naming`. */
static bool name_forward(const annot_object *object, const void *name, annot_text_unit unit)
{
    const annot_device *device = object->device;
    const D3D12DDI_HANDLE_AND_TYPE handle = {object->driver_handle,
                                             (D3D12DDI_HANDLETYPE)object->kind};
    if (object->mode != ANNOT_MODE_DRIVER_RETAIL)
        return true;
    if (!name || unit != ANNOT_TEXT_UTF8 || !device->supported) {
        device->table->pfnSetName(handle, name);
        return true;
    }
    size_t size;
    void *wide = name_widen(device, name, &size);
    device->table->pfnSetName(handle, wide);
    annot__release(device, wide, size);
    return wide != NULL;
}

annot_result annot_object_set_name(annot_object *object, const void *name, annot_text_unit unit)
{
    if (!object)
        return ANNOT_OK;
    annot_device *device = object->device;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    if (unit != ANNOT_TEXT_UTF8 && unit != ANNOT_TEXT_UTF16 && unit != ANNOT_TEXT_UTF32)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    size_t size = 0;
    char *text = name ? name_convert(device, name, unit, &size) : NULL;

    annot__mutex_lock(&device->naming);
    annot__mutex_lock(&device->objects_lock);
    keep_former(object);
    char *old = object->name;
    size_t old_size = object->name_size;
    object->name = text;
    object->name_size = text ? size : 0;
    atomic_fetch_add_explicit(&object->renamed, 1, memory_order_release);
    annot__mutex_unlock(&device->objects_lock);
    bool is_forwarded = name_forward(object, name, unit);
    annot__mutex_unlock(&device->naming);
    annot__release(device, old, old_size + 1);
    return (name && !text) || !is_forwarded ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_OK;
}

annot_result annot_object_set_name_counted(annot_object *object, const void *name, size_t count,
                                           annot_text_unit unit)
{
    const size_t most = (SIZE_MAX - sizeof(uint32_t)) / sizeof(uint32_t);
    if (!object || !name)
        return annot_object_set_name(object, NULL, unit);
    if (annot__is_inherited(object->device))
        return ANNOT_ERROR_FORKED;
    if (unit != ANNOT_TEXT_UTF8 && unit != ANNOT_TEXT_UTF16 && unit != ANNOT_TEXT_UTF32)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    size_t size = count < most ? count * (size_t)unit : SIZE_MAX;
    char *text = size < SIZE_MAX
                     ? annot__allocate(object->device, size + (size_t)unit, ANNOT__MAX_ALIGN)
                     : NULL;
    if (!text) {
        annot_object_set_name(object, NULL, unit);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    memcpy(text, name, size);
    memset(text + size, 0, (size_t)unit);
    annot_result result = annot_object_set_name(object, text, unit);
    annot__release(object->device, text, size + (size_t)unit);
    return result;
}

uint32_t annot_guid_name_unit(const void *guid, annot_text_unit wide)
{
    /* as they lie in memory: three little-endian numbers, then bytes */
    static const unsigned char debug_object_name[16] = {0x22, 0x8c, 0x9b, 0x42, 0x88, 0x91,
                                                        0x0c, 0x4b, 0x87, 0x42, 0xac, 0xb0,
                                                        0xbf, 0x85, 0xc2, 0x00};
    static const unsigned char debug_object_name_w[16] = {0xd8, 0x5f, 0xca, 0x4c, 0x1f, 0x92,
                                                          0xc8, 0x42, 0x85, 0x66, 0x70, 0xca,
                                                          0xf2, 0xa9, 0xb7, 0x41};
    if (!guid)
        return 0;
    if (memcmp(guid, debug_object_name, sizeof debug_object_name) == 0)
        return ANNOT_TEXT_UTF8;
    return memcmp(guid, debug_object_name_w, sizeof debug_object_name_w) == 0 ? (uint32_t)wide : 0;
}

size_t annot_object_get_name(const annot_object *object, char *buffer, size_t capacity)
{
    if (!buffer)
        capacity = 0;
    if (!object || annot__is_inherited(object->device)) {
        if (capacity > 0)
            buffer[0] = 0;
        return 0;
    }
    annot__mutex_lock(&object->device->objects_lock);
    size_t size = object->name_size;
    if (capacity > 0) {
        size_t fits = size < capacity ? size : annot__utf8_prefix(object->name, capacity - 1);
        if (object->name)
            memcpy(buffer, object->name, fits);
        buffer[fits] = 0;
    }
    annot__mutex_unlock(&object->device->objects_lock);
    return size;
}

/* ---- shaders ---- */

static struct annot__shader *shader_make(const annot_device *device, const annot_shader *said)
{
    struct annot__shader *made =
        annot__allocate(device, sizeof *made, _Alignof(struct annot__shader));
    if (!made)
        return NULL;
    *made = (struct annot__shader){.said = *said};
    const size_t size = said->debug_name ? said->debug_name_size : 0;
    const size_t kept = size < sizeof made->name
                            ? size
                            : annot__utf8_prefix(said->debug_name, sizeof made->name - 1);
    if (kept > 0)
        memcpy(made->name, said->debug_name, kept);
    made->said.debug_name_size = kept;
    made->name_size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    return made;
}

annot_result annot_object_add_shader_sized(annot_object *object, const annot_shader *shader,
                                           size_t shader_size)
{
    annot_shader known = {0};
    if (!object)
        return ANNOT_OK;
    annot_device *device = object->device;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    if (!shader || !ANNOT__TAKE(known, shader, shader_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct annot__shader *made = shader_make(device, &known);
    if (!made)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    annot__mutex_lock(&device->objects_lock);
    const bool has_room = object->shader_count < ANNOT_SHADERS_MAX;
    if (has_room) {
        struct annot__shader **end = &object->shaders;
        while (*end)
            end = &(*end)->next;
        *end = made;
        object->shader_count++;
    }
    annot__mutex_unlock(&device->objects_lock);
    if (!has_room)
        annot__release(device, made, sizeof *made);
    return has_room ? ANNOT_OK : ANNOT_ERROR_TOO_LARGE;
}

annot_result annot_object_set_resource_sized(annot_object *object, const annot_resource *resource,
                                             size_t resource_size)
{
    annot_resource known = {0};
    if (!object)
        return ANNOT_OK;
    if (annot__is_inherited(object->device))
        return ANNOT_ERROR_FORKED;
    if (!resource || !ANNOT__TAKE(known, resource, resource_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot__mutex_lock(&object->device->objects_lock);
    if (known.memory == ANNOT_MEMORY_FREED && object->resource.memory != ANNOT_MEMORY_FREED)
        object->destroyed_at = atomic_load_explicit(&object->device->made, memory_order_relaxed);
    object->resource = known;
    annot__mutex_unlock(&object->device->objects_lock);
    return ANNOT_OK;
}

struct annot__title annot__title_of(const annot_object *object)
{
    struct annot__title title;
    char name[ANNOT__TITLE_NAME];
    const char *mark = annot_object_get_name(object, name, sizeof name) > 0 ? "'" : "";
    snprintf(title.text, sizeof title.text, "%llu%s%s%s%s", (unsigned long long)object->id,
             *mark ? " " : "", mark, name, mark);
    return title;
}

void annot__objects_finish(annot_device *device)
{
    for (annot_object *object = device->freed.first; object;) {
        annot_object *next = object->next;
        object_free(device, object);
        object = next;
    }
    while (device->formers)
        former_free_first(device);
    while (device->kind_names) {
        struct annot__kind_name *next = device->kind_names->next;
        annot__release(device, device->kind_names, sizeof *next);
        device->kind_names = next;
    }
}
