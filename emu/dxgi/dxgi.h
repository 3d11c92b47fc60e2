/* dxgi.dll: shows the emulator's adapters to programs that use DXGI, without outputs and swap
 * chains. It replaces Wine's library, which needs a display and reports no driver version. */
#pragma once

#define COBJMACROS
#include <dxgi1_6.h>

#include <emu/dxcore.h>

#include "com_methods.h"

/* Makes an adapter of `factory`, with a reference for the caller. Takes over the caller's reference
 * to `core`, even if the function fails. NULL means out of memory. */
IDXGIAdapter4 *dxgi_adapter_create(IUnknown *factory, IDXCoreAdapter *core);

/* Whether the list `iids`, which ends with NULL, has `riid`. */
int dxgi_is_one_of(REFIID riid, const IID *const *iids);

/* Defines IUnknown's methods except Release, and IDXGIObject's methods except GetParent. The struct
 * must be `struct noun { I iface; atomic_uint references; }` with the interfaces in `...`.
 * DXGI_OBJECT_ENTRIES has the methods' table entries. The methods keep no private data. */
#define DXGI_OBJECT(noun, I, ...)                                                                  \
    static struct noun *impl_from_##I(I *iface)                                                    \
    {                                                                                              \
        return CONTAINING_RECORD(iface, struct noun, iface);                                       \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_AddRef(I *iface)                                         \
    {                                                                                              \
        return atomic_fetch_add(&impl_from_##I(iface)->references, 1) + 1;                         \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_QueryInterface(I *iface, REFIID riid, void **out)      \
    {                                                                                              \
        static const IID *const iids[] = {&IID_IUnknown, &IID_IDXGIObject, __VA_ARGS__, NULL};     \
        if (!out)                                                                                  \
            return E_POINTER;                                                                      \
        *out = NULL;                                                                               \
        if (!dxgi_is_one_of(riid, iids))                                                           \
            return E_NOINTERFACE;                                                                  \
        noun##_AddRef(iface);                                                                      \
        *out = iface;                                                                              \
        return S_OK;                                                                               \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_SetPrivateData(I *iface, REFGUID guid, UINT size,      \
                                                           const void *data)                       \
    {                                                                                              \
        (void)iface, (void)guid, (void)size, (void)data;                                           \
        return DXGI_ERROR_UNSUPPORTED;                                                             \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_SetPrivateDataInterface(I *iface, REFGUID guid,        \
                                                                    const IUnknown *object)        \
    {                                                                                              \
        (void)iface, (void)guid, (void)object;                                                     \
        return DXGI_ERROR_UNSUPPORTED;                                                             \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_GetPrivateData(I *iface, REFGUID guid, UINT *size,     \
                                                           void *data)                             \
    {                                                                                              \
        (void)iface, (void)guid, (void)data;                                                       \
        if (!size)                                                                                 \
            return E_INVALIDARG;                                                                   \
        *size = 0;                                                                                 \
        return DXGI_ERROR_NOT_FOUND;                                                               \
    }
#define DXGI_OBJECT_ENTRIES(noun)                                                                  \
    COM_METHODS(noun, QueryInterface, AddRef, Release, SetPrivateData, SetPrivateDataInterface,    \
                GetPrivateData, GetParent)
