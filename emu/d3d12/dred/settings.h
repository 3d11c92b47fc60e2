/* ID3D12DeviceRemovedExtendedDataSettings, 1 and 2: what DRED records for later devices. The
 * process has one such object, which is never destroyed [DeviceRemovedExtendedData]. */
#pragma once

#include "base/com.h"

/* The parts that a device records, fixed at its creation. */
struct dred_enablement {
    bool breadcrumbs, contexts, page_faults;
    bool markers_only; /* breadcrumbs only of SetMarker, BeginEvent and EndEvent */
    bool asked;        /* the program had switched breadcrumbs on */
};

/* Answers D3D12GetDebugInterface: S_FALSE if `out` is NULL and the interface exists, E_NOINTERFACE
 * if it doesn't exist. */
HRESULT dred_settings_query(const IID *riid, void **out);

/* The process's settings, unless d3dconfig forces others. Values are D3D12_DRED_ENABLEMENT;
 * SYSTEM_CONTROLLED keeps the process's own. The default is off. */
struct dred_enablement dred_settings_latch(D3D12_DRED_ENABLEMENT breadcrumbs,
                                           D3D12_DRED_ENABLEMENT contexts,
                                           D3D12_DRED_ENABLEMENT page_faults);
