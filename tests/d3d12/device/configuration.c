/* D3D12GetInterface before a device exists: factories. */
#include "kit.h"

#ifndef DXGI_ERROR_ALREADY_EXISTS
#define DXGI_ERROR_ALREADY_EXISTS ((HRESULT)0x887A0036L)
#endif

static void *get(const CLSID *clsid, const IID *iid)
{
    void *out = NULL;
    MUST(D3D12GetInterface(clsid, iid, &out));
    EXPECT_HR(D3D12GetInterface(clsid, iid, NULL), S_FALSE);
    return out;
}

static ID3D12DeviceFactory *make_factory(D3D12_DEVICE_FACTORY_FLAGS flags)
{
    ID3D12DeviceFactory *factory = get(&CLSID_D3D12DeviceFactory, &IID_ID3D12DeviceFactory);
    MUST(ID3D12DeviceFactory_SetFlags(factory, flags));
    cr_assert_eq(ID3D12DeviceFactory_GetFlags(factory), flags);
    return factory;
}

static IUnknown *make_adapter(void)
{
    IUnknown *adapter = NULL;
    cr_assert_eq(emu_adapter_create(NULL, (void **)&adapter), ANNOT_OK);
    return adapter;
}

Test(configuration, every_class_gives_its_own_interfaces_only)
{
    static const struct {
        const CLSID *clsid;
        const IID *iid;
    } rows[] = {{&CLSID_D3D12DeviceFactory, &IID_ID3D12DeviceFactory},
                {&CLSID_D3D12DeviceRemovedExtendedData,
                 &IID_ID3D12DeviceRemovedExtendedDataSettings1},
                {&CLSID_D3D12Debug, &IID_ID3D12Debug}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        IUnknown *found = get(rows[i].clsid, rows[i].iid), *unknown = NULL;
        OWNED IUnknown *again = get(rows[i].clsid, rows[i].iid);
        void *out = &out;
        cr_assert_eq(found, again, "it is one of the process's");
        MUST(IUnknown_QueryInterface(found, &IID_IUnknown, (void **)&unknown));
        IUnknown_Release(unknown);
        EXPECT_HR(IUnknown_QueryInterface(found, &IID_ID3D12Device, &out), E_NOINTERFACE);
        cr_assert(!out);
        EXPECT_HR(IUnknown_QueryInterface(found, &IID_IUnknown, NULL), E_POINTER);
        EXPECT_HR(D3D12GetInterface(rows[i].clsid, &IID_ID3D12Device, &out), E_NOINTERFACE);
        EXPECT_HR(D3D12GetInterface(rows[i].clsid, NULL, &out), E_INVALIDARG);
        IUnknown_Release(found);
    }
    void *out = &out;
    EXPECT_HR(D3D12GetInterface(&IID_IUnknown, &IID_IUnknown, &out), E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(D3D12GetInterface(NULL, &IID_IUnknown, &out), E_NOINTERFACE);
}

/* The flags' table in DirectX-Specs, Independent Devices, for a driver that doesn't support
 * them. */
Test(configuration, a_factory_returns_an_existing_device_when_it_may)
{
    const D3D12_DEVICE_FACTORY_FLAGS
        existing = D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE,
        unstored = D3D12_DEVICE_FACTORY_FLAG_DISALLOW_STORING_NEW_DEVICE_AS_SINGLETON;
    IUnknown *adapter = make_adapter();
    ID3D12DeviceFactory *factory = make_factory(unstored);
    ID3D12Device *device = NULL, *same = NULL;
    REFUSES(DXGI_ERROR_UNSUPPORTED, ID3D12Device, factory, CreateDevice, adapter,
            D3D_FEATURE_LEVEL_11_0);
    MUST(ID3D12DeviceFactory_SetFlags(factory, D3D12_DEVICE_FACTORY_FLAG_NONE));
    device = MADE(ID3D12Device, factory, CreateDevice, adapter, D3D_FEATURE_LEVEL_11_0);
    REFUSES(DXGI_ERROR_ALREADY_EXISTS, ID3D12Device, factory, CreateDevice, adapter,
            D3D_FEATURE_LEVEL_11_0);
    MUST(ID3D12DeviceFactory_SetFlags(factory, existing));
    same = MADE(ID3D12Device, factory, CreateDevice, adapter, D3D_FEATURE_LEVEL_11_0);
    cr_assert_eq(same, device);
    RELEASE(same, factory, adapter);
    kit_close(device);
}

static void enable_debug_layer(ID3D12DeviceFactory *factory)
{
    OWNED ID3D12Debug *debug =
        MADE(ID3D12Debug, factory, GetConfigurationInterface, &CLSID_D3D12Debug);
    ID3D12Debug_EnableDebugLayer(debug);
}

Test(configuration, a_device_without_the_debug_layer_is_incompatible_with_a_factory_that_has_it)
{
    const D3D12_DEVICE_FACTORY_FLAGS
        existing = D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_EXISTING_DEVICE,
        any =
            (D3D12_DEVICE_FACTORY_FLAGS)(existing |
                                         D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE);
    IUnknown *adapter = make_adapter();
    ID3D12DeviceFactory *factory = make_factory(existing);
    ID3D12Device *device = NULL, *same = NULL;
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    enable_debug_layer(factory);
    REFUSES(DXGI_ERROR_ALREADY_EXISTS, ID3D12Device, factory, CreateDevice, adapter,
            D3D_FEATURE_LEVEL_11_0);
    MUST(ID3D12DeviceFactory_SetFlags(factory, any));
    same = MADE(ID3D12Device, factory, CreateDevice, adapter, D3D_FEATURE_LEVEL_11_0);
    cr_assert_eq(same, device);
    ID3D12Device_Release(same);
    kit_close(device);
    device = MADE(ID3D12Device, factory, CreateDevice, adapter, D3D_FEATURE_LEVEL_11_0);
    ID3D12InfoQueue *messages = AS(ID3D12InfoQueue, device);
    RELEASE(messages, factory, adapter);
    kit_close(device);
}

Test(configuration, a_factory_refuses_what_it_is_not_for)
{
    OWNED ID3D12DeviceFactory *factory = make_factory(D3D12_DEVICE_FACTORY_FLAG_NONE);
    EXPECT_HR(ID3D12DeviceFactory_SetFlags(factory, (D3D12_DEVICE_FACTORY_FLAGS)8), E_INVALIDARG);
    EXPECT_HR(ID3D12DeviceFactory_SetFlags(
                  factory, D3D12_DEVICE_FACTORY_FLAG_ALLOW_RETURNING_INCOMPATIBLE_EXISTING_DEVICE),
              E_INVALIDARG);
    cr_assert_eq(ID3D12DeviceFactory_GetFlags(factory), D3D12_DEVICE_FACTORY_FLAG_NONE);
    REFUSES(E_NOINTERFACE, ID3D12SDKConfiguration, factory, GetConfigurationInterface,
            &CLSID_D3D12SDKConfiguration);
    EXPECT_HR(ID3D12DeviceFactory_EnableExperimentalFeatures(factory, 1, NULL, NULL, NULL),
              E_INVALIDARG);
    MUST(ID3D12DeviceFactory_EnableExperimentalFeatures(factory, 1, &D3D12ExperimentalShaderModels,
                                                        NULL, NULL));
    MUST(ID3D12DeviceFactory_InitializeFromGlobalState(factory));
    MUST(ID3D12DeviceFactory_ApplyToGlobalState(factory));
    REFUSES(E_INVALIDARG, ID3D12Device, factory, CreateDevice, (IUnknown *)factory,
            D3D_FEATURE_LEVEL_11_0);
}
