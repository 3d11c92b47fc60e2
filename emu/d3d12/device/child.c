#include "device/child.h"

#include "base/result.h"
#include "device/device.h"

#include <stdarg.h>
#include <stdio.h>

void d3d12_child_message(const struct d3d12_child *child, D3D12_MESSAGE_SEVERITY severity, int id,
                         const char *format, ...)
{
    char text[384], name[96];
    const unsigned long long number = annot_object_id(child->annot);
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';
    va_end(args);
    struct messages *messages = &child->device->messages;
    if (!child->annot)
        messages_add(messages, D3D12_MESSAGE_CATEGORY_EXECUTION, severity, id, text);
    else if (annot_object_get_name(child->annot, name, sizeof name) > 0)
        messages_emit(messages, D3D12_MESSAGE_CATEGORY_EXECUTION, severity, id,
                      "%s (object %llu '%s')", text, number, name);
    else
        messages_emit(messages, D3D12_MESSAGE_CATEGORY_EXECUTION, severity, id, "%s (object %llu)",
                      text, number);
}

static void release(struct d3d12_child *child)
{
    if (child->class->release)
        child->class->release(child);
    in_flight_usage_release(child->usage);
}

static void destroy(struct d3d12_child *child)
{
    void *object = child->iface;
    if (child->class->destroy) {
        child->class->destroy(child);
        return;
    }
    release(child);
    d3d12_child_finish(child);
    free(object);
}

static void destroy_deferred(struct deferred_destroy *deferred)
{
    destroy(container_of(deferred, struct d3d12_child, deferred));
}

static HRESULT make_annotation(struct d3d12_child *child, uint32_t list_type,
                               const struct d3d12_driver_object *made)
{
    struct d3d12_device *device = child->device;
    annot_object_desc desc = {.kind = child->class->kind, .list_type = list_type};
    if (child->class->kind == 0)
        return S_OK;
    if (made) {
        desc.id = made->id;
        desc.driver_handle = made->handle;
    } else {
        desc.id = annot_device_reserve_id(device->annot);
        child->driver =
            device->driver->object_create(device->driver_device, child->class->kind, desc.id);
        if (!child->driver)
            return E_OUTOFMEMORY;
        desc.driver_handle = child->driver;
    }
    const annot_result result = annot_object_create(device->annot, &desc, &child->annot);
    if (result != ANNOT_OK && child->driver)
        device->driver->object_destroy(child->driver);
    return hresult_from_annot(result);
}

HRESULT d3d12_child_init(struct d3d12_child *child, void *iface,
                         const struct d3d12_child_class *class, struct d3d12_device *device,
                         uint32_t list_type, const struct d3d12_driver_object *made)
{
    child->iface = iface;
    child->class = class;
    child->device = device;
    child->annot = NULL;
    child->driver = NULL;
    const HRESULT hr = make_annotation(child, list_type, made);
    if (FAILED(hr))
        return hr;
    private_data_init(&child->private_data, child->annot);
    atomic_init(&child->references, 1);
    atomic_init(&child->private_references, 1);
    atomic_init(&child->residency, 1);
    child->deferred.destroy = destroy_deferred;
    d3d12_device_add_ref(device);
    return S_OK;
}

/* The first members of every child. */
struct child_object {
    CONST_VTBL void *methods;
    struct d3d12_child child;
};

void *d3d12_child_begin(struct d3d12_device *device, const struct d3d12_child_class *class,
                        size_t size)
{
    struct child_object *object = calloc(1, size);
    if (!object)
        return NULL;
    memcpy(object, &class->methods, sizeof class->methods);
    object->child.iface = object;
    object->child.class = class;
    object->child.device = device;
    return object;
}

HRESULT d3d12_child_end(struct d3d12_child *child, HRESULT hr)
{
    void *object = child->iface;
    if (SUCCEEDED(hr))
        hr = d3d12_child_init(child, object, child->class, child->device, 0, NULL);
    if (SUCCEEDED(hr))
        return hr;
    release(child);
    free(object);
    return hr;
}

void *d3d12_child_of(void *iface, const struct d3d12_child_class *class)
{
    return iface && memcmp(iface, &class->methods, sizeof class->methods) == 0 ? iface : NULL;
}

void d3d12_child_finish(struct d3d12_child *child)
{
    private_data_finish(&child->private_data);
    annot_object_destroy(child->annot);
    if (child->driver)
        child->device->driver->object_destroy(child->driver);
}

HRESULT d3d12_child_give(struct d3d12_child *child, const IID *riid, void **out)
{
    HRESULT hr = out != NULL ? d3d12_child_query(child, riid, out) : S_FALSE;
    d3d12_child_release(child);
    return hr;
}

void d3d12_child_add_private_ref(struct d3d12_child *child)
{
    atomic_fetch_add_explicit(&child->private_references, 1, memory_order_relaxed);
}

void d3d12_child_release_private_ref(struct d3d12_child *child)
{
    if (atomic_fetch_sub_explicit(&child->private_references, 1, memory_order_acq_rel) > 1)
        return;
    if (child->class->abandon)
        child->class->abandon(child);
    if (child->class->immediate)
        destroy(child);
    else
        in_flight_defer_destroy(&child->device->in_flight, &child->deferred);
}

/* QueryInterface with this identifier gives the struct d3d12_child, without a reference. */
static const IID child_iid = {
    0x7cbd1a63, 0x2f8e, 0x4d0b, {0x93, 0x5c, 0x61, 0xe4, 0x0b, 0x8d, 0x27, 0xf9}};

struct d3d12_child *d3d12_child_from(void *iface)
{
    IUnknown *unknown = iface;
    void *child = NULL;
    if (!unknown || FAILED(unknown->lpVtbl->QueryInterface(unknown, &child_iid, &child)))
        return NULL;
    return child;
}

HRESULT d3d12_child_query(struct d3d12_child *child, const IID *riid, void **out)
{
    if (!out)
        return E_POINTER;
    if (riid && com_same(riid, &child_iid)) {
        *out = child;
        return S_OK;
    }
    static const IID *const common[] = {&IID_ID3D12Object, &IID_ID3D12DeviceChild};
    bool known = COM_IS_ANY(riid, common);
    for (const IID *const *iid = child->class->iids; riid && *iid && !known; iid++)
        known = com_same(riid, *iid);
    return com_hand_out(known ? child->iface : NULL, riid, out);
}

ULONG d3d12_child_add_ref(struct d3d12_child *child)
{
    return atomic_fetch_add_explicit(&child->references, 1, memory_order_relaxed) + 1;
}

void d3d12_child_revive(struct d3d12_child *child)
{
    d3d12_device_add_ref(child->device);
    d3d12_child_add_private_ref(child);
    if (d3d12_child_add_ref(child) == 1)
        return;
    d3d12_child_release_private_ref(child); /* all references of the application count as one */
    d3d12_device_release(child->device);
}

/* Says that the GPU still uses an object that the program gives up. What the runtime itself keeps
 * lives on, as a heap does with its resources. */
static void tell_use(const struct d3d12_child *child)
{
    struct d3d12_device *device = child->device;
    const emu_gpu_memory *memory = &child->memory;
    if (device->settings.debug_layer && !d3d12_device_is_removed(device) &&
        atomic_load(&child->private_references) == 1 &&
        (memory->address != 0
             ? emu_kmd_names(device->kmd, memory->address, memory->address + memory->size - 1)
             : child->usage && atomic_load(&child->usage->submissions) != 0))
        d3d12_child_error(child, D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE,
                          "Release: work that the GPU has not done uses this object: wait for a "
                          "fence first");
}

ULONG d3d12_child_release(struct d3d12_child *child)
{
    ULONG left = atomic_fetch_sub_explicit(&child->references, 1, memory_order_acq_rel) - 1;
    if (left > 0)
        return left;
    struct d3d12_device *device = child->device;
    tell_use(child);
    /* The application's own interfaces are released on its own thread, not when the GPU is done. */
    private_data_clear(&child->private_data);
    d3d12_child_release_private_ref(child);
    d3d12_device_release(device);
    return 0;
}

HRESULT d3d12_child_get_device(struct d3d12_child *child, const IID *riid, void **out)
{
    return d3d12_device_query(child->device, riid, out);
}
