/* Eight threads create, name, record, execute and destroy on one device with worker threads, while
 * one of them turns the annotation mode round and another writes dumps of the live device. Every
 * list's markers are all heard or all unheard [ANN-MODE-07]. */
#include "d3d12_beside.h"

enum { THREADS = 8, ROUNDS = 60, MARKERS = 8 };

static ID3D12Device *device;
static ID3D12CommandQueue *shared_queue;
static struct beside beside;
static _Thread_local int begins, names; /* heard on this thread */

/* ---- the ear: lists are recorded on their own thread, so what is heard there is theirs ---- */

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *reference;
static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 ear;
static const annot_driver ear_driver = {
    "ear", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &ear, 0};

static void list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                       uint32_t size, uint64_t id)
{
    begins++;
    reference->pfnCmdListBeginEvent(list, metadata, data, size, id);
}

static void set_name(D3D12DDI_HANDLE_AND_TYPE object, const WCHAR *name)
{
    names++;
    reference->pfnSetName(object, name);
}

/* ---- one round of one thread ---- */

static void record(ID3D12GraphicsCommandList *list, ID3D12Resource *to, ID3D12Resource *from)
{
    begins = names = 0;
    for (int i = 0; i < MARKERS; i++)
        ID3D12GraphicsCommandList_BeginEvent(list, 1, "work", 4);
    ID3D12GraphicsCommandList_CopyResource(list, to, from);
    for (int i = 0; i < MARKERS; i++)
        ID3D12GraphicsCommandList_EndEvent(list);
    MUST(ID3D12GraphicsCommandList_SetName(list, L"a list"));
    if (!((begins == MARKERS && names == 1) || (begins == 0 && names == 0))) {
        fprintf(stderr, "a mixture of modes: %d of %d markers, %d names\n", begins, MARKERS, names);
        exit(1);
    }
    MUST(ID3D12GraphicsCommandList_Close(list));
}

static void one_round(unsigned thread, unsigned round)
{
    ID3D12CommandQueue *queue = shared_queue;
    ID3D12Resource *from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 1024);
    ID3D12Resource *to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 1024);
    uint32_t *in = NULL, *out = NULL;
    if (round % 4 == 0)
        queue = kit_queue(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    else
        ID3D12CommandQueue_AddRef(queue);
    ID3D12CommandAllocator *allocator = kit_allocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12Fence *fence = kit_fence(device, 0);
    MUST(ID3D12Resource_Map(from, 0, NULL, (void **)&in));
    MUST(ID3D12Resource_Map(to, 0, NULL, (void **)&out));
    in[0] = thread << 16 | round;
    record(list, to, from);

    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    ID3D12CommandQueue_BeginEvent(queue, 1, "frame", 5);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    ID3D12CommandQueue_EndEvent(queue);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    if (round % 3 != 0) {
        MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
        if (out[0] != in[0]) {
            fprintf(stderr, "thread %u, round %u: %x was not copied\n", thread, round, in[0]);
            exit(1);
        }
    } /* else everything is released while the GPU may be at it */
    RELEASE(list, allocator, to, from, fence, queue);
}

static void *work(void *argument)
{
    for (unsigned round = 0; round < ROUNDS; round++)
        one_round((unsigned)(uintptr_t)argument, round);
    atomic_fetch_sub(&beside.running, 1);
    return NULL;
}

int main(void)
{
    emu_config config = EMU_CONFIG_INIT;
    reference = emu_driver_annotation("reference")->annotation;
    ear = *reference;
    ear.pfnCmdListBeginEvent = list_begin;
    ear.pfnSetName = set_name;
    config.annotation = &ear_driver;
    config.tdr_timeout_ns = 600000000000u; /* slow machines hang nobody */
    if (emu_configure(&config) != ANNOT_OK)
        return 1;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    shared_queue = kit_queue(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    beside.device = device;
    beside_run(&beside, work, THREADS);
    ID3D12CommandQueue_Release(shared_queue);
    const HRESULT removed = ID3D12Device_GetDeviceRemovedReason(device);
    const ULONG left = ID3D12Device_Release(device);
    emu_configure(NULL);
    printf("%d threads, %d rounds each; %u references left, device 0x%08x\n", THREADS, ROUNDS,
           (unsigned)left, (unsigned)removed);
    return left == 0 && removed == S_OK ? 0 : 1;
}
