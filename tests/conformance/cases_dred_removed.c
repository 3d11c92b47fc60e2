/* ANN-DRED without the emulator's help: what breadcrumbs say of a device that the application
 * itself removes while its queue waits for a fence. */
#include "kit_dred.h"

#include <annot/pix.h>

CASES(dred_removed_cases, "dred");

/* A list "L" that is recorded, on a queue "Q" that will wait. */
struct removed {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12Fence *never;
    struct kit_list list;
    kit_dred *dred;
};

static void removed(struct removed *r)
{
    r->device = kit_device(0);
    r->queue = kit_queue(r->device, DIRECT);
    r->never = kit_fence(r->device, 0);
    r->list = kit_list(r->device, DIRECT);
    kit_name(r->queue, "Q");
    kit_name(r->list.list, "L");
    r->dred = kit_dred_of(r->device);
}

/* Executes the list behind a wait without end, and removes the device. */
static void removed_run(struct removed *r)
{
    REQUIRE_OK(ID3D12CommandQueue_Wait(r->queue, r->never, 1));
    kit_execute(r->queue, &r->list);
    kit_remove(r->device);
}

/* The node of the list; ends the case when it has none, or another list has one. */
static const D3D12_AUTO_BREADCRUMB_NODE1 *only_node(const struct removed *r)
{
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(r->dred);
    REQUIRE(node && node->pCommandList == kit_graphics(&r->list) && !node->pNext);
    return node;
}

static void removed_done(struct removed *r)
{
    kit_release(r->dred);
    kit_list_done(&r->list);
    kit_release(r->never);
    kit_release(r->queue);
    kit_device_done(r->device);
}

/* With breadcrumbs, and nothing else of DRED. */
#define OPEN_REMOVED                                                                               \
    AT_END(removed_done) struct removed r;                                                         \
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);                                                     \
    removed(&r)

CASE(off_by_default_when_removed, "ANN-DRED-01",
     "A removed device tells of work that it was not asked to watch.", .needs = DRED)
{
    AT_END(removed_done) struct removed r;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT1 fault;
    removed(&r);
    kit_marker(&r.list, "m");
    removed_run(&r);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput(r.dred, &crumbs),
              UNSUPPORTED);
    EXPECT_HR(ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1(r.dred, &fault),
              UNSUPPORTED);
}

CASE(finished_lists_have_none, "ANN-DRED-08",
     "Lists that the GPU was done with hide the one that it stopped in.", .needs = DRED)
{
    OPEN_REMOVED;
    OWNED_LIST done = kit_list(r.device, DIRECT);
    kit_marker(&done, "done");
    kit_run(r.device, r.queue, &done);
    ID3D12CommandQueue_ExecuteCommandLists(r.queue, 1, &done.list);
    kit_wait(r.device, r.queue);
    kit_marker(&r.list, "m");
    removed_run(&r);
    only_node(&r);
}

CASE(a_list_being_recorded_has_none, "ANN-DRED-08",
     "A list that was never submitted is among those that the GPU stopped in.", .needs = DRED)
{
    OPEN_REMOVED;
    OWNED_LIST open = kit_list(r.device, DIRECT);
    kit_scope(&open, "being recorded");
    kit_marker(&r.list, "m");
    removed_run(&r);
    only_node(&r);
    kit_marker(&open, "more"); /* goes on as if nothing had happened */
    EXPECT_EQ(only_node(&r)->BreadcrumbCount, 1);
    kit_list_try_close(&open);
}

/* ---- what nodes say ---- */

/* "Sky" in each encoding; its size in bytes. */
static const char *const encoding_rows[] = {"utf16", "utf8", "pix-v1", "pix-v2", NULL};
static const UINT encodings[] = {ANNOT_PIX_METADATA_UTF16, ANNOT_PIX_METADATA_UTF8,
                                 ANNOT_PIX_METADATA_V1, ANNOT_PIX_METADATA_V2};

static UINT encode_sky(uint64_t blob[ANNOT_PIX_BLOB_WORDS])
{
    static const uint16_t wide[] = {'S', 'k', 'y', 0};
    const annot_pix_desc desc = {
        .version = encodings[case_row()] == ANNOT_PIX_METADATA_V1 ? ANNOT_PIX_V1 : ANNOT_PIX_V2,
        .kind = ANNOT_PIX_KIND_BEGIN,
        .color_kind = ANNOT_PIX_COLOR_KIND_INDEX,
        .format = {.type = ANNOT_PIX_STR, .value.str = "Sky"}};
    if (encodings[case_row()] == ANNOT_PIX_METADATA_UTF16)
        memcpy(blob, wide, sizeof wide);
    else if (encodings[case_row()] == ANNOT_PIX_METADATA_UTF8)
        memcpy(blob, "Sky", 4);
    else
        return (UINT)annot_pix_encode(&desc, blob, ANNOT_PIX_BLOB_WORDS * 8);
    return case_row() == 0 ? sizeof wide : 4;
}

/* Under either annotation mode: breadcrumbs don't need the driver's. */
CASE(contexts_name_the_right_op, "ANN-DRED-09",
     "The name that stands beside an operation is another marker's.", .needs = DRED | TOOLS,
     .rows = encoding_rows)
{
    static const kit_mode modes[] = {RUNTIME, RETAIL};
    uint64_t blob[ANNOT_PIX_BLOB_WORDS];
    const UINT size = encode_sky(blob);
    kit_dred_set(DRED_ON, DRED_ON, DRED_OFF);
    for (size_t i = 0; i < 2; i++) {
        struct removed r;
        removed(&r);
        kit_set_mode(r.device, modes[i]);
        struct kit_list list = kit_list(r.device, DIRECT);
        kit_end(&list);
        kit_begin(&list, encodings[case_row()], blob, size);
        kit_end(&list);
        kit_set(&list, 1, "ansi", 5);
        kit_list_close(&r.list);
        kit_list_done(&r.list);
        r.list = list;
        removed_run(&r);
        const D3D12_AUTO_BREADCRUMB_NODE1 *node = only_node(&r);
        EXPECT_EQ(node->BreadcrumbCount, 4);
        REQUIRE_EQ(node->BreadcrumbContextsCount, 2);
        EXPECT_EQ(node->pBreadcrumbContexts[0].BreadcrumbIndex, 1);
        EXPECT(kit_is_text(node->pBreadcrumbContexts[0].pContextString, "Sky"));
        EXPECT_EQ(node->pBreadcrumbContexts[1].BreadcrumbIndex, 3);
        EXPECT(kit_is_text(node->pBreadcrumbContexts[1].pContextString, "ansi"));
        removed_done(&r);
    }
}

CASE(without_contexts_nodes_have_none, "ANN-DRED-09",
     "Strings are copied for a program that did not ask for them.", .needs = DRED)
{
    OPEN_REMOVED;
    kit_marker(&r.list, "m");
    removed_run(&r);
    EXPECT_EQ(only_node(&r)->BreadcrumbContextsCount, 0);
    EXPECT(!only_node(&r)->pBreadcrumbContexts);
}

CASE(names_a_and_w, "ANN-DRED-10",
     "The list and the queue that stopped have no name, or one of another width than was set.",
     .needs = DRED)
{
    OPEN_REMOVED;
    OWNED ID3D12CommandQueue *wide = r.queue;
    r.queue = kit_queue(r.device, DIRECT);
    REQUIRE_OK(ID3D12CommandQueue_SetPrivateData(r.queue, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    kit_marker(&r.list, "m");
    removed_run(&r);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = only_node(&r);
    EXPECT(kit_is_text(node->pCommandListDebugNameW, "L") && !node->pCommandListDebugNameA);
    EXPECT(node->pCommandQueueDebugNameA && !node->pCommandQueueDebugNameW &&
           memcmp(node->pCommandQueueDebugNameA, "narrow", 7) == 0);
}

CASE(only_markers_count, "ANN-DRED-06",
     "A program that wants breadcrumbs of markers alone pays for every copy.", .needs = DRED)
{
    AT_END(removed_done) struct removed r;
    kit_dred_set(DRED_ON, DRED_OFF, DRED_OFF);
    kit_dred_markers_only(TRUE);
    removed(&r);
    OWNED ID3D12Resource *from = kit_buffer(r.device, D3D12_HEAP_TYPE_UPLOAD, 256);
    OWNED ID3D12Resource *to = kit_buffer(r.device, D3D12_HEAP_TYPE_READBACK, 256);
    kit_marker(&r.list, "m");
    ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(&r.list), to, 0, from, 0, 256);
    kit_scope(&r.list, "s");
    removed_run(&r);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = only_node(&r);
    REQUIRE_EQ(node->BreadcrumbCount, 2);
    EXPECT_EQ(node->pCommandHistory[0], D3D12_AUTO_BREADCRUMB_OP_SETMARKER);
    EXPECT_EQ(node->pCommandHistory[1], D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT);
    kit_release(to);
    kit_release(from);
    to = from = NULL;
}

CASE(two_executions_have_two_nodes, "ANN-DRED-07",
     "A list that is executed twice is one node (a decision of this project).", .needs = DRED)
{
    OPEN_REMOVED;
    kit_marker(&r.list, "m");
    REQUIRE_OK(ID3D12CommandQueue_Wait(r.queue, r.never, 1));
    kit_execute(r.queue, &r.list);
    ID3D12CommandQueue_ExecuteCommandLists(r.queue, 1, &r.list.list);
    kit_remove(r.device);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(r.dred);
    REQUIRE(node && node->pNext);
    EXPECT(node->pCommandList == node->pNext->pCommandList && !node->pNext->pNext);
}
