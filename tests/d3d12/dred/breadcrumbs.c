/* Auto-breadcrumbs and their contexts, written by the emulated GPU [ANN-DRED;
 * DeviceRemovedExtendedData]. */
#include "dred_kit.h"

#define NO_LONGER ((HRESULT)0x887A0022) /* DXGI_ERROR_NOT_CURRENTLY_AVAILABLE */

static const D3D12_AUTO_BREADCRUMB_NODE1 *nodes_of(const struct scene *s)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 out;
    MUST(s->data->lpVtbl->GetAutoBreadcrumbsOutput1(s->data, &out));
    return out.pHeadAutoBreadcrumbNode;
}

Test(dred, is_off_by_default)
{
    AT_END(scene_close) struct scene s;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT out;
    D3D12_DRED_PAGE_FAULT_OUTPUT fault;
    scene_open(&s);
    EXPECT_HR(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, &out), DXGI_ERROR_UNSUPPORTED);
    EXPECT_HR(s.data->lpVtbl->GetPageFaultAllocationOutput(s.data, &fault), DXGI_ERROR_UNSUPPORTED);
    EXPECT_HR(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, NULL), E_INVALIDARG);
    cr_assert_eq(s.data->lpVtbl->GetDeviceState(s.data), D3D12_DRED_DEVICE_STATE_UNKNOWN);
    scene_hang(&s);
    EXPECT_HR(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, &out), DXGI_ERROR_UNSUPPORTED);
    cr_assert_eq(s.data->lpVtbl->GetDeviceState(s.data), D3D12_DRED_DEVICE_STATE_HUNG);
}

Test(dred, has_nothing_to_tell_before_the_removal)
{
    AT_END(scene_close) struct scene s;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 out;
    D3D12_DRED_PAGE_FAULT_OUTPUT2 fault;
    dred_set(DRED_ON, DRED_ON, DRED_ON, FALSE);
    scene_open(&s);
    EXPECT_HR(s.data->lpVtbl->GetAutoBreadcrumbsOutput1(s.data, &out), NO_LONGER);
    EXPECT_HR(s.data->lpVtbl->GetPageFaultAllocationOutput2(s.data, &fault), NO_LONGER);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
}

Test(dred, settings_latch_when_the_device_is_created)
{
    AT_END(scene_close) struct scene s;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT out;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    dred_set(DRED_OFF, DRED_OFF, DRED_ON, TRUE);
    scene_hang(&s);
    MUST(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, &out));
    cr_assert_eq(out.pHeadAutoBreadcrumbNode->BreadcrumbCount, 1, "not markers only");
    D3D12_DRED_PAGE_FAULT_OUTPUT fault;
    EXPECT_HR(s.data->lpVtbl->GetPageFaultAllocationOutput(s.data, &fault), DXGI_ERROR_UNSUPPORTED);
}

/* Each records one operation of a kind, or returns false where the list can't. */
static void do_set(struct scene *s)
{
    ID3D12GraphicsCommandList_SetMarker(s->list, 1, "m", 2);
}
static void do_begin_end(struct scene *s)
{
    ID3D12GraphicsCommandList_BeginEvent(s->list, 1, "m", 2);
    ID3D12GraphicsCommandList_EndEvent(s->list);
}
static void do_dispatch(struct scene *s)
{
    kit_dispatch(s->list, s->signature, s->fill, s->buffer, NULL, 7, 16);
}
static void do_copy_region(struct scene *s)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(s->list, s->buffer, 0, s->other, 0, 256);
}
static void do_copy(struct scene *s)
{
    ID3D12GraphicsCommandList_CopyResource(s->list, s->buffer, s->other);
}
static void do_barrier(struct scene *s)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    ID3D12GraphicsCommandList_ResourceBarrier(s->list, 1, &barrier);
}
static void do_write(struct scene *s)
{
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {
        ID3D12Resource_GetGPUVirtualAddress(s->buffer), 1};
    OWNED ID3D12GraphicsCommandList2 *list = AS(ID3D12GraphicsCommandList2, s->list);
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list, 1, &write, NULL);
}

static const struct {
    const char *name;
    void (*record)(struct scene *s);
    UINT count;
    D3D12_AUTO_BREADCRUMB_OP ops[2];
} kinds[] = {
    {"SetMarker", do_set, 1, {D3D12_AUTO_BREADCRUMB_OP_SETMARKER}},
    {"BeginEvent",
     do_begin_end,
     2,
     {D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT, D3D12_AUTO_BREADCRUMB_OP_ENDEVENT}},
    {"Dispatch", do_dispatch, 1, {D3D12_AUTO_BREADCRUMB_OP_DISPATCH}},
    {"CopyBufferRegion", do_copy_region, 1, {D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION}},
    {"CopyResource", do_copy, 1, {D3D12_AUTO_BREADCRUMB_OP_COPYRESOURCE}},
    {"ResourceBarrier", do_barrier, 1, {D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER}},
    {"WriteBufferImmediate", do_write, 1, {D3D12_AUTO_BREADCRUMB_OP_WRITEBUFFERIMMEDIATE}},
};

Test(dred, a_hang_behind_n_operations_counts_n_of_every_kind)
{
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (UINT repeat = 1; repeat <= 5; repeat += 4) {
            AT_END(scene_close) struct scene s;
            scene_open(&s);
            for (UINT n = 0; n < repeat; n++)
                kinds[i].record(&s);
            scene_hang_here(&s, s.list);
            kinds[i].record(&s); /* behind the hang */
            scene_run(&s);
            const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
            cr_assert(node, "%s", kinds[i].name);
            cr_assert_eq(node->pNext, NULL, "%s", kinds[i].name);
            const UINT before = repeat * kinds[i].count;
            cr_assert_eq(*node->pLastBreadcrumbValue, before, "%s: %u of %u", kinds[i].name,
                         *node->pLastBreadcrumbValue, before);
            cr_assert_eq(node->BreadcrumbCount, before + 1 + kinds[i].count);
            for (UINT n = 0; n < before; n++)
                cr_assert_eq(node->pCommandHistory[n], kinds[i].ops[n % kinds[i].count]);
            cr_assert_eq(node->pCommandHistory[before], D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
            cr_assert_eqs(node->pCommandList, s.list, node->pCommandQueue, s.queue);
            cr_assert_eq(node->BreadcrumbContextsCount, 0);
            cr_assert(!node->pBreadcrumbContexts);
        }
}

/* A list keeps the last 65,536 operations in a ring, the counter goes on: the last is (count - 1) %
 * 65536. */
Test(dred, more_operations_than_the_ring_holds_go_around)
{
    enum { OPS = 65537 };
    AT_END(scene_close) struct scene s;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    for (UINT i = 0; i < OPS - 1; i++)
        ID3D12GraphicsCommandList_SetMarker(s.list, 1, "m", 2);
    scene_hang(&s);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
    cr_assert_eqs(node->BreadcrumbCount, OPS, *node->pLastBreadcrumbValue, OPS - 1);
    cr_assert_eq(node->pCommandHistory[(OPS - 1) % 65536], D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
    cr_assert_eq(node->pCommandHistory[65535], D3D12_AUTO_BREADCRUMB_OP_SETMARKER);
}

Test(dred, markers_only_counts_markers_only)
{
    AT_END(scene_close) struct scene s;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, TRUE);
    scene_open(&s);
    do_set(&s);
    do_copy(&s);
    do_begin_end(&s);
    do_dispatch(&s);
    scene_hang_here(&s, s.list);
    do_set(&s);
    scene_run(&s);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
    cr_assert_eqs(node->BreadcrumbCount, 4, *node->pLastBreadcrumbValue, 3);
    cr_assert_eq(node->pCommandHistory[3], D3D12_AUTO_BREADCRUMB_OP_SETMARKER);
}

/* DRED doesn't say; here each execution has its own node, the oldest first. */
Test(dred, two_executions_are_two_nodes_and_finished_ones_have_none)
{
    AT_END(scene_close) struct scene s;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, DIRECT);
    OWNED ID3D12GraphicsCommandList *done = kit_list(s.device, allocator, DIRECT);
    ID3D12GraphicsCommandList_CopyResource(done, s.buffer, s.other);
    MUST(ID3D12GraphicsCommandList_Close(done));
    do_set(&s);
    scene_hang_here(&s, s.list);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)done, (ID3D12CommandList *)s.list,
                                  (ID3D12CommandList *)s.list};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 3, lists);
    emu_run_until_idle(s.device);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
    cr_assert(node);
    cr_assert_eqs(node->pCommandList, s.list, *node->pLastBreadcrumbValue, 1);
    cr_assert(node->pNext);
    cr_assert_eq(node->pNext->pCommandList, s.list);
    cr_assert_eq(*node->pNext->pLastBreadcrumbValue, 0);
    cr_assert(!node->pNext->pNext);
}

/* The words that the GPU writes to stay until their own execution is done, however many there are
 * and whichever of them was done first. */
Test(dred, words_outlive_those_of_executions_before_them)
{
    enum { LISTS = 6000, SUBMISSIONS = 4 }; /* 64 KiB hold two submissions' words */
    struct scene s;
    ID3D12CommandList **lists = malloc(LISTS * sizeof *lists);
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.buffer, 0, s.other, 0, 4);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    for (int i = 0; i < LISTS; i++)
        lists[i] = (ID3D12CommandList *)s.list;
    for (int i = 0; i < SUBMISSIONS; i++)
        ID3D12CommandQueue_ExecuteCommandLists(s.queue, LISTS, lists);
    emu_run_until_idle(s.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), S_OK);
    scene_close(&s);
    free(lists);
}

Test(dred, a_list_that_is_reset_while_it_hangs_keeps_its_history)
{
    AT_END(scene_close) struct scene s;
    emu_config config = scene_config();
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    config.reset_in_flight = true;
    scene_open_with(&s, &config);
    do_copy(&s);
    scene_hang_here(&s, s.list);
    kit_execute(s.queue, s.list);
    MUST(ID3D12CommandAllocator_Reset(s.allocator));
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    for (int i = 0; i < 9; i++)
        do_set(&s);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    emu_run_until_idle(s.device);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
    cr_assert_eqs(node->BreadcrumbCount, 2, *node->pLastBreadcrumbValue, 1);
    cr_assert_eq(node->pCommandHistory[0], D3D12_AUTO_BREADCRUMB_OP_COPYRESOURCE);
}

Test(dred, a_bundle_is_one_operation_of_its_caller)
{
    AT_END(scene_close) struct scene s;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
    ID3D12GraphicsCommandList_SetMarker(bundle, 1, "b", 2);
    scene_hang_here(&s, bundle);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    do_set(&s);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.signature);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
    do_set(&s);
    scene_run(&s);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
    cr_assert_eqs(node->BreadcrumbCount, 3, *node->pLastBreadcrumbValue, 1);
    cr_assert_eq(node->pCommandHistory[1], D3D12_AUTO_BREADCRUMB_OP_EXECUTEBUNDLE);
}

/* A only from WKPDID_D3DDebugObjectName, W from SetName. */
Test(dred, nodes_have_both_kinds_of_names)
{
    AT_END(scene_close) struct scene s;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    MUST(ID3D12GraphicsCommandList_SetName(s.list, (const WCHAR *)L"wide list"));
    MUST(ID3D12CommandQueue_SetPrivateData(s.queue, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    scene_hang(&s);
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT out;
    MUST(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, &out));
    const D3D12_AUTO_BREADCRUMB_NODE *node = out.pHeadAutoBreadcrumbNode;
    cr_assert(!node->pCommandListDebugNameA);
    cr_assert_mem_eq(node->pCommandListDebugNameW, L"wide list", 10 * sizeof(WCHAR));
    cr_assert_str_eq(node->pCommandQueueDebugNameA, "narrow");
    cr_assert(!node->pCommandQueueDebugNameW);
}

/* Index and string of each PIX encoding, under either annotation mode. */
Test(dred, contexts_name_the_operation_that_is_the_marker)
{
    static const D3D12_USER_DEFINED_ANNOTATION_MODE modes[] = {MODE_RUNTIME, MODE_RETAIL};
    dred_set(DRED_ON, DRED_ON, DRED_OFF, FALSE);
    for (size_t i = 0; i < 2; i++) {
        AT_END(scene_close) struct scene s;
        scene_open(&s);
        kit_set_mode(s.device, modes[i]);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, DIRECT);
        OWNED ID3D12GraphicsCommandList *list = kit_list(s.device, allocator, DIRECT);
        ID3D12GraphicsCommandList_BeginEvent(list, 0, u"wide", 10);
        ID3D12GraphicsCommandList_CopyResource(list, s.buffer, s.other);
        ID3D12GraphicsCommandList_SetMarker(list, 1, "ansi", 5);
        ID3D12GraphicsCommandList_EndEvent(list);
        scene_hang_here(&s, list);
        kit_execute(s.queue, list);
        emu_run_until_idle(s.device);
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
        cr_assert_eq(node->BreadcrumbContextsCount, 2);
        const D3D12_DRED_BREADCRUMB_CONTEXT *contexts = node->pBreadcrumbContexts;
        cr_assert_eqs(contexts[0].BreadcrumbIndex, 0, contexts[1].BreadcrumbIndex, 2);
        cr_assert_mem_eq(contexts[0].pContextString, L"wide", 5 * sizeof(WCHAR));
        cr_assert_mem_eq(contexts[1].pContextString, L"ansi", 5 * sizeof(WCHAR));
        cr_assert_eq(*node->pLastBreadcrumbValue, 4);
    }
}

/* Breadcrumbs need nothing of annotations: drivers without them, and those that move markers, leave
 * them alike. */
Test(dred, every_driver_counts_alike)
{
    static const char *const drivers[] = {"reference", "warp", "legacy", "reorder"};
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        AT_END(scene_close) struct scene s;
        emu_config config = scene_config();
        config.driver = drivers[i];
        scene_open_with(&s, &config);
        for (int n = 0; n < 6; n++)
            do_set(&s);
        do_copy(&s);
        scene_hang(&s);
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(&s);
        cr_assert_eqs(node->BreadcrumbCount, 8, *node->pLastBreadcrumbValue, 7, "%s", drivers[i]);
    }
}
