/* Shared handles and the names that lead to them; heaps over memory that is the application's.
 * Linux' side: handles are descriptors, which close, dup and fcntl know. */
#include "kit.h"

#include "base/abi.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef DXGI_ERROR_NAME_ALREADY_EXISTS
#define DXGI_ERROR_NAME_ALREADY_EXISTS ((HRESULT)0x887A002CL)
#endif

#define INVALID_SHARE D3D12_MESSAGE_ID_DEVICE_CREATE_SHARED_HANDLE_INVALIDARG

static ID3D12Fence *make_fence(ID3D12Device *device, D3D12_FENCE_FLAGS flags)
{
    return MADE(ID3D12Fence, device, CreateFence, 0, flags);
}

static ID3D12Heap *make_heap(ID3D12Device *device, D3D12_HEAP_FLAGS flags)
{
    const D3D12_HEAP_DESC desc = {
        .SizeInBytes = 65536, .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}, .Flags = flags};
    return MADE(ID3D12Heap, device, CreateHeap, &desc);
}

static ID3D12Resource *make_committed(ID3D12Device *device, D3D12_HEAP_FLAGS flags)
{
    static const D3D12_HEAP_PROPERTIES properties = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    return MADE(ID3D12Resource, device, CreateCommittedResource, &properties, flags, &desc,
                D3D12_RESOURCE_STATE_COMMON, NULL);
}

static ID3D12Resource *make_placed(ID3D12Device *device, ID3D12Heap *heap,
                                   D3D12_RESOURCE_FLAGS flags)
{
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(4096);
    desc.Flags = flags;
    return MADE(ID3D12Resource, device, CreatePlacedResource, heap, 0, &desc,
                D3D12_RESOURCE_STATE_COMMON, NULL);
}

static HANDLE share(ID3D12Device *device, void *object, const WCHAR *name)
{
    HANDLE handle = NULL;
    MUST(ID3D12Device_CreateSharedHandle(device, object, NULL, GENERIC_ALL, name, &handle));
    cr_assert(handle);
    return handle;
}

static void close_handle(HANDLE handle)
{
    cr_assert_eq(close((int)(intptr_t)handle), 0, "the handle is the application's");
}

Test(shared_handle, leads_back_to_fences_heaps_and_committed_resources)
{
    static const IID *const iids[] = {&IID_ID3D12Fence, &IID_ID3D12Heap, &IID_ID3D12Resource};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12DeviceChild *objects[] = {
        (ID3D12DeviceChild *)make_fence(device, D3D12_FENCE_FLAG_SHARED),
        (ID3D12DeviceChild *)make_heap(device, D3D12_HEAP_FLAG_SHARED),
        (ID3D12DeviceChild *)make_committed(device, D3D12_HEAP_FLAG_SHARED)};
    for (int i = 0; i < 3; i++) {
        const HANDLE handle = share(device, objects[i], NULL);
        void *opened, *other = &other;
        const ULONG before = kit_references(objects[i]);
        MUST(ID3D12Device_OpenSharedHandle(device, handle, iids[i], &opened));
        cr_assert_eqs(opened, objects[i], kit_references(opened), before + 1);
        IUnknown_Release((IUnknown *)opened);
        EXPECT_HR(ID3D12Device_OpenSharedHandle(device, handle, iids[(i + 1) % 3], &other),
                  E_NOINTERFACE);
        cr_assert_eqs(other, NULL, kit_references(objects[i]), before);
        EXPECT_HR(ID3D12Device_OpenSharedHandle(device, handle, iids[i], NULL), S_FALSE);
        cr_assert_eq(kit_references(objects[i]), before);
        close_handle(handle);
    }
    cr_assert_eq(kit_messages(device), 0);
    for (int i = 0; i < 3; i++)
        ID3D12DeviceChild_Release(objects[i]);
}

Test(shared_handle, is_the_systems_own)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Fence *fence = make_fence(device, D3D12_FENCE_FLAG_SHARED), *opened;
    const HANDLE first = share(device, fence, NULL), second = share(device, fence, NULL);
    const int copy = dup((int)(intptr_t)first);
    cr_assert(first != second && copy > 0);
    cr_assert((fcntl((int)(intptr_t)first, F_GETFD) & FD_CLOEXEC) != 0, "children don't get it");
    close_handle(first);
    MUST(ID3D12Device_OpenSharedHandle(device, (HANDLE)(intptr_t)copy, &IID_ID3D12Fence,
                                       (void **)&opened));
    MUST(ID3D12Fence_Signal(opened, 5));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 5);
    ID3D12Fence_Release(opened);
    MUST(ID3D12Device_OpenSharedHandle(device, second, &IID_ID3D12Fence, (void **)&opened));
    ID3D12Fence_Release(opened);
    close(copy);
    close_handle(second);
    ID3D12Fence_Release(fence);
}

Test(shared_handle, is_made_of_what_was_made_to_be_shared)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OWNED ID3D12Heap *heap = make_heap(device, D3D12_HEAP_FLAG_SHARED);
    void *objects[] = {
        NULL,
        device,
        make_fence(device, D3D12_FENCE_FLAG_NONE),
        make_heap(device, D3D12_HEAP_FLAG_NONE),
        make_committed(device, D3D12_HEAP_FLAG_NONE),
        make_placed(device, heap, D3D12_RESOURCE_FLAG_NONE), /* its heap is shared */
        kit_allocator(device, DIRECT),
        make_fence(stranger, D3D12_FENCE_FLAG_SHARED),
    };
    const UINT count = sizeof objects / sizeof objects[0];
    for (UINT i = 0; i < count; i++) {
        HANDLE handle = device;
        EXPECT_HR(ID3D12Device_CreateSharedHandle(device, objects[i], NULL, GENERIC_ALL, NULL,
                                                  &handle),
                  DXGI_ERROR_INVALID_CALL);
        cr_assert(!handle, "object %u", i);
        cr_assert_eq(kit_count(device, INVALID_SHARE), i + 1, "object %u", i);
    }
    for (UINT i = 2; i < count; i++)
        IUnknown_Release((IUnknown *)objects[i]);
}

Test(shared_handle, arguments_are_checked)
{
    static const DWORD accesses[] = {0, 1, 0x80000000, GENERIC_ALL | 1};
    WCHAR longest[261] = {0};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = make_fence(device, D3D12_FENCE_FLAG_SHARED);
    ID3D12DeviceChild *child = (ID3D12DeviceChild *)fence;
    HANDLE handle;
    for (UINT i = 0; i < 4; i++) {
        handle = device;
        EXPECT_HR(ID3D12Device_CreateSharedHandle(device, child, NULL, accesses[i], NULL, &handle),
                  DXGI_ERROR_INVALID_CALL);
        cr_assert(!handle);
        cr_assert_eq(kit_count(device, INVALID_SHARE), i + 1);
    }
    EXPECT_HR(ID3D12Device_CreateSharedHandle(device, child, NULL, GENERIC_ALL, NULL, NULL),
              DXGI_ERROR_INVALID_CALL);
    EXPECT_HR(ID3D12Device_CreateSharedHandle(device, child, NULL, GENERIC_ALL, L"", &handle),
              DXGI_ERROR_INVALID_CALL);
    for (int i = 0; i < 260; i++) /* MAX_PATH, with its NUL */
        longest[i] = 'n';
    EXPECT_HR(ID3D12Device_CreateSharedHandle(device, child, NULL, GENERIC_ALL, longest, &handle),
              DXGI_ERROR_INVALID_CALL);
    cr_assert_eqs(kit_count(device, INVALID_SHARE), 7, kit_messages(device), 7);
    longest[259] = 0;
    close_handle(share(device, fence, longest));
}

Test(shared_handle, names_lead_to_handles)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Fence *fence = make_fence(device, D3D12_FENCE_FLAG_SHARED), *opened;
    OWNED ID3D12Heap *heap = make_heap(device, D3D12_HEAP_FLAG_SHARED);
    HANDLE handle = NULL, taken = device;
    close_handle(share(device, fence, L"Local\\the fence")); /* the object still has its name */
    MUST(ID3D12Device_OpenSharedHandleByName(device, L"Local\\the fence", GENERIC_ALL, &handle));
    MUST(ID3D12Device_OpenSharedHandle(device, handle, &IID_ID3D12Fence, (void **)&opened));
    cr_assert_eq(opened, fence);
    ID3D12Fence_Release(opened);
    close_handle(handle);
    cr_assert_eq(kit_messages(device), 0);

    EXPECT_HR(ID3D12Device_CreateSharedHandle(device, (ID3D12DeviceChild *)heap, NULL, GENERIC_ALL,
                                              L"Local\\the fence", &taken),
              DXGI_ERROR_NAME_ALREADY_EXISTS);
    cr_assert(!taken);
    cr_assert_eq(kit_count(device, INVALID_SHARE), 1);
    close_handle(share(device, heap, L"Local\\The fence")); /* case matters */
    ID3D12Fence_Release(fence);
    close_handle(share(device, heap, L"Local\\the fence")); /* nobody has it any more */
}

Test(shared_handle, names_that_lead_nowhere)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Fence *fence = make_fence(device, D3D12_FENCE_FLAG_SHARED);
    static const struct {
        const WCHAR *name;
        DWORD access;
    } bad[] = {
        {L"name", GENERIC_ALL}, /* the fence's handle has another one */
        {L"names of fences", GENERIC_ALL},
        {L"", GENERIC_ALL},
        {NULL, GENERIC_ALL},
        {L"names", 1},
    };
    close_handle(share(device, fence, L"names"));
    for (UINT i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        HANDLE handle = device;
        EXPECT_HR(ID3D12Device_OpenSharedHandleByName(device, bad[i].name, bad[i].access, &handle),
                  E_INVALIDARG);
        cr_assert(!handle, "case %u", i);
        cr_assert_eq(kit_messages(device), i + 1, "case %u", i);
    }
    EXPECT_HR(ID3D12Device_OpenSharedHandleByName(device, L"names", GENERIC_ALL, NULL),
              E_INVALIDARG);
    ID3D12Fence_Release(fence);
    HANDLE handle = device;
    EXPECT_HR(ID3D12Device_OpenSharedHandleByName(device, L"names", GENERIC_ALL, &handle),
              E_INVALIDARG);
    cr_assert(!handle);
}

static void expect_no_handle(ID3D12Device *device, HANDLE handle)
{
    kit_clear(device);
    REFUSES(E_INVALIDARG, ID3D12Fence, device, OpenSharedHandle, handle);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 1);
}

/* A handle's content in other memory is no handle: the process is part of it. */
static int forge(HANDLE handle)
{
    char content[64];
    const int forged = memfd_create("forged", MFD_CLOEXEC);
    const ssize_t size = pread((int)(intptr_t)handle, content, sizeof content, 0);
    cr_assert(forged > 0 && size > 0);
    content[0]++;
    cr_assert_eq(write(forged, content, (size_t)size), size);
    return forged;
}

Test(shared_handle, that_is_none_opens_nothing)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    ID3D12Fence *fence = make_fence(device, D3D12_FENCE_FLAG_SHARED);
    const HANDLE handle = share(device, fence, NULL);
    const int event = eventfd(0, EFD_CLOEXEC), forged = forge(handle);
    const int empty = memfd_create("empty", MFD_CLOEXEC);
    const intptr_t none[] = {0, -1, event, forged, empty, 100000, INTPTR_MAX, INTPTR_MIN};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        expect_no_handle(device, (HANDLE)none[i]);
    expect_no_handle(stranger, handle);
    cr_assert_eq(kit_references(fence), 1, "the stranger's reference is gone again");
    ID3D12Fence_Release(fence);
    expect_no_handle(device, handle); /* a handle doesn't hold its object */
    close(empty);
    close(forged);
    close(event);
    close_handle(handle);
}

Test(shared_handle, a_removed_device_makes_and_opens_none)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Fence *fence = make_fence(device, D3D12_FENCE_FLAG_SHARED);
    const HANDLE handle = share(device, fence, L"removed");
    HANDLE out = device;
    kit_remove(device);
    EXPECT_HR(ID3D12Device_CreateSharedHandle(device, (ID3D12DeviceChild *)fence, NULL, GENERIC_ALL,
                                              NULL, &out),
              DXGI_ERROR_DEVICE_REMOVED);
    cr_assert(!out);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Fence, device, OpenSharedHandle, handle);
    out = device;
    EXPECT_HR(ID3D12Device_OpenSharedHandleByName(device, L"removed", GENERIC_ALL, &out),
              DXGI_ERROR_DEVICE_REMOVED);
    cr_assert(!out);
    close_handle(handle);
}

/* ---- heaps over memory that is there already ---- */

#define MEMORY_SIZE ((size_t)131072)

/* A mapping that the system can't join with a neighbour. */
static char *map_memory(int protection)
{
    const int file = memfd_create("memory", MFD_CLOEXEC);
    cr_assert(file > 0);
    cr_assert_eq(ftruncate(file, MEMORY_SIZE), 0);
    char *memory = mmap(NULL, MEMORY_SIZE, protection, MAP_SHARED, file, 0);
    cr_assert(memory != MAP_FAILED);
    close(file);
    return memory;
}

static ID3D12Device3 *device3(ID3D12Device *device)
{
    ID3D12Device3 *out = AS(ID3D12Device3, device);
    ID3D12Device3_Release(out);
    return out;
}

Test(existing_heap, shows_the_applications_memory_to_the_gpu)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    char *memory = map_memory(PROT_READ | PROT_WRITE);
    D3D12_FEATURE_DATA_EXISTING_HEAPS supported = {FALSE};
    D3D12_HEAP_DESC desc;
    void *data;
    MUST(ID3D12Device_CheckFeatureSupport(device, D3D12_FEATURE_EXISTING_HEAPS, &supported,
                                          sizeof supported));
    cr_assert(supported.Supported);
    ID3D12Heap *heap = MADE(ID3D12Heap, device3(device), OpenExistingHeapFromAddress, memory);
    ABI_CALL_STRUCT(heap, GetDesc, &desc);
    cr_assert_eqs(desc.SizeInBytes, MEMORY_SIZE, desc.Properties.Type, D3D12_HEAP_TYPE_CUSTOM);
    cr_assert_eqs(desc.Properties.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                  desc.Properties.MemoryPoolPreference, D3D12_MEMORY_POOL_L0);
    cr_assert_eq(desc.Flags, D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER);

    ID3D12Resource *buffer = make_placed(device, heap, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
    ID3D12Resource *upload = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 16);
    ID3D12CommandQueue *queue = kit_queue(device, COPY);
    ID3D12CommandAllocator *allocator = kit_allocator(device, COPY);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, COPY);
    MUST(ID3D12Resource_Map(buffer, 0, NULL, &data));
    cr_assert_eq(data, memory);
    MUST(ID3D12Resource_Map(upload, 0, NULL, &data));
    memcpy(data, "from the upload", 16);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, buffer, 32, upload, 0, 16);
    kit_execute(queue, list);
    kit_finish(device, queue);
    cr_assert_mem_eq(memory + 32, "from the upload", 16);
    cr_assert_eq(kit_messages(device), 0);
    RELEASE(list, allocator, queue, upload, buffer, heap);
    memory[0] = 1; /* still the application's */
    munmap(memory, MEMORY_SIZE);
}

Test(existing_heap, lies_where_the_next_allocation_is_wanted)
{
    const D3D12_GPU_VIRTUAL_ADDRESS address = (D3D12_GPU_VIRTUAL_ADDRESS)1 << 44;
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    char *memory = map_memory(PROT_READ | PROT_WRITE);
    ID3D12DeviceTools *tools = AS(ID3D12DeviceTools, device);
    ID3D12DeviceTools_SetNextAllocationAddress(tools, address);
    ID3D12Heap *heap = MADE(ID3D12Heap, device3(device), OpenExistingHeapFromAddress, memory);
    ID3D12Resource *buffer = make_placed(device, heap, D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
    cr_assert_eq(ID3D12Resource_GetGPUVirtualAddress(buffer), address);
    ID3D12DeviceTools_SetNextAllocationAddress(tools, address);
    REFUSES(E_INVALIDARG, ID3D12Heap, device3(device), OpenExistingHeapFromAddress, memory);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 1);
    RELEASE(buffer, heap, tools);
    munmap(memory, MEMORY_SIZE);
}

Test(existing_heap, needs_memory_to_be_read_and_written)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Device3 *three = device3(device);
    char *memory = map_memory(PROT_READ | PROT_WRITE), *constant = map_memory(PROT_READ);
    char *hidden = map_memory(PROT_NONE);
    void *const nowhere = (void *)(UINTPTR_MAX - 65535); /* the kernel's */
    const void *bad[] = {NULL,   memory + 1, memory + 8,         constant,
                         hidden, nowhere,    (void *)UINTPTR_MAX};
    for (UINT i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        REFUSES(E_INVALIDARG, ID3D12Heap, three, OpenExistingHeapFromAddress, bad[i]);
        cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_OPENEXISTINGHEAP_INVALIDADDRESS), i + 1);
    }
    EXPECT_HR(ID3D12Device3_OpenExistingHeapFromAddress(three, memory, &IID_ID3D12Heap, NULL),
              S_FALSE);
    REFUSES(E_NOINTERFACE, ID3D12Fence, three, OpenExistingHeapFromAddress, memory);
    kit_remove(device);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Heap, three, OpenExistingHeapFromAddress, memory);
    munmap(memory, MEMORY_SIZE);
    munmap(constant, MEMORY_SIZE);
    munmap(hidden, MEMORY_SIZE);
}
