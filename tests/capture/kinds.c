/* Calls whose records are more than their arguments: messages and filters among bytes, an interface
 * that is asked for twice, a handle that executed programs inherit, memory that both sides read,
 * and settings that change.
 *
 *     capture-kinds FILE       FILE: what ANNOT_CONFIG names; it is written and removed
 */
#define INITGUID
#include "../../examples/setup.h"

#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY D3D12_COMMAND_LIST_TYPE_COPY
#define SIZE ((UINT64)65536)

static void *map(ID3D12Resource *resource)
{
    void *memory = NULL;
    MUST(ID3D12Resource_Map(resource, 0, NULL, &memory));
    return memory;
}

static bool has_messages(ID3D12Device *device)
{
    unsigned char bytes[256];
    D3D12_MESSAGE_ID denied[] = {D3D12_MESSAGE_ID_UNKNOWN};
    D3D12_INFO_QUEUE_FILTER filter = {.DenyList = {.NumIDs = 1, .pIDList = denied}};
    D3D12_MESSAGE message;
    SIZE_T size = sizeof bytes;
    ID3D12InfoQueue *queue = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&queue));
    ID3D12InfoQueue_ClearStoredMessages(queue);
    MUST(ID3D12InfoQueue_AddMessage(queue, D3D12_MESSAGE_CATEGORY_EXECUTION,
                                    D3D12_MESSAGE_SEVERITY_INFO, (D3D12_MESSAGE_ID)0x1234, "Abc"));
    memset(bytes, 0xee, sizeof bytes);
    MUST(ID3D12InfoQueue_GetMessage(queue, 0, (D3D12_MESSAGE *)(void *)bytes, &size));
    memcpy(&message, bytes, sizeof message);
    const bool is_ours = strcmp(message.pDescription, "Abc") == 0;
    MUST(ID3D12InfoQueue_PushEmptyStorageFilter(queue));
    MUST(ID3D12InfoQueue_AddStorageFilterEntries(queue, &filter));
    size = sizeof bytes;
    memset(bytes, 0xee, sizeof bytes);
    MUST(ID3D12InfoQueue_GetStorageFilter(queue, (D3D12_INFO_QUEUE_FILTER *)(void *)bytes, &size));
    memcpy(&filter, bytes, sizeof filter);
    const bool is_denied =
        filter.DenyList.NumIDs == 1 && filter.DenyList.pIDList[0] == D3D12_MESSAGE_ID_UNKNOWN;
    ID3D12InfoQueue_PopStorageFilter(queue);
    ID3D12InfoQueue_Release(queue);
    return is_ours && is_denied;
}

/* Twice into one variable, which has the same pointer before and behind the second call. */
static void ask_twice(ID3D12Device *device)
{
    ID3D12Device *same = NULL;
    for (int i = 0; i < 2; i++)
        MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device, (void **)&same));
    ID3D12Device_AddRef(device);
    for (int i = 0; i < 3; i++)
        ID3D12Device_Release(device);
}

static bool is_copied(ID3D12Device *device)
{
    ID3D12CommandQueue *queue = make_queue(device, COPY, L"Copies");
    ID3D12CommandAllocator *allocator = make_allocator(device, COPY);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, COPY, L"Copy");
    ID3D12Fence *fence = make_fence(device);
    ID3D12Resource *from = make_buffer(device, D3D12_HEAP_TYPE_UPLOAD, SIZE, L"From");
    ID3D12Resource *to = make_buffer(device, D3D12_HEAP_TYPE_READBACK, SIZE, L"To");
    const int event = eventfd(0, 0); /* which a program that this one executes would have, too */
    const unsigned char *seen = map(to);
    uint64_t count;
    memset(map(from), 7, SIZE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, to, 0, from, 0, SIZE);
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, (HANDLE)(intptr_t)event));
    execute(queue, 1, &list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
    const bool has_waited = read(event, &count, sizeof count) == sizeof count;
    MUST(ID3D12CommandAllocator_Reset(allocator)); /* the event was set: the GPU is done */
    const bool is_right = has_waited && seen[0] == 7 && seen[SIZE - 1] == 7;
    ID3D12Resource_Unmap(to, 0, NULL);
    ID3D12Resource_Unmap(from, 0, NULL);
    close(event);
    return is_right;
}

/* Without a fence: the call that takes all steps says that the GPU is done. There is no device yet,
 * and none is left. */
static bool is_copied_when_idle(void)
{
    emu_config in_steps = EMU_CONFIG_INIT;
    in_steps.order = EMU_ORDER_SEEDED;
    emu_configure(&in_steps);
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, COPY, L"Waited for");
    ID3D12CommandAllocator *allocator = make_allocator(device, COPY);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, COPY, L"Copy");
    ID3D12Resource *from = make_buffer(device, D3D12_HEAP_TYPE_UPLOAD, SIZE, L"Before");
    ID3D12Resource *to = make_buffer(device, D3D12_HEAP_TYPE_READBACK, SIZE, L"When idle");
    const unsigned char *seen = map(to);
    memset(map(from), 9, SIZE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, to, 0, from, 0, SIZE);
    MUST(ID3D12GraphicsCommandList_Close(list));
    execute(queue, 1, &list);
    emu_run_until_idle(device);
    const bool is_right = seen[0] == 9 && seen[SIZE - 1] == 9;
    ID3D12Resource_Release(from);
    ID3D12Resource_Release(to);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12CommandQueue_Release(queue);
    ID3D12Device_Release(device);
    in_steps.order = EMU_ORDER_THREADS;
    emu_configure(&in_steps);
    return is_right;
}

/* Beside each other in a heap, by the older and by the newer method, and a committed one behind. */
static bool has_addresses(ID3D12Device *device)
{
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 2 * SIZE,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_UPLOAD},
                                       .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    const D3D12_RESOURCE_DESC desc = describe_buffer(SIZE);
    const D3D12_RESOURCE_DESC1 newer = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                        .Width = SIZE,
                                        .Height = 1,
                                        .DepthOrArraySize = 1,
                                        .MipLevels = 1,
                                        .SampleDesc = {.Count = 1},
                                        .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
    ID3D12Device8 *device8 = NULL;
    ID3D12Heap *heap = NULL;
    ID3D12Resource *at[3] = {NULL};
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device8, (void **)&device8));
    MUST(ID3D12Device_CreateHeap(device, &heap_desc, &IID_ID3D12Heap, (void **)&heap));
    MUST(ID3D12Device_CreatePlacedResource(device, heap, 0, &desc,
                                           D3D12_RESOURCE_STATE_GENERIC_READ, NULL,
                                           &IID_ID3D12Resource, (void **)&at[0]));
    MUST(ID3D12Device8_CreatePlacedResource1(device8, heap, SIZE, &newer,
                                             D3D12_RESOURCE_STATE_GENERIC_READ, NULL,
                                             &IID_ID3D12Resource, (void **)&at[1]));
    at[2] = make_buffer(device, D3D12_HEAP_TYPE_UPLOAD, SIZE, L"Behind");
    bool ok = true;
    for (int i = 0; i < 3; i++)
        ok &= ID3D12Resource_GetGPUVirtualAddress(at[i]) != 0;
    for (int i = 0; i < 3; i++)
        ID3D12Resource_Release(at[i]);
    ID3D12Heap_Release(heap);
    ID3D12Device8_Release(device8);
    return ok;
}

/* The runtime reads its settings when a device is made. */
static void make_with_settings(void)
{
    ID3D12Device *device = make_device();
    ID3D12Device_Release(device);
}

static bool put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* A device that the settings at `path` force to the driver; without them it is not. */
static bool is_forced(const char *path)
{
    ID3D12DeviceTools2 *tools = NULL;
    if (setenv("ANNOT_CONFIG", path, 1) ||
        !put(path, "[device]\nforce-driver-retail-annotations=on\n"))
        return false;
    ID3D12Device *device = make_device();
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceTools2, (void **)&tools));
    const D3D12_USER_DEFINED_ANNOTATION_MODE mode =
        ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools);
    ID3D12DeviceTools2_Release(tools);
    ID3D12Device_Release(device);
    return mode == D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL;
}

/* Equal settings in files of two paths, both of them gone when this is replayed. */
static bool is_forced_twice(const char *path)
{
    char other[4096];
    snprintf(other, sizeof other, "%s-elsewhere", path);
    const bool ok = is_forced(path) && remove(path) == 0 && is_forced(other) && remove(other) == 0;
    return ok && setenv("ANNOT_CONFIG", path, 1) == 0;
}

int main(int argc, char **argv)
{
    ID3D12Debug *debug = NULL;
    if (argc != 2 || setenv("ANNOT_CONFIG", argv[1], 1) || !put(argv[1], "# twelve\n\n\n"))
        return 2;
    const bool is_idle = is_copied_when_idle();
    setenv("EMU_KINDS", "some", 1);
    make_with_settings();
    setenv("EMU_KINDS", "other", 1);
    remove(argv[1]);
    make_with_settings();
    unsetenv("EMU_KINDS");
    mkdir(argv[1], 0700);
    make_with_settings();
    rmdir(argv[1]);
    const bool is_set = is_forced_twice(argv[1]);
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug, (void **)&debug));
    ID3D12Debug_EnableDebugLayer(debug);
    ID3D12Debug_Release(debug);
    ID3D12Device *device = make_device();
    ask_twice(device);
    const bool ok =
        is_idle && is_set && has_messages(device) && has_addresses(device) && is_copied(device);
    puts(ok ? "as it should be" : "something is wrong");
    return !ok;
}
