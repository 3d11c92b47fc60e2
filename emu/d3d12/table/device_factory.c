#include "table/device_factory.h"

#include "device/adapter.h"
#include "device/switches.h"
#include "device/device_registry.h"

#include <stdatomic.h>

struct device_factory {
    ID3D12DeviceFactory iface;
    atomic_uint references;
    atomic_uint flags; /* D3D12_DEVICE_FACTORY_FLAGS */
    _Atomic(const struct device_factory_calls *) calls;
    bool is_shared; /* whether the process shares it, for ever */
};

static void destroy(struct device_factory *factory)
{
    if (!factory->is_shared)
        free(factory);
}

COM_COUNTED(device_factory, factory, ID3D12DeviceFactory, &IID_ID3D12DeviceFactory, destroy)

/* Does nothing, because the configuration belongs to the process. */
static HRESULT STDMETHODCALLTYPE factory_InitializeFromGlobalState(ID3D12DeviceFactory *iface)
{
    (void)iface;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_ApplyToGlobalState(ID3D12DeviceFactory *iface)
{
    (void)iface;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_SetFlags(ID3D12DeviceFactory *iface,
                                                  D3D12_DEVICE_FACTORY_FLAGS flags)
{
    const unsigned existing = D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE,
                   incompatible =
                       D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE,
                   unstored = D3D12_DEVICE_FACTORY_FLAG_DISALLOW_STORING_NEW_DEVICE_AS_SINGLETON;
    const unsigned asked = (unsigned)flags;
    if ((asked & ~(existing | incompatible | unstored)) != 0 ||
        ((asked & incompatible) != 0 && (asked & existing) == 0))
        return E_INVALIDARG;
    atomic_store(&impl_from_ID3D12DeviceFactory(iface)->flags, asked);
    return S_OK;
}

static D3D12_DEVICE_FACTORY_FLAGS STDMETHODCALLTYPE factory_GetFlags(ID3D12DeviceFactory *iface)
{
    return (D3D12_DEVICE_FACTORY_FLAGS)atomic_load(&impl_from_ID3D12DeviceFactory(iface)->flags);
}

static HRESULT STDMETHODCALLTYPE factory_GetConfigurationInterface(ID3D12DeviceFactory *iface,
                                                                   REFCLSID clsid, REFIID riid,
                                                                   void **out)
{
    if (clsid && (com_same(clsid, &CLSID_D3D12Debug) ||
                  com_same(clsid, &CLSID_D3D12DeviceRemovedExtendedData)))
        return impl_from_ID3D12DeviceFactory(iface)->calls->get_interface(clsid, riid, out);
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

static HRESULT STDMETHODCALLTYPE factory_EnableExperimentalFeatures(ID3D12DeviceFactory *iface,
                                                                    UINT count, const IID *iids,
                                                                    void *structs, UINT *sizes)
{
    return impl_from_ID3D12DeviceFactory(iface)->calls->enable_features(count, iids, structs,
                                                                        sizes);
}

/* Whether the factory may hand out the adapter's device, or make one where there is none. */
static HRESULT check_existing(const struct device_factory *factory, IUnknown *adapter)
{
    const unsigned flags = atomic_load(&factory->flags);
    struct d3d12_adapter_identity identity;
    const HRESULT hr = d3d12_adapter_identify(adapter, &identity);
    if (FAILED(hr))
        return hr;
    struct d3d12_device *device = device_registry_find(&identity);
    if (!device)
        return (flags & D3D12_DEVICE_FACTORY_FLAG_DISALLOW_STORING_NEW_DEVICE_AS_SINGLETON) != 0
                   ? DXGI_ERROR_UNSUPPORTED
                   : S_OK;
    const bool is_compatible = device->settings.debug_layer || !debug_layer_is_on();
    d3d12_device_release(device);
    if ((flags & D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE) == 0 ||
        (!is_compatible &&
         (flags & D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE) == 0))
        return DXGI_ERROR_ALREADY_EXISTS;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_CreateDevice(ID3D12DeviceFactory *iface, IUnknown *adapter,
                                                      D3D_FEATURE_LEVEL level, REFIID riid,
                                                      void **out)
{
    const struct device_factory *factory = impl_from_ID3D12DeviceFactory(iface);
    if (out)
        *out = NULL;
    const HRESULT hr = check_existing(factory, adapter);
    return SUCCEEDED(hr) ? factory->calls->create_device(adapter, level, riid, out) : hr;
}

static CONST_VTBL ID3D12DeviceFactoryVtbl factory_vtable = {
    COM_FACE_ENTRIES(factory),
    .InitializeFromGlobalState = factory_InitializeFromGlobalState,
    .ApplyToGlobalState = factory_ApplyToGlobalState,
    .SetFlags = factory_SetFlags,
    .GetFlags = factory_GetFlags,
    .GetConfigurationInterface = factory_GetConfigurationInterface,
    .EnableExperimentalFeatures = factory_EnableExperimentalFeatures,
    .CreateDevice = factory_CreateDevice,
};

/* A new factory; `riid` is IUnknown's or its own. */
static HRESULT create(const struct device_factory_calls *calls, const IID *riid, void **out)
{
    if (out)
        *out = NULL;
    if (!riid)
        return E_INVALIDARG;
    if (!com_is_any(riid, (const IID *const[]){&IID_ID3D12DeviceFactory}, 1))
        return E_NOINTERFACE;
    if (!out)
        return S_FALSE;
    struct device_factory *factory = calloc(1, sizeof *factory);
    if (!factory)
        return E_OUTOFMEMORY;
    factory->iface.lpVtbl = &factory_vtable;
    factory->calls = calls;
    atomic_init(&factory->references, 1);
    *out = &factory->iface;
    return S_OK;
}

HRESULT device_factory_query(const struct device_factory_calls *calls, const IID *riid, void **out)
{
    static struct device_factory factory = {.iface = {&factory_vtable}, .is_shared = true};
    factory.calls = calls;
    return com_hand_out(
        com_is_any(riid, (const IID *const[]){&IID_ID3D12DeviceFactory}, 1) ? &factory.iface : NULL,
        riid, out);
}

/* ---- the SDK's versions: there is one ---- */

static atomic_uint references; /* counted, never acted on */
static _Atomic(const struct device_factory_calls *) the_calls;

static HRESULT query_configuration(const IID *riid, void **out)
{
    return sdk_configuration_query(atomic_load(&the_calls), riid, out);
}

COM_SHARED(configuration, ID3D12SDKConfiguration1, query_configuration)

static HRESULT STDMETHODCALLTYPE configuration_SetSDKVersion(ID3D12SDKConfiguration1 *iface,
                                                             UINT version, LPCSTR path)
{
    (void)iface, (void)version;
    return path ? S_OK : E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE configuration_CreateDeviceFactory(ID3D12SDKConfiguration1 *iface,
                                                                   UINT version, LPCSTR path,
                                                                   REFIID riid, void **out)
{
    (void)iface, (void)version;
    if (!path) {
        if (out)
            *out = NULL;
        return E_INVALIDARG;
    }
    return create(atomic_load(&the_calls), riid, out);
}

static void STDMETHODCALLTYPE configuration_FreeUnusedSDKs(ID3D12SDKConfiguration1 *iface)
{
    (void)iface;
}

static CONST_VTBL ID3D12SDKConfiguration1Vtbl configuration_vtable = {
    COM_FACE_ENTRIES(configuration),
    .SetSDKVersion = configuration_SetSDKVersion,
    .CreateDeviceFactory = configuration_CreateDeviceFactory,
    .FreeUnusedSDKs = configuration_FreeUnusedSDKs,
};

static ID3D12SDKConfiguration1 configuration = {&configuration_vtable};

HRESULT sdk_configuration_query(const struct device_factory_calls *calls, const IID *riid,
                                void **out)
{
    static const IID *const iids[] = {&IID_ID3D12SDKConfiguration, &IID_ID3D12SDKConfiguration1};
    const bool found = com_is_any(riid, iids, 2);
    if (found)
        atomic_store(&the_calls, calls);
    return com_hand_out(found ? &configuration : NULL, riid, out);
}
