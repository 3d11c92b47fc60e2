/*
 * You will see a dispatch behind three markers write to a buffer that was released, what DRED says
 * of it through D3D12, and a dump that has markers, operation, buffer, the kernel-mode driver's
 * word and times in one report:
 *
 *     list "Frame list": 4 of 8 operations done, the next is a Dispatch
 *     page fault at 0x…, in a buffer that was freed: "Lights"
 *     the dump is dred.annotdmp
 *
 *     dred [--out PATH]
 */
#define INITGUID
#include "setup.h"

#include <annot/reader.h> /* annot_op_text */

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT
#define ON     D3D12_DRED_ENABLEMENT_FORCED_ON

/* Before the device: it keeps what is set now. */
static void enable_dred(void)
{
    ID3D12DeviceRemovedExtendedDataSettings1 *settings = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings1, (void **)&settings));
    ID3D12DeviceRemovedExtendedDataSettings1_SetAutoBreadcrumbsEnablement(settings, ON);
    ID3D12DeviceRemovedExtendedDataSettings1_SetPageFaultEnablement(settings, ON);
    ID3D12DeviceRemovedExtendedDataSettings1_Release(settings);
}

/* The examples' names are ASCII; wchar_t is what D3D12's ABI says. */
static void print_name(const char *before, const wchar_t *name, const char *after)
{
    fputs(before, stdout);
    for (; *name != 0; name++)
        putchar((char)*name);
    fputs(after, stdout);
}

static void print_dred(ID3D12Device *device)
{
    ID3D12DeviceRemovedExtendedData1 *data = NULL;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT1 fault;
    MUST(
        ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceRemovedExtendedData1, (void **)&data));
    MUST(ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1(data, &crumbs));
    MUST(ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1(data, &fault));
    for (const D3D12_AUTO_BREADCRUMB_NODE1 *n = crumbs.pHeadAutoBreadcrumbNode; n; n = n->pNext) {
        print_name("list \"", n->pCommandListDebugNameW, "\": ");
        printf("%u of %u operations done, the next is a %s\n", *n->pLastBreadcrumbValue,
               n->BreadcrumbCount,
               annot_op_text((uint32_t)n->pCommandHistory[*n->pLastBreadcrumbValue]));
    }
    for (const D3D12_DRED_ALLOCATION_NODE1 *n = fault.pHeadRecentFreedAllocationNode; n;
         n = n->pNext) {
        printf("page fault at 0x%llx, in a buffer that was freed: ",
               (unsigned long long)fault.PageFaultVA);
        print_name("\"", n->ObjectNameW, "\"\n");
    }
    ID3D12DeviceRemovedExtendedData1_Release(data);
}

int main(int argc, char **argv)
{
    help(argc, argv, "usage: dred [--out PATH]");
    emu_config config = EMU_CONFIG_INIT;
    config.dump_path = argc == 3 && strcmp(argv[1], "--out") == 0 ? argv[2] : "dred.annotdmp";
    config.order = EMU_ORDER_SEEDED;                        /* no waiting */
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE; /* times, for annot timeline */
    emu_configure(&config);
    enable_dred();
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, DIRECT, L"Graphics queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, DIRECT, L"Frame list");
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *write =
        make_pipeline(device, signature, EMU_KERNEL_TOUCH, L"Light culling");
    ID3D12Resource *depth = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 65536, L"Depth");
    ID3D12Resource *lights = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4 << 20, L"Lights");
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(lights) + 128;
    ID3D12Resource_Release(lights); /* the mistake */

    PIXBeginEvent(list, 0, "Frame %d", 1);
    PIXBeginEvent(list, 0, "Lighting");
    ID3D12GraphicsCommandList_CopyBufferRegion(list, depth, 0, depth, 4096, 256);
    PIXBeginEvent(list, 0, "Tile (3, 7)");
    dispatch(list, signature, write, depth, (UINT)address, (UINT)(address >> 32));
    for (int i = 0; i < 3; i++)
        PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    emu_run_until_idle(device);

    print_dred(device);
    printf("the dump is %s\n", config.dump_path);
    const bool has_hung = ID3D12Device_GetDeviceRemovedReason(device) != S_OK;
    RELEASE_ALL(device, queue, allocator, list, signature, write, depth);
    return !has_hung;
}
