/* Parts that have nothing to do with each other, one after the other: each writes to a buffer, has
 * the GPU copy it, and reads the copy. What a range of its calls depends on is known.
 *
 *     capture-parts
 *     capture-parts --hang       the GPU hangs, without a timeout
 *     capture-parts --killed N   killed behind the N-th of some calls that leave no record of their
 *                                return
 */
#define INITGUID
#include "../../examples/setup.h"

#ifndef _WIN32
#include <signal.h>
#endif

#define COPY  D3D12_COMMAND_LIST_TYPE_COPY
#define SIZE  ((UINT64)1 << 20)
#define PARTS 6

static unsigned char *map(ID3D12Resource *resource)
{
    void *memory = NULL;
    MUST(ID3D12Resource_Map(resource, 0, NULL, &memory));
    return memory;
}

/* Answers of every kind: a word, counts, a structure, bytes and a structure that are written. */
static void ask(ID3D12Device *device, ID3D12Resource *resource)
{
    D3D12_FEATURE_DATA_ARCHITECTURE architecture = {0};
    ID3D12InfoQueue *messages = NULL;
    D3D12_HEAP_PROPERTIES heap;
    D3D12_HEAP_FLAGS flags;
    ID3D12Device_GetNodeCount(device);
    ID3D12Resource_AddRef(resource);
    ID3D12Resource_Release(resource);
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&messages));
    ID3D12InfoQueue_GetNumStoredMessages(messages);
    ID3D12InfoQueue_Release(messages);
    ID3D12Device_QueryInterface(device, NULL, NULL); /* for hostile.sh */
    MUST(ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_ARCHITECTURE, &architecture,
                                          sizeof architecture));
    MUST(ID3D12Resource_GetHeapProperties(resource, &heap, &flags));
#if defined(EMU_D3D12_ABI_VKD3D)
    D3D12_RESOURCE_DESC desc;
    ID3D12Resource_GetDesc(resource, &desc);
#elif !defined(_WIN32) /* where C calls it otherwise */
    ID3D12Resource_GetDesc(resource);
#endif
}

static unsigned part(ID3D12Device *device, ID3D12CommandQueue *queue, ID3D12Fence *fence,
                     unsigned number)
{
    ID3D12CommandAllocator *allocator = make_allocator(device, COPY);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, COPY, L"Copy");
    ID3D12Resource *from = make_unnamed_buffer(device, D3D12_HEAP_TYPE_UPLOAD, SIZE);
    ID3D12Resource *to = make_buffer(device, D3D12_HEAP_TYPE_READBACK, SIZE, L"To");
    if (ID3D12Fence_GetCompletedValue(fence) != number - 1)
        return 0;
    ask(device, from);
    memset(map(from), (int)number, SIZE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, to, 0, from, 0, SIZE);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, number));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, number, NULL));
    const unsigned seen = map(to)[SIZE - 1];
    ID3D12Resource_Release(from);
    ID3D12Resource_Release(to);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    return seen;
}

/* Signals on a queue and a fence that nothing uses afterwards. */
static void leave(ID3D12Device *device)
{
    ID3D12CommandQueue *queue = make_queue(device, COPY, L"Gone");
    ID3D12Fence *fence = make_fence(device);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
    ID3D12Fence_Release(fence);
    ID3D12CommandQueue_Release(queue);
}

/* The GPU hangs in its first list. The clock is a virtual one, of which a step takes a 64th of the
 * longest timeout at most: so many steps later nothing was done. */
static int hang(void)
{
    enum { STEPS = 32 };
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.tdr_timeout_ns = UINT64_MAX;
    config.hang = (emu_hang){EMU_HANG_BEFORE_LIST, 1, EMU_HANG_SPINS, NULL};
    emu_configure(&config);
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, COPY, L"Copies");
    ID3D12Fence *fence = make_fence(device);
    ID3D12CommandAllocator *allocator = make_allocator(device, COPY);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, COPY, L"Endless");
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    const bool hangs = emu_run_steps(device, STEPS) == STEPS &&
                       ID3D12Fence_GetCompletedValue(fence) == 0 &&
                       ID3D12Device_GetDeviceRemovedReason(device) == S_OK;
    puts(hangs ? "it hangs" : "it does not hang");
    return !hangs;
}

/* A structure, numbers and objects, numbers alone. */
static int be_killed(int behind)
{
    const D3D12_RECT rect = {0, 0, 1, 1};
    ID3D12Device *device = make_device();
    ID3D12CommandAllocator *allocator = make_allocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12GraphicsCommandList *list =
        make_list(device, allocator, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Killed");
    ID3D12Resource *buffer = make_buffer(device, D3D12_HEAP_TYPE_UPLOAD, SIZE, L"Buffer");
    ID3D12Resource *to = make_buffer(device, D3D12_HEAP_TYPE_READBACK, SIZE, L"To");
    if (behind > 0)
        ID3D12GraphicsCommandList_RSSetScissorRects(list, 1, &rect);
    if (behind > 1)
        ID3D12GraphicsCommandList_CopyBufferRegion(list, to, 0, buffer, 0, 4);
    if (behind > 2)
        ID3D12GraphicsCommandList_OMSetStencilRef(list, 1);
#ifdef _WIN32
    return !TerminateProcess(GetCurrentProcess(), 1);
#else
    return raise(SIGKILL);
#endif
}

/* More calls than the recorder keeps in memory. */
static int make_many(unsigned count)
{
    ID3D12Device *device = make_device();
    ID3D12CommandAllocator *allocator = make_allocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12GraphicsCommandList *list =
        make_list(device, allocator, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Many");
    for (unsigned i = 0; i < count; i++)
        ID3D12GraphicsCommandList_OMSetStencilRef(list, i * 2654435761u);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12Device_Release(device);
    printf("%u calls\n", count);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--many") == 0)
        return make_many((unsigned)atoi(argv[2]));
    if (argc > 2 && strcmp(argv[1], "--killed") == 0)
        return be_killed(atoi(argv[2]));
    if (argc > 1 && strcmp(argv[1], "--hang") == 0)
        return hang();
    ID3D12Debug *debug = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug, (void **)&debug));
    ID3D12Debug_EnableDebugLayer(debug); /* its messages are counted */
    ID3D12Debug_Release(debug);
    ID3D12Device *device = make_device();
    leave(device);
    ID3D12CommandQueue *queue = make_queue(device, COPY, L"Copies");
    ID3D12Fence *fence = make_fence(device);
    unsigned wrong = 0;
    for (unsigned i = 1; i <= PARTS; i++)
        wrong += part(device, queue, fence, i) != i;
    ID3D12Fence_Release(fence);
    ID3D12CommandQueue_Release(queue);
    ID3D12Device_Release(device);
    printf("%d parts, %u wrong\n", PARTS, wrong);
    return wrong != 0;
}
