/* Adapters, and devices as singletons per adapter. What D3D12CreateDevice and IDXCoreAdapter's
 * methods return is what Microsoft's pages on them say. */
#include "kit.h"

#include "base/abi.h"

#include <emu/dxcore.h>

#include <pthread.h>
#include <stdatomic.h>

static IDXCoreAdapter *adapter_for(const char *driver)
{
    IDXCoreAdapter *adapter = NULL;
    cr_assert_eq(emu_adapter_create(driver, (void **)&adapter), ANNOT_OK);
    cr_assert(adapter);
    return adapter;
}

static void release(void *object)
{
    IUnknown_Release((IUnknown *)object);
}

static HRESULT create(void *adapter, void **out)
{
    return D3D12CreateDevice((IUnknown *)adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, out);
}

static ID3D12Device *device_of(void *adapter)
{
    ID3D12Device *device = NULL;
    MUST(create(adapter, (void **)&device));
    return device;
}

static LUID luid_of_device(ID3D12Device *device)
{
    LUID luid;
    ABI_CALL_STRUCT(device, GetAdapterLuid, &luid);
    return luid;
}

static LUID luid_of(IDXCoreAdapter *adapter)
{
    LUID luid = {0};
    MUST(adapter->lpVtbl->GetProperty(adapter, InstanceLuid, sizeof luid, &luid));
    return luid;
}

static bool same_luid(LUID a, LUID b)
{
    return a.LowPart == b.LowPart && a.HighPart == b.HighPart;
}

/* ---- singletons ---- */

Test(singleton, the_default_adapter_has_one_device)
{
    ID3D12Device *one = device_of(NULL), *again = device_of(NULL);
    cr_assert_eqs(one, again, kit_references(one), 2);
    release(again);
    cr_assert_eq(kit_references(one), 1);
    kit_set_mode(one, MODE_RETAIL);
    const LUID luid = luid_of_device(one);
    kit_close(one);
    one = device_of(NULL);
    cr_assert_eq(kit_get_mode(one), MODE_RUNTIME, "after the last reference, a new device");
    cr_assert(same_luid(luid_of_device(one), luid), "of the same adapter");
    kit_close(one);
}

Test(singleton, is_per_adapter) /* ANN-MODE-06 */
{
    IDXCoreAdapter *adapters[2] = {adapter_for("reference"), adapter_for("reference")};
    cr_assert(!same_luid(luid_of(adapters[0]), luid_of(adapters[1])));
    ID3D12Device *device = device_of(NULL), *devices[2];
    for (int i = 0; i < 2; i++) {
        devices[i] = device_of(adapters[i]);
        cr_assert(devices[i] != device);
        cr_assert(same_luid(luid_of_device(devices[i]), luid_of(adapters[i])));
        ID3D12Device *again = device_of(adapters[i]);
        cr_assert_eq(again, devices[i]);
        release(again);
    }
    cr_assert(devices[0] != devices[1]);
    kit_set_mode(devices[0], MODE_RETAIL);
    cr_assert_eqs(kit_get_mode(devices[1]), MODE_RUNTIME, kit_get_mode(device), MODE_RUNTIME);
    for (int i = 0; i < 2; i++) {
        release(adapters[i]); /* no device needs it */
        kit_close(devices[i]);
    }
    kit_close(device);
}

Test(singleton, every_interface_is_the_same_device)
{
    ID3D12DeviceTools2 *tools = NULL;
    ID3D12Device *device = device_of(NULL), *back = NULL;
    void *out = &out;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_12_0, &IID_ID3D12DeviceTools2, (void **)&tools));
    MUST(ID3D12DeviceTools2_QueryInterface(tools, &IID_ID3D12Device, (void **)&back));
    cr_assert_eqs(back, device, kit_references(device), 3);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Fence, &out),
              E_NOINTERFACE);
    cr_assert_eqs(out, NULL, kit_references(device), 3);
    release(back);
    ID3D12DeviceTools2_Release(tools);
    kit_close(device);
}

Test(singleton, settings_are_those_it_was_made_with)
{
    emu_config config = kit_config();
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    ID3D12Device *device = device_of(NULL);
    config.force_driver_retail = true;
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    ID3D12Device *again = device_of(NULL);
    cr_assert_eqs(again, device, kit_get_mode(device), MODE_RUNTIME);
    release(again);
    kit_close(device);
    device = device_of(NULL);
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL, "the next one has the new settings");
    kit_close(device);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

Test(singleton, a_name_has_one_default_adapter_each)
{
    static const char *const names[] = {"reference", "reorder", "warp", "legacy", "hostile"};
    enum { COUNT = sizeof names / sizeof names[0] };
    ID3D12Device *devices[COUNT];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++) {
            emu_config config = EMU_CONFIG_INIT;
            config.driver = names[i];
            cr_assert_eq(emu_configure(&config), ANNOT_OK);
            ID3D12Device *device = device_of(NULL);
            if (round == 0)
                devices[i] = device;
            else
                release(device);
            cr_assert_eq(device, devices[i]);
            for (int other = 0; other < i; other++)
                cr_assert(!same_luid(luid_of_device(device), luid_of_device(devices[other])));
        }
    for (int i = 0; i < COUNT; i++)
        kit_close(devices[i]);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

/* EMU_DRIVER is read when a device is asked for; emu_config.driver goes before it. */
Test(singleton, the_environment_names_the_driver)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {.Supported = TRUE};
    setenv("EMU_DRIVER", "legacy", 1);
    ID3D12Device *device = device_of(NULL);
    MUST(ID3D12Device_CheckFeatureSupport(
        device, (D3D12_FEATURE)D3D12_FEATURE_USER_DEFINED_ANNOTATION, &data, sizeof data));
    cr_assert(!data.Supported);
    kit_close(device);
    emu_config config = EMU_CONFIG_INIT;
    config.driver = "reference";
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    device = device_of(NULL);
    MUST(ID3D12Device_CheckFeatureSupport(
        device, (D3D12_FEATURE)D3D12_FEATURE_USER_DEFINED_ANNOTATION, &data, sizeof data));
    cr_assert(data.Supported);
    kit_close(device);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
    unsetenv("EMU_DRIVER");
}

Test(singleton, is_not_made_when_only_asked_for)
{
    EXPECT_HR(create(NULL, NULL), S_FALSE);
    AT_END(kit_closed) ID3D12Device *device = device_of(NULL);
    EXPECT_HR(create(NULL, NULL), S_FALSE);
    cr_assert_eq(kit_references(device), 1);
}

/* "If the current Direct3D 12 device is in a removed state, then D3D12CreateDevice fails"; it works
 * again when nobody holds the removed one, not even by a child. */
Test(singleton, a_removed_one_stands_in_the_way_until_it_is_released)
{
    emu_config config = kit_config();
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    ID3D12Device *device = device_of(NULL);
    ID3D12Fence *fence = kit_fence(device, 0);
    kit_remove(device);
    for (int round = 0; round < 2; round++) {
        void *out = &out;
        EXPECT_HR(create(NULL, &out), DXGI_ERROR_DEVICE_REMOVED);
        cr_assert(!out);
        EXPECT_HR(create(NULL, NULL), DXGI_ERROR_DEVICE_REMOVED);
        if (round == 0)
            cr_assert_eq(ID3D12Device_Release(device), 1);
    }
    IDXCoreAdapter *adapter = adapter_for("reference");
    ID3D12Device *other = device_of(adapter);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(other), S_OK);
    kit_close(other);
    release(adapter);
    release(fence);
    device = device_of(NULL);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), S_OK);
    kit_close(device);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

/* ---- threads: everybody gets a device that works, whoever else comes or goes ---- */

enum { THREADS = 4, ROUNDS = 60 };

static IDXCoreAdapter *shared_adapter;
static atomic_int threads_failed;

static void *come_and_go(void *unused)
{
    const LUID luid = luid_of(shared_adapter);
    for (int i = 0; i < ROUNDS; i++) {
        ID3D12Device *device = NULL, *again = NULL;
        ID3D12Fence *fence = NULL;
        if (FAILED(create(shared_adapter, (void **)&device)) ||
            FAILED(create(shared_adapter, (void **)&again)) || again != device ||
            !same_luid(luid_of_device(device), luid) ||
            FAILED(TRY(ID3D12Fence, &fence, device, CreateFence, 7, D3D12_FENCE_FLAG_NONE))) {
            atomic_fetch_add(&threads_failed, 1);
            return unused;
        }
        release(again);
        release(device);
        if (ID3D12Fence_GetCompletedValue(fence) != 7)
            atomic_fetch_add(&threads_failed, 1);
        release(fence);
    }
    return unused;
}

Test(singleton, creation_races_with_the_last_release)
{
    pthread_t threads[THREADS];
    shared_adapter = adapter_for("reference");
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, come_and_go, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(atomic_load(&threads_failed), 0);
    ID3D12Device *device = device_of(shared_adapter);
    kit_close(device); /* and nobody else holds it */
    release(shared_adapter);
}

/* ---- the first argument ---- */

struct impostor {
    IDXCoreAdapter iface;
    IDXCoreAdapter *inner; /* NULL: an object that is no adapter */
    LUID luid;             /* 0: inner's */
    ULONG references;
};

static HRESULT STDMETHODCALLTYPE impostor_QueryInterface(IDXCoreAdapter *iface, REFIID riid,
                                                         void **out)
{
    struct impostor *self = (struct impostor *)(void *)iface;
    *out = NULL;
    if (memcmp(riid, &IID_IUnknown, sizeof *riid) != 0 &&
        (!self->inner || memcmp(riid, &IID_IDXCoreAdapter, sizeof *riid) != 0))
        return E_NOINTERFACE;
    self->references++;
    *out = iface;
    return S_OK;
}

static ULONG STDMETHODCALLTYPE impostor_AddRef(IDXCoreAdapter *iface)
{
    return ++((struct impostor *)(void *)iface)->references;
}

static ULONG STDMETHODCALLTYPE impostor_Release(IDXCoreAdapter *iface)
{
    return --((struct impostor *)(void *)iface)->references;
}

static HRESULT STDMETHODCALLTYPE impostor_GetProperty(IDXCoreAdapter *iface,
                                                      DXCoreAdapterProperty property, size_t size,
                                                      void *data)
{
    struct impostor *self = (struct impostor *)(void *)iface;
    if (self->luid.LowPart == 0)
        return self->inner->lpVtbl->GetProperty(self->inner, property, size, data);
    memcpy(data, &self->luid, sizeof self->luid);
    return S_OK;
}

static const IDXCoreAdapterVtbl impostor_vtable = {
    .QueryInterface = impostor_QueryInterface,
    .AddRef = impostor_AddRef,
    .Release = impostor_Release,
    .GetProperty = impostor_GetProperty,
};

/* A layer's wrapper is another object; the sameness of adapters is their LUID's. */
Test(adapter, somebody_elses_counts_by_its_luid)
{
    IDXCoreAdapter *adapter = adapter_for("reference");
    struct impostor wrapper = {{&impostor_vtable}, adapter, {0}, 1};
    ID3D12Device *device = device_of(adapter), *wrapped = device_of(&wrapper.iface);
    cr_assert_eq(wrapped, device);
    release(wrapped);
    kit_close(device);
    cr_assert_eq(wrapper.references, 1);
    release(adapter);
}

Test(adapter, one_that_nobody_knows_is_an_invalid_argument)
{
    IDXCoreAdapter *adapter = adapter_for("reference");
    struct impostor unknown = {{&impostor_vtable}, adapter, {.LowPart = 0x7FFFFFFF}, 1};
    struct impostor nothing = {{&impostor_vtable}, NULL, {0}, 1};
    void *out = &out;
    EXPECT_HR(create(&unknown.iface, &out), E_INVALIDARG);
    cr_assert(!out);
    EXPECT_HR(create(&nothing.iface, &out), E_INVALIDARG);
    EXPECT_HR(create(&unknown.iface, NULL), E_INVALIDARG);
    cr_assert_eqs(unknown.references, 1, nothing.references, 1);
    ID3D12Device *device = kit_device(); /* an object of ours that is no adapter */
    EXPECT_HR(create(device, &out), E_INVALIDARG);
    kit_close(device);
    unknown.luid = luid_of(adapter);
    release(adapter);
    EXPECT_HR(create(&unknown.iface, &out), E_INVALIDARG); /* its adapter is gone */
}

Test(adapter, names_that_there_are_not)
{
    void *out = &out;
    cr_assert_eq(emu_adapter_create("there is no such driver", &out), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert(!out);
    cr_assert_eq(emu_adapter_create("", &out), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(emu_adapter_create("reference", NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    setenv("EMU_DRIVER", "nor this one", 1);
    cr_assert_eq(emu_adapter_create(NULL, &out), ANNOT_ERROR_INVALID_ARGUMENT);
    unsetenv("EMU_DRIVER");
}

Test(adapter, a_device_needs_a_level_that_the_adapter_has)
{
    static const struct {
        D3D_FEATURE_LEVEL level;
        HRESULT expected;
    } cases[] = {
        {D3D_FEATURE_LEVEL_1_0_CORE, S_FALSE},
        {D3D_FEATURE_LEVEL_11_0, S_FALSE},
        {D3D_FEATURE_LEVEL_11_1, S_FALSE},
        {D3D_FEATURE_LEVEL_12_0, S_FALSE},
        {D3D_FEATURE_LEVEL_12_1, DXGI_ERROR_UNSUPPORTED},
        {D3D_FEATURE_LEVEL_12_2, DXGI_ERROR_UNSUPPORTED},
        {(D3D_FEATURE_LEVEL)(D3D_FEATURE_LEVEL_12_2 + 1), E_INVALIDARG},
        {(D3D_FEATURE_LEVEL)0, E_INVALIDARG},
        {D3D_FEATURE_LEVEL_9_1, E_INVALIDARG},
        {D3D_FEATURE_LEVEL_10_1, E_INVALIDARG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const HRESULT hr = D3D12CreateDevice(NULL, cases[i].level, &IID_ID3D12Device, NULL);
        cr_assert_eq(hr, cases[i].expected, "%x: 0x%08x", (unsigned)cases[i].level, (unsigned)hr);
    }
}

/* ---- IDXCoreAdapter ---- */

Test(dxcore, the_adapter_is_one_object)
{
    IDXCoreAdapter *adapter = adapter_for("reference"), *same = NULL;
    IUnknown *unknown = NULL;
    void *out = &out;
    MUST(adapter->lpVtbl->QueryInterface(adapter, &IID_IUnknown, (void **)&unknown));
    MUST(unknown->lpVtbl->QueryInterface(unknown, &IID_IDXCoreAdapter, (void **)&same));
    cr_assert_eqs(same, adapter, kit_references(adapter), 3);
    EXPECT_HR(adapter->lpVtbl->QueryInterface(adapter, &IID_ID3D12Device, &out), E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(adapter->lpVtbl->QueryInterface(adapter, &IID_IUnknown, NULL), E_POINTER);
    release(same);
    release(unknown);
    cr_assert(adapter->lpVtbl->IsValid(adapter));
    out = &out;
    cr_assert(FAILED(adapter->lpVtbl->GetFactory(adapter, &IID_IUnknown, &out)) && !out);
    EXPECT_HR(adapter->lpVtbl->GetFactory(adapter, &IID_IUnknown, NULL), E_POINTER);
    cr_assert_eq(IUnknown_Release((IUnknown *)adapter), 0);
}

Test(dxcore, attributes_are_those_of_a_d3d12_adapter)
{
    IDXCoreAdapter *adapter = adapter_for("reference");
    const struct IDXCoreAdapterVtbl *v = adapter->lpVtbl;
    cr_assert(v->IsAttributeSupported(adapter, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS));
    cr_assert(v->IsAttributeSupported(adapter, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE));
    cr_assert(!v->IsAttributeSupported(adapter, &DXCORE_ADAPTER_ATTRIBUTE_D3D11_GRAPHICS));
    cr_assert(!v->IsAttributeSupported(adapter, &IID_IUnknown));
    cr_assert(!v->IsAttributeSupported(adapter, NULL));
    release(adapter);
}

/* Sizes are the types' that DXCoreAdapterProperty's page gives. */
Test(dxcore, properties_have_the_sizes_of_their_types)
{
    static const struct {
        DXCoreAdapterProperty property;
        size_t size; /* 0: not supported */
    } cases[] = {
        {InstanceLuid, 8},
        {DriverVersion, 8},
        {HardwareID, 16},
        {HardwareIDParts, 20},
        {DedicatedAdapterMemory, 8},
        {DedicatedSystemMemory, 8},
        {SharedSystemMemory, 8},
        {AcgCompatible, 1},
        {IsHardware, 1},
        {IsIntegrated, 1},
        {IsDetachable, 1},
        {KmdModelVersion, 0},
        {ComputePreemptionGranularity, 0},
        {GraphicsPreemptionGranularity, 0},
    };
    IDXCoreAdapter *adapter = adapter_for("reference");
    const struct IDXCoreAdapterVtbl *v = adapter->lpVtbl;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const DXCoreAdapterProperty property = cases[i].property;
        unsigned char bytes[40];
        size_t size = 77;
        memset(bytes, 0xEE, sizeof bytes);
        cr_assert_eq(v->IsPropertySupported(adapter, property), cases[i].size != 0);
        if (cases[i].size == 0) {
            EXPECT_HR(v->GetPropertySize(adapter, property, &size), DXGI_ERROR_UNSUPPORTED);
            EXPECT_HR(v->GetProperty(adapter, property, sizeof bytes, bytes),
                      DXGI_ERROR_UNSUPPORTED);
            continue;
        }
        EXPECT_HR(v->GetPropertySize(adapter, property, &size), S_OK);
        cr_assert_eq(size, cases[i].size, "property %d: %zu", (int)property, size);
        EXPECT_HR(v->GetProperty(adapter, property, size - 1, bytes), E_INVALIDARG);
        cr_assert_eq(bytes[0], 0xEE);
        EXPECT_HR(v->GetProperty(adapter, property, sizeof bytes - 1, bytes), S_OK);
        cr_assert_eqs(bytes[sizeof bytes - 2], 0, bytes[sizeof bytes - 1], 0xEE, "zeroed first");
        EXPECT_HR(v->GetProperty(adapter, property, size, NULL), E_POINTER);
    }
    EXPECT_HR(v->GetPropertySize(adapter, InstanceLuid, NULL), E_POINTER);
    size_t size = 0;
    char byte;
    EXPECT_HR(v->GetPropertySize(adapter, (DXCoreAdapterProperty)15, &size),
              DXGI_ERROR_INVALID_CALL);
    EXPECT_HR(v->GetProperty(adapter, (DXCoreAdapterProperty)0x80000000u, 1, &byte),
              DXGI_ERROR_INVALID_CALL);
    cr_assert(!v->IsPropertySupported(adapter, (DXCoreAdapterProperty)15));
    release(adapter);
}

Test(dxcore, the_description_names_the_driver)
{
    IDXCoreAdapter *adapter = adapter_for("reorder");
    char text[128];
    size_t size = 0;
    MUST(adapter->lpVtbl->GetPropertySize(adapter, DriverDescription, &size));
    cr_assert(size <= sizeof text);
    MUST(adapter->lpVtbl->GetProperty(adapter, DriverDescription, size, text));
    cr_assert_eq(strlen(text) + 1, size, "%s", text);
    cr_assert(strstr(text, "reorder"), "%s", text);
    release(adapter);
}

Test(dxcore, no_state_can_be_set)
{
    IDXCoreAdapter *adapter = adapter_for("reference");
    const struct IDXCoreAdapterVtbl *v = adapter->lpVtbl;
    uint64_t state[4];
    for (int i = 0; i < 2; i++) {
        const DXCoreAdapterState what = (DXCoreAdapterState)i;
        cr_assert(v->IsQueryStateSupported(adapter, what) &&
                  !v->IsSetStateSupported(adapter, what));
        EXPECT_HR(v->SetState(adapter, what, 0, NULL, sizeof state, state), DXGI_ERROR_UNSUPPORTED);
    }
    EXPECT_HR(v->QueryState(adapter, (DXCoreAdapterState)2, 0, NULL, sizeof state, state),
              DXGI_ERROR_INVALID_CALL);
    release(adapter);
}
