#include "device/adapter.h"

#include "device/config.h"
#include "device/driver_module.h"

#include "gpu/gpu.h"
#include "umd/driver.h"

#include <emu/dxcore.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct adapter {
    IDXCoreAdapter iface;
    atomic_uint references;
    bool is_default; /* of its driver: nobody was handed it, and it stays */
    struct d3d12_adapter_identity identity;
    struct adapter *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct adapter *adapters; /* that are alive, and the default ones */
static uint32_t last_luid;

static const IDXCoreAdapterVtbl adapter_vtable;

static struct adapter *impl_from_IDXCoreAdapter(IDXCoreAdapter *iface)
{
    return container_of(iface, struct adapter, iface);
}

/* ---- identity ---- */

static HRESULT STDMETHODCALLTYPE adapter_QueryInterface(IDXCoreAdapter *iface, REFIID riid,
                                                        void **out)
{
    if (out == NULL)
        return E_POINTER;
    *out = NULL;
    if (riid == NULL)
        return E_INVALIDARG;
    if (!com_same(riid, &IID_IUnknown) && !com_same(riid, &IID_IDXCoreAdapter))
        return E_NOINTERFACE;
    iface->lpVtbl->AddRef(iface);
    *out = iface;
    return S_OK;
}

static ULONG STDMETHODCALLTYPE adapter_AddRef(IDXCoreAdapter *iface)
{
    return atomic_fetch_add(&impl_from_IDXCoreAdapter(iface)->references, 1) + 1;
}

static ULONG STDMETHODCALLTYPE adapter_Release(IDXCoreAdapter *iface)
{
    struct adapter *adapter = impl_from_IDXCoreAdapter(iface);
    const ULONG left = atomic_fetch_sub(&adapter->references, 1) - 1;
    if (left != 0)
        return left;
    pthread_mutex_lock(&lock);
    struct adapter **link = &adapters;
    while (*link != adapter)
        link = &(*link)->next;
    *link = adapter->next;
    pthread_mutex_unlock(&lock);
    free(adapter);
    return 0;
}

/* ---- properties ---- */

static bool STDMETHODCALLTYPE adapter_IsValid(IDXCoreAdapter *iface)
{
    (void)iface;
    return true;
}

static bool STDMETHODCALLTYPE adapter_IsAttributeSupported(IDXCoreAdapter *iface, REFGUID attribute)
{
    (void)iface;
    return attribute != NULL && (com_same(attribute, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS) ||
                                 com_same(attribute, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE));
}

/* The longest value. */
#define DESCRIPTION_SIZE 128u

/* Size of a property's value, written to `value` (DESCRIPTION_SIZE bytes of zeros); 0: not supported. The emulator plays
 * a GPU that shares the system's memory, as CheckFeatureSupport says; it has no number in anybody's list of hardware. */
static size_t property_value(const struct adapter *adapter, DXCoreAdapterProperty property,
                             char *value)
{
    const uint64_t version = (uint64_t)1 << 48; /* 1.0.0.0 */
    const uint64_t shared = EMU_GPU_ALLOCATION_LIMIT;
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
    if (size == NULL)
        return E_POINTER;
    return find_property(iface, property, value, size);
}

static HRESULT STDMETHODCALLTYPE adapter_GetProperty(IDXCoreAdapter *iface,
                                                     DXCoreAdapterProperty property,
                                                     size_t capacity, void *data)
{
    char value[DESCRIPTION_SIZE];
    size_t size;
    if (data == NULL)
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

/* ---- states: none is modelled ---- */

static HRESULT no_state(DXCoreAdapterState state)
{
    return (unsigned)state <= AdapterMemoryBudget ? DXGI_ERROR_UNSUPPORTED
                                                  : DXGI_ERROR_INVALID_CALL;
}

static bool STDMETHODCALLTYPE adapter_IsStateSupported(IDXCoreAdapter *iface,
                                                       DXCoreAdapterState state)
{
    (void)iface, (void)state;
    return false;
}

static HRESULT STDMETHODCALLTYPE adapter_QueryState(IDXCoreAdapter *iface, DXCoreAdapterState state,
                                                    size_t details_size, const void *details,
                                                    size_t size, void *data)
{
    (void)iface, (void)details_size, (void)details, (void)size, (void)data;
    return no_state(state);
}

static HRESULT STDMETHODCALLTYPE adapter_SetState(IDXCoreAdapter *iface, DXCoreAdapterState state,
                                                  size_t details_size, const void *details,
                                                  size_t size, const void *data)
{
    (void)iface, (void)details_size, (void)details, (void)size, (void)data;
    return no_state(state);
}

static HRESULT STDMETHODCALLTYPE adapter_GetFactory(IDXCoreAdapter *iface, REFIID riid, void **out)
{
    (void)iface, (void)riid;
    if (out == NULL)
        return E_POINTER;
    *out = NULL;
    return E_NOTIMPL; /* no factory made it: the emulator has no libdxcore */
}

static const IDXCoreAdapterVtbl adapter_vtable = {
    adapter_QueryInterface,
    adapter_AddRef,
    adapter_Release,
    adapter_IsValid,
    adapter_IsAttributeSupported,
    adapter_IsPropertySupported,
    adapter_GetProperty,
    adapter_GetPropertySize,
    adapter_IsStateSupported,
    adapter_QueryState,
    adapter_IsStateSupported,
    adapter_SetState,
    adapter_GetFactory,
};

/* ---- making and finding them ---- */

static bool is_path(const char *driver)
{
    return strpbrk(driver, "/\\") != NULL;
}

static HRESULT find_driver(const char *name, const emu_driver **out)
{
    if (is_path(name))
        return driver_module_find(name, out);
    *out = emu_driver_find(name);
    return *out != NULL ? S_OK : DXGI_ERROR_NOT_FOUND;
}

/* The driver of that name or path; NULL: of the configuration. */
static HRESULT choose_driver(const char *name, const emu_driver **out)
{
    if (name != NULL)
        return find_driver(name, out);
    char *configured = d3d12_settings_driver();
    if (configured == NULL)
        return E_OUTOFMEMORY;
    const HRESULT hr = find_driver(configured, out);
    free(configured);
    return hr;
}

/* The lock is held. */
static struct adapter *add_adapter(const emu_driver *driver, bool is_default)
{
    struct adapter *adapter = calloc(1, sizeof *adapter);
    if (adapter == NULL)
        return NULL;
    adapter->iface.lpVtbl = &adapter_vtable;
    atomic_init(&adapter->references, 1);
    adapter->is_default = is_default;
    adapter->identity.driver = driver;
    adapter->identity.luid.LowPart = ++last_luid;
    adapter->next = adapters;
    adapters = adapter;
    return adapter;
}

static HRESULT find_default(const emu_driver *driver, struct d3d12_adapter_identity *out)
{
    pthread_mutex_lock(&lock);
    struct adapter *adapter = adapters;
    while (adapter != NULL && (adapter->identity.driver != driver || !adapter->is_default))
        adapter = adapter->next;
    if (adapter == NULL)
        adapter = add_adapter(driver, true);
    if (adapter != NULL)
        *out = adapter->identity;
    pthread_mutex_unlock(&lock);
    return adapter != NULL ? S_OK : E_OUTOFMEMORY;
}

static HRESULT find_luid(LUID luid, struct d3d12_adapter_identity *out)
{
    pthread_mutex_lock(&lock);
    const struct adapter *adapter = adapters;
    while (adapter != NULL && !luid_same(adapter->identity.luid, luid))
        adapter = adapter->next;
    if (adapter != NULL)
        *out = adapter->identity;
    pthread_mutex_unlock(&lock);
    return adapter != NULL ? S_OK : E_INVALIDARG;
}

HRESULT d3d12_adapter_identify(IUnknown *unknown, struct d3d12_adapter_identity *out)
{
    IDXCoreAdapter *adapter = NULL;
    LUID luid = {0};
    if (unknown == NULL) {
        const emu_driver *driver;
        const HRESULT hr = choose_driver(NULL, &driver);
        return SUCCEEDED(hr) ? find_default(driver, out) : hr;
    }
    if (FAILED(unknown->lpVtbl->QueryInterface(unknown, &IID_IDXCoreAdapter, (void **)&adapter)) ||
        adapter == NULL)
        return E_INVALIDARG;
    const HRESULT hr = adapter->lpVtbl->GetProperty(adapter, InstanceLuid, sizeof luid, &luid);
    adapter->lpVtbl->Release(adapter);
    return SUCCEEDED(hr) ? find_luid(luid, out) : E_INVALIDARG;
}

annot_result emu_adapter_create(const char *name, void **out)
{
    const emu_driver *driver;
    if (out == NULL)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    const HRESULT hr = choose_driver(name, &driver);
    if (FAILED(hr))
        return hr == E_OUTOFMEMORY ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_ERROR_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    struct adapter *adapter = add_adapter(driver, false);
    pthread_mutex_unlock(&lock);
    if (adapter == NULL)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *out = &adapter->iface;
    return ANNOT_OK;
}
