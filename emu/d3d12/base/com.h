/* Includes the headers of D3D12 and COM with the macros that the whole emulator needs. */
#pragma once

#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3d12video.h>
#include <annot/d3d12.h>

#include "com_methods.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline bool com_same(const GUID *a, const GUID *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Returns whether `riid` is IID_IUnknown or one of `iids`. `riid` may be NULL. */
static inline bool com_is_any(const IID *riid, const IID *const *iids, size_t count)
{
    bool is = riid && com_same(riid, &IID_IUnknown);
    for (size_t i = 0; riid && !is && i < count; i++)
        is = com_same(riid, iids[i]);
    return is;
}

#define COM_IS_ANY(riid, iids) com_is_any(riid, iids, sizeof(iids) / sizeof(iids)[0])

/* Ends QueryInterface and similar calls: stores `found` in *out with a reference for the caller.
 * `found` is an interface or NULL; `out` may be NULL. */
static inline HRESULT com_hand_out(void *found, const IID *riid, void **out)
{
    if (out)
        *out = NULL;
    if (!riid || !found)
        return riid ? E_NOINTERFACE : E_INVALIDARG;
    if (!out)
        return S_FALSE;
    ((IUnknown *)found)->lpVtbl->AddRef((IUnknown *)found);
    *out = found;
    return S_OK;
}

/* Adds `step` to a counter of references unless it is 0. Returns false if it is 0. */
static inline bool counter_step(atomic_uint *counter, int step)
{
    unsigned count = atomic_load(counter);
    while (count != 0 && !atomic_compare_exchange_weak(counter, &count, count + (unsigned)step))
        ;
    return count != 0;
}

/* Returns the struct whose member is at `pointer`. */
#define container_of(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* Defines a method that returns one member of its object. The object is the struct with `iface`. */
#define COM_GET(type, I, method, member)                                                           \
    static type STDMETHODCALLTYPE method(I *iface)                                                 \
    {                                                                                              \
        return impl_from_##I(iface)->member;                                                       \
    }
/* Defines AddRef of an object that counts its references in `references`. */
#define COM_ADD_REF(I, method)                                                                     \
    static ULONG STDMETHODCALLTYPE method(I *iface)                                                \
    {                                                                                              \
        return atomic_fetch_add(&impl_from_##I(iface)->references, 1) + 1;                         \
    }
/* Defines IUnknown's methods for `struct owner { I iface; atomic_uint references; }`, an object
 * with only this interface. `destroy` frees the struct. */
#define COM_COUNTED(owner, noun, I, iid, destroy)                                                  \
    static struct owner *impl_from_##I(I *iface)                                                   \
    {                                                                                              \
        return container_of(iface, struct owner, iface);                                           \
    }                                                                                              \
    COM_ADD_REF(I, noun##_AddRef)                                                                  \
    static HRESULT STDMETHODCALLTYPE noun##_QueryInterface(I *iface, REFIID riid, void **out)      \
    {                                                                                              \
        static const IID *const iids[] = {iid};                                                    \
        return out ? com_hand_out(com_is_any(riid, iids, 1) ? iface : NULL, riid, out)             \
                   : E_POINTER;                                                                    \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_Release(I *iface)                                        \
    {                                                                                              \
        const ULONG left = atomic_fetch_sub(&impl_from_##I(iface)->references, 1) - 1;             \
        if (left == 0)                                                                             \
            destroy(impl_from_##I(iface));                                                         \
        return left;                                                                               \
    }
/* Defines IUnknown's methods of a further interface of an object, and the method table's entries.
 * The methods call the methods of `owner`, an expression that uses `iface`. */
#define COM_FACE(noun, I, owner)                                                                   \
    static HRESULT STDMETHODCALLTYPE noun##_QueryInterface(I *iface, REFIID riid, void **out)      \
    {                                                                                              \
        IUnknown *whole = (void *)(owner);                                                         \
        return whole->lpVtbl->QueryInterface(whole, riid, out);                                    \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_AddRef(I *iface)                                         \
    {                                                                                              \
        IUnknown *whole = (void *)(owner);                                                         \
        return whole->lpVtbl->AddRef(whole);                                                       \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_Release(I *iface)                                        \
    {                                                                                              \
        IUnknown *whole = (void *)(owner);                                                         \
        return whole->lpVtbl->Release(whole);                                                      \
    }
/* Defines IUnknown's methods of a process-wide object that is never freed. The file must define a
 * counter `references` and a function `query`, which finds the object's interfaces. */
#define COM_SHARED(noun, I, query)                                                                 \
    static HRESULT STDMETHODCALLTYPE noun##_QueryInterface(I *iface, REFIID riid, void **out)      \
    {                                                                                              \
        (void)iface;                                                                               \
        return out ? query(riid, out) : E_POINTER;                                                 \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_AddRef(I *iface)                                         \
    {                                                                                              \
        (void)iface;                                                                               \
        return atomic_fetch_add(&references, 1) + 1;                                               \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_Release(I *iface)                                        \
    {                                                                                              \
        (void)iface;                                                                               \
        return atomic_fetch_sub(&references, 1) - 1;                                               \
    }
#define COM_FACE_ENTRIES(noun) COM_METHODS(noun, QueryInterface, AddRef, Release)
