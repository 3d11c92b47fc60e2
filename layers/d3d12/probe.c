/* Work of our own on a device that was just made: whether its words come, and when. */
#include "layer.h"

#include <string.h>

/* The objects that the probe runs on. */
struct bench {
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
};

static void *interface_of(void *object, uint16_t type)
{
    void *found = NULL;
    const uint8_t *iid = schema_interfaces[type - SCHEMA_INTERFACE_FIRST].iid;
    return object_query(object, iid, &found) >= 0 ? found : NULL;
}

static bool bench_open(struct layer_device *device, struct bench *bench)
{
    static const D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    void *queue = NULL, *allocator = NULL, *list = NULL, *fence = NULL;
    ID3D12Device *real = device->real;
    const bool ok =
        real->lpVtbl->CreateCommandQueue(real, &desc, layer_iid(TYPE_ID3D12CommandQueue), &queue) >=
            0 &&
        real->lpVtbl->CreateCommandAllocator(
            real, desc.Type, layer_iid(TYPE_ID3D12CommandAllocator), &allocator) >= 0 &&
        real->lpVtbl->CreateCommandList(real, 0, desc.Type, allocator, NULL,
                                        layer_iid(TYPE_ID3D12GraphicsCommandList), &list) >= 0 &&
        real->lpVtbl->CreateFence(real, 0, D3D12_FENCE_FLAG_NONE, layer_iid(TYPE_ID3D12Fence),
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

/* Two words, written by a list that runs; they are there when its fence says so. */
static bool run(struct layer_device *device, const struct bench *bench)
{
    volatile uint32_t *words = device->memory.mapped;
    void *writer = interface_of(bench->list, layer_words_writer(device));
    if (!writer)
        return false;
    layer_word_write(device, writer, 0, PROBE_IN, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN);
    layer_word_write(device, writer, 4, PROBE_OUT, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT);
    object_release(writer);
    if (bench->list->lpVtbl->Close(bench->list) < 0)
        return false;
    void *list = bench->list;
    ID3D12CommandList *lists[1];
    memcpy(lists, &list, sizeof list);
    bench->queue->lpVtbl->ExecuteCommandLists(bench->queue, 1, lists);
    if (bench->queue->lpVtbl->Signal(bench->queue, bench->fence, 1) < 0 ||
        bench->fence->lpVtbl->SetEventOnCompletion(bench->fence, 1, NULL) < 0 ||
        bench->fence->lpVtbl->GetCompletedValue(bench->fence) != 1)
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

enum { COPIES = 8, COPY_BYTES = 1 << 20, POLLS = 1 << 18, COPIED = 0x5A };

/* Copies, each between two words. */
static bool record_copies(struct layer_device *device, const struct bench *bench,
                          ID3D12Resource *to, ID3D12Resource *from)
{
    ID3D12GraphicsCommandList *list = bench->list;
    void *writer = interface_of(list, layer_words_writer(device));
    if (!writer)
        return false;
    for (uint32_t i = 0; i < COPIES; i++) {
        const uint64_t word = 8 * (uint64_t)i;
        layer_word_write(device, writer, word, PROBE_IN, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN);
        list->lpVtbl->CopyBufferRegion(list, to, (UINT64)i * COPY_BYTES, from, 0, COPY_BYTES);
        layer_word_write(device, writer, word + 4, PROBE_OUT,
                         D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT);
    }
    object_release(writer);
    return list->lpVtbl->Close(list) >= 0;
}

/* One look at all words while the copies run. */
static void compare(const struct layer_device *device, const volatile uint8_t *copied,
                    struct layer_found *found)
{
    const volatile uint32_t *words = device->memory.mapped;
    for (uint32_t i = 0; i < COPIES; i++) {
        const uint32_t out = words[2 * i + 1];
        atomic_thread_fence(memory_order_acquire);
        const bool is_copied = copied[(size_t)(i + 1) * COPY_BYTES - 1] == COPIED;
        found->between += words[2 * i] == PROBE_IN && out == 0;
        found->early += out == PROBE_OUT && !is_copied;
    }
}

static void run_copies(struct layer_device *device, const struct bench *bench,
                       const uint8_t *copied, struct layer_found *found)
{
    void *list = bench->list;
    ID3D12CommandList *lists[1];
    ID3D12Fence *fence = bench->fence;
    memcpy(lists, &list, sizeof list);
    bench->queue->lpVtbl->ExecuteCommandLists(bench->queue, 1, lists);
    if (bench->queue->lpVtbl->Signal(bench->queue, fence, 1) < 0)
        return;
    for (uint32_t i = 0; i < POLLS && fence->lpVtbl->GetCompletedValue(fence) == 0; i++)
        compare(device, copied, found);
    fence->lpVtbl->SetEventOnCompletion(fence, 1, NULL);
    compare(device, copied, found);
    found->was_ordered = true;
}

void layer_probe_order(struct layer_device *device, struct layer_found *found)
{
    struct bench bench;
    void *source = NULL, *copied = NULL;
    void *from = layer_buffer_create(device, D3D12_HEAP_TYPE_UPLOAD, COPY_BYTES,
                                     D3D12_RESOURCE_STATE_GENERIC_READ, &source);
    void *to = layer_buffer_create(device, D3D12_HEAP_TYPE_READBACK, (UINT64)COPIES * COPY_BYTES,
                                   D3D12_RESOURCE_STATE_COPY_DEST, &copied);
    const bool is_open = bench_open(device, &bench);
    if (is_open && from && to) {
        memset(source, COPIED, COPY_BYTES);
        memset(copied, 0, (size_t)COPIES * COPY_BYTES);
        if (record_copies(device, &bench, to, from))
            run_copies(device, &bench, copied, found);
        memset(device->memory.mapped, 0, (size_t)COPIES * 8);
    }
    bench_close(&bench);
    layer_buffer_release(device, from);
    layer_buffer_release(device, to);
}
