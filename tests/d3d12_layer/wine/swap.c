/* A window's frames: flip model, two buffers, a resize in the middle. Each frame is cleared in a
 * colour of its own and read back. Prints a line for each: whether its buffer is the object that it
 * was before, its size, and a sum of its bytes.
 *
 *     swap             all frames
 *     swap hang FILE   the same, with a GPU that hangs in one frame until FILE is there
 *     swap removed     the device is removed for a mistake of the program's, and Present fails
 */
#include "objects.h"

#include <initguid.h> /* what follows */

#include <dxgi1_4.h>

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 100, RESIZED = 60, HUNG = 50, WORDS = 64 };

static ID3D12CommandQueue *queue;
static ID3D12CommandAllocator *allocator;
static ID3D12GraphicsCommandList *list;
static ID3D12Fence *fence;
static UINT64 value;
static HANDLE event;
static ID3D12Resource *back, *buffers[2];
static IDXGISwapChain3 *chain;
static D3D12_CPU_DESCRIPTOR_HANDLE target;
static UINT width = 320, height = 240;
static struct {
    const char *until; /* NULL: the GPU isn't let hang */
    ID3D12PipelineState *spin;
    ID3D12Resource *word, *results;
    volatile LONG *host;
} hang;

static void make_device(void)
{
    const D3D12_COMMAND_QUEUE_DESC of_queue = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    const D3D12_DESCRIPTOR_HEAP_DESC of_heap = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, 0, 0};
    ID3D12DescriptorHeap *heap;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    MUST(ID3D12Device_CreateCommandQueue(device, &of_queue, &IID_ID3D12CommandQueue,
                                         (void **)&queue));
    MUST(ID3D12Device_CreateCommandAllocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT,
                                             &IID_ID3D12CommandAllocator, (void **)&allocator));
    MUST(ID3D12Device_CreateCommandList(device, 0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator, NULL,
                                        &IID_ID3D12GraphicsCommandList, (void **)&list));
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12Device_CreateFence(device, 0, 0, &IID_ID3D12Fence, (void **)&fence));
    MUST(ID3D12Device_CreateDescriptorHeap(device, &of_heap, &IID_ID3D12DescriptorHeap,
                                           (void **)&heap));
    heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap, &target);
    back = create_buffer(&readback_heap, 1 << 20, D3D12_RESOURCE_STATE_COPY_DEST, L"Frame");
    event = CreateEventA(NULL, FALSE, FALSE, NULL);
}

static void make_chain(void)
{
    const DXGI_SWAP_CHAIN_DESC1 desc = {.Width = width,
                                        .Height = height,
                                        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                        .SampleDesc = {1, 0},
                                        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
                                        .BufferCount = 2,
                                        .SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD};
    IDXGIFactory4 *factory;
    IDXGISwapChain1 *made;
    ID3D12Device *same;
    const HWND window = CreateWindowA("STATIC", "swap", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 320,
                                      240, NULL, NULL, NULL, NULL);
    MUST(CreateDXGIFactory2(0, &IID_IDXGIFactory4, (void **)&factory));
    MUST(IDXGIFactory4_CreateSwapChainForHwnd(factory, (IUnknown *)queue, window, &desc, NULL, NULL,
                                              &made));
    MUST(IDXGISwapChain1_QueryInterface(made, &IID_IDXGISwapChain3, (void **)&chain));
    MUST(IDXGISwapChain3_GetDevice(chain, &IID_ID3D12Device, (void **)&same));
    printf("device %s\n", same == device ? "kept" : "another");
    ID3D12Device_Release(same);
}

static void move(ID3D12Resource *buffer, D3D12_RESOURCE_STATES from, D3D12_RESOURCE_STATES to)
{
    D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION};
    barrier.Transition.pResource = buffer;
    barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
    barrier.Transition.StateBefore = from;
    barrier.Transition.StateAfter = to;
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
}

static UINT row_of(void)
{
    return (width * 4 + 255) & ~255u;
}

/* Present may wait for the GPU, too. */
static DWORD WINAPI let_go(void *unused)
{
    (void)unused;
    puts(appears(hang.until) ? "hung" : "no dump");
    InterlockedExchange(hang.host, 1);
    return 0;
}

static void prepare_hang(const char *until)
{
    hang.until = until;
    create_signature();
    hang.spin = create_spin();
    hang.word = create_word(&hang.host);
    hang.results =
        create_buffer(&gpu_heap, WORDS * 4, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, L"Results");
}

static void record_hang(void)
{
    const UINT constants[] = {1, WORDS};
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "Endless", sizeof "Endless");
    dispatch(list, hang.spin, hang.word, hang.results, constants, ENDLESS, 2);
    ID3D12GraphicsCommandList_EndEvent(list);
    CloseHandle(CreateThread(NULL, 0, let_go, NULL, 0, NULL));
}

static void record(int frame, ID3D12Resource *buffer)
{
    /* None lies in the middle of two values of a byte, which runtimes round as they like. */
    const FLOAT colour[4] = {(FLOAT)(frame * 2 + 1) / 256, (FLOAT)(frame * 14 % 200 + 1) / 256,
                             0.25f, 1};
    D3D12_TEXTURE_COPY_LOCATION to = {.pResource = back,
                                      .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT};
    const D3D12_TEXTURE_COPY_LOCATION from = {.pResource = buffer};
    char name[40];
    to.PlacedFootprint.Footprint.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    to.PlacedFootprint.Footprint.Width = width;
    to.PlacedFootprint.Footprint.Height = height;
    to.PlacedFootprint.Footprint.Depth = 1;
    to.PlacedFootprint.Footprint.RowPitch = row_of();
    MUST(ID3D12CommandAllocator_Reset(allocator));
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    snprintf(name, sizeof name, "Frame %d", frame);
    ID3D12GraphicsCommandList_BeginEvent(list, 1, name, (UINT)strlen(name) + 1);
    if (hang.until && frame == HUNG)
        record_hang();
    ID3D12Device_CreateRenderTargetView(device, buffer, NULL, target);
    move(buffer, D3D12_RESOURCE_STATE_PRESENT, D3D12_RESOURCE_STATE_RENDER_TARGET);
    ID3D12GraphicsCommandList_ClearRenderTargetView(list, target, colour, 0, NULL);
    move(buffer, D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_COPY_SOURCE);
    ID3D12GraphicsCommandList_CopyTextureRegion(list, &to, 0, 0, 0, &from, NULL);
    move(buffer, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_PRESENT);
    ID3D12GraphicsCommandList_EndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

static void wait_idle(void)
{
    MUST(ID3D12CommandQueue_Signal(queue, fence, ++value));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, value, event));
    WaitForSingleObject(event, INFINITE);
}

static void tell(int frame, const char *identity)
{
    const BYTE *bytes;
    unsigned long long sum = 1469598103934665603ull;
    MUST(ID3D12Resource_Map(back, 0, NULL, (void **)&bytes));
    for (UINT i = 0; i < row_of() * height; i++)
        sum = (sum ^ bytes[i]) * 1099511628211ull;
    ID3D12Resource_Unmap(back, 0, NULL);
    printf("%d %s %ux%u %016llx\n", frame, identity, width, height, sum);
}

static void resize(void)
{
    wait_idle();
    for (int i = 0; i < 2; i++) {
        ID3D12Resource_Release(buffers[i]);
        buffers[i] = NULL;
    }
    width = 256;
    height = 128;
    MUST(IDXGISwapChain3_ResizeBuffers(chain, 2, width, height, DXGI_FORMAT_UNKNOWN, 0));
}

static void show(int frame)
{
    const UINT at = IDXGISwapChain3_GetCurrentBackBufferIndex(chain);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    ID3D12Resource *buffer;
    MUST(IDXGISwapChain3_GetBuffer(chain, at, &IID_ID3D12Resource, (void **)&buffer));
    const char *identity = !buffers[at] ? "new" : buffers[at] == buffer ? "kept" : "another";
    if (buffers[at])
        ID3D12Resource_Release(buffers[at]);
    buffers[at] = buffer;
    record(frame, buffer);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    MUST(IDXGISwapChain3_Present(chain, 0, 0));
    wait_idle();
    tell(frame, identity);
}

/* A list that is still open is executed. The interval is longer than Present takes. */
static int removed(void)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    printf("Present 0x%08lx\n", (unsigned long)IDXGISwapChain3_Present(chain, 5, 0));
    return 0;
}

int main(int argc, char **argv)
{
    make_device();
    make_chain();
    if (argc > 1 && strcmp(argv[1], "removed") == 0)
        return removed();
    if (argc > 2 && strcmp(argv[1], "hang") == 0)
        prepare_hang(argv[2]);
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame == RESIZED)
            resize();
        show(frame);
    }
    printf("done 0x%08lx\n", (unsigned long)ID3D12Device_GetDeviceRemovedReason(device));
    return 0;
}
