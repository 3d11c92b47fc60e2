/* ANN-DRED: breadcrumbs and page faults as a program gets them from the removed device. The GPU is
 * the emulator's; what it did is known, and what DRED says is held against that. */
#include "kit_dred.h"
#include "kit_tell.h"

CASES(dred_cases, "dred");

#define NEEDED (DRED | EMULATOR | HANG | DUMP | KERNELS)

/* A scene with a list "L" that is recorded, on a queue "Q". */
struct stuck {
    struct kit_scene scene;
    ID3D12CommandQueue *queue;
    struct kit_list list;
    ID3D12Resource *source, *target;
    ID3D12QueryHeap *queries;
    kit_dred *dred;
};

static void stuck_with(struct stuck *s, const emu_config *config)
{
    kit_scene(&s->scene, config);
    s->queue = kit_named_queue(&s->scene, DIRECT, "Q");
    s->list = kit_named_list(&s->scene, DIRECT, "L");
    s->source = kit_buffer(s->scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    s->target = kit_buffer(s->scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    REQUIRE_OK(ID3D12Device_CreateQueryHeap(s->scene.device, &queries, &IID_ID3D12QueryHeap,
                                            (void **)&s->queries));
    s->dred = kit_dred_of(s->scene.device);
}

static void stuck(struct stuck *s)
{
    stuck_with(s, NULL);
}

/* Executes the list and lets the device be removed. */
static void stuck_run(struct stuck *s)
{
    kit_execute(s->queue, &s->list);
    kit_dred_crash(&s->scene);
}

static void stuck_done(struct stuck *s)
{
    kit_release(s->dred);
    kit_release(s->queries);
    kit_release(s->target);
    kit_release(s->source);
    kit_list_done(&s->list);
    kit_release(s->queue);
    kit_scene_done(&s->scene);
}

/* ---- when there is something to tell ---- */

CASE(off_by_default, "ANN-DRED-01",
     "Every program pays for breadcrumbs that nobody asked for, or reads some that nobody wrote.",
     .needs = DRED)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT fault;
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED ID3D12DeviceRemovedExtendedData *data = NULL;
    REQUIRE_OK(
        ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceRemovedExtendedData, (void **)&data));
    EXPECT_HR(ID3D12DeviceRemovedExtendedData_GetAutoBreadcrumbsOutput(data, &crumbs), UNSUPPORTED);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData_GetPageFaultAllocationOutput(data, &fault),
              UNSUPPORTED);
}

CASE(before_removal, "ANN-DRED-02",
     "A program takes the breadcrumbs of a device that works for those of one that stopped.",
     .needs = DRED)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT1 fault;
    kit_dred_set(DRED_ON, DRED_ON, DRED_ON);
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    OWNED kit_dred *dred = kit_dred_of(device);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1(dred, &crumbs),
              NOT_CURRENTLY_AVAILABLE);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1(dred, &fault),
              NOT_CURRENTLY_AVAILABLE);
}

CASE(settings_latch_at_creation, "ANN-DRED-03",
     "A device changes what it watches in the middle of its life, and half a history is shown.",
     .needs = DRED)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT1 fault;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    AT_END(kit_device_end) ID3D12Device *device = kit_device(0);
    kit_dred_set(DRED_OFF, DRED_OFF, DRED_ON);
    OWNED kit_dred *dred = kit_dred_of(device);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1(dred, &crumbs),
              NOT_CURRENTLY_AVAILABLE);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1(dred, &fault),
              UNSUPPORTED);
}

/* ---- counting ---- */

static void op_set(struct stuck *s)
{
    kit_marker(&s->list, "m");
}
static void op_begin(struct stuck *s)
{
    kit_scope(&s->list, "m");
}
static void op_end(struct stuck *s)
{
    kit_end(&s->list);
}
static void op_dispatch(struct stuck *s)
{
    kit_work(&s->scene, &s->list, 0);
}
static void op_draw(struct stuck *s)
{
    ID3D12GraphicsCommandList_DrawInstanced(kit_graphics(&s->list), 3, 1, 0, 0);
}
static void op_draw_indexed(struct stuck *s)
{
    ID3D12GraphicsCommandList_DrawIndexedInstanced(kit_graphics(&s->list), 3, 1, 0, 0, 0);
}
static void op_copy_region(struct stuck *s)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(&s->list), s->target, 0, s->source, 0,
                                               256);
}
static void op_copy(struct stuck *s)
{
    ID3D12GraphicsCommandList_CopyResource(kit_graphics(&s->list), s->target, s->source);
}
static void op_barrier(struct stuck *s)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    ID3D12GraphicsCommandList_ResourceBarrier(kit_graphics(&s->list), 1, &barrier);
}
static void op_write(struct stuck *s)
{
    OWNED ID3D12GraphicsCommandList2 *list = NULL;
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {
        ID3D12Resource_GetGPUVirtualAddress(s->target), 1};
    REQUIRE_OK(ID3D12GraphicsCommandList_QueryInterface(
        kit_graphics(&s->list), &IID_ID3D12GraphicsCommandList2, (void **)&list));
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list, 1, &write, NULL);
}
static void op_queries(struct stuck *s)
{
    ID3D12GraphicsCommandList_ResolveQueryData(kit_graphics(&s->list), s->queries,
                                               D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, s->target, 0);
}
static void op_bundle(struct stuck *s)
{
    OWNED_LIST bundle = kit_list(s->scene.device, BUNDLE);
    kit_marker(&bundle, "inside");
    kit_list_close(&bundle);
    kit_bundle(&s->list, &bundle);
}

static const struct {
    D3D12_AUTO_BREADCRUMB_OP op;
    void (*record)(struct stuck *s);
} ops[] = {{D3D12_AUTO_BREADCRUMB_OP_SETMARKER, op_set},
           {D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT, op_begin},
           {D3D12_AUTO_BREADCRUMB_OP_ENDEVENT, op_end},
           {D3D12_AUTO_BREADCRUMB_OP_DISPATCH, op_dispatch},
           {D3D12_AUTO_BREADCRUMB_OP_DRAWINSTANCED, op_draw},
           {D3D12_AUTO_BREADCRUMB_OP_DRAWINDEXEDINSTANCED, op_draw_indexed},
           {D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION, op_copy_region},
           {D3D12_AUTO_BREADCRUMB_OP_COPYRESOURCE, op_copy},
           {D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER, op_barrier},
           {D3D12_AUTO_BREADCRUMB_OP_WRITEBUFFERIMMEDIATE, op_write},
           {D3D12_AUTO_BREADCRUMB_OP_RESOLVEQUERYDATA, op_queries},
           {D3D12_AUTO_BREADCRUMB_OP_EXECUTEBUNDLE, op_bundle}};
static const char *const op_rows[] = {"set-marker",
                                      "begin-event",
                                      "end-event",
                                      "dispatch",
                                      "draw",
                                      "draw-indexed",
                                      "copy-buffer",
                                      "copy-resource",
                                      "resource-barrier",
                                      "write-buffer-immediate",
                                      "resolve-query",
                                      "execute-bundle",
                                      NULL};

CASE(hang_at_op_n_counts_n, "ANN-DRED-04",
     "Breadcrumbs blame the operation before or behind the one that hangs.", .needs = NEEDED,
     .rows = op_rows)
{
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    for (UINT before = 0; before <= 5; before++) {
        struct stuck s;
        stuck(&s);
        for (UINT i = 0; i < before; i++)
            ops[case_row()].record(&s);
        kit_spin(&s.scene, &s.list);
        ops[case_row()].record(&s);
        stuck_run(&s);
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(s.dred);
        REQUIRE(node && node->pLastBreadcrumbValue && node->pCommandHistory);
        EXPECT_EQ(*node->pLastBreadcrumbValue, before);
        EXPECT_EQ(node->BreadcrumbCount, before + 2);
        for (UINT i = 0; i < before; i++)
            EXPECT_EQ_AT(i, node->pCommandHistory[i], ops[case_row()].op);
        EXPECT_EQ(node->pCommandHistory[before], D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
        EXPECT_EQ(node->pCommandHistory[before + 1], ops[case_row()].op);
        EXPECT(node->pCommandList == kit_graphics(&s.list) && node->pCommandQueue == s.queue);
        EXPECT(!node->pNext);
        stuck_done(&s);
    }
}

CASE(more_ops_than_the_ring_wrap, "ANN-DRED-05",
     "A list with more than 65,536 operations overruns its history, or counts from 0 again.",
     .needs = NEEDED)
{
    enum { RING = 65536, COUNT = RING + 1 };
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    stuck(&s);
    for (UINT i = 0; i < COUNT - 1; i++)
        kit_end(&s.list);
    kit_spin(&s.scene, &s.list);
    stuck_run(&s);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(s.dred);
    REQUIRE(node);
    EXPECT_EQ(node->BreadcrumbCount, COUNT);
    EXPECT_EQ(*node->pLastBreadcrumbValue, COUNT - 1);
    EXPECT_EQ(node->pCommandHistory[(COUNT - 1) % RING], D3D12_AUTO_BREADCRUMB_OP_DISPATCH);
    EXPECT_EQ(node->pCommandHistory[1], D3D12_AUTO_BREADCRUMB_OP_ENDEVENT);
}

CASE(markers_only, "ANN-DRED-06",
     "A program that wants breadcrumbs of markers alone pays for every draw.", .needs = NEEDED)
{
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    kit_dred_markers_only(TRUE);
    stuck(&s);
    op_set(&s);
    op_copy(&s);
    op_begin(&s);
    op_end(&s);
    op_dispatch(&s);
    kit_spin(&s.scene, &s.list);
    op_set(&s);
    stuck_run(&s);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(s.dred);
    REQUIRE(node);
    EXPECT_EQ(node->BreadcrumbCount, 4);
    EXPECT_EQ(*node->pLastBreadcrumbValue, 3);
    EXPECT_EQ(node->pCommandHistory[0], D3D12_AUTO_BREADCRUMB_OP_SETMARKER);
    EXPECT_EQ(node->pCommandHistory[1], D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT);
    EXPECT_EQ(node->pCommandHistory[2], D3D12_AUTO_BREADCRUMB_OP_ENDEVENT);
    EXPECT_EQ(node->pCommandHistory[3], D3D12_AUTO_BREADCRUMB_OP_SETMARKER);
}

/* ---- which lists ---- */

CASE(two_executions_are_two_nodes, "ANN-DRED-07",
     "A list that is executed twice is one node, which can't say where each of them is (a decision "
     "of this project).",
     .needs = NEEDED)
{
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    stuck(&s);
    op_set(&s);
    kit_spin(&s.scene, &s.list);
    kit_list_close(&s.list);
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, &s.list.list);
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, &s.list.list);
    kit_dred_crash(&s.scene);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(s.dred);
    REQUIRE(node && node->pNext);
    EXPECT_EQ(*node->pLastBreadcrumbValue, 1);
    EXPECT_EQ(*node->pNext->pLastBreadcrumbValue, 0);
    EXPECT(node->pCommandList == node->pNext->pCommandList && !node->pNext->pNext);
}

/* ---- drivers ---- */

CASE(rides_over_the_driver, "ANN-DRED-11",
     "Breadcrumbs are there only where the driver takes annotations, or move with its markers.",
     .needs = NEEDED, .drivers = REFERENCE | WARP | LEGACY | REORDER)
{
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    stuck(&s);
    for (int i = 0; i < 6; i++)
        op_set(&s);
    op_copy(&s);
    kit_spin(&s.scene, &s.list);
    op_set(&s);
    stuck_run(&s);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(s.dred);
    REQUIRE(node);
    EXPECT_EQ(*node->pLastBreadcrumbValue, 7);
    EXPECT_EQ(node->BreadcrumbCount, 9);
}

CASE(hostile_report_is_outvoted, "ANN-DRED-12",
     "A driver that lies about markers moves the operation at which the GPU stopped.",
     .needs = NEEDED, .drivers = HOSTILE)
{
    enum { SEEDS = 16 };
    const char *path = case_file("annotdmp");
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct stuck s;
        emu_config config = kit_config();
        config.seed = kit_seed(seed);
        config.dump_path = path;
        stuck_with(&s, &config);
        kit_scope(&s.list, "Frame");
        op_copy(&s);
        op_set(&s);
        kit_spin(&s.scene, &s.list);
        op_end(&s);
        stuck_run(&s);
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(s.dred);
        REQUIRE(node);
        EXPECT_EQ(*node->pLastBreadcrumbValue, 3);
        EXPECT_EQ(node->BreadcrumbCount, 5);
        const annot_reader *reader = kit_crash(&s.scene);
        annot_reader_crumbs crumbs;
        REQUIRE(annot_reader_crumbs_at(reader, 0, &crumbs));
        EXPECT_EQ(crumbs.done, 3);
        EXPECT_EQ(crumbs.count, 5);
        stuck_done(&s);
    }
}

/* ---- page faults ---- */

/* Where a buffer named `name` was that is released now. */
static UINT64 freed_buffer(struct stuck *s, const char *name, UINT64 offset)
{
    OWNED ID3D12Resource *buffer = kit_buffer(s->scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    kit_name(buffer, name);
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(buffer) + offset;
    return address;
}

CASE(freed_object_is_named, "ANN-DRED-13",
     "A program that used a buffer after its release can't tell which one.", .needs = NEEDED)
{
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_OFF, DRED_OFF, DRED_ON);
    stuck(&s);
    const UINT64 address = freed_buffer(&s, "Lights", 128);
    kit_touch(&s.scene, &s.list, address);
    stuck_run(&s);
    const D3D12_DRED_PAGE_FAULT_OUTPUT1 fault = kit_dred_fault(s.dred);
    EXPECT_EQ(fault.PageFaultVA, address);
    EXPECT(!fault.pHeadExistingAllocationNode);
    REQUIRE_EQ(kit_dred_allocations(fault.pHeadRecentFreedAllocationNode), 1);
    EXPECT(kit_is_text(fault.pHeadRecentFreedAllocationNode->ObjectNameW, "Lights"));
    EXPECT_EQ(fault.pHeadRecentFreedAllocationNode->AllocationType,
              D3D12_DRED_ALLOCATION_TYPE_RESOURCE);
}

/* A reserved buffer whose first tile is in a heap that is gone: every access there faults. */
static ID3D12Resource *tiles_without_memory(struct stuck *s)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(4 * 65536);
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 65536,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                       .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    const D3D12_TILED_RESOURCE_COORDINATE at = {0};
    const D3D12_TILE_REGION_SIZE size = {.NumTiles = 1};
    const UINT first = 0, count = 1;
    ID3D12Resource *reserved = NULL;
    OWNED ID3D12Heap *heap = NULL;
    REQUIRE_OK(ID3D12Device_CreateReservedResource(s->scene.device, &desc,
                                                   D3D12_RESOURCE_STATE_COMMON, NULL,
                                                   &IID_ID3D12Resource, (void **)&reserved));
    REQUIRE_OK(
        ID3D12Device_CreateHeap(s->scene.device, &heap_desc, &IID_ID3D12Heap, (void **)&heap));
    ID3D12CommandQueue_UpdateTileMappings(s->queue, reserved, 1, &at, &size, heap, 1, NULL, &first,
                                          &count, D3D12_TILE_MAPPING_FLAG_NONE);
    kit_wait(s->scene.device, s->queue);
    return reserved;
}

CASE(live_object_is_named, "ANN-DRED-14",
     "A fault inside of an object that lives is blamed on nobody, or on one that was freed.",
     .needs = NEEDED)
{
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_OFF, DRED_OFF, DRED_ON);
    stuck(&s);
    OWNED ID3D12Resource *reserved = tiles_without_memory(&s);
    kit_name(reserved, "Tiles");
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(reserved) + 64;
    kit_touch(&s.scene, &s.list, address);
    stuck_run(&s);
    const D3D12_DRED_PAGE_FAULT_OUTPUT1 fault = kit_dred_fault(s.dred);
    EXPECT_EQ(fault.PageFaultVA, address);
    EXPECT(!fault.pHeadRecentFreedAllocationNode);
    REQUIRE_EQ(kit_dred_allocations(fault.pHeadExistingAllocationNode), 1);
    EXPECT(kit_is_text(fault.pHeadExistingAllocationNode->ObjectNameW, "Tiles"));
}

CASE(overrun_names_the_neighbour, "ANN-DRED-15",
     "A write past the end of a buffer hits nothing, and the report leaves it at that (a decision "
     "of this project).",
     .needs = NEEDED)
{
    AT_END(stuck_done) struct stuck s;
    kit_dred_set(DRED_OFF, DRED_OFF, DRED_ON);
    stuck(&s);
    kit_name(s.target, "Lights");
    kit_touch(&s.scene, &s.list, ID3D12Resource_GetGPUVirtualAddress(s.target) + 65536 + 64);
    stuck_run(&s);
    const D3D12_DRED_PAGE_FAULT_OUTPUT1 fault = kit_dred_fault(s.dred);
    EXPECT(!fault.pHeadExistingAllocationNode && !fault.pHeadRecentFreedAllocationNode);
    EXPECT(strstr(kit_report(kit_crash(&s.scene)), "64 bytes past the end of \"Lights\""));
}

CASE(oldest_of_65537_is_forgotten, "ANN-DRED-16",
     "What was freed is kept for ever, or is forgotten while it is still of use.", .needs = NEEDED)
{
    enum { KEPT = 65536 };
    kit_dred_set(DRED_OFF, DRED_OFF, DRED_ON);
    for (UINT after = KEPT - 1; after <= KEPT; after++) {
        struct stuck s;
        stuck(&s);
        const UINT64 address = freed_buffer(&s, "Old", 0);
        for (UINT i = 0; i < after; i++)
            kit_release(kit_buffer(s.scene.device, D3D12_HEAP_TYPE_DEFAULT, 65536));
        kit_touch(&s.scene, &s.list, address);
        stuck_run(&s);
        const D3D12_DRED_PAGE_FAULT_OUTPUT1 fault = kit_dred_fault(s.dred);
        EXPECT_EQ(fault.PageFaultVA, address);
        EXPECT_EQ(kit_dred_allocations(fault.pHeadRecentFreedAllocationNode), after < KEPT);
        stuck_done(&s);
    }
}
