/* Names that the driver keeps for its crash report. They are kept until the object is destroyed or
 * renamed. The blob for the report grows when a name is set, so that a crash needs no memory. */
#include "umd/types.h"
#include "gate.h"

#include <utlist.h>

#include <stdlib.h>
#include <string.h>

static size_t entry_size(uint32_t name_bytes)
{
    return sizeof(struct emu_reference_blob_name) + (((size_t)name_bytes + 7) & ~(size_t)7);
}

/* The device's lock is held. */
static void forget_name(struct emu_reference_object *object)
{
    if (!object->name)
        return;
    object->device->blob_size -= entry_size(object->name_bytes);
    free(object->name);
    object->name = NULL;
}

void emu__reference_object_init(struct emu_reference_object *object,
                                struct emu_reference_device *device, D3D12DDI_HANDLETYPE type,
                                uint64_t id)
{
    *object = (struct emu_reference_object){.device = device, .id = id, .type = type};
    emu_lock(&device->lock);
    DL_PREPEND2(device->objects, object, previous, next);
    emu_unlock(&device->lock);
}

void emu__reference_object_finish(struct emu_reference_object *object)
{
    forget_name(object);
    DL_DELETE2(object->device->objects, object, previous, next);
}

void *emu__reference_object_create(void *device, D3D12DDI_HANDLETYPE type, uint64_t id)
{
    struct emu_reference_object *object = malloc(sizeof *object);
    if (object)
        emu__reference_object_init(object, device, type, id);
    return object;
}

void emu__reference_object_destroy(void *handle)
{
    struct emu_reference_object *object = handle;
    if (!object)
        return;
    struct emu_reference_device *device = object->device;
    emu_lock(&device->lock);
    emu__reference_object_finish(object);
    emu_unlock(&device->lock);
    free(object);
}

static size_t limited_length(const ANNOT_DDI_WCHAR *name)
{
    size_t length = 0;
    while (length < EMU_REFERENCE_NAME_LIMIT && name[length])
        length++;
    return length;
}

void ANNOT_DDI_CALL emu__reference_set_name(D3D12DDI_HANDLE_AND_TYPE handle,
                                            const ANNOT_DDI_WCHAR *name)
{
    struct emu_reference_object *object = handle.Handle;
    if (!object || object->type != handle.Type)
        return;
    struct emu_reference_device *device = object->device;
    uint32_t bytes = name ? (uint32_t)(limited_length(name) * sizeof *name) : 0;
    ANNOT_DDI_WCHAR *copy = bytes ? malloc(bytes) : NULL;
    if (copy)
        memcpy(copy, name, bytes);
    emu_lock(&device->lock);
    forget_name(object);
    if (copy && emu__reference_blob_reserve(device, device->blob_size + entry_size(bytes))) {
        device->blob_size += entry_size(bytes);
        object->name = copy;
        object->name_bytes = bytes;
        copy = NULL;
    }
    emu_unlock(&device->lock);
    free(copy);
}

void emu__reference_blob_fill(struct emu_reference_device *device)
{
    struct emu_reference_blob header = {.magic = "EMUREF2", .order_window = device->order_window};
    char *at = (char *)device->blob + sizeof header;
    memset(device->blob, 0, device->blob_size);
    for (const struct emu_reference_object *object = device->objects; object;
         object = object->next) {
        if (!object->name)
            continue;
        struct emu_reference_blob_name entry = {
            .id = object->id, .type = (uint32_t)object->type, .bytes = object->name_bytes};
        memcpy(at, &entry, sizeof entry);
        memcpy(at + sizeof entry, object->name, object->name_bytes);
        at += entry_size(object->name_bytes);
        header.name_count++;
    }
    memcpy(device->blob, &header, sizeof header);
}
