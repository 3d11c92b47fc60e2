/* DRED through its interfaces: settings of the process, and what a removed device has to tell. */
#pragma once

#include "kit_scene.h"

#define DRED_ON  D3D12_DRED_ENABLEMENT_FORCED_ON
#define DRED_OFF D3D12_DRED_ENABLEMENT_FORCED_OFF

/* DXGI's, which D3D12's headers don't have. */
#define NOT_CURRENTLY_AVAILABLE 0x887A0022
#define UNSUPPORTED             0x887A0004

typedef ID3D12DeviceRemovedExtendedData1 kit_dred;

/* For devices that are made afterwards. The case needs DRED. */
void kit_dred_set(D3D12_DRED_ENABLEMENT crumbs, D3D12_DRED_ENABLEMENT contexts,
                  D3D12_DRED_ENABLEMENT faults);
/* UseMarkersOnlyAutoBreadcrumbs; skips the case when the runtime doesn't have it. */
void kit_dred_markers_only(BOOL only);

/* The caller releases it. */
kit_dred *kit_dred_of(ID3D12Device *device);
/* The nodes of the removed device; ends the case when it has none. */
const D3D12_AUTO_BREADCRUMB_NODE1 *kit_dred_nodes(kit_dred *dred);
D3D12_DRED_PAGE_FAULT_OUTPUT1 kit_dred_fault(kit_dred *dred);
size_t kit_dred_allocations(const D3D12_DRED_ALLOCATION_NODE1 *first);

/* Lets the GPU run until its device is removed; ends the case when it isn't. */
void kit_dred_crash(struct kit_scene *scene);

/* Whether a wide string of the runtime's is this one of ASCII letters; NULL is none. */
bool kit_is_text(const WCHAR *wide, const char *ascii);
