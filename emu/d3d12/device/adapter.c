#include "device/adapter.h"

#include "os_memory.h"
#include "containers.h"
#include "device/config.h"
#include "device/driver_module.h"
#include "dxgi_adapter.h"

#include "gate.h"

#include <stdatomic.h>
#include <stdio.h>

struct adapter {
    IDXCoreAdapter iface;
    atomic_uint references;
    bool stays;        /* a driver or a foreign LUID found the adapter, which references itself */
    bool is_default;   /* whether NULL stands for this adapter of the driver */
    IUnknown *factory; /* the factory, which lives as long as the process; NULL: none */
    struct d3d12_adapter_identity identity;
    struct adapter *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct adapter *adapters; /* living adapters, and default adapters */
static uint32_t last_luid;
static atomic_uint generation;
typedef uint64_t memory_query(LUID);
static _Atomic(memory_query *) device_memory; /* NULL: there was no device yet */

static const IDXCoreAdapterVtbl adapter_vtable;

/* ---- identity ---- */

static void destroy(struct adapter *adapter)
{
    emu_lock(&lock);
    LL_DELETE(adapters, adapter);
    atomic_fetch_add(&generation, 1);
    emu_unlock(&lock);
    free(adapter);
}

COM_COUNTED(adapter, adapter, IDXCoreAdapter, &IID_IDXCoreAdapter, destroy)

/* ---- properties ---- */

static bool STDMETHODCALLTYPE adapter_IsValid(IDXCoreAdapter *iface)
{
    (void)iface;
    return true;
}

static bool STDMETHODCALLTYPE adapter_IsAttributeSupported(IDXCoreAdapter *iface, REFGUID attribute)
{
    (void)iface;
    return attribute && (com_same(attribute, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS) ||
                         com_same(attribute, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE));
}

/* The longest value. */
#define DESCRIPTION_SIZE 128u

/* Writes a property's value to `value` (DESCRIPTION_SIZE bytes of zeros) and returns its size; 0:
 * not supported. The emulator is a GPU that shares the system's memory, as CheckFeatureSupport
 * says; no list of hardware has its number. */
static size_t property_value(const struct adapter *adapter, DXCoreAdapterProperty property,
                             char *value)
{
    const uint64_t version = (uint64_t)1 << 48; /* 1.0.0.0 */
    const uint64_t shared = os_physical_memory();
    switch (property) {
    case InstanceLuid:
        memcpy(value, &adapter->identity.luid, sizeof(LUID));
        return sizeof(LUID);
    case DriverVersion:
        memcpy(value, &version, sizeof version);
        return sizeof version;
    case DriverDescription:
        return 1 + (size_t)snprintf(value, DESCRIPTION_SIZE, "libannot emulator, driver %.64s",
                                    adapter->identity.driver->annot.name);
    case HardwareID:
        return sizeof(DXCoreHardwareID);
    case HardwareIDParts:
        return sizeof(DXCoreHardwareIDParts);
    case DedicatedAdapterMemory:
    case DedicatedSystemMemory:
        return sizeof(uint64_t);
    case SharedSystemMemory:
        memcpy(value, &shared, sizeof shared);
        return sizeof shared;
    case IsHardware:
    case IsIntegrated:
        value[0] = 1;
        return sizeof(bool);
    case AcgCompatible:
    case IsDetachable:
        return sizeof(bool);
    case KmdModelVersion:
    case ComputePreemptionGranularity:
    case GraphicsPreemptionGranularity:
        break;
    }
    return 0;
}

static HRESULT find_property(IDXCoreAdapter *iface, DXCoreAdapterProperty property, char *value,
                             size_t *size)
{
    memset(value, 0, DESCRIPTION_SIZE);
    *size = property_value(impl_from_IDXCoreAdapter(iface), property, value);
    if (*size != 0)
        return S_OK;
    return (unsigned)property <= HardwareIDParts ? DXGI_ERROR_UNSUPPORTED : DXGI_ERROR_INVALID_CALL;
}

static bool STDMETHODCALLTYPE adapter_IsPropertySupported(IDXCoreAdapter *iface,
                                                          DXCoreAdapterProperty property)
{
    char value[DESCRIPTION_SIZE];
    size_t size;
    return find_property(iface, property, value, &size) == S_OK;
}

static HRESULT STDMETHODCALLTYPE adapter_GetPropertySize(IDXCoreAdapter *iface,
                                                         DXCoreAdapterProperty property,
                                                         size_t *size)
{
    char value[DESCRIPTION_SIZE];
    if (!size)
        return E_POINTER;
    return find_property(iface, property, value, size);
}

static HRESULT STDMETHODCALLTYPE adapter_GetProperty(IDXCoreAdapter *iface,
                                                     DXCoreAdapterProperty property,
                                                     size_t capacity, void *data)
{
    char value[DESCRIPTION_SIZE];
    size_t size;
    if (!data)
        return E_POINTER;
    const HRESULT hr = find_property(iface, property, value, &size);
    if (FAILED(hr))
        return hr;
    if (capacity < size)
        return E_INVALIDARG;
    memset(data, 0, capacity);
    memcpy(data, value, size);
    return S_OK;
}

/* ---- states: none can be set ---- */

/* The GPU has no memory of its own: all of the system's memory is its local segment, and the other
 * segment is empty. */
static HRESULT query_budget(const struct adapter *adapter,
                            const DXCoreAdapterMemoryBudgetNodeSegmentGroup *segment,
                            DXCoreAdapterMemoryBudget *budget)
{
    *budget = (DXCoreAdapterMemoryBudget){0};
    if (segment->nodeIndex != 0 || (unsigned)segment->segmentGroup > NonLocal)
        return E_INVALIDARG;
    if (segment->segmentGroup == NonLocal)
        return S_OK;
    budget->budget = os_physical_memory();
    budget->availableForReservation = budget->budget / 2;
    memory_query *query = atomic_load(&device_memory);
    budget->currentUsage = query != NULL ? query(adapter->identity.luid) : 0;
    return S_OK;
}

static bool STDMETHODCALLTYPE adapter_IsQueryStateSupported(IDXCoreAdapter *iface,
                                                            DXCoreAdapterState state)
{
    (void)iface;
    return (unsigned)state <= AdapterMemoryBudget;
}

static HRESULT STDMETHODCALLTYPE adapter_QueryState(IDXCoreAdapter *iface, DXCoreAdapterState state,
                                                    size_t details_size, const void *details,
                                                    size_t size, void *data)
{
    if (!data || (!details && details_size != 0))
        return E_POINTER;
    if (state == IsDriverUpdateInProgress && size >= 1) {
        memset(data, 0, size);
        return S_OK;
    }
    if (state == AdapterMemoryBudget && size >= sizeof(DXCoreAdapterMemoryBudget) &&
        details_size >= sizeof(DXCoreAdapterMemoryBudgetNodeSegmentGroup))
        return query_budget(impl_from_IDXCoreAdapter(iface), details, data);
    return (unsigned)state <= AdapterMemoryBudget ? E_INVALIDARG : DXGI_ERROR_INVALID_CALL;
}

static bool STDMETHODCALLTYPE adapter_IsSetStateSupported(IDXCoreAdapter *iface,
                                                          DXCoreAdapterState state)
{
    (void)iface, (void)state;
    return false;
}

static HRESULT STDMETHODCALLTYPE adapter_SetState(IDXCoreAdapter *iface, DXCoreAdapterState state,
                                                  size_t details_size, const void *details,
                                                  size_t size, const void *data)
{
    (void)iface, (void)details_size, (void)details, (void)size, (void)data;
    return (unsigned)state <= AdapterMemoryBudget ? DXGI_ERROR_UNSUPPORTED
                                                  : DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE adapter_GetFactory(IDXCoreAdapter *iface, REFIID riid, void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    emu_lock(&lock);
    IUnknown *factory = impl_from_IDXCoreAdapter(iface)->factory;
    emu_unlock(&lock);
    return factory ? factory->lpVtbl->QueryInterface(factory, riid, out) : E_NOTIMPL;
}

static const IDXCoreAdapterVtbl adapter_vtable = {
    COM_FACE_ENTRIES(adapter),
    COM_METHODS(adapter, IsValid, IsAttributeSupported, IsPropertySupported, GetProperty,
                GetPropertySize, IsQueryStateSupported, QueryState, IsSetStateSupported),
    COM_METHODS(adapter, SetState, GetFactory),
};

/* ---- creating and finding adapters ---- */

/* Finds the driver of a name or path; NULL means the configuration's driver. */
static HRESULT choose_driver(const char *name, const emu_driver **out)
{
    if (name)
        return driver_find(name, out);
    char *configured = d3d12_settings_driver();
    if (!configured)
        return E_OUTOFMEMORY;
    const HRESULT hr = driver_find(configured, out);
    if (hr == DXGI_ERROR_NOT_FOUND && !driver_is_path(configured)) /* the module told why */
        fprintf(stderr,
                "libd3d12: there is no driver '%s'; use reference, reorder, warp, "
                "legacy or hostile\n",
                configured);
    free(configured);
    return hr;
}

/* Returns the adapter with this LUID; NULL: there is none. The lock is held. */
static struct adapter *adapter_with(LUID luid)
{
    struct adapter *adapter = adapters;
    while (adapter && !luid_same(adapter->identity.luid, luid))
        adapter = adapter->next;
    return adapter;
}

/* Returns the next free LUID; a DXGI adapter may already have the next number. The lock is held. */
static LUID next_luid(void)
{
    LUID luid = {0};
    do
        luid.LowPart = ++last_luid;
    while (adapter_with(luid));
    return luid;
}

/* The lock is held. */
static struct adapter *add_adapter(const emu_driver *driver, LUID luid)
{
    struct adapter *adapter = calloc(1, sizeof *adapter);
    if (!adapter)
        return NULL;
    adapter->iface.lpVtbl = &adapter_vtable;
    atomic_init(&adapter->references, 1);
    adapter->identity.driver = driver;
    adapter->identity.luid = luid;
    LL_PREPEND(adapters, adapter);
    atomic_fetch_add(&generation, 1);
    return adapter;
}

/* The lock is held. */
static struct adapter *default_adapter(const emu_driver *driver)
{
    struct adapter *adapter = adapters;
    while (adapter && (adapter->identity.driver != driver || !adapter->is_default))
        adapter = adapter->next;
    if (!adapter && (adapter = add_adapter(driver, next_luid())) != NULL)
        adapter->stays = adapter->is_default = true;
    return adapter;
}

static HRESULT find_luid(LUID luid, struct d3d12_adapter_identity *out)
{
    emu_lock(&lock);
    const struct adapter *adapter = adapter_with(luid);
    if (adapter)
        *out = adapter->identity;
    emu_unlock(&lock);
    return adapter ? S_OK : E_INVALIDARG;
}

/* Finds the adapter with this LUID; NULL: the default adapter. For a DXGI adapter, makes an adapter
 * of the emulator with the driver that is configured at this time. */
static HRESULT find_or_add(const LUID *luid, struct d3d12_adapter_identity *out)
{
    const emu_driver *driver;
    const HRESULT hr = choose_driver(NULL, &driver);
    if (FAILED(hr))
        return hr;
    emu_lock(&lock);
    struct adapter *adapter = luid ? adapter_with(*luid) : default_adapter(driver);
    if (!adapter && luid && (adapter = add_adapter(driver, *luid)))
        adapter->stays = true;
    if (adapter)
        *out = adapter->identity;
    emu_unlock(&lock);
    return adapter ? S_OK : E_OUTOFMEMORY;
}

HRESULT d3d12_adapter_identify(IUnknown *unknown, struct d3d12_adapter_identity *out)
{
    IDXCoreAdapter *adapter = NULL;
    LUID luid = {0};
    if (!unknown)
        return find_or_add(NULL, out);
    if (dxgi_adapter_luid(unknown, &luid))
        return find_or_add(&luid, out);
    if (FAILED(unknown->lpVtbl->QueryInterface(unknown, &IID_IDXCoreAdapter, (void **)&adapter)) ||
        adapter == NULL)
        return E_INVALIDARG;
    const HRESULT hr = adapter->lpVtbl->GetProperty(adapter, InstanceLuid, sizeof luid, &luid);
    adapter->lpVtbl->Release(adapter);
    return SUCCEEDED(hr) ? find_luid(luid, out) : E_INVALIDARG;
}

/* ---- for DXCore ---- */

/* Gives the adapter out. NULL: another thread releases the last reference. The lock is held. */
static IDXCoreAdapter *hand_out(struct adapter *adapter, IUnknown *factory)
{
    if (!counter_step(&adapter->references, 1))
        return NULL;
    adapter->factory = factory;
    return &adapter->iface;
}

size_t d3d12_adapters_list(IUnknown *factory, IDXCoreAdapter **out, size_t capacity)
{
    const emu_driver *driver;
    size_t count = 0;
    const HRESULT hr = choose_driver(NULL, &driver);
    emu_lock(&lock);
    struct adapter *first = SUCCEEDED(hr) ? default_adapter(driver) : NULL;
    if (first && capacity != 0)
        out[count++] = hand_out(first, factory);
    for (struct adapter *adapter = adapters; adapter && count < capacity; adapter = adapter->next)
        if (!adapter->stays && (out[count] = hand_out(adapter, factory)))
            count++;
    emu_unlock(&lock);
    return count;
}

IDXCoreAdapter *d3d12_adapter_by_luid(IUnknown *factory, LUID luid)
{
    emu_lock(&lock);
    struct adapter *adapter = adapter_with(luid);
    IDXCoreAdapter *iface = adapter != NULL ? hand_out(adapter, factory) : NULL;
    emu_unlock(&lock);
    return iface;
}

void d3d12_adapters_measure(uint64_t (*bytes)(LUID luid))
{
    atomic_store(&device_memory, bytes);
}

unsigned d3d12_adapters_generation(void)
{
    return atomic_load(&generation);
}

/* ---- for tests ---- */

annot_result emu_adapter_create(const char *name, void **out)
{
    const emu_driver *driver;
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    const HRESULT hr = choose_driver(name, &driver);
    if (FAILED(hr))
        return hr == E_OUTOFMEMORY ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_ERROR_INVALID_ARGUMENT;
    emu_lock(&lock);
    struct adapter *adapter = add_adapter(driver, next_luid());
    emu_unlock(&lock);
    if (!adapter)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *out = &adapter->iface;
    return ANNOT_OK;
}
