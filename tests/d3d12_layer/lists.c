/* Programs whose lists have more than markers, or that look at their work at a chosen time. Each
 * part prints what it saw; without the layer it prints the same. The GPU hangs at the dispatch with
 * the number HANG_AT.
 *
 *     bundles   markers inside of each other around and in two bundles
 *     writes    the program's own words by WriteBufferImmediate, between operations, in two
 *               recordings of one list; with another argument it has DRED of its own
 *     again     one recording, with another argument behind a different one of the list
 *     waits     three submissions; nothing asks how they are but a wait for the second and one for
 *               the third, which returns however the GPU ends
 *     turns     one list in five submissions; three of them are in flight at once
 *     looks     one submission; the program looks at its fence until it has any value
 *     rows      5,000 executions behind a wait for another queue, which executes 2,100 lists
 */
#define INITGUID
#include "../../examples/setup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT
#define BUNDLE D3D12_COMMAND_LIST_TYPE_BUNDLE

struct stage {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *pipeline;
    ID3D12Resource *target;
};

static struct stage make_stage(void)
{
    struct stage stage = {.device = make_device()};
    stage.queue = make_queue(stage.device, DIRECT, L"Queue");
    stage.allocator = make_allocator(stage.device, DIRECT);
    stage.list = make_list(stage.device, stage.allocator, DIRECT, L"List");
    stage.signature = make_root_signature(stage.device);
    stage.pipeline = make_pipeline(stage.device, stage.signature, EMU_KERNEL_FILL, L"Fill");
    stage.target = make_buffer(stage.device, D3D12_HEAP_TYPE_DEFAULT, 4096, L"Target");
    return stage;
}

static void work(const struct stage *stage, ID3D12GraphicsCommandList *list)
{
    dispatch(list, stage->signature, stage->pipeline, stage->target, 1, 16);
}

static void run(const struct stage *stage)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)stage->list};
    ID3D12Fence *fence = make_fence(stage->device);
    MUST(ID3D12GraphicsCommandList_Close(stage->list));
    ID3D12CommandQueue_ExecuteCommandLists(stage->queue, 1, lists);
    ID3D12CommandQueue_Signal(stage->queue, fence, 1);
    ID3D12Fence_SetEventOnCompletion(fence, 1, NULL);
    printf("removed: 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(stage->device));
}

static ID3D12GraphicsCommandList *make_bundle(const struct stage *stage, const WCHAR *name,
                                              const char *outer, const char *inner)
{
    ID3D12GraphicsCommandList *bundle =
        make_list(stage->device, make_allocator(stage->device, BUNDLE), BUNDLE, name);
    PIXBeginEvent(bundle, PIX_COLOR(1, 2, 3), outer);
    PIXBeginEvent(bundle, PIX_COLOR(1, 2, 3), inner);
    work(stage, bundle);
    PIXEndEvent(bundle);
    PIXEndEvent(bundle);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    return bundle;
}

/* Dispatches 1 and 3 are the list's, 2 and 4 are in its bundles. */
static void bundles(void)
{
    const struct stage stage = make_stage();
    ID3D12GraphicsCommandList *list = stage.list;
    ID3D12GraphicsCommandList *one = make_bundle(&stage, L"First bundle", "Trees", "Leaves");
    ID3D12GraphicsCommandList *two = make_bundle(&stage, L"Second bundle", "Rocks", "Moss");
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "Frame");
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "Shadows");
    work(&stage, list);
    PIXEndEvent(list);
    ID3D12GraphicsCommandList_ExecuteBundle(list, one);
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "Lights");
    work(&stage, list);
    PIXEndEvent(list);
    ID3D12GraphicsCommandList_ExecuteBundle(list, two);
    PIXEndEvent(list);
    run(&stage);
}

/* DRED as the program sees it: each operation, and how many are done. */
static void tell_breadcrumbs(ID3D12Device *device)
{
    ID3D12DeviceRemovedExtendedData *data = NULL;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT output = {NULL};
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceRemovedExtendedData,
                                           (void **)&data)) ||
        FAILED(ID3D12DeviceRemovedExtendedData_GetAutoBreadcrumbsOutput(data, &output)))
        return;
    const D3D12_AUTO_BREADCRUMB_NODE *node = output.pHeadAutoBreadcrumbNode;
    for (; node; node = node->pNext) {
        printf("%u of %u:", *node->pLastBreadcrumbValue, node->BreadcrumbCount);
        for (UINT32 i = 0; i < node->BreadcrumbCount; i++)
            printf(" %u", (unsigned)node->pCommandHistory[i]);
        puts("");
    }
    ID3D12DeviceRemovedExtendedData_Release(data);
}

static void write_word(ID3D12GraphicsCommandList2 *list, ID3D12Resource *words, UINT place,
                       UINT value)
{
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER word = {
        ID3D12Resource_GetGPUVirtualAddress(words) + place * sizeof value, value};
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list, 1, &word, NULL);
}

/* Operation 6 is the second dispatch: BeginEvent, word, Dispatch, EndEvent, BeginEvent, word. */
static void writes(bool has_own_dred)
{
    ID3D12DeviceRemovedExtendedDataSettings *dred = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings, (void **)&dred));
    if (has_own_dred)
        ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement(
            dred, D3D12_DRED_ENABLEMENT_FORCED_ON);
    ID3D12DeviceRemovedExtendedDataSettings_Release(dred);
    const struct stage stage = make_stage();
    ID3D12Resource *words = make_buffer(stage.device, D3D12_HEAP_TYPE_READBACK, 4096, L"Words");
    ID3D12GraphicsCommandList2 *list = NULL;
    const UINT *seen = NULL;
    MUST(ID3D12Resource_Map(words, 0, NULL, (void **)&seen));
    MUST(ID3D12GraphicsCommandList_QueryInterface(stage.list, &IID_ID3D12GraphicsCommandList2,
                                                  (void **)&list));
    for (unsigned round = 0; round < 2; round++) {
        if (round > 0)
            MUST(ID3D12GraphicsCommandList_Reset(stage.list, stage.allocator, NULL));
        else
            write_word(list, words, 3, 44);
        PIXBeginEvent(stage.list, PIX_COLOR(1, 2, 3), "First %u", round);
        write_word(list, words, 0, 11 + round);
        work(&stage, stage.list);
        PIXEndEvent(stage.list);
        PIXBeginEvent(stage.list, PIX_COLOR(1, 2, 3), "Second %u", round);
        write_word(list, words, 1, 22 + round);
        work(&stage, stage.list);
        write_word(list, words, 2, 33 + round);
        PIXEndEvent(stage.list);
        run(&stage);
        printf("words: %u %u %u\n", seen[0], seen[1], seen[2]);
    }
    tell_breadcrumbs(stage.device);
}

/* Leaves what it can: open scopes, more markers than words are copied for, predication, barriers.
 */
static void record_other(const struct stage *stage)
{
    const D3D12_RESOURCE_BARRIER all = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    for (int i = 0; i < 600; i++)
        PIXSetMarker(stage->list, PIX_COLOR(1, 2, 3), "Old %d", i);
    ID3D12GraphicsCommandList_SetPredication(stage->list, stage->target, 0,
                                             D3D12_PREDICATION_OP_NOT_EQUAL_ZERO);
    for (int i = 0; i < 3; i++)
        PIXBeginEvent(stage->list, PIX_COLOR(1, 2, 3), "Older %d", i);
    work(stage, stage->list);
    ID3D12GraphicsCommandList_ResourceBarrier(stage->list, 1, &all);
}

static void again(bool is_used)
{
    const struct stage stage = make_stage();
    if (is_used) {
        record_other(&stage);
        run(&stage);
        MUST(ID3D12CommandAllocator_Reset(stage.allocator));
        MUST(ID3D12GraphicsCommandList_Reset(stage.list, stage.allocator, NULL));
    }
    PIXBeginEvent(stage.list, PIX_COLOR(1, 2, 3), "Frame");
    PIXBeginEvent(stage.list, PIX_COLOR(1, 2, 3), "Shadows");
    work(&stage, stage.list);
    PIXEndEvent(stage.list);
    PIXBeginEvent(stage.list, PIX_COLOR(1, 2, 3), "Lights");
    work(&stage, stage.list);
    PIXEndEvent(stage.list);
    PIXEndEvent(stage.list);
    run(&stage);
}

/* Without a call that fails or says why. */
static void submit_one(const struct stage *stage, ID3D12Fence *fence, UINT64 value)
{
    ID3D12GraphicsCommandList *list =
        make_list(stage->device, make_allocator(stage->device, DIRECT), DIRECT, L"One of several");
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "Pass %u", (unsigned)value);
    work(stage, list);
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(stage->queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(stage->queue, fence, value));
}

static void waits(void)
{
    const struct stage stage = make_stage();
    ID3D12Fence *fence = make_fence(stage.device);
    for (UINT64 value = 1; value <= 3; value++)
        submit_one(&stage, fence, value);
    printf("second: 0x%08X\n", (unsigned)ID3D12Fence_SetEventOnCompletion(fence, 2, NULL));
    printf("third: 0x%08X\n", (unsigned)ID3D12Fence_SetEventOnCompletion(fence, 3, NULL));
}

/* Each execution begins before the one in front of it is done: first two executions, then three. */
static void turns(void)
{
    struct stage stage = make_stage();
    ID3D12Fence *fence = make_fence(stage.device);
    PIXBeginEvent(stage.list, PIX_COLOR(1, 2, 3), "Turn");
    work(&stage, stage.list);
    PIXEndEvent(stage.list);
    MUST(ID3D12GraphicsCommandList_Close(stage.list));
    for (UINT64 turn = 1; turn <= 5; turn++) {
        execute(stage.queue, 1, &stage.list);
        ID3D12CommandQueue_Signal(stage.queue, fence, turn);
        if (turn == 2 || turn == 5)
            ID3D12Fence_SetEventOnCompletion(fence, turn, NULL);
    }
}

static void looks(void)
{
    const struct stage stage = make_stage();
    ID3D12Fence *fence = make_fence(stage.device);
    UINT64 value = 0;
    submit_one(&stage, fence, 1);
    while (value == 0)
        value = ID3D12Fence_GetCompletedValue(fence);
    printf("fence: 0x%llX\n", (unsigned long long)value);
}

/* More than a layer keeps rows of; more lists at once than a record of a dump had room for. */
static void rows(void)
{
    enum { LISTS = 2100 };
    static ID3D12CommandList *firsts[LISTS];
    struct stage stage = make_stage();
    const D3D12_COMMAND_LIST_TYPE compute = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    ID3D12CommandQueue *other = make_queue(stage.device, compute, L"Other");
    ID3D12GraphicsCommandList *list =
        make_list(stage.device, make_allocator(stage.device, compute), compute, L"Simulation");
    ID3D12GraphicsCommandList *before =
        make_list(stage.device, make_allocator(stage.device, compute), compute, L"Before");
    ID3D12Fence *fence = make_fence(stage.device);
    for (int i = 0; i < LISTS; i++)
        firsts[i] = (ID3D12CommandList *)(i < LISTS - 1 ? before : list);
    MUST(ID3D12GraphicsCommandList_Close(before));
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "Step");
    work(&stage, list);
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12GraphicsCommandList_Close(stage.list));
    ID3D12CommandQueue_Wait(stage.queue, fence, 1);
    for (int i = 0; i < 5000; i++)
        execute(stage.queue, 1, &stage.list);
    ID3D12CommandQueue_ExecuteCommandLists(other, LISTS, firsts);
    ID3D12CommandQueue_Signal(other, fence, 1);
    ID3D12CommandQueue_Signal(stage.queue, fence, 2);
    ID3D12Fence_SetEventOnCompletion(fence, 2, NULL);
    printf("removed: 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(stage.device));
}

/* The GPU's clock is counted, where the program waits by calls that let the GPU go on. */
static void configure(const char *hang, bool has_threads)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = has_threads ? EMU_ORDER_THREADS : EMU_ORDER_SEEDED;
    if (has_threads)
        config.tdr_timeout_ns = 20000000;
    if (hang) {
        config.hang.place = EMU_HANG_AT_DISPATCH;
        config.hang.count = strtoul(hang, NULL, 10);
    }
    emu_configure(&config);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    configure(getenv("HANG_AT"), strcmp(part, "looks") == 0);
    if (strcmp(part, "bundles") == 0)
        bundles();
    else if (strcmp(part, "writes") == 0)
        writes(argc > 2);
    else if (strcmp(part, "again") == 0)
        again(argc > 2);
    else if (strcmp(part, "waits") == 0)
        waits();
    else if (strcmp(part, "turns") == 0)
        turns();
    else if (strcmp(part, "looks") == 0)
        looks();
    else if (strcmp(part, "rows") == 0)
        rows();
    else
        return 2;
    return 0;
}
