#include "adapters/adapter_list.h"

#include <stdatomic.h>

#define LIST_LIMIT 64u /* adapters; each needs a device */

struct adapter_list {
    IDXCoreAdapterList iface;
    atomic_uint references;
    IUnknown *factory;
    unsigned generation;
    uint32_t count;
    IDXCoreAdapter *adapters[LIST_LIMIT];
};

static void destroy(struct adapter_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        list->adapters[i]->lpVtbl->Release(list->adapters[i]);
    free(list);
}

/* ---- identity ---- */

COM_COUNTED(adapter_list, list, IDXCoreAdapterList, &IID_IDXCoreAdapterList, destroy)

/* ---- adapters ---- */

static HRESULT STDMETHODCALLTYPE list_GetAdapter(IDXCoreAdapterList *iface, uint32_t index,
                                                 REFIID riid, void **out)
{
    struct adapter_list *list = impl_from_IDXCoreAdapterList(iface);
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (index >= list->count)
        return E_INVALIDARG;
    IDXCoreAdapter *adapter = list->adapters[index];
    return adapter->lpVtbl->QueryInterface(adapter, riid, out);
}

COM_GET(uint32_t, IDXCoreAdapterList, list_GetAdapterCount, count)

static bool STDMETHODCALLTYPE list_IsStale(IDXCoreAdapterList *iface)
{
    return impl_from_IDXCoreAdapterList(iface)->generation != d3d12_adapters_generation();
}

static HRESULT STDMETHODCALLTYPE list_GetFactory(IDXCoreAdapterList *iface, REFIID riid, void **out)
{
    IUnknown *factory = impl_from_IDXCoreAdapterList(iface)->factory;
    return factory->lpVtbl->QueryInterface(factory, riid, out);
}

static bool STDMETHODCALLTYPE list_IsAdapterPreferenceSupported(IDXCoreAdapterList *iface,
                                                                DXCoreAdapterPreference preference)
{
    (void)iface;
    return (unsigned)preference <= HighPerformance;
}

/* Emulated adapters are alike in all that programs prefer; the default adapter stays first. */
static HRESULT STDMETHODCALLTYPE list_Sort(IDXCoreAdapterList *iface, uint32_t count,
                                           const DXCoreAdapterPreference *preferences)
{
    if (count == 0 || !preferences)
        return E_INVALIDARG;
    for (uint32_t i = 0; i < count; i++)
        if (!list_IsAdapterPreferenceSupported(iface, preferences[i]))
            return E_INVALIDARG;
    return S_OK;
}

static const IDXCoreAdapterListVtbl list_vtable = {
    COM_FACE_ENTRIES(list),
    COM_METHODS(list, GetAdapter, GetAdapterCount, IsStale, GetFactory, Sort,
                IsAdapterPreferenceSupported),
};

/* ---- creation ---- */

static bool has_attributes(IDXCoreAdapter *adapter, uint32_t count, const GUID *attributes)
{
    for (uint32_t i = 0; i < count; i++)
        if (!adapter->lpVtbl->IsAttributeSupported(adapter, &attributes[i]))
            return false;
    return true;
}

static void keep_those_with(struct adapter_list *list, uint32_t count, const GUID *attributes)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        IDXCoreAdapter *adapter = list->adapters[i];
        if (has_attributes(adapter, count, attributes))
            list->adapters[kept++] = adapter;
        else
            adapter->lpVtbl->Release(adapter);
    }
    list->count = kept;
}

HRESULT adapter_list_create(IUnknown *factory, uint32_t count, const GUID *attributes,
                            IDXCoreAdapterList **out)
{
    struct adapter_list *list = calloc(1, sizeof *list);
    *out = NULL;
    if (!list)
        return E_OUTOFMEMORY;
    list->iface.lpVtbl = &list_vtable;
    atomic_init(&list->references, 1);
    list->factory = factory;
    list->count = (uint32_t)d3d12_adapters_list(factory, list->adapters, LIST_LIMIT);
    list->generation = d3d12_adapters_generation();
    keep_those_with(list, count, attributes);
    *out = &list->iface;
    return S_OK;
}
