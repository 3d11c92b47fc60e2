#include "kit_dred.h"

void kit_dred_set(D3D12_DRED_ENABLEMENT crumbs, D3D12_DRED_ENABLEMENT contexts,
                  D3D12_DRED_ENABLEMENT faults)
{
    OWNED ID3D12DeviceRemovedExtendedDataSettings1 *settings = NULL;
    REQUIRE_OK(the_runtime.get_debug_interface(&IID_ID3D12DeviceRemovedExtendedDataSettings1,
                                               (void **)&settings));
    ID3D12DeviceRemovedExtendedDataSettings1_SetAutoBreadcrumbsEnablement(settings, crumbs);
    ID3D12DeviceRemovedExtendedDataSettings1_SetBreadcrumbContextEnablement(settings, contexts);
    ID3D12DeviceRemovedExtendedDataSettings1_SetPageFaultEnablement(settings, faults);
}

void kit_dred_markers_only(BOOL only)
{
    OWNED ID3D12DeviceRemovedExtendedDataSettings2 *settings = NULL;
    if (FAILED(the_runtime.get_debug_interface(&IID_ID3D12DeviceRemovedExtendedDataSettings2,
                                               (void **)&settings)))
        SKIP("needs ID3D12DeviceRemovedExtendedDataSettings2, which the runtime doesn't have");
    ID3D12DeviceRemovedExtendedDataSettings2_UseMarkersOnlyAutoBreadcrumbs(settings, only);
}

kit_dred *kit_dred_of(ID3D12Device *device)
{
    kit_dred *dred = NULL;
    REQUIRE_OK(
        ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceRemovedExtendedData1, (void **)&dred));
    return dred;
}

const D3D12_AUTO_BREADCRUMB_NODE1 *kit_dred_nodes(kit_dred *dred)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 out;
    REQUIRE_OK(ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1(dred, &out));
    return out.pHeadAutoBreadcrumbNode;
}

D3D12_DRED_PAGE_FAULT_OUTPUT1 kit_dred_fault(kit_dred *dred)
{
    D3D12_DRED_PAGE_FAULT_OUTPUT1 out;
    REQUIRE_OK(ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1(dred, &out));
    return out;
}

size_t kit_dred_allocations(const D3D12_DRED_ALLOCATION_NODE1 *first)
{
    size_t count = 0;
    for (; first; first = first->pNext)
        count++;
    return count;
}

void kit_dred_crash(struct kit_scene *scene)
{
    the_runtime.run_until_idle(scene->device);
    REQUIRE_HR(ID3D12Device_GetDeviceRemovedReason(scene->device), 0x887A0006); /* HUNG */
}

bool kit_is_text(const WCHAR *wide, const char *ascii)
{
    if (!wide)
        return false;
    for (; *ascii; ascii++, wide++)
        if (*wide != (WCHAR)*ascii)
            return false;
    return *wide == 0;
}
