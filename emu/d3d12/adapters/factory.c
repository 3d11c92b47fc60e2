/* IDXCoreAdapterFactory: one static object. Its references are counted only because AddRef and
 * Release return the count. */
#include "adapters/adapter_list.h"

#include <emu/emu.h>
#include <stdatomic.h>

static atomic_uint references; /* counted only for the callers */
static HRESULT query(const IID *riid, void **out);

COM_SHARED(factory, IDXCoreAdapterFactory, query)

/* ---- adapters ---- */

static HRESULT STDMETHODCALLTYPE factory_CreateAdapterList(IDXCoreAdapterFactory *iface,
                                                           uint32_t count, const GUID *attributes,
                                                           REFIID riid, void **out)
{
    IDXCoreAdapterList *list;
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (count == 0 || !attributes)
        return E_INVALIDARG;
    HRESULT hr = adapter_list_create((IUnknown *)iface, count, attributes, &list);
    if (FAILED(hr))
        return hr;
    hr = list->lpVtbl->QueryInterface(list, riid, out);
    list->lpVtbl->Release(list);
    return hr;
}

static HRESULT STDMETHODCALLTYPE factory_GetAdapterByLuid(IDXCoreAdapterFactory *iface,
                                                          const LUID *luid, REFIID riid, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    IDXCoreAdapter *adapter = luid != NULL ? d3d12_adapter_by_luid((IUnknown *)iface, *luid) : NULL;
    if (!adapter)
        return E_INVALIDARG;
    const HRESULT hr = adapter->lpVtbl->QueryInterface(adapter, riid, out);
    adapter->lpVtbl->Release(adapter);
    return hr;
}

/* ---- notifications: there are none; a list tells itself whether it is stale ---- */

static bool STDMETHODCALLTYPE factory_IsNotificationTypeSupported(IDXCoreAdapterFactory *iface,
                                                                  DXCoreNotificationType type)
{
    (void)iface, (void)type;
    return false;
}

static HRESULT STDMETHODCALLTYPE factory_RegisterEventNotification(
    IDXCoreAdapterFactory *iface, IUnknown *object, DXCoreNotificationType type,
    PFN_DXCORE_NOTIFICATION_CALLBACK callback, void *context, uint32_t *cookie)
{
    (void)iface, (void)type, (void)context;
    if (!object || !callback || !cookie)
        return E_POINTER;
    *cookie = 0;
    return DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE factory_UnregisterEventNotification(IDXCoreAdapterFactory *iface,
                                                                     uint32_t cookie)
{
    (void)iface, (void)cookie;
    return E_INVALIDARG;
}

static const IDXCoreAdapterFactoryVtbl factory_vtable = {
    COM_FACE_ENTRIES(factory),
    COM_METHODS(factory, CreateAdapterList, GetAdapterByLuid, IsNotificationTypeSupported,
                RegisterEventNotification, UnregisterEventNotification),
};

static HRESULT query(const IID *riid, void **out)
{
    static IDXCoreAdapterFactory factory = {&factory_vtable};
    static const IID *const iids[] = {&IID_IDXCoreAdapterFactory};
    return com_hand_out(com_is_any(riid, iids, 1) ? &factory : NULL, riid, out);
}

int32_t emu_dxcore_factory(const void *riid, void **out)
{
    return out ? query(riid, out) : E_POINTER;
}
