/* Work that no breadcrumb counts: breadcrumbs of markers only, and what a render pass does at its
 * beginning and end. That all operations are done doesn't say that the list is [ANN-DRED-08,
 * ANN-TRUTH-01]. */
#include "converted.h"
#include "list/texel_kit.h"

static const char *const drivers[] = {"reference", "warp", "legacy", "reorder"};
enum { DRIVERS = sizeof drivers / sizeof drivers[0] };

static annot_state state_of(const annot_reader *reader, uint32_t execution)
{
    annot_reader_execution of;
    cr_assert(annot_reader_execution_at(reader, execution, &of));
    return of.state;
}

/* How many nodes a .dxdmp made of the dump has: each is a submission of what is made of it. */
static size_t converted_nodes(const annot_reader *of)
{
    struct converted made;
    annot_reader *reader = convert(of, &made);
    const size_t count = annot_reader_submission_count(reader);
    annot_reader_close(reader);
    free(made.bytes);
    return count;
}

static const D3D12_AUTO_BREADCRUMB_NODE1 *nodes_of(ID3D12Device *device)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 out;
    dred_data *data = NULL;
    MUST(
        ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceRemovedExtendedData2, (void **)&data));
    MUST(data->lpVtbl->GetAutoBreadcrumbsOutput1(data, &out));
    data->lpVtbl->Release(data);
    return out.pHeadAutoBreadcrumbNode;
}

static void open_scene(struct scene *s, const char *driver)
{
    emu_config config = kit_config();
    config.driver = driver;
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    scene_open_with(s, &config);
}

static void mark(struct scene *s, const char *name)
{
    ID3D12GraphicsCommandList_SetMarker(s->list, 1, name, (UINT)strlen(name) + 1);
}

/* What breadcrumbs don't count may have begun beside work in flight, unless the driver says no. */
static annot_state not_started(const char *driver)
{
    return strcmp(driver, "warp") == 0 || strcmp(driver, "legacy") == 0 ? ANNOT_STATE_UNKNOWN
                                                                        : ANNOT_STATE_NOT_STARTED;
}

/* Two lists: the first is done, the second hangs behind its last marker, or has no marker at all;
 * a third has not begun. */
static void hang_behind_markers(const char *driver, bool has_marker)
{
    struct scene s;
    open_scene(&s, driver);
    if (has_marker)
        mark(&s, "the last marker");
    scene_hang_here(&s, s.list);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandAllocator *allocator = kit_allocator(s.device, DIRECT);
    ID3D12GraphicsCommandList *plain = kit_list(s.device, allocator, DIRECT);
    if (has_marker)
        ID3D12GraphicsCommandList_SetMarker(plain, 1, "m", 2);
    ID3D12GraphicsCommandList_CopyResource(plain, s.buffer, s.other);
    MUST(ID3D12GraphicsCommandList_Close(plain));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)plain, (ID3D12CommandList *)s.list,
                                  (ID3D12CommandList *)plain};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 3, lists);
    emu_run_until_idle(s.device);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(s.device);
    cr_assert(node, "%s", driver);
    cr_assert_eq(node->pCommandList, s.list, "%s", driver);
    cr_expect_eqs(*node->pLastBreadcrumbValue, has_marker, node->BreadcrumbCount, has_marker);
    cr_expect(node->pNext && node->pNext->pCommandList == plain && !node->pNext->pNext);
    RELEASE(plain, allocator);
    scene_close(&s);
    AT_END(at_end_close) annot_reader *reader = dred_dump_read();
    cr_expect_eq(state_of(reader, 0), ANNOT_STATE_FINISHED, "%s", driver);
    cr_expect_eq(state_of(reader, 1), ANNOT_STATE_IN_PROGRESS, "%s", driver);
    cr_expect_eq(state_of(reader, 2), not_started(driver), "%s", driver);
    cr_expect_eq(annot_reader_stop_count(reader), 1);
    cr_expect_eq(converted_nodes(reader), 2, "%s", driver);
}

Test(dred_uncounted, a_list_that_hangs_behind_its_last_marker_is_not_finished)
{
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, TRUE);
    for (int i = 0; i < DRIVERS; i++)
        hang_behind_markers(drivers[i], true);
}

Test(dred_uncounted, a_list_without_markers_that_hangs_is_not_finished)
{
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, TRUE);
    for (int i = 0; i < DRIVERS; i++)
        hang_behind_markers(drivers[i], false);
}

/* The bundle's own breadcrumbs say it where no driver does. */
static void hang_in_a_bundle(const char *driver)
{
    struct scene s;
    char path[64] = "";
    open_scene(&s, driver);
    ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
    ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
    ID3D12GraphicsCommandList_BeginEvent(bundle, 1, "inside", 7);
    scene_hang_here(&s, bundle);
    ID3D12GraphicsCommandList_EndEvent(bundle);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "around", 7);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.signature);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    scene_run(&s);
    RELEASE(bundle, allocator);
    scene_close(&s);
    AT_END(at_end_close) annot_reader *reader = dred_dump_read();
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++)
        if (entry.kind == ANNOT_ENTRY_BUNDLE)
            cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, i, NULL),
                         entry.ordinal == 1 ? ANNOT_STATE_IN_PROGRESS : not_started(driver),
                         "%s, bundle %u", driver, entry.ordinal);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_expect_str_eq(path, "around / inside", "%s: %s", driver, path);
}

Test(dred_uncounted, a_bundle_that_hangs_is_in_progress_on_every_driver)
{
    for (BOOL markers_only = 0; markers_only < 2; markers_only++) {
        dred_set(DRED_ON, DRED_OFF, DRED_OFF, markers_only);
        for (int i = 0; i < DRIVERS; i++)
            hang_in_a_bundle(drivers[i]);
    }
}

/* A clear at the beginning of a render pass is no operation of breadcrumbs. Its target is gone when
 * the GPU comes to it. */
Test(dred_uncounted, a_list_that_faults_in_a_passes_clear_is_not_finished)
{
    static const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {RTV, 1, 0, 0};
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    for (int i = 0; i < DRIVERS; i++) {
        struct scene s;
        D3D12_CPU_DESCRIPTOR_HANDLE at;
        open_scene(&s, drivers[i]);
        const D3D12_RESOURCE_DESC desc = texels_target();
        ID3D12Resource *target = kit_resource(s.device, &desc, D3D12_RESOURCE_STATE_RENDER_TARGET);
        ID3D12DescriptorHeap *heap =
            MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &heap_desc);
        ABI_CALL_STRUCT(heap, GetCPUDescriptorHandleForHeapStart, &at);
        ID3D12Device_CreateRenderTargetView(s.device, target, NULL, at);
        ID3D12GraphicsCommandList4 *list4 = AS(ID3D12GraphicsCommandList4, s.list);
        mark(&s, "the last marker");
        const D3D12_RENDER_PASS_RENDER_TARGET_DESC pass = {
            .cpuDescriptor = at,
            .BeginningAccess = {D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR,
                                {{{DXGI_FORMAT_R8_UINT, {{6}}}}}},
            .EndingAccess = {.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE}};
        ID3D12GraphicsCommandList4_BeginRenderPass(list4, 1, &pass, NULL,
                                                   D3D12_RENDER_PASS_FLAG_NONE);
        ID3D12GraphicsCommandList4_EndRenderPass(list4);
        ID3D12Resource_Release(target);
        scene_run(&s);
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = nodes_of(s.device);
        cr_assert(node, "%s", drivers[i]);
        cr_assert_eq(node->pCommandList, s.list, "%s", drivers[i]);
        cr_expect_eqs(*node->pLastBreadcrumbValue, 1, node->BreadcrumbCount, 1);
        RELEASE(list4, heap);
        scene_close(&s);
        AT_END(at_end_close) annot_reader *reader = dred_dump_read();
        cr_expect_eq(state_of(reader, 0), ANNOT_STATE_IN_PROGRESS, "%s", drivers[i]);
        cr_expect_eq(converted_nodes(reader), 1, "%s", drivers[i]);
    }
}
