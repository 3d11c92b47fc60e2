/* D3D12GetInterface before a device exists: SDK versions, factories, tools. */
#include "kit.h"

#include "base/abi.h"

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
    } rows[] = {{&CLSID_D3D12SDKConfiguration, &IID_ID3D12SDKConfiguration},
                {&CLSID_D3D12SDKConfiguration, &IID_ID3D12SDKConfiguration1},
                {&CLSID_D3D12DeviceFactory, &IID_ID3D12DeviceFactory},
                {&CLSID_D3D12Tools, &IID_ID3D12Tools},
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

Test(configuration, shader_instrumentation_is_remembered)
{
    OWNED ID3D12Tools *tools = get(&CLSID_D3D12Tools, &IID_ID3D12Tools);
    cr_assert(!ID3D12Tools_ShaderInstrumentationEnabled(tools));
    ID3D12Tools_EnableShaderInstrumentation(tools, TRUE);
    cr_assert(ID3D12Tools_ShaderInstrumentationEnabled(tools));
    ID3D12Tools_EnableShaderInstrumentation(tools, FALSE);
    cr_assert(!ID3D12Tools_ShaderInstrumentationEnabled(tools));
}

/* There is one runtime: whatever version is asked for, it is this one. */
Test(configuration, sdk_versions_make_factories)
{
    OWNED ID3D12SDKConfiguration1 *sdk =
        get(&CLSID_D3D12SDKConfiguration, &IID_ID3D12SDKConfiguration1);
    MUST(ID3D12SDKConfiguration1_SetSDKVersion(sdk, D3D12_SDK_VERSION, ".\\D3D12\\"));
    EXPECT_HR(ID3D12SDKConfiguration1_SetSDKVersion(sdk, D3D12_SDK_VERSION, NULL), E_INVALIDARG);
    ID3D12DeviceFactory *factory =
        MADE(ID3D12DeviceFactory, sdk, CreateDeviceFactory, D3D12_SDK_VERSION, ".\\D3D12\\");
    cr_assert_eq(ID3D12DeviceFactory_Release(factory), 0);
    REFUSES(E_INVALIDARG, ID3D12DeviceFactory, sdk, CreateDeviceFactory, D3D12_SDK_VERSION, NULL);
    ID3D12SDKConfiguration1_FreeUnusedSDKs(sdk);
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

static void describe(ID3D12DeviceConfiguration *configuration, D3D12_DEVICE_CONFIGURATION_DESC *out)
{
    ABI_CALL_STRUCT(configuration, GetDesc, out);
}

/* DirectX-Headers: D3D12_DEVICE_CONFIGURATION_DESC is what the device was created with. */
Test(configuration, a_device_tells_with_what_it_was_created)
{
    D3D12_DEVICE_CONFIGURATION_DESC desc;
    OWNED ID3D12Tools *tools = get(&CLSID_D3D12Tools, &IID_ID3D12Tools);
    OWNED IUnknown *adapter = make_adapter();
    ID3D12Device *device = NULL;
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    ID3D12DeviceConfiguration *configuration = AS(ID3D12DeviceConfiguration, device);
    ID3D12Tools_EnableShaderInstrumentation(tools, TRUE);
    describe(configuration, &desc);
    cr_assert_eqs(desc.Flags, D3D12_DEVICE_FLAG_NONE, desc.GpuBasedValidationFlags, 0);
    cr_assert_eqs(desc.SDKVersion, D3D12_SDK_VERSION, desc.NumEnabledExperimentalFeatures, 0);
    MUST(ID3D12DeviceConfiguration_GetEnabledExperimentalFeatures(configuration, NULL, 0));
    ID3D12DeviceConfiguration_Release(configuration);
    kit_close(device);

    OWNED ID3D12DeviceFactory *factory = make_factory(D3D12_DEVICE_FACTORY_FLAG_NONE);
    OWNED ID3D12DeviceRemovedExtendedDataSettings2 *dred =
        get(&CLSID_D3D12DeviceRemovedExtendedData, &IID_ID3D12DeviceRemovedExtendedDataSettings2);
    enable_debug_layer(factory);
    ID3D12DeviceRemovedExtendedDataSettings2_SetAutoBreadcrumbsEnablement(
        dred, D3D12_DRED_ENABLEMENT_FORCED_ON);
    ID3D12DeviceRemovedExtendedDataSettings2_SetBreadcrumbContextEnablement(
        dred, D3D12_DRED_ENABLEMENT_FORCED_ON);
    ID3D12DeviceRemovedExtendedDataSettings2_SetPageFaultEnablement(
        dred, D3D12_DRED_ENABLEMENT_FORCED_ON);
    ID3D12DeviceRemovedExtendedDataSettings2_UseMarkersOnlyAutoBreadcrumbs(dred, TRUE);
    configuration =
        MADE(ID3D12DeviceConfiguration, factory, CreateDevice, adapter, D3D_FEATURE_LEVEL_11_0);
    describe(configuration, &desc);
    cr_assert_eq(desc.Flags, D3D12_DEVICE_FLAG_DEBUG_LAYER_ENABLED |
                                 D3D12_DEVICE_FLAG_DRED_AUTO_BREADCRUMBS_ENABLED |
                                 D3D12_DEVICE_FLAG_DRED_PAGE_FAULT_REPORTING_ENABLED |
                                 D3D12_DEVICE_FLAG_DRED_BREADCRUMB_CONTEXT_ENABLED |
                                 D3D12_DEVICE_FLAG_DRED_USE_MARKERS_ONLY_BREADCRUMBS |
                                 D3D12_DEVICE_FLAG_SHADER_INSTRUMENTATION_ENABLED);
    cr_assert_eq(ID3D12DeviceConfiguration_Release(configuration), 0);
}

Test(configuration, a_device_tells_its_experimental_features)
{
    const IID both[] = {ABI_TILED_RESOURCE_TIER_4, D3D12ExperimentalShaderModels};
    D3D12_DEVICE_CONFIGURATION_DESC desc;
    GUID found[2] = {{0}};
    ID3D12DeviceConfiguration *configuration = NULL;
    MUST(D3D12EnableExperimentalFeatures(2, both, NULL, NULL));
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12DeviceConfiguration,
                           (void **)&configuration));
    MUST(D3D12EnableExperimentalFeatures(0, NULL, NULL, NULL));
    describe(configuration, &desc);
    cr_assert_eq(desc.NumEnabledExperimentalFeatures, 2);
    EXPECT_HR(ID3D12DeviceConfiguration_GetEnabledExperimentalFeatures(configuration, found, 1),
              E_INVALIDARG);
    EXPECT_HR(ID3D12DeviceConfiguration_GetEnabledExperimentalFeatures(configuration, NULL, 2),
              E_INVALIDARG);
    MUST(ID3D12DeviceConfiguration_GetEnabledExperimentalFeatures(configuration, found, 2));
    cr_assert_mem_eq(&found[0], &both[1], sizeof(GUID));
    cr_assert_mem_eq(&found[1], &both[0], sizeof(GUID));
    cr_assert_eq(ID3D12DeviceConfiguration_Release(configuration), 0);
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12DeviceConfiguration,
                           (void **)&configuration));
    describe(configuration, &desc);
    cr_assert_eq(desc.NumEnabledExperimentalFeatures, 0);
    cr_assert_eq(ID3D12DeviceConfiguration_Release(configuration), 0);
}

/* As the exported functions of the same names. */
Test(configuration, a_device_writes_and_reads_root_signatures)
{
    const D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc = {.Version = D3D_ROOT_SIGNATURE_VERSION_1_0};
    OWNED ID3D12DeviceConfiguration *configuration = NULL;
    OWNED ID3DBlob *blob = NULL, *same = NULL;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12DeviceConfiguration,
                           (void **)&configuration));
    MUST(ID3D12DeviceConfiguration_SerializeVersionedRootSignature(configuration, &desc, &blob,
                                                                   NULL));
    MUST(D3D12SerializeVersionedRootSignature(&desc, &same, NULL));
    cr_assert_eq(ID3D10Blob_GetBufferSize(blob), ID3D10Blob_GetBufferSize(same));
    cr_assert_mem_eq(ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferPointer(same),
                     ID3D10Blob_GetBufferSize(blob));
    OWNED ID3D12VersionedRootSignatureDeserializer *read =
        MADE(ID3D12VersionedRootSignatureDeserializer, configuration,
             CreateVersionedRootSignatureDeserializer, ID3D10Blob_GetBufferPointer(blob),
             ID3D10Blob_GetBufferSize(blob));
    cr_assert_eq(
        ID3D12VersionedRootSignatureDeserializer_GetUnconvertedRootSignatureDesc(read)->Version,
        D3D_ROOT_SIGNATURE_VERSION_1_0);
}
