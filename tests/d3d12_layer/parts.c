/* Programs that the layer's tests run under it. Each prints what it saw, which is the same without
 * the layer.
 *
 *     hung FILE     the GPU hangs without a timeout of the system's; ends when FILE is there, which
 *                   only the layer's watchdog writes
 *     many FILE     the same in the last of many markers
 *     waits FILE    a queue waits for a fence that comes late, and nothing hangs
 *     stuck         a queue and the CPU wait for a fence that nobody signals; prints its process
 *     stuck two     the same beside another device
 *     wait N        the N-th program of d3d12_waits.h; prints its process, and what is true of it
 *     lost N        the N-th of the calls that can tell of a loss is the first behind one; 3: there
 *                   is none
 *     devices       devices come and go, with their children before or behind them; the counts of
 *                   references, and threads that are left
 *     two           two devices; one of them is removed, and then the other
 *     threads       four threads record and submit, while one removes the device
 *     forks         a child ends by itself
 */
#define INITGUID
#include "../../examples/setup.h"
#include "../d3d12_waits.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT

/* hang_at: the dispatch that hangs, from 1; 0: none. */
static void configure(emu_order order, uint32_t hang_at)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = order;
    config.tdr_timeout_ns = (uint64_t)3600 * 1000000000u;
    config.hang.place = hang_at ? EMU_HANG_AT_DISPATCH : config.hang.place;
    config.hang.count = hang_at;
    emu_configure(&config);
}

struct work {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *pipeline;
    ID3D12Resource *buffer;
    ID3D12Fence *fence;
};

/* By a stream of subobjects. */
static ID3D12PipelineState *make_stream_pipeline(ID3D12Device *device,
                                                 ID3D12RootSignature *signature)
{
    struct {
        D3D12_PIPELINE_STATE_SUBOBJECT_TYPE signature_type;
        ID3D12RootSignature *signature;
        D3D12_PIPELINE_STATE_SUBOBJECT_TYPE code_type;
        D3D12_SHADER_BYTECODE code;
    } stream = {.signature_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE,
                .signature = signature,
                .code_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS};
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {sizeof stream, &stream};
    ID3D12Device2 *device2 = NULL;
    ID3D12PipelineState *pipeline = NULL;
    stream.code.pShaderBytecode = emu_kernel_bytecode(EMU_KERNEL_FILL, &stream.code.BytecodeLength);
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device2, (void **)&device2));
    MUST(ID3D12Device2_CreatePipelineState(device2, &desc, &IID_ID3D12PipelineState,
                                           (void **)&pipeline));
    ID3D12Device2_Release(device2);
    MUST(ID3D12PipelineState_SetName(pipeline, L"Fill"));
    return pipeline;
}

static struct work make_work(ID3D12Device *device, const WCHAR *name)
{
    struct work work = {.device = device};
    work.queue = make_queue(device, DIRECT, name);
    work.allocator = make_allocator(device, DIRECT);
    work.list = make_list(device, work.allocator, DIRECT, L"List");
    work.signature = make_root_signature(device);
    work.pipeline = make_stream_pipeline(device, work.signature);
    work.buffer = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4096, L"Target");
    work.fence = make_fence(device);
    return work;
}

static void record(struct work *work, const char *marker)
{
    PIXBeginEvent(work->list, PIX_COLOR(1, 2, 3), marker);
    dispatch(work->list, work->signature, work->pipeline, work->buffer, 1, 16);
    PIXEndEvent(work->list);
    MUST(ID3D12GraphicsCommandList_Close(work->list));
}

static void submit(struct work *work)
{
    execute(work->queue, 1, &work->list);
}

static unsigned release_work(struct work *work)
{
    ID3D12Fence_Release(work->fence);
    ID3D12Resource_Release(work->buffer);
    ID3D12PipelineState_Release(work->pipeline);
    ID3D12RootSignature_Release(work->signature);
    ID3D12GraphicsCommandList_Release(work->list);
    ID3D12CommandAllocator_Release(work->allocator);
    return (unsigned)ID3D12CommandQueue_Release(work->queue);
}

static bool appears(const char *file, unsigned seconds)
{
    const struct timespec moment = {0, 10000000};
    for (unsigned i = 0; i < seconds * 100; i++) {
        if (access(file, R_OK) == 0)
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

static int hung(const char *file)
{
    configure(EMU_ORDER_THREADS, 1);
    struct work work = make_work(make_device(), L"Hung queue");
    record(&work, "Endless");
    submit(&work);
    struct work behind = make_work(work.device, L"Queue behind it");
    record(&behind, "Late");
    MUST(ID3D12Fence_SetName(work.fence, L"work done"));
    MUST(ID3D12CommandQueue_Wait(behind.queue, work.fence, 7));
    submit(&behind);
    MUST(ID3D12CommandQueue_Signal(work.queue, work.fence, 7));
    const bool is_there = appears(file, 60);
    fflush(stdout);
    _exit(is_there ? 0 : 1); /* nothing of a hung device can be released */
}

/* Hangs in the last of more markers than are marked where words are copied. */
static int many(const char *file)
{
    enum { MARKERS = 600 };
    configure(EMU_ORDER_THREADS, MARKERS);
    struct work work = make_work(make_device(), L"Queue");
    for (unsigned i = 1; i <= MARKERS; i++) {
        PIXBeginEvent(work.list, PIX_COLOR(1, 2, 3), "Marker %u", i);
        dispatch(work.list, work.signature, work.pipeline, work.buffer, 1, 16);
        PIXEndEvent(work.list);
    }
    MUST(ID3D12GraphicsCommandList_Close(work.list));
    submit(&work);
    const bool is_there = appears(file, 60);
    fflush(stdout);
    _exit(is_there ? 0 : 1);
}

static int waits(const char *file)
{
    configure(EMU_ORDER_THREADS, 0);
    struct work work = make_work(make_device(), L"Waiting queue");
    record(&work, "Late");
    MUST(ID3D12CommandQueue_Wait(work.queue, work.fence, 1));
    submit(&work);
    MUST(ID3D12CommandQueue_Signal(work.queue, work.fence, 2));
    const bool is_there = appears(file, 2);
    MUST(ID3D12Fence_Signal(work.fence, 1));
    MUST(ID3D12Fence_SetEventOnCompletion(work.fence, 2, NULL));
    printf("%s\n", is_there ? "a dump" : "no dump");
    release_work(&work);
    return (int)ID3D12Device_Release(work.device);
}

/* For ever: nobody signals the fence. */
static int stuck(bool has_other)
{
    void *adapter = NULL, *second;
    configure(EMU_ORDER_THREADS, 0);
    if (has_other && emu_adapter_create(NULL, &adapter) == ANNOT_OK)
        MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &second));
    struct work work = make_work(make_device(), L"Waiting queue");
    record(&work, "Late");
    MUST(ID3D12Fence_SetName(work.fence, L"gate"));
    MUST(ID3D12CommandQueue_Wait(work.queue, work.fence, 1));
    submit(&work);
    printf("%ld\n", (long)getpid());
    fflush(stdout);
    return (int)ID3D12Fence_SetEventOnCompletion(work.fence, 1, NULL);
}

/* The emulator's lists have no fences: its queue waits in front of the list, or signals behind it,
 * and the layer sees the list's call. */
static const struct list11 {
    ID3D12GraphicsCommandList8Vtbl older;
    void (*list10[4])(void);
    void(STDMETHODCALLTYPE *wait)(void *list, UINT, void *, UINT, ID3D12Fence **, const UINT64 *);
    void(STDMETHODCALLTYPE *signal)(void *list, UINT, void *, ID3D12Fence *, UINT64);
} * emulators;
static const GUID list11_iid = {
    0x823aee5b, 0xc932, 0x4b15, {0xb4, 0xc4, 0x4a, 0x28, 0xe7, 0xc3, 0x4d, 0xea}};
#define BEHIND(wrapper) ((void *)((void **)(wrapper))[1])

static HRESULT STDMETHODCALLTYPE ask(ID3D12GraphicsCommandList8 *list, REFIID iid, void **out)
{
    const bool is_new = memcmp(iid, &list11_iid, sizeof *iid) == 0;
    return emulators->older.QueryInterface(list, is_new ? &IID_IUnknown : iid, out);
}

static void STDMETHODCALLTYPE wait_in_list(void *list, UINT groups, void *barriers, UINT count,
                                           ID3D12Fence **fences, const UINT64 *values)
{
    (void)list, (void)groups, (void)barriers, (void)count, (void)fences, (void)values;
}

static void STDMETHODCALLTYPE signal_in_list(void *list, UINT groups, void *barriers,
                                             ID3D12Fence *fence, UINT64 value)
{
    (void)list, (void)groups, (void)barriers, (void)fence, (void)value;
}

/* "0Wa1": queue 0 executes a list that waits for fence a = 1; "0Sa1": one that signals it. */
static void make_list_call(struct stage *s, const char *call)
{
    static struct list11 methods;
    ID3D12Fence *fence = fence_of(s, call[2]);
    ID3D12CommandQueue *queue = queue_of(s, call[0]);
    const UINT64 value = (UINT64)atoi(call + 3);
    ID3D12CommandAllocator *allocator = make_allocator(s->devices[0], DIRECT);
    ID3D12GraphicsCommandList *list = make_list(s->devices[0], allocator, DIRECT, L"Inside");
    const struct list11 **real = BEHIND(list), **newest;
    emulators = *real;
    memcpy(&methods, emulators, offsetof(struct list11, list10[2]));
    methods.older.QueryInterface = ask;
    methods.wait = wait_in_list;
    methods.signal = signal_in_list;
    *real = &methods;
    MUST(ID3D12GraphicsCommandList_QueryInterface(list, &list11_iid, (void **)&newest));
    (*newest)->signal(newest, 0, NULL, fence, value); /* in a recording that nobody executes */
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    if (call[1] == 'W') {
        (*newest)->wait(newest, 0, NULL, 1, &fence, &value);
        ID3D12CommandQueue_Wait((ID3D12CommandQueue *)BEHIND(queue), BEHIND(fence), value);
    } else
        (*newest)->signal(newest, 0, NULL, fence, value);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, (ID3D12CommandList **)&list);
    if (call[1] == 'S')
        ID3D12CommandQueue_Signal((ID3D12CommandQueue *)BEHIND(queue), BEHIND(fence), value);
}

/* "cMa2": the CPU waits for a fence that has its value, and for a = 2. */
static void wait_for_both(struct stage *s, const char *call)
{
    ID3D12Fence *fences[] = {fence_of(s, 'd'), fence_of(s, call[2])};
    const UINT64 values[] = {0, (UINT64)atoi(call + 3)};
    ID3D12Device1 *device = NULL;
    MUST(ID3D12Device_QueryInterface(s->devices[0], &IID_ID3D12Device1, (void **)&device));
    ID3D12Device1_SetEventOnMultipleFenceCompletion(device, fences, values, 2,
                                                    D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, s->event);
}

static const struct program inside[] = {
    {"cMa2", "cn", NULL},
    {"0Wa1 0sb1 1Wb1 1sa1", "0o1o", NULL},
    {"0Wa7 0Sb2 1Wb2 1Sa7", "0o1o", NULL},
    {"0wa1 0Sb1 1Wb1 1sa1 2Wa1", "0o1o2e", NULL},
    {"0Wa2 0x 1Sa1", "0h", NULL},
    {"0WA1", "0s", NULL},
    {"0Wa1 0sb1 1Wb1 1sa1 csa0", "0q1q", NULL},
    {"0Sa1 0Wa1", "", NULL},
};

/* For ever. Programs with two devices, and those that go on when the GPU rests, print "skip". */
static int wait_as(const char *number)
{
    enum { INSIDE = sizeof inside / sizeof *inside, PROGRAMS = sizeof programs / sizeof *programs };
    const size_t row = strtoul(number, NULL, 10), outer = row - INSIDE;
    const struct program *of = row < INSIDE       ? &inside[row]
                               : outer < PROGRAMS ? &programs[outer]
                                                  : NULL;
    const char *calls = of ? of->calls : NULL;
    if (!calls || strstr(calls, "5w") || strstr(calls, "5s") || strchr(calls, '=')) {
        puts(calls ? "skip" : "end");
        return 0;
    }
    configure(EMU_ORDER_THREADS, 0);
    struct work work = make_work(make_device(), L"idle");
    struct stage stage = {.devices = {work.device}, .lists = {work.list}};
    stage.event = (HANDLE)(intptr_t)eventfd(0, 0);
    MUST(ID3D12GraphicsCommandList_Close(work.list));
    for (const char *at = calls; *at; at += strcspn(at, " "), at += strspn(at, " "))
        (at[1] == 'W' || at[1] == 'S' ? make_list_call
         : at[1] == 'M'               ? wait_for_both
                                      : make_call)(&stage, at);
    printf("%ld %s\n", (long)getpid(), of->truth);
    fflush(stdout);
    return pause();
}

static unsigned count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned count = 0;
    for (const struct dirent *task; tasks && (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

static void *nothing(void *user)
{
    return user;
}

static int devices(void)
{
    pthread_t first; /* with which a sanitizer starts one of its own */
    configure(EMU_ORDER_SEEDED, 0);
    pthread_create(&first, NULL, nothing, NULL);
    pthread_join(first, NULL);
    const unsigned before = count_threads();
    for (unsigned i = 0; i < 24; i++) {
        struct work work = make_work(make_device(), L"Queue");
        record(&work, "Pass");
        if (i % 3 != 0) {
            submit(&work);
            MUST(ID3D12CommandQueue_Signal(work.queue, work.fence, 1));
            MUST(ID3D12Fence_SetEventOnCompletion(work.fence, 1, NULL));
        }
        ID3D12Device_AddRef(work.device);
        const unsigned with = (unsigned)ID3D12Device_Release(work.device);
        unsigned queue = 0, last = 0;
        if (i % 2 == 0) { /* the children go first */
            queue = release_work(&work);
            last = (unsigned)ID3D12Device_Release(work.device);
        } else {
            last = (unsigned)ID3D12Device_Release(work.device);
            queue = release_work(&work);
        }
        printf("%u: %u references, queue %u, device %u\n", i, with, queue, last);
    }
    /* a thread that was joined may still be listed for a moment */
    const struct timespec moment = {0, 1000000};
    for (unsigned i = 0; i < 5000 && count_threads() > before; i++)
        nanosleep(&moment, NULL);
    printf("%s threads\n", count_threads() > before ? "more" : "as many");
    return 0;
}

static void lose(struct work *work)
{
    emu_force_tdr(work->device);
    printf("removed: 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(work->device));
}

static int two(void)
{
    void *adapter = NULL;
    ID3D12Device *second = NULL;
    configure(EMU_ORDER_SEEDED, 0);
    if (emu_adapter_create(NULL, &adapter) != ANNOT_OK)
        return 1;
    struct work one = make_work(make_device(), L"First device");
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&second));
    struct work other = make_work(second, L"Second device");
    record(&one, "Of the first");
    record(&other, "Of the second");
    submit(&other);
    lose(&one);
    printf("the second: 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(other.device));
    lose(&other);
    release_work(&one);
    release_work(&other);
    ID3D12Device_Release(one.device);
    ID3D12Device_Release(other.device);
    return 0;
}

/* Calls that can tell of a loss: each is the first one behind it. */
static const char telling[] =
    "GetDeviceRemovedReason CreateCommandQueue CreateCommandAllocator CreateCommandList "
    "CreateCommittedResource CreateFence CreateComputePipelineState CommandAllocator::Reset "
    "CommandList::Close CommandList::Reset CommandQueue::Signal CommandQueue::Wait Fence::Signal "
    "SetEventOnCompletion Map CreateDescriptorHeap CreateQueryHeap GetTimestampFrequency";

static HRESULT make_one(const struct work *work, unsigned which, void **made)
{
    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = DIRECT};
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, 0, 0};
    const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    const D3D12_HEAP_PROPERTIES memory = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC buffer = describe_buffer(4096);
    D3D12_COMPUTE_PIPELINE_STATE_DESC pipeline = {.pRootSignature = work->signature};
    switch (which) {
    case 1:
        return ID3D12Device_CreateCommandQueue(work->device, &queue, &IID_ID3D12CommandQueue, made);
    case 2:
        return ID3D12Device_CreateCommandAllocator(work->device, DIRECT,
                                                   &IID_ID3D12CommandAllocator, made);
    case 3:
        return ID3D12Device_CreateCommandList(work->device, 0, DIRECT, work->allocator, NULL,
                                              &IID_ID3D12GraphicsCommandList, made);
    case 4:
        return ID3D12Device_CreateCommittedResource(work->device, &memory, D3D12_HEAP_FLAG_NONE,
                                                    &buffer, D3D12_RESOURCE_STATE_COMMON, NULL,
                                                    &IID_ID3D12Resource, made);
    case 5:
        return ID3D12Device_CreateFence(work->device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                        made);
    case 6:
        return ID3D12Device_CreateComputePipelineState(work->device, &pipeline,
                                                       &IID_ID3D12PipelineState, made);
    case 15:
        return ID3D12Device_CreateDescriptorHeap(work->device, &heap, &IID_ID3D12DescriptorHeap,
                                                 made);
    default:
        return ID3D12Device_CreateQueryHeap(work->device, &queries, &IID_ID3D12QueryHeap, made);
    }
}

static HRESULT call_one(struct work *work, unsigned which)
{
    void *made = NULL;
    UINT64 frequency;
    switch (which) {
    case 0:
        return ID3D12Device_GetDeviceRemovedReason(work->device);
    case 7:
        return ID3D12CommandAllocator_Reset(work->allocator);
    case 8:
        return ID3D12GraphicsCommandList_Close(work->list);
    case 9:
        return ID3D12GraphicsCommandList_Reset(work->list, work->allocator, NULL);
    case 10:
        return ID3D12CommandQueue_Signal(work->queue, work->fence, 1);
    case 11:
        return ID3D12CommandQueue_Wait(work->queue, work->fence, 0);
    case 12:
        return ID3D12Fence_Signal(work->fence, 1);
    case 13:
        return ID3D12Fence_SetEventOnCompletion(work->fence, 1, NULL);
    case 14:
        return ID3D12Resource_Map(work->buffer, 0, NULL, &made);
    case 17:
        return ID3D12CommandQueue_GetTimestampFrequency(work->queue, &frequency);
    default:
        break;
    }
    const HRESULT result = make_one(work, which, &made);
    if (made)
        IUnknown_Release((IUnknown *)made);
    return result;
}

static int lost(const char *number)
{
    const unsigned which = (unsigned)strtoul(number, NULL, 10);
    const char *name = telling;
    for (unsigned i = 0; i < which && *name; i++)
        name += strcspn(name, " ") + (name[strcspn(name, " ")] == ' ');
    if (!*name)
        return 3;
    configure(EMU_ORDER_SEEDED, 0);
    struct work work = make_work(make_device(), L"Queue");
    if (which != 8)
        record(&work, "Pass");
    emu_force_tdr(work.device);
    printf("%.*s: 0x%08X\n", (int)strcspn(name, " "), name, (unsigned)call_one(&work, which));
    release_work(&work);
    printf("device %u\n", (unsigned)ID3D12Device_Release(work.device));
    return 0;
}

/* The child has none of its parent's threads, and runs what is to be done at its end. */
static int forks(void)
{
    int status = -1;
    configure(EMU_ORDER_SEEDED, 0);
    struct work work = make_work(make_device(), L"Queue");
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        exit(7);
    }
    waitpid(child, &status, 0);
    printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    record(&work, "Of the parent");
    submit(&work);
    release_work(&work);
    printf("device %u\n", (unsigned)ID3D12Device_Release(work.device));
    return 0;
}

static _Atomic unsigned rounds;

static void *record_for_long(void *argument)
{
    struct work *work = argument;
    for (unsigned i = 0; i < 200; i++) {
        ID3D12GraphicsCommandList_Reset(work->list, work->allocator, NULL);
        PIXBeginEvent(work->list, PIX_COLOR(1, 2, 3), "Round");
        PIXSetMarker(work->list, PIX_COLOR(1, 2, 3), "Point");
        PIXEndEvent(work->list);
        ID3D12GraphicsCommandList_Close(work->list);
        submit(work);
        ID3D12GraphicsCommandList_SetName(work->list, L"Another name");
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

static int threads(void)
{
    pthread_t all[4];
    struct work work[4];
    configure(EMU_ORDER_THREADS, 0);
    ID3D12Device *device = make_device();
    for (unsigned i = 0; i < 4; i++) {
        work[i] = make_work(device, L"Queue");
        MUST(ID3D12GraphicsCommandList_Close(work[i].list));
    }
    for (unsigned i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, record_for_long, &work[i]);
    while (atomic_load(&rounds) < 200)
        ;
    emu_force_tdr(device);
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(all[i], NULL);
        release_work(&work[i]);
    }
    printf("removed: 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(device));
    printf("device %u\n", (unsigned)ID3D12Device_Release(device));
    return 0;
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    if (strcmp(part, "hung") == 0 && argc > 2)
        return hung(argv[2]);
    if (strcmp(part, "many") == 0 && argc > 2)
        return many(argv[2]);
    if (strcmp(part, "waits") == 0 && argc > 2)
        return waits(argv[2]);
    if (strcmp(part, "lost") == 0 && argc > 2)
        return lost(argv[2]);
    if (strcmp(part, "devices") == 0)
        return devices();
    if (strcmp(part, "stuck") == 0)
        return stuck(argc > 2);
    if (strcmp(part, "wait") == 0)
        return wait_as(argv[2]);
    if (strcmp(part, "two") == 0)
        return two();
    if (strcmp(part, "forks") == 0)
        return forks();
    return strcmp(part, "threads") == 0 ? threads() : 2;
}
