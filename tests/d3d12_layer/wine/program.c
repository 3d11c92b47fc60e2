/* A Windows program that draws and computes with shaders of its own, on two queues, on whatever
 * D3D12 it finds: the crash layer's tests run it on Wine's own, on a software GPU. It knows nothing
 * of this project.
 *
 *     program run                  prints what it read back, and counts of references
 *     program hang PLACE [FILE]    the same, with a GPU that hangs at PLACE until FILE is there,
 *                                  or for a moment; PLACE: dispatch, draw, list, async
 *     program removed              the device is removed for a mistake of the program's
 *     program unload               loads D3D12 by name, twice, and lets it go
 *
 * Each marker's first letter says what is so while the GPU hangs: D done, H the one that hangs or
 * is around it, L not reached.
 */
#include "objects.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECT  D3D12_COMMAND_LIST_TYPE_DIRECT
#define COMPUTE D3D12_COMMAND_LIST_TYPE_COMPUTE
enum { WORDS = 4096, SIDE = 1024, LISTS = 6 };

/* As programs say that they bring a D3D12 of their own. */
__declspec(dllexport) extern const UINT D3D12SDKVersion;
__declspec(dllexport) extern const char *D3D12SDKPath;
const UINT D3D12SDKVersion = 4;
const char *D3D12SDKPath = ".\\D3D12\\";

/* ---- objects ---- */

struct queue {
    ID3D12CommandQueue *queue;
    ID3D12Fence *fence;
    UINT64 signaled;
    D3D12_COMMAND_LIST_TYPE type;
};

struct list {
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    const struct queue *queue;
};

static struct queue create_queue(D3D12_COMMAND_LIST_TYPE type, const WCHAR *name)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = type};
    struct queue queue = {.type = type};
    MUST(ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue,
                                         (void **)&queue.queue));
    MUST(ID3D12CommandQueue_SetName(queue.queue, name));
    MUST(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                  (void **)&queue.fence));
    return queue;
}

static struct list create_list(const struct queue *queue, const WCHAR *name)
{
    struct list list = {.queue = queue};
    MUST(ID3D12Device_CreateCommandAllocator(device, queue->type, &IID_ID3D12CommandAllocator,
                                             (void **)&list.allocator));
    MUST(ID3D12Device_CreateCommandList(device, 0, queue->type, list.allocator, NULL,
                                        &IID_ID3D12GraphicsCommandList, (void **)&list.list));
    MUST(ID3D12GraphicsCommandList_SetName(list.list, name));
    return list;
}

/* ---- what is used by all ---- */

static struct {
    struct queue frame, async;
    struct list lists[LISTS];
    struct list bundle;
    ID3D12PipelineState *fill, *spin, *draw, *draw_spin;
    ID3D12Resource *word, *buffer, *target, *read_buffer, *read_target;
    ID3D12DescriptorHeap *views;
    D3D12_CPU_DESCRIPTOR_HANDLE view;
    volatile LONG *host;
} all;

static void create_all(void)
{
    static const WCHAR *const names[LISTS] = {L"Frame 1",         L"Async 1", L"Frame 2, first",
                                              L"Frame 2, second", L"Async 2", L"Frame 3"};
    static const struct queue bundles = {.type = D3D12_COMMAND_LIST_TYPE_BUNDLE};
    const D3D12_RESOURCE_DESC target = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                        .Width = SIDE,
                                        .Height = SIDE,
                                        .DepthOrArraySize = 1,
                                        .MipLevels = 1,
                                        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                        .SampleDesc = {1, 0},
                                        .Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
                                             .NumDescriptors = 1};
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    create_signature();
    all.frame = create_queue(DIRECT, L"Frame queue");
    all.async = create_queue(COMPUTE, L"Async queue");
    for (unsigned i = 0; i < LISTS; i++)
        all.lists[i] = create_list(names[i][0] == 'A' ? &all.async : &all.frame, names[i]);
    all.bundle = create_list(&bundles, L"Bundle");
    all.fill = create_fill();
    all.spin = create_spin();
    all.draw = create_draw();
    all.draw_spin = create_draw_spin();
    all.word = create_word(&all.host);
    all.buffer =
        create_buffer(&gpu_heap, WORDS * 4, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, L"Particles");
    all.target = create_resource(&gpu_heap, &target, D3D12_RESOURCE_STATE_RENDER_TARGET, L"Image");
    all.read_buffer =
        create_buffer(&readback_heap, WORDS * 4, D3D12_RESOURCE_STATE_COPY_DEST, L"Particles read");
    all.read_target = create_buffer(&readback_heap, SIDE * SIDE * 4, D3D12_RESOURCE_STATE_COPY_DEST,
                                    L"Image read");
    MUST(ID3D12Device_CreateDescriptorHeap(device, &heap, &IID_ID3D12DescriptorHeap,
                                           (void **)&all.views));
    ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(all.views, &all.view);
    ID3D12Device_CreateRenderTargetView(device, all.target, NULL, all.view);
}

static void release(const char *name, void *object)
{
    IUnknown *unknown = object;
    printf("%s %lu\n", name, (unsigned long)IUnknown_Release(unknown));
}

static void release_all(void)
{
    void *const objects[] = {all.fill,        all.spin,   all.draw,   all.draw_spin,
                             all.word,        all.buffer, all.target, all.read_buffer,
                             all.read_target, all.views,  signature};
    for (unsigned i = 0; i < LISTS; i++) {
        release("list", all.lists[i].list);
        release("allocator", all.lists[i].allocator);
    }
    release("bundle", all.bundle.list);
    release("allocator", all.bundle.allocator);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        release("object", objects[i]);
    release("fence", all.frame.fence);
    release("fence", all.async.fence);
    release("queue", all.async.queue);
    release("queue", all.frame.queue);
    ID3D12Device_AddRef(device);
    release("device, before", device);
    release("device", device);
}

/* ---- recording ---- */

static void begin(struct list *list, const char *text)
{
    ID3D12GraphicsCommandList_BeginEvent(list->list, 1, text, (UINT)strlen(text) + 1);
}

static void point(struct list *list, const char *text)
{
    ID3D12GraphicsCommandList_SetMarker(list->list, 1, text, (UINT)strlen(text) + 1);
}

static void end(struct list *list)
{
    ID3D12GraphicsCommandList_EndEvent(list->list);
}

static void barrier(struct list *list, ID3D12Resource *resource, D3D12_RESOURCE_STATES before,
                    D3D12_RESOURCE_STATES after)
{
    D3D12_RESOURCE_BARRIER what = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    what.UAV.pResource = resource;
    if (before != after) {
        what.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
        what.Transition = (D3D12_RESOURCE_TRANSITION_BARRIER){
            resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
    }
    ID3D12GraphicsCommandList_ResourceBarrier(list->list, 1, &what);
}

static void compute(struct list *list, ID3D12PipelineState *pipeline, UINT seed, UINT x, UINT y)
{
    const UINT constants[] = {seed, WORDS};
    dispatch(list->list, pipeline, all.word, all.buffer, constants, x, y);
    barrier(list, all.buffer, 0, 0);
}

static void paint(struct list *list, ID3D12PipelineState *pipeline, UINT seed)
{
    const UINT constants[] = {seed, WORDS};
    const D3D12_VIEWPORT viewport = {0, 0, SIDE, SIDE, 0, 1};
    const D3D12_RECT scissor = {0, 0, SIDE, SIDE};
    ID3D12GraphicsCommandList *to = list->list;
    ID3D12GraphicsCommandList_SetPipelineState(to, pipeline);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(to, signature);
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(
        to, 0, ID3D12Resource_GetGPUVirtualAddress(all.word));
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(
        to, 1, ID3D12Resource_GetGPUVirtualAddress(all.buffer));
    ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(to, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_OMSetRenderTargets(to, 1, &all.view, FALSE, NULL);
    ID3D12GraphicsCommandList_RSSetViewports(to, 1, &viewport);
    ID3D12GraphicsCommandList_RSSetScissorRects(to, 1, &scissor);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(to, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D12GraphicsCommandList_DrawInstanced(to, 3, 1, 0, 0);
}

static void read_back(struct list *list)
{
    D3D12_TEXTURE_COPY_LOCATION from = {.pResource = all.target,
                                        .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX};
    D3D12_TEXTURE_COPY_LOCATION to = {.pResource = all.read_target,
                                      .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT};
    to.PlacedFootprint.Footprint =
        (D3D12_SUBRESOURCE_FOOTPRINT){DXGI_FORMAT_R8G8B8A8_UNORM, SIDE, SIDE, 1, SIDE * 4};
    barrier(list, all.buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
            D3D12_RESOURCE_STATE_COPY_SOURCE);
    barrier(list, all.target, D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_COPY_SOURCE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list->list, all.read_buffer, 0, all.buffer, 0,
                                               WORDS * 4);
    ID3D12GraphicsCommandList_CopyTextureRegion(list->list, &to, 0, 0, 0, &from, NULL);
}

/* ---- submitting ---- */

static void submit(struct queue *queue, struct list *lists, unsigned count)
{
    ID3D12CommandList *submitted[LISTS];
    for (unsigned i = 0; i < count; i++) {
        MUST(ID3D12GraphicsCommandList_Close(lists[i].list));
        submitted[i] = (ID3D12CommandList *)lists[i].list;
    }
    ID3D12CommandQueue_ExecuteCommandLists(queue->queue, count, submitted);
    MUST(ID3D12CommandQueue_Signal(queue->queue, queue->fence, ++queue->signaled));
}

/* False: it is not done after a minute. */
static bool wait_for(const struct queue *queue)
{
    const HANDLE event = CreateEventW(NULL, FALSE, FALSE, NULL);
    MUST(ID3D12Fence_SetEventOnCompletion(queue->fence, queue->signaled, event));
    const bool is_done = WaitForSingleObject(event, 60000) == WAIT_OBJECT_0;
    CloseHandle(event);
    return is_done;
}

static unsigned digest(ID3D12Resource *resource, size_t size)
{
    void *mapped = NULL;
    uint32_t hash = 2166136261u;
    MUST(ID3D12Resource_Map(resource, 0, NULL, &mapped));
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)mapped)[i]) * 16777619u;
    ID3D12Resource_Unmap(resource, 0, NULL);
    return hash;
}

/* ---- frames ---- */

/* All of it is done before anything hangs. */
static bool first_frame(void)
{
    struct list *frame = &all.lists[0], *async = &all.lists[1];
    begin(&all.bundle, "D bundle");
    point(&all.bundle, "D in the bundle");
    end(&all.bundle);
    MUST(ID3D12GraphicsCommandList_Close(all.bundle.list));
    begin(frame, "D frame 1");
    begin(frame, "D simulation");
    compute(frame, all.fill, 3, WORDS / 8, 1);
    end(frame);
    begin(frame, "D image");
    paint(frame, all.draw, 11);
    ID3D12GraphicsCommandList_ExecuteBundle(frame->list, all.bundle.list);
    end(frame);
    end(frame);
    begin(async, "D async 1");
    point(async, "D nothing");
    end(async);
    submit(&all.frame, frame, 1);
    submit(&all.async, async, 1);
    return wait_for(&all.frame) && wait_for(&all.async);
}

static bool is(const char *place, const char *wanted)
{
    return strcmp(place, wanted) == 0;
}

/* The second frame, which hangs at the place. */
static void second_frame(const char *place)
{
    struct list *first = &all.lists[2], *second = &all.lists[3], *async = &all.lists[4];
    const bool in_first = is(place, "list");
    const bool in_async = is(place, "async"); /* else in the second list */
    if (in_async) {
        begin(async, "H async 2");
        point(async, "D before");
        begin(async, "H async particles");
        compute(async, all.spin, 5, ENDLESS, 2);
        end(async);
        begin(async, "L async after");
        end(async);
        end(async);
        submit(&all.async, async, 1);
        MUST(ID3D12CommandQueue_Wait(all.frame.queue, all.async.fence, all.async.signaled));
    }
    begin(first, in_async ? "L shadows" : in_first ? "H shadows" : "D shadows");
    compute(first, in_first ? all.spin : all.fill, 9, in_first ? ENDLESS : WORDS / 8,
            in_first ? 2 : 1);
    end(first);
    const bool is_reached = !in_async && !in_first;
    begin(second, is_reached ? "H lighting" : "L lighting");
    point(second, is_reached ? "D lights" : "L lights");
    begin(second, is_reached ? "H particles" : "L particles");
    if (is(place, "draw"))
        paint(second, all.draw_spin, 13);
    else
        compute(second, is(place, "dispatch") ? all.spin : all.fill, 17,
                is(place, "dispatch") ? ENDLESS : WORDS / 8, is(place, "dispatch") ? 2 : 1);
    end(second);
    begin(second, "L post");
    paint(second, all.draw, 19);
    end(second);
    end(second);
    submit(&all.frame, first, 2);
    if (!in_async) {
        begin(async, "L async 2");
        MUST(ID3D12CommandQueue_Wait(all.async.queue, all.frame.fence, all.frame.signaled));
        compute(async, all.spin, 21, WORDS / 8, 1);
        end(async);
        submit(&all.async, async, 1);
    }
}

static void third_frame(void)
{
    struct list *frame = &all.lists[5];
    MUST(ID3D12CommandQueue_Wait(all.frame.queue, all.async.fence, all.async.signaled));
    begin(frame, "L frame 3");
    read_back(frame);
    end(frame);
    submit(&all.frame, frame, 1);
}

/* A word of the buffer behind all frames. */
static uint32_t expected(const char *place, uint32_t i)
{
    if (is(place, "dispatch"))
        return (i * 9 + 7) ^ 17 ^ 21;
    if (is(place, "draw"))
        return (i * 9 + 7) ^ 21;
    return is(place, "list") ? (i * 17 + 7) ^ 21 : i * 17 + 7;
}

static bool is_right(const char *place)
{
    void *mapped = NULL;
    bool right = true;
    MUST(ID3D12Resource_Map(all.read_buffer, 0, NULL, &mapped));
    for (uint32_t i = 0; i < WORDS; i++)
        right &= ((const uint32_t *)mapped)[i] == expected(place, i);
    ID3D12Resource_Unmap(all.read_buffer, 0, NULL);
    return right;
}

static UINT64 completed(const struct queue *queue)
{
    return ID3D12Fence_GetCompletedValue(queue->fence);
}

/* Direct3D 11 is handed the device and its queue. */
static void d3d11_on_12(void)
{
    typedef HRESULT(WINAPI * create)(IUnknown *, UINT, const void *, UINT, IUnknown *const *, UINT,
                                     UINT, IUnknown **, IUnknown **, void *);
    IUnknown *queues[] = {(IUnknown *)all.frame.queue}, *made = NULL, *context = NULL;
    const HMODULE library = LoadLibraryA("d3d11.dll");
    const FARPROC found = library ? GetProcAddress(library, "D3D11On12CreateDevice") : NULL;
    create make;
    memcpy(&make, &found, sizeof make);
    if (!make)
        return;
    printf("Direct3D 11 on 12: 0x%08X\n",
           (unsigned)make((IUnknown *)device, 0, NULL, 0, queues, 1, 0, &made, &context, NULL));
    if (context)
        IUnknown_Release(context);
    if (made)
        IUnknown_Release(made);
}

/* `file`: NULL: the GPU isn't let hang. */
static int frames(const char *place, const char *file, bool hangs)
{
    create_all();
    if (!first_frame())
        return 4;
    if (file && GetFileAttributesA(file) != INVALID_FILE_ATTRIBUTES)
        return 6; /* somebody thought that the first one hangs */
    *all.host = hangs ? 0 : 1;
    second_frame(place);
    third_frame();
    if (hangs) {
        const bool is_there = file ? appears(file) : true;
        /* what is so now, by the program's own fences */
        printf("hung: frame queue %u of %u, async queue %u of %u\n",
               (unsigned)completed(&all.frame), (unsigned)all.frame.signaled,
               (unsigned)completed(&all.async), (unsigned)all.async.signaled);
        InterlockedExchange(all.host, 1);
        if (!is_there)
            puts("no dump");
    }
    if (!wait_for(&all.frame) || !wait_for(&all.async))
        return 5;
    printf("particles %s\nimage %08x\n", is_right(place) ? "right" : "wrong",
           digest(all.read_target, SIDE * SIDE * 4));
    printf("removed 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(device));
    d3d11_on_12();
    release_all();
    return 0;
}

/* A list that is still open is executed, for which runtimes remove the device. */
static int removed(void)
{
    create_all();
    if (!first_frame())
        return 4;
    begin(&all.lists[2], "L open");
    ID3D12CommandList *open = (ID3D12CommandList *)all.lists[2].list;
    ID3D12CommandQueue_ExecuteCommandLists(all.frame.queue, 1, &open);
    printf("removed 0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(device));
    return 0;
}

static int unload(void)
{
    typedef HRESULT(WINAPI * create)(void *, int, const IID *, void **);
    for (unsigned i = 0; i < 2; i++) {
        void *made = NULL;
        create make;
        const HMODULE library = LoadLibraryA("d3d12.dll");
        const FARPROC found = library ? GetProcAddress(library, "D3D12CreateDevice") : NULL;
        memcpy(&make, &found, sizeof make);
        if (!make)
            return 2;
        const HRESULT result = make(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &made);
        printf("device 0x%08X\n", (unsigned)result);
        if (made)
            release("device", made);
        FreeLibrary(library);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int code = 2;
    if (is(what, "run"))
        code = frames(argc > 2 ? argv[2] : "dispatch", NULL, false);
    else if (is(what, "hang") && argc > 2)
        code = frames(argv[2], argc > 3 ? argv[3] : NULL, true);
    else if (is(what, "removed"))
        code = removed();
    else if (is(what, "unload"))
        code = unload();
    fflush(stdout);
    return code;
}
