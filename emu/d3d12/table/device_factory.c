#include "table/device_factory.h"

#include "device/device_registry.h"

#include <stdatomic.h>

static atomic_uint references; /* counted, but never used */
static atomic_uint flags;      /* D3D12_DEVICE_FACTORY_FLAGS */
static _Atomic(const struct device_factory_calls *) the_calls;
static HRESULT query(const IID *riid, void **out);

COM_SHARED(factory, ID3D12DeviceFactory, query)

/* Nothing moves between the factory and the process, because the process has the configuration. */
static HRESULT STDMETHODCALLTYPE move_global_state(ID3D12DeviceFactory *iface)
{
    (void)iface;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_SetFlags(ID3D12DeviceFactory *iface,
                                                  D3D12_DEVICE_FACTORY_FLAGS set)
{
    (void)iface;
    const unsigned existing = D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE,
                   incompatible =
                       D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE,
                   unstored = D3D12_DEVICE_FACTORY_FLAG_DISALLOW_STORING_NEW_DEVICE_AS_SINGLETON;
    const unsigned asked = (unsigned)set;
    if ((asked & ~(existing | incompatible | unstored)) != 0 ||
        ((asked & incompatible) != 0 && (asked & existing) == 0))
        return E_INVALIDARG;
    atomic_store(&flags, asked);
    return S_OK;
}

static D3D12_DEVICE_FACTORY_FLAGS STDMETHODCALLTYPE factory_GetFlags(ID3D12DeviceFactory *iface)
{
    (void)iface;
    return (D3D12_DEVICE_FACTORY_FLAGS)atomic_load(&flags);
}

static HRESULT STDMETHODCALLTYPE factory_GetConfigurationInterface(ID3D12DeviceFactory *iface,
                                                                   REFCLSID clsid, REFIID riid,
                                                                   void **out)
{
    (void)iface;
    if (clsid && (com_same(clsid, &CLSID_D3D12Debug) ||
                  com_same(clsid, &CLSID_D3D12DeviceRemovedExtendedData)))
        return atomic_load(&the_calls)->get_interface(clsid, riid, out);
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

static HRESULT STDMETHODCALLTYPE factory_EnableExperimentalFeatures(ID3D12DeviceFactory *iface,
                                                                    UINT count, const IID *iids,
                                                                    void *structs, UINT *sizes)
{
    (void)iface;
    return atomic_load(&the_calls)->enable_features(count, iids, structs, sizes);
}

/* Whether the factory may return the adapter's device, or make one if there is none. */
static HRESULT check_existing(IUnknown *adapter)
{
    const unsigned set = atomic_load(&flags);
    struct d3d12_adapter_identity identity;
    const HRESULT hr = d3d12_adapter_identify(adapter, &identity);
    if (FAILED(hr))
        return hr;
    struct d3d12_device *device = device_registry_find(&identity);
    if (!device)
        return (set & D3D12_DEVICE_FACTORY_FLAG_DISALLOW_STORING_NEW_DEVICE_AS_SINGLETON) != 0
                   ? DXGI_ERROR_UNSUPPORTED
                   : S_OK;
    const bool is_compatible = device->settings.debug_layer || !atomic_load(&debug_layer_switch);
    d3d12_device_release(device);
    if ((set & D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE) == 0 ||
        (!is_compatible &&
         (set & D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE) == 0))
        return DXGI_ERROR_ALREADY_EXISTS;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_CreateDevice(ID3D12DeviceFactory *iface, IUnknown *adapter,
                                                      D3D_FEATURE_LEVEL level, REFIID riid,
                                                      void **out)
{
    (void)iface;
    if (out)
        *out = NULL;
    const HRESULT hr = check_existing(adapter);
    return SUCCEEDED(hr) ? atomic_load(&the_calls)->create_device(adapter, level, riid, out) : hr;
}

static CONST_VTBL ID3D12DeviceFactoryVtbl factory_vtable = {
    COM_FACE_ENTRIES(factory),
    .InitializeFromGlobalState = move_global_state,
    .ApplyToGlobalState = move_global_state,
    COM_METHODS(factory, SetFlags, GetFlags, GetConfigurationInterface, EnableExperimentalFeatures,
                CreateDevice),
};

static ID3D12DeviceFactory the_factory = {&factory_vtable};

static HRESULT query(const IID *riid, void **out)
{
    static const IID *const iids[] = {&IID_ID3D12DeviceFactory};
    return com_hand_out(com_is_any(riid, iids, 1) ? &the_factory : NULL, riid, out);
}

HRESULT device_factory_query(const struct device_factory_calls *calls, const IID *riid, void **out)
{
    atomic_store(&the_calls, calls);
    return query(riid, out);
}
