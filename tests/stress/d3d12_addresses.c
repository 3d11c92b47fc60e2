/* Eight threads create, map, write through the GPU and destroy committed, placed and reserved
 * buffers, most of them at addresses that they ask for and fight over, the others wherever the
 * allocator likes, in the same part of the address space. No page ever belongs to two buffers, and
 * what is asked for is had or refused. */
#include "d3d12_beside.h"

#include <sched.h>

enum { THREADS = 8, ROUNDS = 150, RUSHES = 200, WANTED = 12, PAGES = 1 << 16, PAGE = 65536 };
/* Behind what the threads' own objects take, and soon in the allocator's way. */
enum { WANTED_FIRST = 256 };

#define FIRST_ADDRESS ((D3D12_GPU_VIRTUAL_ADDRESS)1 << 32) /* where the allocator begins too */

static ID3D12Device *device;
static ID3D12DeviceTools *tools;
static atomic_uchar taken[PAGES]; /* pages from FIRST_ADDRESS on that a live buffer has */
static atomic_uint granted, refused, automatic;

static const D3D12_HEAP_PROPERTIES cpu_memory = {
    D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 0, 0};

/* A thread's own objects. */
struct worker {
    pthread_t thread;
    unsigned number, random;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
    UINT64 fence_value;
    ID3D12Resource *source; /* one page of words */
    uint32_t *words;
};

static unsigned next_random(struct worker *w)
{
    w->random = w->random * 1664525u + 1013904223u;
    return w->random >> 16;
}

/* ---- who has which page ---- */

static void mark(D3D12_GPU_VIRTUAL_ADDRESS address, UINT64 pages, bool take)
{
    const UINT64 first = (address - FIRST_ADDRESS) / PAGE;
    CHECK(address % PAGE == 0 && address >= FIRST_ADDRESS, "an address of no page");
    for (UINT64 i = first; i < first + pages && i < PAGES; i++)
        CHECK(atomic_exchange(&taken[i], take) != take, take ? "two have a page" : "nobody had it");
}

/* ---- the three kinds ---- */

static HRESULT make_committed(UINT64 size, ID3D12Resource **out)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    return TRY(ID3D12Resource, out, device, CreateCommittedResource, &cpu_memory,
               D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, NULL);
}

static HRESULT make_placed(UINT64 size, ID3D12Heap **heap, ID3D12Resource **out)
{
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = size, .Properties = cpu_memory};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    HRESULT hr = ID3D12Device_CreateHeap(device, &heap_desc, &IID_ID3D12Heap, (void **)heap);
    if (SUCCEEDED(hr))
        MUST(ID3D12Device_CreatePlacedResource(device, *heap, 0, &desc, D3D12_RESOURCE_STATE_COMMON,
                                               NULL, &IID_ID3D12Resource, (void **)out));
    return hr;
}

static HRESULT make_reserved(UINT64 size, ID3D12Resource **out)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    return ID3D12Device_CreateReservedResource(device, &desc, D3D12_RESOURCE_STATE_COMMON, NULL,
                                               &IID_ID3D12Resource, (void **)out);
}

/* ---- what is done with them ---- */

static void copy_in(struct worker *w, ID3D12Resource *to)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)w->list};
    MUST(ID3D12CommandAllocator_Reset(w->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(w->list, w->allocator, NULL));
    ID3D12GraphicsCommandList_CopyBufferRegion(w->list, to, 0, w->source, 0, PAGE);
    MUST(ID3D12GraphicsCommandList_Close(w->list));
    ID3D12CommandQueue_ExecuteCommandLists(w->queue, 1, lists);
    MUST(ID3D12CommandQueue_Signal(w->queue, w->fence, ++w->fence_value));
    MUST(ID3D12Fence_SetEventOnCompletion(w->fence, w->fence_value, NULL));
}

/* The GPU writes the thread's words to `to`, the CPU reads them in `from`, which has the same
 * memory. */
static void check_words(struct worker *w, ID3D12Resource *to, ID3D12Resource *from)
{
    uint32_t *got = NULL;
    const uint32_t word = (uint32_t)w->number << 24 | (next_random(w) & 0xFFFF);
    for (unsigned i = 0; i < 4; i++)
        w->words[i] = w->words[PAGE / 4 - 1 - i] = word + i;
    copy_in(w, to);
    MUST(ID3D12Resource_Map(from, 0, NULL, (void **)&got));
    CHECK(got[0] == word && got[3] == word + 3 && got[PAGE / 4 - 1] == word, "another's words");
    ID3D12Resource_Unmap(from, 0, NULL);
}

static void check_reserved(struct worker *w, ID3D12Resource *reserved)
{
    ID3D12Heap *heap = NULL;
    ID3D12Resource *placed = NULL;
    const UINT first = 0, one = 1;
    const D3D12_TILED_RESOURCE_COORDINATE at = {0};
    const D3D12_TILE_REGION_SIZE size = {.NumTiles = 1};
    MUST(make_placed(PAGE, &heap, &placed));
    const D3D12_GPU_VIRTUAL_ADDRESS address = ID3D12Resource_GetGPUVirtualAddress(placed);
    mark(address, 1, true);
    ID3D12CommandQueue_UpdateTileMappings(w->queue, reserved, 1, &at, &size, heap, 1, NULL, &first,
                                          &one, D3D12_TILE_MAPPING_FLAG_NONE);
    check_words(w, reserved, placed);
    mark(address, 1, false);
    RELEASE(placed, heap);
}

static void one_round(struct worker *w)
{
    ID3D12Resource *buffer = NULL;
    ID3D12Heap *heap = NULL;
    const unsigned kind = next_random(w) % 3;
    const UINT64 pages = 1 + next_random(w) % 3;
    D3D12_GPU_VIRTUAL_ADDRESS wanted = 0;
    HRESULT hr;
    if (next_random(w) % 4 != 0) {
        wanted = FIRST_ADDRESS +
                 (D3D12_GPU_VIRTUAL_ADDRESS)(WANTED_FIRST + next_random(w) % WANTED * 2) * PAGE;
        ID3D12DeviceTools_SetNextAllocationAddress(tools, wanted);
    }
    if (kind == 0)
        hr = make_committed(pages * PAGE, &buffer);
    else
        hr = kind == 1 ? make_placed(pages * PAGE, &heap, &buffer)
                       : make_reserved(pages * PAGE, &buffer);
    if (wanted != 0 && hr == E_INVALIDARG) {
        CHECK(!buffer && heap == NULL, "refused and given");
        atomic_fetch_add(&refused, 1);
        return;
    }
    MUST(hr);
    const D3D12_GPU_VIRTUAL_ADDRESS address = ID3D12Resource_GetGPUVirtualAddress(buffer);
    CHECK(wanted == 0 || address == wanted, "not where it was wanted");
    atomic_fetch_add(wanted != 0 ? &granted : &automatic, 1);
    mark(address, pages, true);
    if (kind == 2)
        check_reserved(w, buffer);
    else
        check_words(w, buffer, buffer);
    mark(address, pages, false);
    ID3D12Resource_Release(buffer);
    if (heap)
        ID3D12Heap_Release(heap);
}

/* ---- all at once ---- */

static atomic_uint arrived, winners;

/* Waits for all threads; `round` counts the meetings from 0. */
static void meet(unsigned round)
{
    atomic_fetch_add(&arrived, 1);
    for (unsigned spins = 0; atomic_load(&arrived) < (round + 1) * THREADS; spins++)
        if (spins > 1000)
            sched_yield();
}

/* One of eight that want one address together has it. */
static void rush(unsigned round)
{
    ID3D12Resource *buffer = NULL;
    ID3D12DeviceTools_SetNextAllocationAddress(tools, (D3D12_GPU_VIRTUAL_ADDRESS)1 << 45);
    meet(3 * round);
    HRESULT hr = make_committed(PAGE, &buffer);
    if (SUCCEEDED(hr))
        atomic_fetch_add(&winners, 1);
    meet(3 * round + 1);
    CHECK(atomic_load(&winners) == round + 1, "not one has the address");
    CHECK(hr == (buffer != NULL ? S_OK : E_INVALIDARG), "refused otherwise");
    if (buffer)
        ID3D12Resource_Release(buffer);
    meet(3 * round + 2);
}

/* ---- threads ---- */

static void worker_open(struct worker *w, unsigned number)
{
    w->number = number;
    w->random = 12345 + number * 7919;
    w->queue = kit_queue(device, D3D12_COMMAND_LIST_TYPE_COMPUTE);
    w->allocator = kit_allocator(device, D3D12_COMMAND_LIST_TYPE_COMPUTE);
    w->list = kit_list(device, w->allocator, D3D12_COMMAND_LIST_TYPE_COMPUTE);
    MUST(ID3D12GraphicsCommandList_Close(w->list));
    w->fence = kit_fence(device, 0);
    MUST(make_committed(PAGE, &w->source));
    mark(ID3D12Resource_GetGPUVirtualAddress(w->source), 1, true);
    MUST(ID3D12Resource_Map(w->source, 0, NULL, (void **)&w->words));
}

static void worker_close(struct worker *w)
{
    RELEASE(w->source, w->fence, w->list, w->allocator, w->queue);
}

static void *worker_run(void *argument)
{
    for (int i = 0; i < ROUNDS; i++)
        one_round(argument);
    for (unsigned i = 0; i < RUSHES; i++)
        rush(i);
    return NULL;
}

int main(void)
{
    static struct worker workers[THREADS];
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    tools = AS(ID3D12DeviceTools, device);
    for (unsigned i = 0; i < THREADS; i++)
        worker_open(&workers[i], i);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]) == 0, "a thread");
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++)
        worker_close(&workers[i]);
    printf("%u where wanted, %u refused, %u anywhere\n", atomic_load(&granted),
           atomic_load(&refused), atomic_load(&automatic));
    CHECK(atomic_load(&granted) != 0 && atomic_load(&automatic) != 0, "nothing was tried");
    ID3D12DeviceTools_Release(tools);
    CHECK(ID3D12Device_Release(device) == 0, "references are left");
    return 0;
}
