/* Keeps devices and their objects, by the program's objects. */
#include "layer.h"

#include <stdlib.h>

#include <utlist.h>

static struct layer_device *(*device_of)(struct object *device);

void layer_registry_open(struct layer_device *(*of)(struct object *device))
{
    device_of = of;
}

/* ---- mirrors ---- */

void *layer_mirror_create(struct layer_device *device, const struct layer_class *of,
                          uint32_t handle_type, uint32_t list_type)
{
    struct layer_mirror *mirror = calloc(1, of->size);
    if (!mirror)
        return NULL;
    const annot_object_desc desc = {
        .kind = handle_type, .list_type = list_type, .driver_handle = mirror};
    mirror->kind = of->kind;
    mirror->finish = of->finish;
    mirror->device = device;
    if (annot_object_create(device->crash.annot, &desc, &mirror->object) != ANNOT_OK) {
        free(mirror);
        return NULL;
    }
    pthread_mutex_lock(&device->lock);
    DL_APPEND(device->mirrors, mirror);
    pthread_mutex_unlock(&device->lock);
    return mirror;
}

void layer_mirror_finish(struct layer_mirror *mirror)
{
    struct layer_device *device = mirror->device;
    pthread_mutex_lock(&device->lock);
    DL_DELETE(device->mirrors, mirror);
    pthread_mutex_unlock(&device->lock);
    if (mirror->finish)
        mirror->finish(mirror);
    annot_object_destroy(mirror->object);
    mirror->object = NULL;
    mirror->device = NULL;
}

struct layer_mirror *layer_mirror_publish(struct object *object, struct layer_mirror *mirror)
{
    const uintptr_t there = object_set_note(object, OBJECT_NOTE_CRASH, (uintptr_t)(void *)mirror);
    if (there == (uintptr_t)(void *)mirror)
        return mirror;
    if (mirror->device)
        layer_mirror_finish(mirror);
    free(mirror);
    return (struct layer_mirror *)there;
}

struct layer_mirror *layer_mirror_need(struct object *object, enum layer_kind kind,
                                       struct layer_mirror *(*create)(struct layer_device *device,
                                                                      const struct object *object))
{
    struct layer_mirror *mirror = layer_mirror_of(object);
    if (!mirror) {
        struct layer_device *device = layer_device_of_any(object);
        mirror = device ? create(device, object) : NULL;
        if (!mirror)
            return NULL;
        mirror = layer_mirror_publish(object, mirror);
    }
    return mirror && mirror->kind == kind ? mirror : NULL;
}

/* ---- devices ---- */

void layer_device_hold(struct layer_device *device)
{
    device->held += device->per_child;
}

void layer_device_let_go(struct layer_device *device)
{
    device->held -= device->per_child;
}

/* GetDevice of a device child, and of vkd3d-proton's swap chain, whose Present reports a loss. */
typedef HRESULT STDMETHODCALLTYPE get_device(void *, REFIID, void **);

struct layer_device *layer_device_of_any(struct object *object)
{
    const struct layer_mirror *mirror = layer_mirror_of(object);
    void *real = NULL;
    if (mirror)
        return mirror->device;
    if (object_is(object, TYPE_ID3D12Device))
        return device_of(object);
    const bool is_chain = object_is(object, TYPE_IDXGIVkSwapChain);
    if (!is_chain && !object_is(object, TYPE_ID3D12DeviceChild))
        return NULL;
    const object_slot *const *table = object->real;
    get_device *const get = (get_device *)(*table)[is_chain ? 5 : 7];
    if (get(object->real, iid_of(TYPE_ID3D12Device), &real) < 0 || !real)
        return NULL;
    struct object *device = object_of_identity(real, TYPE_ID3D12Device);
    object_release(real);
    return device ? device_of(device) : NULL;
}
