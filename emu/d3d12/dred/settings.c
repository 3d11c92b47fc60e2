#include "dred/settings.h"

#include <stdatomic.h>

static atomic_uint references;                        /* counted, but never used */
static atomic_int breadcrumbs, contexts, page_faults; /* D3D12_DRED_ENABLEMENT */
static atomic_int watson_dumps; /* has no effect, because no Watson uploads dumps */
static atomic_bool markers_only;

COM_SHARED(settings, ID3D12DeviceRemovedExtendedDataSettings2, dred_settings_query)

/* Ignores an invalid value, because the methods return nothing. */
static void set(atomic_int *setting, D3D12_DRED_ENABLEMENT enablement)
{
    if ((unsigned)enablement <= D3D12_DRED_ENABLEMENT_FORCED_ON)
        atomic_store(setting, (int)enablement);
}

#define SETTING(method, what)                                                                      \
    static void STDMETHODCALLTYPE settings_##method(                                               \
        ID3D12DeviceRemovedExtendedDataSettings2 *iface, D3D12_DRED_ENABLEMENT enablement)         \
    {                                                                                              \
        (void)iface;                                                                               \
        set(&what, enablement);                                                                    \
    }
SETTING(SetAutoBreadcrumbsEnablement, breadcrumbs)
SETTING(SetPageFaultEnablement, page_faults)
SETTING(SetWatsonDumpEnablement, watson_dumps)
SETTING(SetBreadcrumbContextEnablement, contexts)

static void STDMETHODCALLTYPE
settings_UseMarkersOnlyAutoBreadcrumbs(ID3D12DeviceRemovedExtendedDataSettings2 *iface, BOOL only)
{
    (void)iface;
    atomic_store(&markers_only, only != FALSE);
}

static CONST_VTBL ID3D12DeviceRemovedExtendedDataSettings2Vtbl settings_vtable = {
    COM_FACE_ENTRIES(settings),
    COM_METHODS(settings, SetAutoBreadcrumbsEnablement, SetPageFaultEnablement,
                SetWatsonDumpEnablement, SetBreadcrumbContextEnablement,
                UseMarkersOnlyAutoBreadcrumbs),
};

static ID3D12DeviceRemovedExtendedDataSettings2 settings = {&settings_vtable};

HRESULT dred_settings_query(const IID *riid, void **out)
{
    static const IID *const iids[] = {&IID_ID3D12DeviceRemovedExtendedDataSettings,
                                      &IID_ID3D12DeviceRemovedExtendedDataSettings1,
                                      &IID_ID3D12DeviceRemovedExtendedDataSettings2};
    return com_hand_out(com_is_any(riid, iids, 3) ? &settings : NULL, riid, out);
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
        .asked = is_on(D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED, &breadcrumbs),
    };
    on.contexts = on.breadcrumbs && is_on(forced_contexts, &contexts);
    return on;
}
