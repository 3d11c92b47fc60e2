/* The adapters of libdxcore and DXGI. The methods return what Microsoft's pages on them say; the
 * emulator chooses the adapters: first what D3D12CreateDevice takes for NULL, then
 * emu_adapter_create's. */
#include "kit.h"

#include "base/abi.h"

#include <emu/dxcore.h>

static IDXCoreAdapterFactory *factory_of_process(void)
{
    IDXCoreAdapterFactory *factory = NULL;
    MUST(DXCoreCreateAdapterFactory(&IID_IDXCoreAdapterFactory, (void **)&factory));
    return factory;
}

static IDXCoreAdapterList *list_of(IDXCoreAdapterFactory *factory)
{
    IDXCoreAdapterList *list = NULL;
    MUST(factory->lpVtbl->CreateAdapterList(factory, 1, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS,
                                            &IID_IDXCoreAdapterList, (void **)&list));
    return list;
}

static IDXCoreAdapter *adapter_at(IDXCoreAdapterList *list, uint32_t index)
{
    IDXCoreAdapter *adapter = NULL;
    MUST(list->lpVtbl->GetAdapter(list, index, &IID_IDXCoreAdapter, (void **)&adapter));
    return adapter;
}

static LUID luid_of(IDXCoreAdapter *adapter)
{
    LUID luid = {0};
    MUST(adapter->lpVtbl->GetProperty(adapter, InstanceLuid, sizeof luid, &luid));
    return luid;
}

static ID3D12Device *device_of(void *adapter)
{
    ID3D12Device *device = NULL;
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    return device;
}

static LUID luid_of_device(ID3D12Device *device)
{
    LUID luid;
    ABI_CALL_STRUCT(device, GetAdapterLuid, &luid);
    return luid;
}

static bool same_luid(LUID a, LUID b)
{
    return a.LowPart == b.LowPart && a.HighPart == b.HighPart;
}

static void release(void *object)
{
    IUnknown_Release((IUnknown *)object);
}

static void STDMETHODCALLTYPE on_event(DXCoreNotificationType type, IUnknown *object, void *context)
{
    (void)type, (void)object, (void)context;
    cr_assert_fail("nothing is notified");
}

/* ---- the factory ---- */

Test(dxcore_factory, is_one_object)
{
    IDXCoreAdapterFactory *factory = factory_of_process(), *again = factory_of_process();
    cr_assert_eq(factory, again);
    IUnknown *unknown = NULL;
    MUST(factory->lpVtbl->QueryInterface(factory, &IID_IUnknown, (void **)&unknown));
    cr_assert_eq((void *)unknown, (void *)factory);
    void *out = &out;
    EXPECT_HR(DXCoreCreateAdapterFactory(&IID_IDXCoreAdapter, &out), E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(DXCoreCreateAdapterFactory(&IID_IDXCoreAdapterFactory, NULL), E_POINTER);
    out = &out;
    EXPECT_HR(DXCoreCreateAdapterFactory(NULL, &out), E_INVALIDARG);
    cr_assert_eqs(out, NULL, kit_references(factory), 3);
    cr_assert_eq(IUnknown_AddRef((IUnknown *)factory), 4);
    cr_assert_eq(IUnknown_Release((IUnknown *)factory), 3);
    release(unknown);
    release(again);
    cr_assert_eq(IUnknown_Release((IUnknown *)factory), 0);
}

Test(dxcore_factory, its_lists_hold_adapters_with_all_the_attributes)
{
    static const GUID both[] = {
        {0x0c9ece4d, 0x2f6e, 0x4f01, {0x8c, 0x96, 0xe8, 0x9e, 0x33, 0x1b, 0x47, 0xb1}},
        {0x8c47866b, 0x7583, 0x450d, {0xf0, 0xf0, 0x6b, 0xad, 0xa8, 0x95, 0xaf, 0x4b}}};
    IDXCoreAdapterFactory *factory = factory_of_process();
    const IDXCoreAdapterFactoryVtbl *v = factory->lpVtbl;
    IDXCoreAdapterList *list = list_of(factory), *none = NULL;
    cr_assert_eq(list->lpVtbl->GetAdapterCount(list), 1, "the default one");
    MUST(v->CreateAdapterList(factory, 2, both, &IID_IDXCoreAdapterList, (void **)&none));
    cr_assert_eq(none->lpVtbl->GetAdapterCount(none), 0, "none is for D3D11");
    void *out = &out;
    EXPECT_HR(none->lpVtbl->GetAdapter(none, 0, &IID_IDXCoreAdapter, &out), E_INVALIDARG);
    cr_assert(!out);
    out = &out;
    EXPECT_HR(v->CreateAdapterList(factory, 0, both, &IID_IDXCoreAdapterList, &out), E_INVALIDARG);
    cr_assert(!out);
    EXPECT_HR(v->CreateAdapterList(factory, 1, NULL, &IID_IDXCoreAdapterList, &out), E_INVALIDARG);
    EXPECT_HR(v->CreateAdapterList(factory, 1, both, &IID_IDXCoreAdapterList, NULL), E_POINTER);
    EXPECT_HR(v->CreateAdapterList(factory, 1, both, &IID_IDXCoreAdapter, &out), E_NOINTERFACE);
    release(none);
    release(list);
    release(factory);
}

/* A list holds its adapters, those that it left out excepted, until it goes. */
Test(dxcore_list, holds_its_adapters)
{
    static const GUID d3d11 = {
        0x8c47866b, 0x7583, 0x450d, {0xf0, 0xf0, 0x6b, 0xad, 0xa8, 0x95, 0xaf, 0x4b}};
    IDXCoreAdapterFactory *factory = factory_of_process();
    IDXCoreAdapter *other = NULL;
    IDXCoreAdapterList *none = NULL;
    IUnknown *unknown = NULL;
    void *out = &out;
    cr_assert_eq(emu_adapter_create("reference", (void **)&other), ANNOT_OK);
    MUST(factory->lpVtbl->CreateAdapterList(factory, 1, &d3d11, &IID_IDXCoreAdapterList,
                                            (void **)&none));
    cr_assert_eq(kit_references(other), 1);
    release(none);
    IDXCoreAdapterList *list = list_of(factory);
    cr_assert_eqs(kit_references(other), 2, kit_references(list), 1);
    cr_assert_eqs(IUnknown_AddRef((IUnknown *)list), 2, IUnknown_Release((IUnknown *)list), 1);
    MUST(list->lpVtbl->QueryInterface(list, &IID_IUnknown, (void **)&unknown));
    cr_assert_eqs((void *)unknown, (void *)list, kit_references(list), 2);
    EXPECT_HR(list->lpVtbl->QueryInterface(list, &IID_IDXCoreAdapter, &out), E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(list->lpVtbl->QueryInterface(list, &IID_IUnknown, NULL), E_POINTER);
    out = &out;
    EXPECT_HR(list->lpVtbl->QueryInterface(list, NULL, &out), E_INVALIDARG);
    cr_assert(!out);
    EXPECT_HR(list->lpVtbl->GetAdapter(list, 0, &IID_IUnknown, NULL), E_POINTER);
    MUST(list->lpVtbl->GetFactory(list, &IID_IDXCoreAdapterFactory, &out));
    cr_assert_eq(out, factory);
    release(out);
    cr_assert_eqs(IUnknown_Release((IUnknown *)list), 1, kit_references(other), 2);
    cr_assert_eqs(IUnknown_Release((IUnknown *)list), 0, kit_references(other), 1);
    cr_assert_eq(IUnknown_Release((IUnknown *)other), 0);
    release(factory);
}

/* "Event notifications are not supported": a registration fails and returns no cookie. */
Test(dxcore_factory, notifies_nobody)
{
    IDXCoreAdapterFactory *factory = factory_of_process();
    const IDXCoreAdapterFactoryVtbl *v = factory->lpVtbl;
    IDXCoreAdapterList *list = list_of(factory);
    uint32_t cookie = 77;
    for (int i = 0; i < 5; i++)
        cr_assert(!v->IsNotificationTypeSupported(factory, (DXCoreNotificationType)i));
    EXPECT_HR(v->RegisterEventNotification(factory, (IUnknown *)list, AdapterListStale, on_event,
                                           NULL, &cookie),
              DXGI_ERROR_INVALID_CALL);
    cr_assert_eq(cookie, 0);
    EXPECT_HR(v->RegisterEventNotification(factory, NULL, AdapterListStale, on_event, NULL,
                                           &cookie),
              E_POINTER);
    EXPECT_HR(v->RegisterEventNotification(factory, (IUnknown *)list, AdapterListStale, NULL, NULL,
                                           &cookie),
              E_POINTER);
    EXPECT_HR(v->RegisterEventNotification(factory, (IUnknown *)list, AdapterListStale, on_event,
                                           NULL, NULL),
              E_POINTER);
    EXPECT_HR(v->UnregisterEventNotification(factory, 1), E_INVALIDARG);
    release(list);
    release(factory);
}

Test(dxcore_factory, the_first_adapter_is_the_default_one)
{
    IDXCoreAdapterFactory *factory = factory_of_process(), *same = NULL;
    IDXCoreAdapter *other = NULL;
    cr_assert_eq(emu_adapter_create("reorder", (void **)&other), ANNOT_OK);
    IDXCoreAdapterList *list = list_of(factory);
    cr_assert_eq(list->lpVtbl->GetAdapterCount(list), 2);
    IDXCoreAdapter *first = adapter_at(list, 0), *second = adapter_at(list, 1);
    cr_assert_eq(second, other);
    ID3D12Device *device = device_of(first), *by_null = device_of(NULL);
    cr_assert_eq(device, by_null);
    cr_assert(same_luid(luid_of_device(device), luid_of(first)));
    MUST(first->lpVtbl->GetFactory(first, &IID_IDXCoreAdapterFactory, (void **)&same));
    cr_assert_eq(same, factory);
    release(same);
    release(by_null);
    kit_close(device);
    release(second);
    release(first);
    release(list);
    release(other);
    release(factory);
}

Test(dxcore_factory, finds_adapters_by_their_luid)
{
    IDXCoreAdapterFactory *factory = factory_of_process();
    IDXCoreAdapter *other = NULL, *found = NULL;
    cr_assert_eq(emu_adapter_create("reference", (void **)&other), ANNOT_OK);
    const LUID luid = luid_of(other), foreign = {0x12345678, 9};
    MUST(factory->lpVtbl->GetAdapterByLuid(factory, &luid, &IID_IDXCoreAdapter, (void **)&found));
    cr_assert_eq(found, other);
    release(found);
    found = other;
    EXPECT_HR(factory->lpVtbl->GetAdapterByLuid(factory, &foreign, &IID_IDXCoreAdapter,
                                                (void **)&found),
              E_INVALIDARG);
    cr_assert(!found);
    found = other;
    EXPECT_HR(factory->lpVtbl->GetAdapterByLuid(factory, NULL, &IID_IDXCoreAdapter,
                                                (void **)&found),
              E_INVALIDARG);
    cr_assert(!found);
    EXPECT_HR(factory->lpVtbl->GetAdapterByLuid(factory, &luid, &IID_IDXCoreAdapter, NULL),
              E_POINTER);
    EXPECT_HR(factory->lpVtbl->GetAdapterByLuid(factory, &luid, &IID_IDXCoreAdapterList,
                                                (void **)&found),
              E_NOINTERFACE);
    cr_assert_eq(kit_references(other), 1);
    release(other);
    release(factory);
}

/* DXGI_ADAPTER_DESC.VendorId comes from here. Microsoft's number would make it a software adapter,
 * which programs pass over; a vendor's would make them use its extensions. */
Test(dxcore, hardware_has_nobodys_number)
{
    IDXCoreAdapterFactory *factory = factory_of_process();
    IDXCoreAdapterList *list = list_of(factory);
    IDXCoreAdapter *adapter = adapter_at(list, 0);
    const DXCoreHardwareID none = {0};
    const DXCoreHardwareIDParts no_parts = {0};
    DXCoreHardwareID id = {1, 1, 1, 1};
    DXCoreHardwareIDParts parts = {1, 1, 1, 1, 1};
    bool is_hardware = false;
    MUST(adapter->lpVtbl->GetProperty(adapter, HardwareID, sizeof id, &id));
    MUST(adapter->lpVtbl->GetProperty(adapter, HardwareIDParts, sizeof parts, &parts));
    MUST(adapter->lpVtbl->GetProperty(adapter, IsHardware, sizeof is_hardware, &is_hardware));
    cr_assert_mem_eq(&id, &none, sizeof id);
    cr_assert_mem_eq(&parts, &no_parts, sizeof parts);
    cr_assert(is_hardware);
    release(adapter);
    release(list);
    release(factory);
}

Test(dxcore_list, is_stale_once_adapters_came_or_went)
{
    IDXCoreAdapterFactory *factory = factory_of_process();
    IDXCoreAdapterList *list = list_of(factory);
    IDXCoreAdapter *other = NULL;
    cr_assert(!list->lpVtbl->IsStale(list));
    cr_assert_eq(emu_adapter_create("reference", (void **)&other), ANNOT_OK);
    cr_assert(list->lpVtbl->IsStale(list));
    cr_assert_eq(list->lpVtbl->GetAdapterCount(list), 1);
    release(list);
    list = list_of(factory);
    cr_assert(!list->lpVtbl->IsStale(list));
    release(other);
    cr_assert(!list->lpVtbl->IsStale(list), "the list holds it");
    release(list);
    release(factory);
}

Test(dxcore_list, sorts_by_known_preferences)
{
    static const DXCoreAdapterPreference known[] = {Hardware, MinimumPower, HighPerformance};
    const DXCoreAdapterPreference unknown = (DXCoreAdapterPreference)3;
    IDXCoreAdapterFactory *factory = factory_of_process();
    IDXCoreAdapterList *list = list_of(factory);
    for (int i = 0; i < 3; i++)
        cr_assert(list->lpVtbl->IsAdapterPreferenceSupported(list, known[i]));
    cr_assert(!list->lpVtbl->IsAdapterPreferenceSupported(list, unknown));
    MUST(list->lpVtbl->Sort(list, 3, known));
    EXPECT_HR(list->lpVtbl->Sort(list, 0, known), E_INVALIDARG);
    EXPECT_HR(list->lpVtbl->Sort(list, 1, NULL), E_INVALIDARG);
    EXPECT_HR(list->lpVtbl->Sort(list, 1, &unknown), E_INVALIDARG);
    release(list);
    release(factory);
}

static void make_lists(void)
{
    static const GUID d3d11 = {
        0x8c47866b, 0x7583, 0x450d, {0xf0, 0xf0, 0x6b, 0xad, 0xa8, 0x95, 0xaf, 0x4b}};
    IDXCoreAdapterFactory *factory = factory_of_process();
    IDXCoreAdapterList *list = list_of(factory), *none = NULL;
    MUST(factory->lpVtbl->CreateAdapterList(factory, 1, &d3d11, &IID_IDXCoreAdapterList,
                                            (void **)&none));
    release(none);
    EXPECT_HR(factory->lpVtbl->CreateAdapterList(factory, 1, &d3d11, &IID_IDXCoreAdapter,
                                                 (void **)&none),
              E_NOINTERFACE);
    release(list);
    release(factory);
}

Test(dxcore_list, leaves_no_memory_behind)
{
    cr_assert_eq(kit_left_behind(make_lists), 0);
}

/* ---- states ---- */

static DXCoreAdapterMemoryBudget budget_of(IDXCoreAdapter *adapter, DXCoreSegmentGroup group)
{
    const DXCoreAdapterMemoryBudgetNodeSegmentGroup segment = {0, group};
    DXCoreAdapterMemoryBudget budget = {0};
    MUST(adapter->lpVtbl->QueryState(adapter, AdapterMemoryBudget, sizeof segment, &segment,
                                     sizeof budget, &budget));
    return budget;
}

/* A GPU without memory of its own: the local segment is the machine's memory, and there is no
 * other. */
Test(dxcore_state, the_budget_counts_what_the_device_has)
{
    IDXCoreAdapter *adapter = NULL;
    cr_assert_eq(emu_adapter_create("reference", (void **)&adapter), ANNOT_OK);
    uint64_t memory = 0;
    MUST(adapter->lpVtbl->GetProperty(adapter, SharedSystemMemory, sizeof memory, &memory));
    const DXCoreAdapterMemoryBudget before = budget_of(adapter, Local);
    cr_assert_eq(before.budget, memory);
    cr_assert(before.budget > (1u << 20) && before.budget < (UINT64)1 << 44);
    cr_assert_eq(before.currentUsage, 0, "no device");
    cr_assert_eq(budget_of(adapter, NonLocal).budget, 0);

    ID3D12Device *device = device_of(adapter);
    const uint64_t own = budget_of(adapter, Local).currentUsage;
    ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 1 << 20);
    cr_assert_eq(budget_of(adapter, Local).currentUsage, own + (1 << 20));
    ID3D12Resource_Release(buffer);
    cr_assert_eq(budget_of(adapter, Local).currentUsage, own);
    kit_close(device);
    release(adapter);
}

Test(dxcore_state, queries_want_their_structs)
{
    IDXCoreAdapter *adapter = NULL;
    cr_assert_eq(emu_adapter_create("reference", (void **)&adapter), ANNOT_OK);
    const IDXCoreAdapterVtbl *v = adapter->lpVtbl;
    const DXCoreAdapterMemoryBudgetNodeSegmentGroup node = {1, Local}, group = {0, NonLocal + 1};
    DXCoreAdapterMemoryBudget budget;
    bool updating = true;
    MUST(v->QueryState(adapter, IsDriverUpdateInProgress, 0, NULL, sizeof updating, &updating));
    cr_assert(!updating);
    EXPECT_HR(v->QueryState(adapter, AdapterMemoryBudget, 0, NULL, sizeof budget, &budget),
              E_INVALIDARG);
    EXPECT_HR(v->QueryState(adapter, AdapterMemoryBudget, sizeof node, &node, sizeof budget - 1,
                            &budget),
              E_INVALIDARG);
    EXPECT_HR(v->QueryState(adapter, AdapterMemoryBudget, sizeof node, &node, sizeof budget,
                            &budget),
              E_INVALIDARG);
    EXPECT_HR(v->QueryState(adapter, AdapterMemoryBudget, sizeof group, &group, sizeof budget,
                            &budget),
              E_INVALIDARG);
    EXPECT_HR(v->QueryState(adapter, AdapterMemoryBudget, sizeof node, &node, sizeof budget, NULL),
              E_POINTER);
    release(adapter);
}

/* ---- DXGI ---- */

/* As much of an IDXGIAdapter as has an offset: IUnknown, IDXGIObject's four, EnumOutputs,
 * GetDesc. */
struct dxgi_desc {
    WCHAR description[128];
    UINT ids[4];
    SIZE_T memory[3];
    LUID luid;
};

struct dxgi_table {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(void *, REFIID, void **);
    ULONG(STDMETHODCALLTYPE *AddRef)(void *);
    ULONG(STDMETHODCALLTYPE *Release)(void *);
    void *others[5];
    HRESULT(STDMETHODCALLTYPE *GetDesc)(void *, struct dxgi_desc *);
};

struct dxgi_adapter {
    const struct dxgi_table *table;
    LUID luid;
};

static HRESULT STDMETHODCALLTYPE dxgi_query(void *iface, REFIID riid, void **out)
{
    static const GUID iid = {
        0x2411e7e1, 0x12ac, 0x4ccf, {0xbd, 0x14, 0x97, 0x98, 0xe8, 0x53, 0x4d, 0xc0}};
    const bool known =
        memcmp(riid, &iid, sizeof iid) == 0 || memcmp(riid, &IID_IUnknown, sizeof iid) == 0;
    *out = known ? iface : NULL;
    return known ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE dxgi_count(void *iface)
{
    (void)iface;
    return 1;
}

static HRESULT STDMETHODCALLTYPE dxgi_get_desc(void *iface, struct dxgi_desc *desc)
{
    memset(desc, 0xEE, sizeof *desc);
    desc->luid = ((struct dxgi_adapter *)iface)->luid;
    return S_OK;
}

static const struct dxgi_table dxgi_table = {
    .QueryInterface = dxgi_query,
    .AddRef = dxgi_count,
    .Release = dxgi_count,
    .GetDesc = dxgi_get_desc,
};

Test(dxgi, an_adapters_luid_is_the_devices)
{
    struct dxgi_adapter one = {&dxgi_table, {0xabcd, 3}}, two = {&dxgi_table, {1, 0}};
    ID3D12Device *device = device_of(&one), *again = device_of(&one), *other = device_of(&two);
    cr_assert(same_luid(luid_of_device(device), one.luid));
    cr_assert_eq(again, device);
    cr_assert(other != device);
    cr_assert(same_luid(luid_of_device(other), two.luid));
    release(again);
    kit_close(device);
    kit_close(other);
}

/* LUIDs are unique on a machine: one that DXGI brought is no emulated adapter's. */
Test(dxgi, no_other_adapter_gets_such_a_luid)
{
    struct dxgi_adapter foreign = {&dxgi_table, {2, 0}};
    AT_END(kit_closed) ID3D12Device *device = device_of(&foreign);
    for (int i = 0; i < 4; i++) {
        IDXCoreAdapter *adapter = NULL;
        cr_assert_eq(emu_adapter_create("reference", (void **)&adapter), ANNOT_OK);
        cr_assert(!same_luid(luid_of(adapter), foreign.luid));
        release(adapter);
    }
}
