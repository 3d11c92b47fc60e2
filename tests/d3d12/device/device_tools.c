/* ID3D12DeviceTools and 1 [ANN-MODE-09], after Microsoft's specifications "Recreate at GPUVA" and
 * "Application Specific Driver State". */
#include "kit.h"

#include <pthread.h>

#define ADDRESS ((D3D12_GPU_VIRTUAL_ADDRESS)1 << 40)
#define SIZE    65536u

static void set_next(ID3D12Device *device, D3D12_GPU_VIRTUAL_ADDRESS address)
{
    OWNED ID3D12DeviceTools *tools = AS(ID3D12DeviceTools, device);
    ID3D12DeviceTools_SetNextAllocationAddress(tools, address);
}

static HRESULT make_buffer(ID3D12Device *device, UINT64 size, ID3D12Resource **out)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    return TRY(ID3D12Resource, out, device, CreateCommittedResource, &heap, D3D12_HEAP_FLAG_NONE,
               &desc, D3D12_RESOURCE_STATE_COMMON, NULL);
}

static D3D12_GPU_VIRTUAL_ADDRESS address_of_new_buffer(ID3D12Device *device)
{
    OWNED ID3D12Resource *buffer = NULL;
    MUST(make_buffer(device, SIZE, &buffer));
    const D3D12_GPU_VIRTUAL_ADDRESS address = ID3D12Resource_GetGPUVirtualAddress(buffer);
    return address;
}

static HRESULT make_heap(ID3D12Device *device, ID3D12Heap **out)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 2 * SIZE,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    return ID3D12Device_CreateHeap(device, &desc, &IID_ID3D12Heap, (void **)out);
}

static HRESULT place(ID3D12Device *device, ID3D12Heap *heap, UINT64 offset, ID3D12Resource **out)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(SIZE);
    return TRY(ID3D12Resource, out, device, CreatePlacedResource, heap, offset, &desc,
               D3D12_RESOURCE_STATE_COMMON, NULL);
}

Test(next_address, counts_once)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    set_next(device, ADDRESS);
    cr_assert_eq(address_of_new_buffer(device), ADDRESS);
    cr_assert(address_of_new_buffer(device) != ADDRESS);
    cr_assert_eq(kit_messages(device), 0);
}

Test(next_address, zero_takes_it_back_and_the_last_one_counts)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    set_next(device, ADDRESS);
    set_next(device, 0);
    cr_assert(address_of_new_buffer(device) != ADDRESS);
    set_next(device, ADDRESS);
    set_next(device, 2 * ADDRESS);
    cr_assert_eq(address_of_new_buffer(device), 2 * ADDRESS);
    cr_assert(address_of_new_buffer(device) != ADDRESS);
}

/* "the resource must be created at the specified address", or creation fails: any overlap, and what
 * is no address. */
Test(next_address, that_is_taken_fails_the_creation)
{
    static const D3D12_GPU_VIRTUAL_ADDRESS wrong[] = {
        ADDRESS,
        ADDRESS + SIZE,
        ADDRESS - SIZE,
        ADDRESS + 1,
        (D3D12_GPU_VIRTUAL_ADDRESS)1 << 47,
        UINT64_MAX,
        UINT64_MAX - SIZE + 1,
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Resource *taken = NULL, *out = NULL;
    ID3D12Heap *heap = NULL;
    set_next(device, ADDRESS);
    MUST(make_buffer(device, 2 * SIZE, &taken));
    for (UINT64 i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_next(device, wrong[i]);
        out = taken;
        EXPECT_HR(make_buffer(device, 2 * SIZE, &out), E_INVALIDARG);
        cr_assert_eqs(out, NULL, kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), i + 1);
        out = NULL;
        MUST(make_buffer(device, SIZE, &out)); /* the failure used it up */
        ID3D12Resource_Release(out);
    }
    set_next(device, ADDRESS);
    EXPECT_HR(make_heap(device, &heap), E_INVALIDARG);
    ID3D12Resource_Release(taken);
    set_next(device, ADDRESS);
    cr_assert_eq(address_of_new_buffer(device), ADDRESS, "free again");
}

Test(next_address, of_heaps_and_of_what_is_placed_in_them)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Heap *heap = NULL;
    ID3D12Resource *placed = NULL;
    set_next(device, ADDRESS);
    MUST(make_heap(device, &heap));
    MUST(place(device, heap, SIZE, &placed));
    cr_assert_eq(ID3D12Resource_GetGPUVirtualAddress(placed), ADDRESS + SIZE);
    ID3D12Resource_Release(placed);
    set_next(device, ADDRESS + SIZE);
    MUST(place(device, heap, SIZE, &placed));
    ID3D12Resource_Release(placed);
    set_next(device, ADDRESS);
    EXPECT_HR(place(device, heap, SIZE, &placed), E_INVALIDARG);
    cr_assert_eqs(placed, NULL, kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 1);
}

static void *allocate_elsewhere(void *device)
{
    static D3D12_GPU_VIRTUAL_ADDRESS addresses[2];
    addresses[0] = address_of_new_buffer(device);
    set_next(device, 3 * ADDRESS);
    addresses[1] = address_of_new_buffer(device);
    return addresses;
}

/* "The assignment is per-thread and is cleared after the object is created." */
Test(next_address, is_the_calling_threads)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    pthread_t thread;
    void *result = NULL;
    set_next(device, ADDRESS);
    cr_assert_eq(pthread_create(&thread, NULL, allocate_elsewhere, device), 0);
    pthread_join(thread, &result);
    const D3D12_GPU_VIRTUAL_ADDRESS *elsewhere = result;
    cr_assert(elsewhere[0] != ADDRESS);
    cr_assert_eq(elsewhere[1], 3 * ADDRESS);
    cr_assert_eq(address_of_new_buffer(device), ADDRESS);
}

Test(next_address, is_the_devices)
{
    ID3D12Device *devices[3] = {kit_device(), kit_device(), kit_device()};
    set_next(devices[0], ADDRESS);
    set_next(devices[1], 2 * ADDRESS);
    cr_assert(address_of_new_buffer(devices[2]) < ADDRESS);
    cr_assert_eq(address_of_new_buffer(devices[0]), ADDRESS);
    cr_assert_eq(address_of_new_buffer(devices[1]), 2 * ADDRESS);
    set_next(devices[0], ADDRESS);
    for (int i = 0; i < 3; i++)
        kit_close(devices[i]);
    AT_END(kit_closed)
    ID3D12Device *later = kit_device(); /* what was said to one that is gone is nobody's */
    cr_assert(address_of_new_buffer(later) != ADDRESS);
}

/* The order in which they are used up is none of their business. */
Test(next_address, is_kept_for_eight_devices)
{
    static const int order[8] = {7, 0, 4, 3, 6, 1, 5, 2};
    ID3D12Device *devices[8];
    for (int i = 0; i < 8; i++) {
        devices[i] = kit_device();
        set_next(devices[i], (UINT64)(i + 1) * ADDRESS);
    }
    for (int i = 0; i < 8; i++)
        cr_assert_eq(address_of_new_buffer(devices[order[i]]), (UINT64)(order[i] + 1) * ADDRESS,
                     "device %d", order[i]);
    for (int i = 0; i < 8; i++)
        kit_close(devices[i]);
}

/* DXGI_ERROR_UNSUPPORTED "if the current driver doesn't support the corresponding DDI";
 * NOT_SPECIFIED: "no application specific driver blob has been set". */
Test(driver_state, is_unsupported_and_no_blob_was_given)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3DBlob *blob = (ID3DBlob *)(void *)&blob;
    OWNED ID3D12DeviceTools1 *tools = AS(ID3D12DeviceTools1, device);
    EXPECT_HR(tools->lpVtbl->GetApplicationSpecificDriverState(tools, &blob),
              DXGI_ERROR_UNSUPPORTED);
    cr_assert(!blob);
    EXPECT_HR(tools->lpVtbl->GetApplicationSpecificDriverState(tools, NULL), E_INVALIDARG);
    cr_assert_eq(tools->lpVtbl->GetApplicationSpecificDriverBlobStatus(tools),
                 D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_NOT_SPECIFIED);
}
