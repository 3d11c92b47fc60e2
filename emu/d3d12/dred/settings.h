/* ID3D12DeviceRemovedExtendedDataSettings, 1 and 2: they select the parts of DRED for later
 * devices. The process has one such object, which is never destroyed
 * [DeviceRemovedExtendedData]. */
#pragma once

#include "base/com.h"

/* The parts of DRED that a device records; they are fixed at the device's creation. */
struct dred_enablement {
    bool breadcrumbs, contexts, page_faults;
    bool markers_only; /* whether only SetMarker, BeginEvent and EndEvent leave breadcrumbs */
    bool asked;        /* the program itself switched breadcrumbs on before it created the device */
};

/* Answers D3D12GetDebugInterface. S_FALSE: `out` is NULL and the interface exists. E_NOINTERFACE:
 * the interface doesn't exist. */
HRESULT dred_settings_query(const IID *riid, void **out);

/* Returns the process's settings, unless the user forces other settings with d3dconfig.
 * SYSTEM_CONTROLLED keeps the process's own setting; the default is off. */
struct dred_enablement dred_settings_latch(D3D12_DRED_ENABLEMENT breadcrumbs,
                                           D3D12_DRED_ENABLEMENT contexts,
                                           D3D12_DRED_ENABLEMENT page_faults);
