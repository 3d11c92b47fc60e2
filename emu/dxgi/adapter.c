/* IDXGIAdapter to IDXGIAdapter4, from DXCore's properties of the same adapter. */
#include "dxgi.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct adapter {
    IDXGIAdapter4 iface;
    atomic_uint references;
    IUnknown *factory;
    IDXCoreAdapter *core;
};

int dxgi_is_one_of(REFIID riid, const IID *const *iids)
{
    while (*iids && !IsEqualGUID(riid, *iids))
        iids++;
    return *iids != NULL;
}

/* ---- IUnknown, IDXGIObject ---- */

DXGI_OBJECT(adapter, IDXGIAdapter4, &IID_IDXGIAdapter, &IID_IDXGIAdapter1, &IID_IDXGIAdapter2,
            &IID_IDXGIAdapter3, &IID_IDXGIAdapter4)

static ULONG STDMETHODCALLTYPE adapter_Release(IDXGIAdapter4 *iface)
{
    struct adapter *adapter = impl_from_IDXGIAdapter4(iface);
    const ULONG left = atomic_fetch_sub(&adapter->references, 1) - 1;
    if (left == 0) {
        adapter->core->lpVtbl->Release(adapter->core);
        IUnknown_Release(adapter->factory);
        free(adapter);
    }
    return left;
}

static HRESULT STDMETHODCALLTYPE adapter_GetParent(IDXGIAdapter4 *iface, REFIID riid, void **out)
{
    return IUnknown_QueryInterface(impl_from_IDXGIAdapter4(iface)->factory, riid, out);
}

static HRESULT STDMETHODCALLTYPE adapter_EnumOutputs(IDXGIAdapter4 *iface, UINT index,
                                                     IDXGIOutput **output)
{
    (void)iface, (void)index;
    if (!output)
        return E_INVALIDARG;
    *output = NULL;
    return DXGI_ERROR_NOT_FOUND;
}

/* ---- descriptions ---- */

static void get(struct adapter *adapter, DXCoreAdapterProperty property, void *value, size_t size)
{
    memset(value, 0, size);
    adapter->core->lpVtbl->GetProperty(adapter->core, property, size, value);
}

static HRESULT STDMETHODCALLTYPE adapter_GetDesc3(IDXGIAdapter4 *iface, DXGI_ADAPTER_DESC3 *desc)
{
    struct adapter *adapter = impl_from_IDXGIAdapter4(iface);
    DXCoreHardwareID id;
    char name[128];
    UINT64 dedicated, system, shared;
    if (!desc)
        return E_INVALIDARG;
    memset(desc, 0, sizeof *desc);
    get(adapter, HardwareID, &id, sizeof id);
    get(adapter, DriverDescription, name, sizeof name);
    get(adapter, DedicatedAdapterMemory, &dedicated, sizeof dedicated);
    get(adapter, DedicatedSystemMemory, &system, sizeof system);
    get(adapter, SharedSystemMemory, &shared, sizeof shared);
    get(adapter, InstanceLuid, &desc->AdapterLuid, sizeof desc->AdapterLuid);
    for (size_t i = 0; i + 1 < sizeof desc->Description / sizeof desc->Description[0] && name[i];
         i++)
        desc->Description[i] = (WCHAR)(unsigned char)name[i];
    desc->VendorId = id.vendorID;
    desc->DeviceId = id.deviceID;
    desc->SubSysId = id.subSysID;
    desc->Revision = id.revision;
    desc->DedicatedVideoMemory = (SIZE_T)dedicated;
    desc->DedicatedSystemMemory = (SIZE_T)system;
    desc->SharedSystemMemory = (SIZE_T)shared;
    desc->GraphicsPreemptionGranularity = DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    desc->ComputePreemptionGranularity = DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
    return S_OK;
}

/* The older descriptions are beginnings of the newest description. */
#define DESCRIBE(method, DESC)                                                                     \
    static HRESULT STDMETHODCALLTYPE adapter_##method(IDXGIAdapter4 *iface, DESC *desc)            \
    {                                                                                              \
        DXGI_ADAPTER_DESC3 newest;                                                                 \
        if (!desc)                                                                                 \
            return E_INVALIDARG;                                                                   \
        const HRESULT hr = adapter_GetDesc3(iface, &newest);                                       \
        memcpy(desc, &newest, sizeof *desc);                                                       \
        return hr;                                                                                 \
    }

DESCRIBE(GetDesc, DXGI_ADAPTER_DESC)
DESCRIBE(GetDesc1, DXGI_ADAPTER_DESC1)
DESCRIBE(GetDesc2, DXGI_ADAPTER_DESC2)

/* "UMDVersion: the user mode driver version"; programs ask with IDXGIDevice for D3D12's driver
 * version, too. */
static HRESULT STDMETHODCALLTYPE adapter_CheckInterfaceSupport(IDXGIAdapter4 *iface, REFGUID name,
                                                               LARGE_INTEGER *version)
{
    struct adapter *adapter = impl_from_IDXGIAdapter4(iface);
    UINT64 value;
    if (!IsEqualGUID(name, &IID_IDXGIDevice))
        return DXGI_ERROR_UNSUPPORTED;
    get(adapter, DriverVersion, &value, sizeof value);
    if (version)
        version->QuadPart = (LONGLONG)value;
    return S_OK;
}

/* ---- memory ---- */

static HRESULT STDMETHODCALLTYPE adapter_QueryVideoMemoryInfo(IDXGIAdapter4 *iface, UINT node,
                                                              DXGI_MEMORY_SEGMENT_GROUP group,
                                                              DXGI_QUERY_VIDEO_MEMORY_INFO *info)
{
    struct adapter *adapter = impl_from_IDXGIAdapter4(iface);
    const DXCoreAdapterMemoryBudgetNodeSegmentGroup segment = {node, (DXCoreSegmentGroup)group};
    DXCoreAdapterMemoryBudget budget = {0};
    if (!info)
        return E_INVALIDARG;
    const HRESULT hr = adapter->core->lpVtbl->QueryState(
        adapter->core, AdapterMemoryBudget, sizeof segment, &segment, sizeof budget, &budget);
    info->Budget = budget.budget;
    info->CurrentUsage = budget.currentUsage;
    info->AvailableForReservation = budget.availableForReservation;
    info->CurrentReservation = budget.currentReservation;
    return hr;
}

static HRESULT STDMETHODCALLTYPE adapter_SetVideoMemoryReservation(IDXGIAdapter4 *iface, UINT node,
                                                                   DXGI_MEMORY_SEGMENT_GROUP group,
                                                                   UINT64 bytes)
{
    (void)iface, (void)group, (void)bytes;
    return node == 0 ? S_OK : E_INVALIDARG; /* no memory must be kept free */
}

/* ---- events, which never happen ---- */

static HRESULT STDMETHODCALLTYPE adapter_Register(IDXGIAdapter4 *iface, HANDLE event, DWORD *cookie)
{
    (void)iface;
    if (!event || !cookie)
        return E_INVALIDARG;
    *cookie = 1;
    return S_OK;
}

static void STDMETHODCALLTYPE adapter_Unregister(IDXGIAdapter4 *iface, DWORD cookie)
{
    (void)iface, (void)cookie;
}

static CONST_VTBL IDXGIAdapter4Vtbl adapter_vtable = {
    DXGI_OBJECT_ENTRIES(adapter),
    COM_METHODS(adapter, EnumOutputs, GetDesc, CheckInterfaceSupport, GetDesc1, GetDesc2),
    .RegisterHardwareContentProtectionTeardownStatusEvent = adapter_Register,
    .UnregisterHardwareContentProtectionTeardownStatus = adapter_Unregister,
    COM_METHODS(adapter, QueryVideoMemoryInfo, SetVideoMemoryReservation),
    .RegisterVideoMemoryBudgetChangeNotificationEvent = adapter_Register,
    .UnregisterVideoMemoryBudgetChangeNotification = adapter_Unregister,
    .GetDesc3 = adapter_GetDesc3,
};

IDXGIAdapter4 *dxgi_adapter_create(IUnknown *factory, IDXCoreAdapter *core)
{
    struct adapter *adapter = calloc(1, sizeof *adapter);
    if (!adapter) {
        core->lpVtbl->Release(core);
        return NULL;
    }
    adapter->iface.lpVtbl = &adapter_vtable;
    atomic_init(&adapter->references, 1);
    adapter->core = core;
    adapter->factory = factory;
    IUnknown_AddRef(factory);
    return &adapter->iface;
}
