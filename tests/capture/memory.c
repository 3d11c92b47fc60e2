/* Everything that a program may do with mapped memory: stores, read(2), a SIGSEGV handler of its
 * own, threads, fork, a write-combined heap, a heap over its own memory, buffers over each other.
 * Each is copied by the GPU and read back; the program fails when what comes back is not what was
 * written. Under annot capture, and in replay, nothing may be different.
 *
 *     capture-memory
 *     capture-memory --watchable       exit 0: the system offers userfaultfd
 *     capture-memory --custom N [COPIED]  N submissions, with 64 MiB of mapped custom memory. For
 *                                         each the CPU writes a page, and for each other one the
 *                                         GPU COPIED bytes; prints the milliseconds of each
 *     capture-memory --churn N            makes N fences, then 3 N more; prints how many KiB of
 *                                         memory the latter took
 *     capture-memory --default WRITTEN [stamp]  reads a buffer back; the GPU wrote its first bytes,
 *                                         and a time stamp
 */
#define INITGUID
#include "../../examples/setup.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/userfaultfd.h>
#endif

#define COPY D3D12_COMMAND_LIST_TYPE_COPY
#define SIZE ((UINT64)1 << 20)

static struct {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
    UINT64 value;
    ID3D12Resource *back;
} gpu;

#define CHECK(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s: %s\n", what, #condition);                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static ID3D12Resource *make_upload(const WCHAR *name)
{
    return make_buffer(gpu.device, D3D12_HEAP_TYPE_UPLOAD, SIZE, name);
}

static void *map(ID3D12Resource *resource)
{
    void *memory = NULL;
    MUST(ID3D12Resource_Map(resource, 0, NULL, &memory));
    return memory;
}

/* Copies the start of a buffer to where the CPU reads, and returns it. */
static const unsigned char *through_the_gpu(ID3D12Resource *from)
{
    static bool is_open = true;
    if (!is_open) {
        MUST(ID3D12CommandAllocator_Reset(gpu.allocator));
        MUST(ID3D12GraphicsCommandList_Reset(gpu.list, gpu.allocator, NULL));
    }
    ID3D12GraphicsCommandList_CopyBufferRegion(gpu.list, gpu.back, 0, from, 0, SIZE);
    MUST(ID3D12GraphicsCommandList_Close(gpu.list));
    is_open = false;
    execute(gpu.queue, 1, &gpu.list);
    MUST(ID3D12CommandQueue_Signal(gpu.queue, gpu.fence, ++gpu.value));
    MUST(ID3D12Fence_SetEventOnCompletion(gpu.fence, gpu.value, NULL));
    const unsigned char *memory = map(gpu.back);
    ID3D12Resource_Unmap(gpu.back, 0, NULL);
    return memory;
}

static void check(ID3D12Resource *from, UINT64 at, int value, const char *what)
{
    CHECK(through_the_gpu(from)[at] == value, what);
}

static void stores(void)
{
    ID3D12Resource *upload = make_upload(L"Stores");
    unsigned char *memory = map(upload); /* and it stays so */
    ID3D12Resource_AddRef(upload);
    ID3D12Resource_Release(upload); /* not the last reference */
    for (int i = 1; i < 8; i++) {
        memory[i * 4096] = (unsigned char)i;
        memory[SIZE - 1] = (unsigned char)i;
        check(upload, (UINT64)i * 4096, i, "stores");
        check(upload, SIZE - 1, i, "stores to the last byte");
    }
    ID3D12Resource_Release(upload);
}

/* As many pages as one record takes, twice that, and one more. */
static void runs(void)
{
    ID3D12Resource *upload = make_upload(L"Runs");
    unsigned char *memory = map(upload);
    check(upload, 0, 0, "runs of pages");
    for (int i = 30; i <= 61; i += i == 60 ? 1 : 30) {
        memset(memory, i, (size_t)i * 4096);
        check(upload, (UINT64)i * 4096 - 1, i, "the last byte of a run");
        check(upload, (UINT64)i * 4096, 0, "the byte behind a run");
    }
    ID3D12Resource_Release(upload);
}

/* More at once than the recorder has buffers for: the program waits, and goes on. */
static void more_than_the_buffers(void)
{
    enum { LARGE = 48 };
    ID3D12Resource *upload = make_unnamed_buffer(gpu.device, D3D12_HEAP_TYPE_UPLOAD, LARGE * SIZE);
    unsigned *memory = map(upload), value = 1;
    for (size_t i = 0; i < LARGE * SIZE / sizeof *memory; i++)
        memory[i] = value = value * 1664525u + 1013904223u; /* nothing to compress */
    check(upload, 0, memory[0] & 0xff, "more than the buffers");
    ID3D12Resource_Release(upload);
}

static void late_stores(void)
{
    ID3D12Resource *upload = make_upload(L"Late stores");
    unsigned char *memory = map(upload);
    memory[4096] = 1;
    ID3D12Resource_Unmap(upload, 0, NULL);
    check(upload, 4096, 1, "a store before Unmap");
    memory[4096] = 2; /* not allowed, and done: the memory is still there */
    CHECK(map(upload) == memory, "the same memory");
    check(upload, 4096, 2, "a store behind Unmap");
    ID3D12Resource_Release(upload);
}

static void system_calls(void)
{
    ID3D12Resource *upload = make_upload(L"read(2)");
    char *memory = map(upload);
    int ends[2];
    check(upload, 0, 0, "read(2)");
    CHECK(pipe(ends) == 0 && write(ends[1], "seven", 5) == 5, "read(2)");
    CHECK(read(ends[0], memory + 8192 - 2, 5) == 5, "read(2) over the border of two pages");
    check(upload, 8192 + 2, 'n', "read(2)");
    close(ends[0]);
    close(ends[1]);
    ID3D12Resource_Release(upload);
}

static sigjmp_buf where;
static volatile sig_atomic_t faults;

static void on_fault(int signal)
{
    (void)signal;
    faults++;
    siglongjmp(where, 1);
}

static void signals(void)
{
    const struct sigaction mine = {.sa_handler = on_fault};
    struct sigaction before;
    ID3D12Resource *upload = make_upload(L"Signals");
    unsigned char *memory = map(upload);
    volatile char *guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(upload, 0, 0, "signals");
    CHECK(sigaction(SIGSEGV, &mine, &before) == 0, "signals");
    memory[4096] = 3; /* a page that is watched must not fault visibly */
    if (sigsetjmp(where, 1) == 0)
        guarded[0] = 1;
    CHECK(faults == 1, "the program's own handler");
    sigaction(SIGSEGV, &before, NULL);
    check(upload, 4096, 3, "a store while the program has a handler");
    munmap((void *)(uintptr_t)guarded, 4096);
    ID3D12Resource_Release(upload);
}

struct share {
    ID3D12Resource *resource;
    UINT64 first;
};

static void *write_share(void *argument)
{
    const struct share *share = argument;
    for (int i = 0; i < 16; i++) {
        unsigned char *memory = map(share->resource);
        memset(memory + share->first + (UINT64)i * 100, 0x40 + i, 100);
        ID3D12Resource_Unmap(share->resource, 0, NULL);
    }
    return NULL;
}

static void threads(void)
{
    ID3D12Resource *upload = make_upload(L"Threads");
    struct share shares[4];
    pthread_t ids[4];
    for (int i = 0; i < 4; i++) {
        shares[i] = (struct share){upload, (UINT64)i * 2000}; /* pages that threads share */
        CHECK(pthread_create(&ids[i], NULL, write_share, &shares[i]) == 0, "threads");
    }
    for (int i = 0; i < 4; i++)
        pthread_join(ids[i], NULL);
    const unsigned char *back = through_the_gpu(upload);
    for (int i = 0; i < 4 * 16; i++)
        CHECK(back[i / 16 * 2000 + i % 16 * 100 + 99] == 0x40 + i % 16, "threads");
    ID3D12Resource_Release(upload);
}

/* Whether the recorder's file is in this process's memory. */
static bool has_trace(void)
{
    char line[512];
    bool is_there = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        is_there |= strstr(line, ".annottrace") != NULL;
    if (maps)
        fclose(maps);
    return is_there;
}

static void forks(void)
{
    ID3D12Resource *upload = make_upload(L"Fork");
    unsigned char *memory = map(upload);
    int status;
    check(upload, 0, 0, "fork");
    memory[0] = 1;
    const pid_t child = fork();
    if (child == 0) {
        memory[0] = 2; /* its own copy */
        _exit(has_trace());
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0, "fork");
    check(upload, 0, 1, "a store before a fork");
    memory[1] = 3;
    check(upload, 1, 3, "a store behind a fork");
    ID3D12Resource_Release(upload);
}

static ID3D12Resource *place(ID3D12Heap *heap, UINT64 at, D3D12_RESOURCE_FLAGS flags)
{
    D3D12_RESOURCE_DESC desc = describe_buffer(SIZE);
    desc.Flags = flags;
    ID3D12Resource *buffer = NULL;
    MUST(ID3D12Device_CreatePlacedResource(gpu.device, heap, at, &desc, D3D12_RESOURCE_STATE_COMMON,
                                           NULL, &IID_ID3D12Resource, (void **)&buffer));
    return buffer;
}

static void write_combined(void)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 2 * SIZE,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_CUSTOM,
                                                 .CPUPageProperty =
                                                     D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE,
                                                 .MemoryPoolPreference = D3D12_MEMORY_POOL_L0},
                                  .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    ID3D12Heap *heap = NULL;
    MUST(ID3D12Device_CreateHeap(gpu.device, &desc, &IID_ID3D12Heap, (void **)&heap));
    ID3D12Resource *one = place(heap, 0, 0), *over = place(heap, 0, 0),
                   *next = place(heap, SIZE, 0);
    unsigned char *memory = map(one), *same = map(over), *other = map(next);
    memory[5] = 5;
    other[5] = 6;
    check(one, 5, 5, "a write-combined heap");
    same[6] = 7;
    check(one, 6, 7, "a store through another buffer over it");
    check(next, 5, 6, "the buffer behind it");
    ID3D12Resource_Release(one);
    ID3D12Resource_Release(over);
    ID3D12Resource_Release(next);
    ID3D12Heap_Release(heap);
}

static void own_memory(void)
{
    ID3D12Device3 *device = NULL;
    ID3D12Heap *heap = NULL;
    unsigned char *guarded = mmap(NULL, SIZE + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *memory = guarded + 4096;
    ID3D12Resource *upload = make_upload(L"Beside a heap");
    CHECK(guarded != MAP_FAILED && mprotect(memory, SIZE, PROT_READ | PROT_WRITE) == 0, "mmap");
    memory[7] = 7;
    MUST(ID3D12Device_QueryInterface(gpu.device, &IID_ID3D12Device3, (void **)&device));
    MUST(
        ID3D12Device3_OpenExistingHeapFromAddress(device, memory, &IID_ID3D12Heap, (void **)&heap));
    ID3D12Resource *buffer = place(heap, 0, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
    check(buffer, 7, 7, "what the memory had before it was a heap");
    memory[SIZE - 1] = 8; /* no Map */
    *(unsigned char *)map(upload) = 9;
    check(buffer, SIZE - 1, 8, "a store to the program's own memory");
    ID3D12Resource_Release(buffer);
    ID3D12Heap_Release(heap);
    ID3D12Device3_Release(device);
    munmap(guarded, SIZE + 8192);
    check(upload, 0, 9, "a store while a heap's memory is gone"); /* it is not read any more */
    ID3D12Resource_Release(upload);
}

/* Whether this system lets a program watch for writes with userfaultfd. */
static bool is_watchable(void)
{
#if defined(SYS_userfaultfd) && defined(UFFD_API)
    enum { USER_MODE_ONLY = 1, ASYNCHRONOUS = 1 << 15, UNPOPULATED = 1 << 13 };
    struct uffdio_api api = {.api = UFFD_API, .features = ASYNCHRONOUS | UNPOPULATED};
    const int faults_fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
    return faults_fd >= 0 && ioctl(faults_fd, UFFDIO_API, &api) == 0;
#else
    return false;
#endif
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The memory that OpenGL's driver on D3D12 has: of a custom heap, as its writers may be both. */
static void custom(int submissions, UINT64 copied)
{
    enum { LARGE = 64 };
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_CUSTOM,
                                        .CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                        .MemoryPoolPreference = D3D12_MEMORY_POOL_L0};
    const D3D12_RESOURCE_DESC desc = describe_buffer(LARGE * SIZE);
    ID3D12Resource *both = NULL;
    MUST(ID3D12Device_CreateCommittedResource(gpu.device, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                                              D3D12_RESOURCE_STATE_COMMON, NULL,
                                              &IID_ID3D12Resource, (void **)&both));
    unsigned char *memory = map(both);
    const double before = milliseconds();
    for (int i = 1; i <= submissions; i++) {
        memory[(UINT64)(i % 64) * SIZE] = (unsigned char)i;
        if (i % 2)
            ID3D12GraphicsCommandList_CopyBufferRegion(gpu.list, gpu.back, 0, both,
                                                       (UINT64)(i % 64) * SIZE, 4096);
        if (copied && i % 2)
            ID3D12GraphicsCommandList_CopyBufferRegion(gpu.list, both, 4096, gpu.back, 0, copied);
        MUST(ID3D12GraphicsCommandList_Close(gpu.list));
        execute(gpu.queue, 1, &gpu.list);
        MUST(ID3D12CommandQueue_Signal(gpu.queue, gpu.fence, ++gpu.value));
        MUST(ID3D12Fence_SetEventOnCompletion(gpu.fence, gpu.value, NULL));
        MUST(ID3D12CommandAllocator_Reset(gpu.allocator));
        MUST(ID3D12GraphicsCommandList_Reset(gpu.list, gpu.allocator, NULL));
        CHECK(!copied || memory[4096] == (unsigned char)(i - !(i % 2)), "what the GPU wrote");
    }
    printf("%.3f ms a submission\n", (milliseconds() - before) / submissions);
}

static long churn(int count)
{
    while (count--) {
        ID3D12Fence *fence = make_fence(gpu.device);
        ID3D12Fence_Release(fence);
    }
    return (long)(mallinfo2().uordblks / 1024);
}

static void partly_written(UINT64 written, bool is_stamped)
{
    ID3D12Resource *buffer = make_unnamed_buffer(gpu.device, D3D12_HEAP_TYPE_DEFAULT, SIZE);
    ID3D12Resource *upload = make_unnamed_buffer(gpu.device, D3D12_HEAP_TYPE_UPLOAD, 2 * SIZE);
    for (UINT64 i = 0; i < 2; i++)
        memset((char *)map(upload) + i * SIZE, (int)i + 1, SIZE);
    if (written)
        ID3D12GraphicsCommandList_CopyBufferRegion(gpu.list, buffer, 0, upload, 0, written);
    if (is_stamped) {
        const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP, 1, 0};
        ID3D12QueryHeap *times = NULL;
        MUST(
            ID3D12Device_CreateQueryHeap(gpu.device, &desc, &IID_ID3D12QueryHeap, (void **)&times));
        ID3D12GraphicsCommandList_EndQuery(gpu.list, times, D3D12_QUERY_TYPE_TIMESTAMP, 0);
        ID3D12GraphicsCommandList_ResolveQueryData(gpu.list, times, D3D12_QUERY_TYPE_TIMESTAMP, 0,
                                                   1, buffer, 0);
    }
    through_the_gpu(buffer);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--watchable") == 0)
        return !is_watchable();
    gpu.device = make_device();
    gpu.queue = make_queue(gpu.device, COPY, L"Copies");
    gpu.allocator = make_allocator(gpu.device, COPY);
    gpu.list = make_list(gpu.device, gpu.allocator, COPY, L"Copy");
    gpu.fence = make_fence(gpu.device);
    gpu.back = make_buffer(gpu.device, D3D12_HEAP_TYPE_READBACK, SIZE, L"Back");
    if (argc > 2 && strcmp(argv[1], "--custom") == 0) {
        custom(atoi(argv[2]), argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "--churn") == 0) {
        const long before = churn(atoi(argv[2]));
        printf("%ld\n", churn(3 * atoi(argv[2])) - before);
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "--default") == 0) {
        partly_written(strtoull(argv[2], NULL, 10), argc > 3);
        return 0;
    }
    stores();
    runs();
    more_than_the_buffers();
    late_stores();
    system_calls();
    signals();
    threads();
    forks();
    write_combined();
    own_memory();
    puts("all that was written was read back");
    return 0;
}
