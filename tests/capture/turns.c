/* Two threads that share out one fence's values, one buffer and one descriptor heap, and take turns
 * in the order that they are told: each takes the next value and places, writes there, and has them
 * used on its own list.
 *
 *     capture-turns ORDER [WRONG]   ORDER: a digit for each turn, 0 or 1, its thread. WRONG: in its
 *                                   last turn thread 1 waits for a value of its own before (value),
 *                                   or makes the view before it writes (order)
 */
#define INITGUID
#include "../../examples/setup.h"

#include <pthread.h>

#define COPY D3D12_COMMAND_LIST_TYPE_COPY
#define VIEW D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV
enum { PLACE = 4096, PLACES = 64 };

static struct {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12Fence *fence;
    ID3D12Resource *upload;
    ID3D12DescriptorHeap *views;
    UINT64 view, step; /* of the heap */
    UINT64 taken, before[2];
    const char *order, *wrong;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    size_t turn;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .turned = PTHREAD_COND_INITIALIZER, .wrong = ""};

struct worker {
    unsigned number, turns;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Resource *own;
    D3D12_CPU_DESCRIPTOR_HANDLE views;
};

static ID3D12DescriptorHeap *make_heap(D3D12_CPU_DESCRIPTOR_HANDLE *start)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = VIEW, .NumDescriptors = PLACES};
    ID3D12DescriptorHeap *heap = NULL;
    MUST(ID3D12Device_CreateDescriptorHeap(all.device, &desc, &IID_ID3D12DescriptorHeap,
                                           (void **)&heap));
#if defined(EMU_D3D12_ABI_VKD3D)
    ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(heap, start);
#else
    *start = ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(heap);
#endif
    return heap;
}

static bool is_wrong(const struct worker *w, const char *what)
{
    return w->number == 1 && !strchr(all.order + all.turn + 1, '1') && strcmp(all.wrong, what) == 0;
}

static void write_range(const struct worker *w, UINT64 at, SIZE_T size)
{
    const D3D12_RANGE range = {at, at + size};
    unsigned char *memory = NULL;
    MUST(ID3D12Resource_Map(all.upload, 0, &range, (void **)&memory));
    memset(memory + at, (int)(w->number * 64 + w->turns), size);
    ID3D12Resource_Unmap(all.upload, 0, &range);
}

static void create_view(const struct worker *w, UINT64 place)
{
    const D3D12_SHADER_RESOURCE_VIEW_DESC desc = {
        .Format = DXGI_FORMAT_R32_UINT,
        .ViewDimension = D3D12_SRV_DIMENSION_BUFFER,
        .Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING,
        .Buffer = {.FirstElement = w->turns, .NumElements = 1}};
    const D3D12_CPU_DESCRIPTOR_HANDLE at = {(SIZE_T)(all.view + place * all.step)};
    ID3D12Device_CreateShaderResourceView(all.device, w->own, &desc, at);
}

static void take_turn(struct worker *w)
{
    const UINT64 taken = all.taken++;
    const SIZE_T size = 256 * (1 + w->number);
    const D3D12_CPU_DESCRIPTOR_HANDLE from = {(SIZE_T)(all.view + taken * all.step)},
                                      to = {w->views.ptr + w->turns * (SIZE_T)all.step};
    if (is_wrong(w, "order"))
        create_view(w, taken);
    write_range(w, taken * PLACE, size);
    if (!is_wrong(w, "order"))
        create_view(w, taken);
    ID3D12Device_CopyDescriptorsSimple(all.device, 1, to, from, VIEW);
    ID3D12GraphicsCommandList_CopyBufferRegion(w->list, w->own, 0, all.upload, taken * PLACE, size);
    MUST(ID3D12GraphicsCommandList_Close(w->list));
    execute(all.queue, 1, &w->list);
    MUST(ID3D12CommandQueue_Signal(all.queue, all.fence, 1 + taken));
    MUST(ID3D12Fence_SetEventOnCompletion(all.fence, 1 + taken, NULL));
    MUST(ID3D12CommandQueue_Wait(all.queue, all.fence,
                                 1 + (is_wrong(w, "value") ? all.before[1] : taken)));
    MUST(ID3D12CommandAllocator_Reset(w->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(w->list, w->allocator, NULL));
    all.before[w->number] = taken;
    w->turns++;
}

static void *work(void *user)
{
    struct worker *w = user;
    pthread_mutex_lock(&all.lock);
    while (all.order[all.turn]) {
        if (all.order[all.turn] == (char)('0' + w->number)) {
            take_turn(w);
            all.turn++;
            pthread_cond_broadcast(&all.turned);
        } else {
            pthread_cond_wait(&all.turned, &all.lock);
        }
    }
    pthread_mutex_unlock(&all.lock);
    return NULL;
}

int main(int argc, char **argv)
{
    struct worker workers[2];
    pthread_t ids[2];
    D3D12_CPU_DESCRIPTOR_HANDLE start;
    if (argc < 2 || strlen(argv[1]) > PLACES || strspn(argv[1], "01") != strlen(argv[1]))
        return 2;
    all.order = argv[1];
    all.wrong = argc > 2 ? argv[2] : "";
    all.device = make_device();
    all.queue = make_queue(all.device, COPY, L"Copies");
    all.fence = make_fence(all.device);
    all.upload = make_buffer(all.device, D3D12_HEAP_TYPE_UPLOAD, PLACE * PLACES, L"Shared");
    all.views = make_heap(&start);
    all.view = start.ptr;
    all.step = ID3D12Device_GetDescriptorHandleIncrementSize(all.device, VIEW);
    for (unsigned i = 0; i < 2; i++) {
        struct worker *w = &workers[i];
        *w = (struct worker){.number = i, .allocator = make_allocator(all.device, COPY)};
        w->list = make_list(all.device, w->allocator, COPY, L"Copy");
        w->own = make_buffer(all.device, D3D12_HEAP_TYPE_READBACK, (UINT64)PLACE << i, L"Own");
        make_heap(&w->views);
    }
    for (unsigned i = 0; i < 2; i++)
        if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0)
            abort();
    for (unsigned i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
    puts("all turns were taken");
    return 0;
}
