/* Auto-breadcrumbs and their contexts, written by the emulated GPU [ANN-DRED;
 * DeviceRemovedExtendedData]. */
#include "dred_kit.h"

static const D3D12_AUTO_BREADCRUMB_NODE1 *nodes_of(const struct scene *s)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 out;
    MUST(s->data->lpVtbl->GetAutoBreadcrumbsOutput1(s->data, &out));
    return out.pHeadAutoBreadcrumbNode;
}

static void do_set(struct scene *s)
{
    ID3D12GraphicsCommandList_SetMarker(s->list, 1, "m", 2);
}
static void do_copy(struct scene *s)
{
    ID3D12GraphicsCommandList_CopyResource(s->list, s->buffer, s->other);
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
    emu_config config = kit_config();
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    config.reset_in_flight = true;
    scene_open_with(&s, &config);
    cr_assert_eq(s.data->lpVtbl->GetDeviceState(s.data), D3D12_DRED_DEVICE_STATE_UNKNOWN);
    EXPECT_HR(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, NULL), E_INVALIDARG);
    do_copy(&s);
    scene_hang_here(&s, s.list);
    kit_execute(s.queue, s.list);
    MUST(ID3D12CommandAllocator_Reset(s.allocator));
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    for (int i = 0; i < 9; i++)
        do_set(&s);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    emu_run_until_idle(s.device);
    cr_assert_eq(s.data->lpVtbl->GetDeviceState(s.data), D3D12_DRED_DEVICE_STATE_HUNG);
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
