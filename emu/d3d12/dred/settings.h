/* ID3D12DeviceRemovedExtendedDataSettings, 1 and 2, with which a program selects the parts of DRED
 * for later devices. The process has one such object, which is never destroyed
 * [DeviceRemovedExtendedData]. */
#pragma once

#include "base/com.h"

/* The parts of DRED that a device records. They don't change after the device's creation. */
struct dred_enablement {
    bool breadcrumbs, contexts, page_faults;
    bool markers_only; /* whether only SetMarker, BeginEvent and EndEvent leave breadcrumbs */
    bool asked; /* whether the program itself enabled breadcrumbs before it created the device */
};

/* Performs D3D12GetDebugInterface. S_FALSE means that `out` is NULL and the interface exists.
 * E_NOINTERFACE means that the interface doesn't exist. */
HRESULT dred_settings_query(const IID *riid, void **out);

/* Returns the settings of the process, or the settings that the user forces with d3dconfig.
 * SYSTEM_CONTROLLED means that the process's own setting applies; the default is off. */
struct dred_enablement dred_settings_latch(D3D12_DRED_ENABLEMENT breadcrumbs,
                                           D3D12_DRED_ENABLEMENT contexts,
                                           D3D12_DRED_ENABLEMENT page_faults);
