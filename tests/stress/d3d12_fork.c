/* fork without exec while other threads record, execute and name: in the child the parent's device
 * is removed, its calls end without a wait, no dump is written and no event of the parent's set,
 * and a device that the child creates works [ANN-HOST-03]. Run by itself and under the recorder.
 *     stress-d3d12_fork [FORKS]
 */
#include <stdio.h>

#ifdef _WIN32
int main(void)
{
    puts("there is no fork: skipped");
    return 77;
}
#else

#include "d3d12_beside.h"
#include "forks.h"

#include <stdatomic.h>

enum { FORKS = 150, THREADS = 4 };

#define COPY          D3D12_COMMAND_LIST_TYPE_COPY

struct made {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
    ID3D12Resource *from, *to;
};

static struct made parent;
static atomic_bool is_over;

static ID3D12Device *make_device(void)
{
    ID3D12Device *device = NULL;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    return device;
}

static void make(struct made *it, ID3D12Device *device)
{
    it->device = device;
    it->queue = kit_queue(device, COPY);
    it->allocator = kit_allocator(device, COPY);
    it->list = kit_list(device, it->allocator, COPY);
    MUST(ID3D12GraphicsCommandList_Close(it->list));
    it->fence = kit_fence(device, 0);
    it->from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 1024);
    it->to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 1024);
}

static void release(struct made *it)
{
    RELEASE(it->to, it->from, it->fence, it->list, it->allocator, it->queue);
}

/* Whether what was copied is what was written. */
static bool run(struct made *it, UINT64 round)
{
    uint32_t *in = NULL, *out = NULL;
    MUST(ID3D12Resource_Map(it->from, 0, NULL, (void **)&in));
    MUST(ID3D12Resource_Map(it->to, 0, NULL, (void **)&out));
    in[0] = (uint32_t)round;
    MUST(ID3D12CommandAllocator_Reset(it->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(it->list, it->allocator, NULL));
    ID3D12GraphicsCommandList_BeginEvent(it->list, 1, "copy", 5);
    ID3D12GraphicsCommandList_CopyResource(it->list, it->to, it->from);
    ID3D12GraphicsCommandList_EndEvent(it->list);
    MUST(ID3D12GraphicsCommandList_SetName(it->list, L"a list"));
    MUST(ID3D12GraphicsCommandList_Close(it->list));
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)it->list};
    ID3D12CommandQueue_ExecuteCommandLists(it->queue, 1, lists);
    MUST(ID3D12CommandQueue_Signal(it->queue, it->fence, round));
    MUST(ID3D12Fence_SetEventOnCompletion(it->fence, round, NULL));
    const bool is_right = out[0] == (uint32_t)round;
    ID3D12Resource_Unmap(it->from, 0, NULL);
    ID3D12Resource_Unmap(it->to, 0, NULL);
    return is_right;
}

static void *work(void *unused)
{
    (void)unused;
    while (!atomic_load(&is_over)) {
        struct made mine;
        make(&mine, parent.device);
        for (UINT64 round = 1; round < 5; round++)
            if (!run(&mine, round))
                exit(1);
        release(&mine);
    }
    return NULL;
}

/* ---- what a child does ---- */

#define REMOVED(call) check((call) == DXGI_ERROR_DEVICE_REMOVED, #call)

static void use_inherited(struct made *p)
{
    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = COPY};
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_UPLOAD};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(1024);
    void *made = NULL;
    REMOVED(ID3D12Device_GetDeviceRemovedReason(p->device));
    REMOVED(ID3D12Device_CreateCommandQueue(p->device, &queue, &IID_ID3D12CommandQueue, &made));
    REMOVED(TRY(ID3D12Resource, &made, p->device, CreateCommittedResource, &heap,
                D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_GENERIC_READ, NULL));
    check(ID3D12Fence_GetCompletedValue(p->fence) == UINT64_MAX, "the fence's value");
    MUST(ID3D12Fence_SetEventOnCompletion(p->fence, 1000000, NULL));
    ID3D12CommandQueue_Signal(p->queue, p->fence, 1000000);
    ID3D12CommandQueue_Wait(p->queue, p->fence, 2000000);
    ID3D12CommandAllocator_Reset(p->allocator);
    ID3D12GraphicsCommandList_Reset(p->list, p->allocator, NULL);
    for (int i = 0; i < 100; i++) {
        ID3D12GraphicsCommandList_BeginEvent(p->list, 1, "copy", 5);
        ID3D12GraphicsCommandList_CopyResource(p->list, p->to, p->from);
        ID3D12GraphicsCommandList_EndEvent(p->list);
    }
    ID3D12GraphicsCommandList_SetName(p->list, L"another name");
    ID3D12GraphicsCommandList_Close(p->list);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)p->list};
    ID3D12CommandQueue_BeginEvent(p->queue, 1, "frame", 6);
    ID3D12CommandQueue_ExecuteCommandLists(p->queue, 1, lists);
    ID3D12CommandQueue_EndEvent(p->queue);
    ID3D12Resource_Map(p->from, 0, NULL, &made);
    ID3D12Resource_Unmap(p->from, 0, NULL);
    release(p);
    ID3D12Device_Release(p->device);
}

static void use_own(void)
{
    struct made mine;
    make(&mine, make_device());
    for (UINT64 round = 1; round < 3; round++)
        check(run(&mine, round), "a copy on its own device");
    release(&mine);
    ID3D12Device_Release(mine.device);
}

static void be_child(int number)
{
    if (number % 2)
        use_own();
    use_inherited(&parent);
    use_own();
}

int main(int argc, char **argv)
{
    const int forks = argc > 1 ? atoi(argv[1]) : FORKS;
    char folder[] = "/tmp/stress-d3d12-fork-XXXXXX", path[sizeof folder + 8];
    pthread_t threads[THREADS];
    if (!mkdtemp(folder))
        return 2;
    snprintf(path, sizeof path, "%s/dump", folder);
    emu_config config = EMU_CONFIG_INIT;
    config.dump_path = path;
    emu_configure(&config);
    make(&parent, make_device());
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            return 2;
    const int wrong = fork_often(forks, be_child);
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    release(&parent);
    ID3D12Device_Release(parent.device);
    const bool is_clean = rmdir(folder) == 0;
    if (!is_clean)
        puts("a child wrote a dump");
    return wrong != 0 || !is_clean;
}

#endif
