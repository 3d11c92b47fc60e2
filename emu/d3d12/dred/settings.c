#include "dred/settings.h"

#include <stdatomic.h>

static atomic_uint references;                        /* counted, never acted on */
static atomic_int breadcrumbs, contexts, page_faults; /* D3D12_DRED_ENABLEMENT */
static atomic_bool markers_only;

static ULONG add_ref(void)
{
    return atomic_fetch_add(&references, 1) + 1;
}

static HRESULT STDMETHODCALLTYPE
settings_QueryInterface(ID3D12DeviceRemovedExtendedDataSettings2 *iface, REFIID riid, void **out)
{
    (void)iface;
    return out ? dred_settings_query(riid, out) : E_POINTER;
}

static ULONG STDMETHODCALLTYPE settings_AddRef(ID3D12DeviceRemovedExtendedDataSettings2 *iface)
{
    (void)iface;
    return add_ref();
}

static ULONG STDMETHODCALLTYPE settings_Release(ID3D12DeviceRemovedExtendedDataSettings2 *iface)
{
    (void)iface;
    return atomic_fetch_sub(&references, 1) - 1;
}

/* The methods return nothing: a value that is none changes nothing. */
static void set(atomic_int *setting, D3D12_DRED_ENABLEMENT enablement)
{
    if ((unsigned)enablement <= D3D12_DRED_ENABLEMENT_FORCED_ON)
        atomic_store(setting, (int)enablement);
}

static void STDMETHODCALLTYPE settings_SetAutoBreadcrumbsEnablement(
    ID3D12DeviceRemovedExtendedDataSettings2 *iface, D3D12_DRED_ENABLEMENT enablement)
{
    (void)iface;
    set(&breadcrumbs, enablement);
}

static void STDMETHODCALLTYPE settings_SetPageFaultEnablement(
    ID3D12DeviceRemovedExtendedDataSettings2 *iface, D3D12_DRED_ENABLEMENT enablement)
{
    (void)iface;
    set(&page_faults, enablement);
}

/* There is no Watson to upload dumps: accepted without effect. */
static void STDMETHODCALLTYPE settings_SetWatsonDumpEnablement(
    ID3D12DeviceRemovedExtendedDataSettings2 *iface, D3D12_DRED_ENABLEMENT enablement)
{
    (void)iface, (void)enablement;
}

static void STDMETHODCALLTYPE settings_SetBreadcrumbContextEnablement(
    ID3D12DeviceRemovedExtendedDataSettings2 *iface, D3D12_DRED_ENABLEMENT enablement)
{
    (void)iface;
    set(&contexts, enablement);
}

static void STDMETHODCALLTYPE
settings_UseMarkersOnlyAutoBreadcrumbs(ID3D12DeviceRemovedExtendedDataSettings2 *iface, BOOL only)
{
    (void)iface;
    atomic_store(&markers_only, only != FALSE);
}

static CONST_VTBL ID3D12DeviceRemovedExtendedDataSettings2Vtbl settings_vtable = {
    .QueryInterface = settings_QueryInterface,
    .AddRef = settings_AddRef,
    .Release = settings_Release,
    .SetAutoBreadcrumbsEnablement = settings_SetAutoBreadcrumbsEnablement,
    .SetPageFaultEnablement = settings_SetPageFaultEnablement,
    .SetWatsonDumpEnablement = settings_SetWatsonDumpEnablement,
    .SetBreadcrumbContextEnablement = settings_SetBreadcrumbContextEnablement,
    .UseMarkersOnlyAutoBreadcrumbs = settings_UseMarkersOnlyAutoBreadcrumbs,
};

static ID3D12DeviceRemovedExtendedDataSettings2 settings = {&settings_vtable};

HRESULT dred_settings_query(const IID *riid, void **out)
{
    static const IID *const iids[] = {&IID_IUnknown, &IID_ID3D12DeviceRemovedExtendedDataSettings,
                                      &IID_ID3D12DeviceRemovedExtendedDataSettings1,
                                      &IID_ID3D12DeviceRemovedExtendedDataSettings2};
    if (out)
        *out = NULL;
    if (!riid)
        return E_INVALIDARG;
    for (size_t i = 0; i < sizeof iids / sizeof iids[0]; i++)
        if (com_same(riid, iids[i])) {
            if (!out)
                return S_FALSE;
            add_ref();
            *out = &settings;
            return S_OK;
        }
    return E_NOINTERFACE;
}

static bool is_on(D3D12_DRED_ENABLEMENT forced, atomic_int *setting)
{
    if (forced == D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED)
        forced = (D3D12_DRED_ENABLEMENT)atomic_load(setting);
    return forced == D3D12_DRED_ENABLEMENT_FORCED_ON;
}

struct dred_enablement dred_settings_latch(D3D12_DRED_ENABLEMENT forced_breadcrumbs,
                                           D3D12_DRED_ENABLEMENT forced_contexts,
                                           D3D12_DRED_ENABLEMENT forced_page_faults)
{
    struct dred_enablement on = {
        .breadcrumbs = is_on(forced_breadcrumbs, &breadcrumbs),
        .page_faults = is_on(forced_page_faults, &page_faults),
        .markers_only = atomic_load(&markers_only),
    };
    on.contexts = on.breadcrumbs && is_on(forced_contexts, &contexts);
    return on;
}
