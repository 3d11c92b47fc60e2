/*
 * Eight threads create, name, record, execute and destroy on one device with worker threads, while
 * one of them turns the annotation mode round and another writes dumps of the live device. Every
 * list's markers are all heard or all unheard [ANN-MODE-07].
 */
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

static ID3D12Resource *make_buffer(D3D12_HEAP_TYPE type)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                      .Width = 1024,
                                      .Height = 1,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .SampleDesc = {.Count = 1},
                                      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
    ID3D12Resource *buffer = NULL;
    MUST(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                                              type == D3D12_HEAP_TYPE_UPLOAD
                                                  ? D3D12_RESOURCE_STATE_GENERIC_READ
                                                  : D3D12_RESOURCE_STATE_COPY_DEST,
                                              NULL, &IID_ID3D12Resource, (void **)&buffer));
    return buffer;
}

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
    const D3D12_COMMAND_QUEUE_DESC queue_desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    ID3D12CommandQueue *queue = shared_queue;
    ID3D12CommandAllocator *allocator = NULL;
    ID3D12GraphicsCommandList *list = NULL;
    ID3D12Fence *fence = NULL;
    ID3D12Resource *from = make_buffer(D3D12_HEAP_TYPE_UPLOAD);
    ID3D12Resource *to = make_buffer(D3D12_HEAP_TYPE_READBACK);
    uint32_t *in = NULL, *out = NULL;
    if (round % 4 == 0)
        MUST(ID3D12Device_CreateCommandQueue(device, &queue_desc, &IID_ID3D12CommandQueue,
                                             (void **)&queue));
    else
        ID3D12CommandQueue_AddRef(queue);
    MUST(ID3D12Device_CreateCommandAllocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT,
                                             &IID_ID3D12CommandAllocator, (void **)&allocator));
    MUST(ID3D12Device_CreateCommandList(device, 0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator, NULL,
                                        &IID_ID3D12GraphicsCommandList, (void **)&list));
    MUST(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                  (void **)&fence));
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
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12Resource_Release(to);
    ID3D12Resource_Release(from);
    ID3D12Fence_Release(fence);
    ID3D12CommandQueue_Release(queue);
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
    const D3D12_COMMAND_QUEUE_DESC queue_desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
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
    MUST(ID3D12Device_CreateCommandQueue(device, &queue_desc, &IID_ID3D12CommandQueue,
                                         (void **)&shared_queue));
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
