/* Objects at a page fault's address that conformance cases dred/ don't have, and what the dump says
 * of them [ANN-DRED, -JOIN]. */
#include "converted.h"

static D3D12_DRED_PAGE_FAULT_OUTPUT1 fault_of(const struct scene *s)
{
    D3D12_DRED_PAGE_FAULT_OUTPUT1 out;
    MUST(s->data->lpVtbl->GetPageFaultAllocationOutput1(s->data, &out));
    return out;
}

static UINT count(const D3D12_DRED_ALLOCATION_NODE1 *node)
{
    UINT nodes = 0;
    for (; node; node = node->pNext)
        nodes++;
    return nodes;
}

Test(dred_fault, a_heap_and_what_is_placed_in_it_both_hold_the_address)
{
    AT_END(scene_close) struct scene s;
    dred_set(DRED_OFF, DRED_OFF, DRED_ON, FALSE);
    scene_open(&s);
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 4 * 65536,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                       .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    ID3D12Heap *heap = MADE(ID3D12Heap, s.device, CreateHeap, &heap_desc);
    ID3D12Resource *placed = MADE(ID3D12Resource, s.device, CreatePlacedResource, heap, 65536,
                                  &desc, D3D12_RESOURCE_STATE_COMMON, NULL);
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(placed) + 8;
    const void *const latest = heap;
    RELEASE(placed, heap);
    scene_touch(&s, address);
    scene_run(&s);
    const D3D12_DRED_PAGE_FAULT_OUTPUT1 out = fault_of(&s);
    cr_assert_eq(count(out.pHeadRecentFreedAllocationNode), 2);
    cr_assert_eqs(out.pHeadRecentFreedAllocationNode->AllocationType,
                  D3D12_DRED_ALLOCATION_TYPE_HEAP,
                  (const void *)out.pHeadRecentFreedAllocationNode->pObject, latest);
    cr_assert_eq(s.data->lpVtbl->GetDeviceState(s.data), D3D12_DRED_DEVICE_STATE_PAGEFAULT);
}

/* ---- in a report ---- */

static void report(struct text *text)
{
    AT_END(at_end_close) annot_reader *reader = NULL;
    text->size = 0;
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    annot_report_text(reader, NULL, &(annot_report_sink){text, text_append});
}

static void open_with_dump(struct scene *s)
{
    emu_config config = kit_config();
    config.dump_path = dred_dump();
    scene_open_with(s, &config);
}

/* The object behind the address is in the dump as well, where none lies before it. */
Test(dred_fault, the_next_object_is_in_the_dump)
{
    struct scene s;
    annot_reader *reader = NULL;
    annot_reader_range range;
    dred_set(DRED_OFF, DRED_OFF, DRED_ON, FALSE);
    open_with_dump(&s);
    const UINT64 fault = 64; /* nothing is mapped so low */
    scene_touch(&s, fault);
    scene_run(&s);
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    cr_assert_eq(annot_reader_range_count(reader), 1);
    cr_assert(annot_reader_range_at(reader, 0, &range));
    cr_assert(range.address > fault);
    annot_reader_close(reader);
    scene_close(&s);
    remove(dred_dump());
}

/* A driver that takes no annotations reports nothing: breadcrumbs alone say where in the tree the
 * GPU is. */
Test(dred_join, breadcrumbs_place_markers_without_a_driver)
{
    struct scene s;
    struct text text;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    emu_config config = kit_config();
    config.driver = "legacy";
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    scene_open_with(&s, &config);
    ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "Frame", 6);
    ID3D12GraphicsCommandList_SetMarker(s.list, 1, "sky", 4);
    ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "Shadow", 7);
    scene_hang_here(&s, s.list);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    ID3D12GraphicsCommandList_SetMarker(s.list, 1, "late", 5);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    scene_run(&s);
    report(&text);
    cr_assert(strstr(text.bytes, "Frame / Shadow") != NULL, "%s", text.bytes);
    cr_assert(strstr(text.bytes, "4 of 7 is not done: Dispatch(1, 1, 1)") != NULL, "%s",
              text.bytes);
    cr_assert(strstr(text.bytes, "[X] - sky") != NULL, "%s", text.bytes);
    cr_assert(strstr(text.bytes, "[?] - late") != NULL, "%s", text.bytes);
    scene_close(&s);
    remove(dred_dump());
}

/* ---- in a DirectX dump file [ANN-FILE-15, ANN-DRED] ---- */

static annot_reader *converted(struct converted *made)
{
    annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    annot_reader *of_file = convert(reader, made);
    annot_reader_close(reader);
    return of_file;
}

Test(dred_dxdmp, has_breadcrumbs_their_names_and_the_object)
{
    struct scene s;
    struct converted made;
    annot_reader_crumbs crumbs;
    annot_reader_execution execution;
    annot_reader_object object;
    annot_reader_range range;
    annot_reader_device device;
    char name[64];
    dred_set(DRED_ON, DRED_OFF, DRED_ON, FALSE);
    emu_config config = kit_config();
    config.dump_path = dred_dump();
    config.force_driver_retail = true;
    scene_open_with(&s, &config);
    MUST(ID3D12GraphicsCommandList_SetName(s.list, (const WCHAR *)L"Frame list"));
    MUST(ID3D12Resource_SetName(s.other, (const WCHAR *)L"Lights"));
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(s.other) + 128;
    ID3D12GraphicsCommandList_SetMarker(s.list, 1, "Start", 6);
    ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "Frame", 6);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.buffer, 0, s.buffer, 4096, 256);
    ID3D12GraphicsCommandList_BeginEvent(s.list, 1, "Lighting", 9);
    ID3D12Resource_Release(s.other);
    s.other = NULL;
    scene_touch(&s, address);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    ID3D12GraphicsCommandList_EndEvent(s.list);
    scene_run(&s);
    annot_reader *dump = converted(&made);
    annot_reader_get_device(dump, &device);
    cr_assert_eqs(device.fault_count, 1, device.fault_address, address);
    cr_assert_eq(annot_reader_submission_count(dump), 1);
    cr_assert(annot_reader_crumbs_at(dump, 0, &crumbs));
    cr_assert_eqs(crumbs.count, 7, crumbs.done, 4);
    cr_assert_eq(annot_reader_op(dump, 0, 4), D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
    cr_assert(annot_reader_execution_at(dump, 0, &execution));
    cr_assert(annot_reader_object_find(dump, execution.object, &object));
    cr_assert(object.name.size == 10 && memcmp(object.name.data, "Frame list", 10) == 0);
    static const char *const names[] = {"Start", "Frame", "Lighting"}; /* by contexts */
    for (uint32_t i = 0, at = 0; i < 3; at++)
        if (annot_reader_entry_name(dump, at, name, sizeof name) > 0)
            cr_assert_str_eq(name, names[i++]);
    /* The freed object of DRED, and a buffer that exists. */
    cr_assert_eq(annot_reader_range_count(dump), 2);
    for (uint32_t i = 0; annot_reader_range_at(dump, i, &range) && !range.is_freed; i++)
        continue;
    cr_assert(range.is_freed);
    cr_assert_eq(range.kind, D3D12_DRED_ALLOCATION_TYPE_RESOURCE);
    cr_assert(annot_reader_object_find(dump, range.object, &object));
    cr_assert(object.name.size == 6 && memcmp(object.name.data, "Lights", 6) == 0);
    annot_reader_close(dump);
    free(made.bytes);
    scene_close(&s);
    remove(dred_dump());
}

/* The last 65,536 operations, number n at n % 65,536; and an execution that was never begun. */
Test(dred_dxdmp, has_the_ring_of_a_long_list_and_zero_of_one_that_was_not_begun)
{
    enum { OPS = 65540 };
    struct scene s;
    struct converted made;
    annot_reader_crumbs crumbs;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    open_with_dump(&s);
    for (UINT i = 0; i < OPS - 2; i++)
        ID3D12GraphicsCommandList_EndEvent(s.list);
    scene_hang_here(&s, s.list);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.buffer, 0, s.buffer, 4096, 256);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list, (ID3D12CommandList *)s.list};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 2, lists);
    emu_run_until_idle(s.device);
    annot_reader *dump = converted(&made);
    cr_assert_eq(annot_reader_submission_count(dump), 2);
    cr_assert_eq(annot_reader_crumbs_count(dump), 1, "of one that may not have begun: none");
    cr_assert(annot_reader_crumbs_at(dump, 0, &crumbs));
    cr_assert_eqs(crumbs.count, OPS, crumbs.done, OPS - 2);
    cr_assert_eq(annot_reader_op(dump, 0, OPS - 1), D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION);
    cr_assert_eq(annot_reader_op(dump, 0, OPS - 2), D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
    cr_assert_eq(annot_reader_op(dump, 0, OPS - 3), D3D12_AUTO_BREADCRUMB_OP_ENDEVENT);
    cr_assert_eq(annot_reader_op(dump, 0, 4), D3D12_AUTO_BREADCRUMB_OP_ENDEVENT);
    cr_assert_eq(annot_reader_op(dump, 0, 3), ANNOT_READER_NONE, "no longer kept");
    annot_reader_close(dump);
    free(made.bytes);
    scene_close(&s);
    remove(dred_dump());
}
