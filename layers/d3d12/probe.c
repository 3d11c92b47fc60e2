/* Work of the layer on a device that was just made: it tests whether words come, and when. */
#include "count.h"
#include "layer.h"

#include <string.h>

/* The objects that the probe runs on. */
struct bench {
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
};

static bool bench_open(struct layer_device *device, struct bench *bench)
{
    static const D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    void *queue = NULL, *allocator = NULL, *list = NULL, *fence = NULL;
    ID3D12Device *real = device->real;
    const bool ok =
        real->lpVtbl->CreateCommandQueue(real, &desc, iid_of(TYPE_ID3D12CommandQueue), &queue) >=
            0 &&
        real->lpVtbl->CreateCommandAllocator(real, desc.Type, iid_of(TYPE_ID3D12CommandAllocator),
                                             &allocator) >= 0 &&
        real->lpVtbl->CreateCommandList(real, 0, desc.Type, allocator, NULL,
                                        iid_of(TYPE_ID3D12GraphicsCommandList), &list) >= 0 &&
        real->lpVtbl->CreateFence(real, 0, D3D12_FENCE_FLAG_NONE, iid_of(TYPE_ID3D12Fence),
                                  &fence) >= 0;
    *bench = (struct bench){queue, allocator, list, fence};
    return ok;
}

static void bench_close(const struct bench *bench)
{
    void *const objects[] = {bench->list, bench->allocator, bench->queue, bench->fence};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (objects[i])
            object_release(objects[i]);
}

enum { PROBE_IN = 0x51, PROBE_OUT = 0x52 };

static bool execute(const struct bench *bench)
{
    void *list = bench->list;
    ID3D12CommandList *lists[1];
    memcpy(lists, &list, sizeof list);
    bench->queue->lpVtbl->ExecuteCommandLists(bench->queue, 1, lists);
    return bench->queue->lpVtbl->Signal(bench->queue, bench->fence, 1) >= 0;
}

static bool finish(const struct bench *bench)
{
    return bench->fence->lpVtbl->SetEventOnCompletion(bench->fence, 1, NULL) >= 0 &&
           bench->fence->lpVtbl->GetCompletedValue(bench->fence) == 1;
}

/* Runs a list that writes two words, and checks that they are there when its fence says so. */
static bool run(struct layer_device *device, const struct bench *bench)
{
    volatile uint32_t *words = device->memory.mapped;
    void *writer = object_query(bench->list, iid_of(layer_words_writer(device)));
    if (!writer)
        return false;
    layer_word_write(device, writer, 0, PROBE_IN, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN);
    layer_word_write(device, writer, 4, PROBE_OUT, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT);
    object_release(writer);
    if (bench->list->lpVtbl->Close(bench->list) < 0 || !execute(bench) || !finish(bench))
        return false;
    const bool came = words[0] == PROBE_IN && words[1] == PROBE_OUT;
    words[0] = words[1] = 0;
    return came;
}

bool layer_probe_words(struct layer_device *device)
{
    struct bench bench;
    const bool ok = bench_open(device, &bench) && run(device, &bench);
    bench_close(&bench);
    return ok;
}

/* ---- order ---- */

enum {
    PIECES = 8, /* pieces of work, each between two words */
    COPY_BYTES = 1 << 20,
    COPIED = 0x5A,
    COUNTER_BYTES = 256, /* bytes from one dispatch's counter to the next dispatch's counter */
    GROUPS = 64,
    COUNTED = GROUPS * 64 * 64, /* the value that a dispatch of count.hlsl counts to */
    POLLS = 1 << 18
};

/* Work whose progress the layer can see. */
struct work {
    ID3D12Resource *from; /* the source of copies */
    ID3D12RootSignature *root;
    ID3D12PipelineState *pipeline; /* the pipeline of dispatches; NULL: the work is copies */
    ID3D12Resource *to;
    void *seen; /* its memory */
};

static bool open_copies(struct layer_device *device, struct work *work)
{
    void *source = NULL;
    work->from = layer_buffer_create(device, D3D12_HEAP_TYPE_UPLOAD, COPY_BYTES,
                                     D3D12_RESOURCE_STATE_GENERIC_READ, &source);
    work->to = layer_buffer_create(device, D3D12_HEAP_TYPE_READBACK, (UINT64)PIECES * COPY_BYTES,
                                   D3D12_RESOURCE_STATE_COPY_DEST, &work->seen);
    if (!work->from || !work->to)
        return false;
    memset(source, COPIED, COPY_BYTES);
    memset(work->seen, 0, (size_t)PIECES * COPY_BYTES);
    return true;
}

static bool open_dispatches(struct layer_device *device, struct work *work)
{
    ID3D12Device *real = device->real;
    void *root = NULL, *pipeline = NULL;
    if (real->lpVtbl->CreateRootSignature(real, 0, cs_count, sizeof cs_count,
                                          iid_of(TYPE_ID3D12RootSignature), &root) < 0)
        return false;
    work->root = root;
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = root,
                                                    .CS = {cs_count, sizeof cs_count}};
    if (real->lpVtbl->CreateComputePipelineState(real, &desc, iid_of(TYPE_ID3D12PipelineState),
                                                 &pipeline) < 0)
        return false;
    work->pipeline = pipeline;
    work->to = layer_buffer_create(device, D3D12_HEAP_TYPE_CUSTOM, PIECES * COUNTER_BYTES,
                                   D3D12_RESOURCE_STATE_UNORDERED_ACCESS, &work->seen);
    if (work->to)
        memset(work->seen, 0, PIECES * COUNTER_BYTES);
    return work->to != NULL;
}

static void close_work(struct layer_device *device, const struct work *work)
{
    if (work->pipeline)
        object_release(work->pipeline);
    if (work->root)
        object_release(work->root);
    layer_release(device, work->from);
    layer_release(device, work->to);
}

static uint32_t counted(const struct work *work, uint32_t piece)
{
    const volatile uint32_t *counters = work->seen;
    return counters[piece * (COUNTER_BYTES / sizeof *counters)];
}

static bool has_begun(const struct work *work, uint32_t piece)
{
    const volatile uint8_t *copied = work->seen;
    return work->pipeline ? counted(work, piece) > 0 : copied[(size_t)piece * COPY_BYTES] == COPIED;
}

static bool is_done(const struct work *work, uint32_t piece)
{
    const volatile uint8_t *copied = work->seen;
    return work->pipeline ? counted(work, piece) == COUNTED
                          : copied[(size_t)(piece + 1) * COPY_BYTES - 1] == COPIED;
}

static void record_piece(ID3D12GraphicsCommandList *list, const struct work *work, uint32_t piece)
{
    if (!work->pipeline) {
        list->lpVtbl->CopyBufferRegion(list, work->to, (UINT64)piece * COPY_BYTES, work->from, 0,
                                       COPY_BYTES);
        return;
    }
    list->lpVtbl->SetPipelineState(list, work->pipeline);
    list->lpVtbl->SetComputeRootSignature(list, work->root);
    list->lpVtbl->SetComputeRootUnorderedAccessView(
        list, 0, work->to->lpVtbl->GetGPUVirtualAddress(work->to) + (UINT64)piece * COUNTER_BYTES);
    list->lpVtbl->Dispatch(list, GROUPS, 1, 1);
}

static bool record_work(struct layer_device *device, const struct bench *bench,
                        const struct work *work)
{
    ID3D12GraphicsCommandList *list = bench->list;
    void *writer = object_query(list, iid_of(layer_words_writer(device)));
    if (!writer)
        return false;
    for (uint32_t i = 0; i < PIECES; i++) {
        const uint64_t word = 8 * (uint64_t)i;
        layer_word_write(device, writer, word, PROBE_IN, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN);
        record_piece(list, work, i);
        layer_word_write(device, writer, word + 4, PROBE_OUT,
                         D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT);
    }
    object_release(writer);
    return list->lpVtbl->Close(list) >= 0;
}

/* Reads all words once while the work runs, the last words first. */
static void compare(const struct layer_device *device, const struct work *work,
                    struct layer_found *found)
{
    const volatile uint32_t *words = device->memory.mapped;
    for (uint32_t i = 0; i < PIECES; i++) {
        const bool has_second = words[2 * i + 1] == PROBE_OUT;
        atomic_thread_fence(memory_order_acquire);
        const bool was_done = is_done(work, i), had_begun = has_begun(work, i);
        atomic_thread_fence(memory_order_acquire);
        const bool has_first = words[2 * i] == PROBE_IN;
        found->between += has_first && !has_second;
        found->late += had_begun && !has_first;
        found->early += has_second && !was_done;
    }
}

/* Runs the work, and returns whether it was done when the fence was reached. */
static bool run_work(struct layer_device *device, const struct bench *bench,
                     const struct work *work, struct layer_found *found)
{
    ID3D12Fence *fence = bench->fence;
    if (!execute(bench))
        return false;
    for (uint32_t i = 0; i < POLLS && fence->lpVtbl->GetCompletedValue(fence) == 0; i++)
        compare(device, work, found);
    if (!finish(bench))
        return false;
    compare(device, work, found);
    for (uint32_t i = 0; i < PIECES; i++)
        if (!is_done(work, i))
            return false;
    return true;
}

/* Tries the order. False: this kind of work tells nothing on this device. */
static bool try_order(struct layer_device *device,
                      bool (*open)(struct layer_device *, struct work *), struct layer_found *found)
{
    struct bench bench;
    struct work work = {NULL, NULL, NULL, NULL, NULL};
    found->between = found->late = found->early = 0;
    const bool is_open = bench_open(device, &bench) && open(device, &work);
    const bool ok =
        is_open && record_work(device, &bench, &work) && run_work(device, &bench, &work, found);
    if (is_open)
        memset(device->memory.mapped, 0, (size_t)PIECES * 8);
    bench_close(&bench);
    close_work(device, &work);
    return ok;
}

void layer_probe_order(struct layer_device *device, struct layer_found *found)
{
    if (try_order(device, open_dispatches, found))
        found->ordered = LAYER_ORDER_DISPATCHES;
    else if (try_order(device, open_copies, found))
        found->ordered = LAYER_ORDER_COPIES;
}
