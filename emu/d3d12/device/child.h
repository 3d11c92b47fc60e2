/* The part that every device child has: reference counts, private data and names, the device, and
 * the annotation object with the mode that was latched at creation [ANN-MODE-04].
 *
 * A child has two counts. The application's references keep the device alive. The runtime's
 * references are private; together, all references of the application are one private reference.
 * After the last private reference is released, in_flight.h destroys the object as soon as the GPU
 * can't use the object any more. */
#pragma once

#include "base/in_flight.h"
#include "base/private_data.h"

#include <emu/driver.h>

#include <stdatomic.h>

struct d3d12_child;
struct d3d12_device;

struct d3d12_child_class {
    /* the object's kind; 0: the driver gets neither the object nor its names */
    D3D12DDI_HANDLETYPE kind;
    CONST_VTBL void *methods; /* the COM interface's method table, for d3d12_child_begin */
    /* The IIDs of the object's interfaces, without IUnknown, ID3D12Object and ID3D12DeviceChild.
     * NULL ends the list. */
    const IID *const *iids;
    /* Called when the application releases its last reference to the object. Work in flight may
     * still use the object. The pointer may be NULL. */
    void (*abandon)(struct d3d12_child *child);
    /* Releases everything that the object owns, but doesn't free the object's struct. After a
     * failed creation, some members are zero. `release` is NULL if the object owns nothing. */
    void (*release)(struct d3d12_child *child);
    /* If `destroy` is not NULL, it is called instead of `release`. `destroy` must destroy and free
     * the whole object with d3d12_child_finish. */
    void (*destroy)(struct d3d12_child *child);
    /* Whether the object is destroyed at once, without in_flight.h. Queues are destroyed at once,
     * because a queue waits for its work. */
    bool immediate;
};

struct d3d12_child {
    void *iface; /* the COM interface that the program uses */
    const struct d3d12_child_class *class;
    struct d3d12_device *device;
    annot_object *annot; /* the annotation object; NULL if the object's class has `kind` 0 */
    void *driver; /* the object that d3d12_child_init made in the driver for this child, or NULL */
    struct private_data private_data;
    atomic_uint references, private_references;
    /* D3D12's count: MakeResident adds 1, Evict takes 1 away (table/residency.c). */
    atomic_uint residency;
    struct deferred_destroy deferred;
    emu_gpu_memory memory;         /* the memory that the GPU sees; address 0: none */
    struct in_flight_usage *usage; /* the submissions that use the object; NULL: not tracked */
};

/* A driver's object for a device child. The library reserved its identity. */
struct d3d12_driver_object {
    uint64_t id;
    void *handle;
};

/* Registers the child with one reference. `made` is the driver's queue or list. If `made` is NULL,
 * the driver makes an object of the class's kind and gets the child's names. After a failure the
 * caller must not call d3d12_child_finish. */
HRESULT d3d12_child_init(struct d3d12_child *child, void *iface,
                         const struct d3d12_child_class *class, struct d3d12_device *device,
                         uint32_t list_type, const struct d3d12_driver_object *made);
void d3d12_child_finish(struct d3d12_child *child);

/* Emits a message of the debug layer about this object: the text, then the object's type, number
 * and name. `id` is the number that d3d12_device_error takes. */
__attribute__((format(printf, 4, 5))) void d3d12_child_message(const struct d3d12_child *child,
                                                               D3D12_MESSAGE_SEVERITY severity,
                                                               int id, const char *format, ...);
#define d3d12_child_error(child, id, ...)                                                          \
    d3d12_child_message(child, D3D12_MESSAGE_SEVERITY_ERROR, (int)(id), __VA_ARGS__)
/* Emits an error as d3d12_child_error does. The value of the macro is E_INVALIDARG. */
#define d3d12_child_invalid(child, id, ...)                                                        \
    (d3d12_child_error(child, id, __VA_ARGS__), E_INVALIDARG)
/* Emits an error as d3d12_child_error does; the macro's value is false. */
#define d3d12_child_refused(child, id, ...) (d3d12_child_error(child, id, __VA_ARGS__), false)
#define d3d12_child_warning(child, id, ...)                                                        \
    d3d12_child_message(child, D3D12_MESSAGE_SEVERITY_WARNING, (int)(id), __VA_ARGS__)

/* The two steps of a creation. d3d12_child_begin returns a zeroed object of `size` bytes, or NULL.
 * d3d12_child_end registers the object. `hr` is the result of the work between the two steps. If
 * `hr` or the registration failed, d3d12_child_end releases the object and returns the failure. */
void *d3d12_child_begin(struct d3d12_device *device, const struct d3d12_child_class *class,
                        size_t size);
HRESULT d3d12_child_end(struct d3d12_child *child, HRESULT hr);

/* Ends a creation: stores the new object's interface `riid` in *out, and drops the creator's
 * reference. If `out` is NULL, the function destroys the object and returns S_FALSE, because the
 * program only asks whether a creation would work. */
HRESULT d3d12_child_give(struct d3d12_child *child, const IID *riid, void **out);

void d3d12_child_add_private_ref(struct d3d12_child *child);
void d3d12_child_release_private_ref(struct d3d12_child *child);

/* Returns the object with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_child *d3d12_child_from(void *iface);
/* Returns the object with this interface if the object has this class, otherwise NULL. Only the
 * method table decides; no method of the object is called. */
void *d3d12_child_of(void *iface, const struct d3d12_child_class *class);

/* Defines the function noun_from, which calls d3d12_child_of for one struct and its class. */
#define D3D12_CHILD_FROM(noun, I, class)                                                           \
    struct noun *noun##_from(I *iface)                                                             \
    {                                                                                              \
        return d3d12_child_of(iface, &(class));                                                    \
    }

/* Takes an application's reference to an object that has a private reference. The application may
 * have released all its earlier references. */
void d3d12_child_revive(struct d3d12_child *child);

HRESULT d3d12_child_query(struct d3d12_child *child, const IID *riid, void **out);
ULONG d3d12_child_add_ref(struct d3d12_child *child);
ULONG d3d12_child_release(struct d3d12_child *child);
HRESULT d3d12_child_get_device(struct d3d12_child *child, const IID *riid, void **out);

/* Defines the methods of IUnknown, ID3D12Object and ID3D12DeviceChild for `struct noun { I iface;
 * struct d3d12_child child; }`, and the method table's entries for them. With
 * D3D12_CHILD_METHODS_OF, several nouns may share a struct. */
#define D3D12_CHILD_METHODS(noun, I) D3D12_CHILD_METHODS_OF(noun, noun, I)
#define D3D12_CHILD_METHODS_OF(noun, owner, I)                                                     \
    _Static_assert(offsetof(struct owner, iface) == 0 &&                                           \
                       offsetof(struct owner, child) == sizeof(void *),                            \
                   "struct child_object");                                                         \
    static inline struct owner *impl_from_##I(I *iface)                                            \
    {                                                                                              \
        return container_of(iface, struct owner, iface);                                           \
    }                                                                                              \
    OBJECT_METHODS(static, noun, I, d3d12_child, &impl_from_##I(iface)->child)                     \
    static HRESULT STDMETHODCALLTYPE noun##_GetDevice(I *iface, REFIID riid, void **out)           \
    {                                                                                              \
        return d3d12_child_get_device(&impl_from_##I(iface)->child, riid, out);                    \
    }

#define D3D12_CHILD_ENTRIES(noun)                                                                  \
    COM_METHODS(noun, QueryInterface, AddRef, Release, GetPrivateData, SetPrivateData,             \
                SetPrivateDataInterface, SetName, GetDevice)
