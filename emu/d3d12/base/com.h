/* D3D12 and COM as the whole runtime includes them. */
#ifndef D3D12_COM_H
#define D3D12_COM_H

#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3d12video.h>
#include <annot/d3d12.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline bool com_same(const GUID *a, const GUID *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* The struct of which `pointer` is the member. */
#define container_of(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* IUnknown's methods of an interface beside an object's first one, and their entries in its table:
 * `owner`, an expression with `iface`, has them. */
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
#define COM_FACE_ENTRIES(noun)                                                                     \
    .QueryInterface = noun##_QueryInterface, .AddRef = noun##_AddRef, .Release = noun##_Release

#endif
