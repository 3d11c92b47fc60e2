/* Residency: which objects can be made resident and evicted, how that is counted, and how long a
 * fence is waited for. */
#include "kit.h"

#define DEFAULT_HEAP D3D12_HEAP_TYPE_DEFAULT

static ID3D12Heap *make_heap(ID3D12Device *device, D3D12_HEAP_FLAGS flags)
{
    const D3D12_HEAP_DESC desc = {
        .SizeInBytes = 65536, .Properties = {.Type = DEFAULT_HEAP}, .Flags = flags};
    return MADE(ID3D12Heap, device, CreateHeap, &desc);
}

static ID3D12DescriptorHeap *make_descriptor_heap(ID3D12Device *device)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 4, 0, 0};
    return MADE(ID3D12DescriptorHeap, device, CreateDescriptorHeap, &desc);
}

static ID3D12QueryHeap *make_query_heap(ID3D12Device *device)
{
    const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
    return MADE(ID3D12QueryHeap, device, CreateQueryHeap, &desc);
}

static ID3D12Resource *make_resource(ID3D12Device *device, ID3D12Heap *heap, bool reserved)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    ID3D12Resource *resource;
    MUST(reserved ? TRY(ID3D12Resource, &resource, device, CreateReservedResource, &desc,
                        D3D12_RESOURCE_STATE_COMMON, NULL)
                  : TRY(ID3D12Resource, &resource, device, CreatePlacedResource, heap, 0, &desc,
                        D3D12_RESOURCE_STATE_COMMON, NULL));
    return resource;
}

/* One object of each kind that D3D12 changes residency of. */
enum { KINDS = 4 };

static void make_each(ID3D12Device *device, ID3D12Pageable *out[KINDS])
{
    out[0] = (ID3D12Pageable *)make_heap(device, D3D12_HEAP_FLAG_NONE);
    out[1] = (ID3D12Pageable *)kit_buffer(device, DEFAULT_HEAP, 65536);
    out[2] = (ID3D12Pageable *)make_descriptor_heap(device);
    out[3] = (ID3D12Pageable *)make_query_heap(device);
}

static void release_all(ID3D12Pageable **objects, UINT count)
{
    for (UINT i = 0; i < count; i++)
        ID3D12Pageable_Release(objects[i]);
}

static ID3D12Device3 *device3(ID3D12Device *device)
{
    ID3D12Device3 *out = AS(ID3D12Device3, device);
    ID3D12Device3_Release(out);
    return out;
}

static UINT64 underflows(ID3D12Device *device)
{
    return kit_count(device, D3D12_MESSAGE_ID_EVICT_UNDERFLOW);
}

Test(residency, is_counted_for_every_kind_of_object)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Pageable *objects[KINDS];
    make_each(device, objects);
    MUST(ID3D12Device_MakeResident(device, KINDS, objects));
    MUST(ID3D12Device_Evict(device, KINDS, objects));
    MUST(ID3D12Device_Evict(device, KINDS, objects)); /* created resident */
    cr_assert_eq(kit_messages(device), 0);
    for (UINT i = 0; i < KINDS; i++) {
        MUST(ID3D12Device_Evict(device, 1, &objects[i]));
        cr_assert_eq(underflows(device), i + 1, "object %u is not resident any more", i);
    }
    /* an eviction too many is not owed */
    MUST(ID3D12Device_MakeResident(device, KINDS, objects));
    MUST(ID3D12Device_Evict(device, KINDS, objects));
    cr_assert_eq(underflows(device), KINDS);
    release_all(objects, KINDS);
}

Test(residency, an_object_that_is_listed_twice_counts_twice)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Pageable *heap = (ID3D12Pageable *)make_heap(device, D3D12_HEAP_FLAG_NONE);
    ID3D12Pageable *twice[] = {heap, heap};
    MUST(ID3D12Device_MakeResident(device, 2, twice));
    MUST(ID3D12Device_Evict(device, 2, twice));
    MUST(ID3D12Device_Evict(device, 1, twice));
    cr_assert_eq(kit_messages(device), 0);
    MUST(ID3D12Device_Evict(device, 2, twice));
    cr_assert_eq(underflows(device), 2);
}

Test(residency, create_not_resident_leaves_out_the_first_count)
{
    static const D3D12_HEAP_PROPERTIES properties = {.Type = DEFAULT_HEAP};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Pageable *objects[2];
    objects[0] = (ID3D12Pageable *)make_heap(device, D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT);
    objects[1] = (ID3D12Pageable *)MADE(ID3D12Resource, device, CreateCommittedResource,
                                        &properties, D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT, &desc,
                                        D3D12_RESOURCE_STATE_COMMON, NULL);
    MUST(ID3D12Device_MakeResident(device, 2, objects));
    MUST(ID3D12Device_Evict(device, 2, objects));
    cr_assert_eq(kit_messages(device), 0);
    MUST(ID3D12Device_Evict(device, 2, objects));
    cr_assert_eq(underflows(device), 2);
    release_all(objects, 2);
}

Test(residency, an_evicted_resource_keeps_what_is_in_it)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 64);
    ID3D12Pageable *object = (ID3D12Pageable *)buffer;
    uint32_t *data = kit_map(buffer);
    data[3] = 0x1234;
    const D3D12_GPU_VIRTUAL_ADDRESS address = ID3D12Resource_GetGPUVirtualAddress(buffer);
    MUST(ID3D12Device_Evict(device, 1, &object));
    MUST(ID3D12Device_MakeResident(device, 1, &object));
    cr_assert_eqs(data[3], 0x1234, ID3D12Resource_GetGPUVirtualAddress(buffer), address);
}

/* Everything that is pageable by its interface only, or not at all, or somebody else's. */
enum { OTHERS = 7 };

static void make_others(ID3D12Device *device, ID3D12Device *stranger, ID3D12Pageable *out[OTHERS])
{
    OWNED ID3D12Heap *heap = make_heap(device, D3D12_HEAP_FLAG_NONE);
    ID3D12RootSignature *signature = kit_root_signature(device);
    out[0] = (ID3D12Pageable *)make_resource(device, heap, false);
    out[1] = (ID3D12Pageable *)make_resource(device, NULL, true);
    out[2] = (ID3D12Pageable *)kit_fence(device, 0);
    out[3] = (ID3D12Pageable *)kit_allocator(device, DIRECT);
    out[4] = (ID3D12Pageable *)kit_pipeline(device, signature, EMU_KERNEL_FILL);
    out[5] = (ID3D12Pageable *)signature;
    out[6] = (ID3D12Pageable *)make_heap(stranger, D3D12_HEAP_FLAG_NONE);
}

/* The second of two objects is no such object: nothing happens to the first. */
static void expect_refused(ID3D12Device *device, ID3D12Fence *fence, ID3D12Pageable *good,
                           ID3D12Pageable *bad)
{
    ID3D12Pageable *both[] = {good, bad};
    kit_clear(device);
    EXPECT_HR(ID3D12Device_MakeResident(device, 2, both), E_INVALIDARG);
    EXPECT_HR(ID3D12Device_Evict(device, 2, both), E_INVALIDARG);
    EXPECT_HR(ID3D12Device3_EnqueueMakeResident(device3(device), D3D12_RESIDENCY_FLAG_NONE, 2, both,
                                                fence, 7),
              E_INVALIDARG);
    cr_assert_eqs(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 3, kit_messages(device), 3);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 0);
    MUST(ID3D12Device_Evict(device, 1, &good));
    cr_assert_eq(underflows(device), 0);
    MUST(ID3D12Device_Evict(device, 1, &good));
    cr_assert_eq(underflows(device), 1);
    MUST(ID3D12Device_MakeResident(device, 1, &good));
}

Test(residency, of_other_objects_is_not_changed)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OWNED ID3D12Pageable *good = (ID3D12Pageable *)make_heap(device, D3D12_HEAP_FLAG_NONE);
    ID3D12Pageable *others[OTHERS];
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    make_others(device, stranger, others);
    for (UINT i = 0; i < OTHERS; i++)
        expect_refused(device, fence, good, others[i]);
    expect_refused(device, fence, good, NULL);
    expect_refused(device, fence, good, (ID3D12Pageable *)device);
    release_all(others, OTHERS);
}

Test(residency, arrays_that_are_not_there_are_told)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Device3 *three = device3(device);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_HR(ID3D12Device_MakeResident(device, 1, NULL), E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY), 1);
    EXPECT_HR(ID3D12Device_Evict(device, 1, NULL), E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_EVICT_NULLOBJECTARRAY), 1);
    EXPECT_HR(ID3D12Device3_EnqueueMakeResident(three, D3D12_RESIDENCY_FLAG_NONE, 1, NULL, fence,
                                                1),
              E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY), 2);
    /* none of none is all of them */
    MUST(ID3D12Device_MakeResident(device, 0, NULL));
    MUST(ID3D12Device_Evict(device, 0, NULL));
    MUST(ID3D12Device3_EnqueueMakeResident(three, D3D12_RESIDENCY_FLAG_NONE, 0, NULL, fence, 3));
    cr_assert_eqs(ID3D12Fence_GetCompletedValue(fence), 3, kit_messages(device), 3);
}

Test(residency, enqueue_counts_and_signals_its_fence)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Device3 *three = device3(device);
    ID3D12Pageable *objects[KINDS];
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    make_each(device, objects);
    MUST(ID3D12Device3_EnqueueMakeResident(three, D3D12_RESIDENCY_FLAG_NONE, KINDS, objects, fence,
                                           5));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, 5, NULL));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 5);
    MUST(ID3D12Device3_EnqueueMakeResident(three, D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET, KINDS,
                                           objects, fence, 6));
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 6);
    for (unsigned i = 0; i < 3; i++) /* created, and twice since */
        MUST(ID3D12Device_Evict(device, KINDS, objects));
    cr_assert_eq(kit_messages(device), 0);
    MUST(ID3D12Device_Evict(device, KINDS, objects));
    cr_assert_eq(underflows(device), KINDS);
    release_all(objects, KINDS);
}

Test(residency, enqueue_refuses_flags_and_fences_that_are_none)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    ID3D12Device3 *three = device3(device);
    OWNED ID3D12Pageable *heap = (ID3D12Pageable *)make_heap(device, D3D12_HEAP_FLAG_NONE);
    OWNED ID3D12Fence *fence = kit_fence(device, 0), *foreign = kit_fence(stranger, 0);
    EXPECT_HR(ID3D12Device3_EnqueueMakeResident(three, (D3D12_RESIDENCY_FLAGS)2, 1, &heap, fence,
                                                1),
              E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_ENQUEUE_MAKE_RESIDENT_INVALID_FLAGS), 1);
    ID3D12Fence *none[] = {NULL, foreign, (ID3D12Fence *)heap};
    for (UINT i = 0; i < sizeof none / sizeof none[0]; i++) {
        EXPECT_HR(ID3D12Device3_EnqueueMakeResident(three, D3D12_RESIDENCY_FLAG_NONE, 1, &heap,
                                                    none[i], 1),
                  E_INVALIDARG);
        cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), i + 1);
    }
    cr_assert_eqs(ID3D12Fence_GetCompletedValue(fence), 0, ID3D12Fence_GetCompletedValue(foreign),
                  0);
    MUST(ID3D12Device_Evict(device, 1, &heap));
    cr_assert_eq(underflows(device), 0);
    MUST(ID3D12Device_Evict(device, 1, &heap));
    cr_assert_eq(underflows(device), 1, "none of them was counted");
}

Test(residency, of_a_removed_device_is_gone)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Device3 *three = device3(device);
    OWNED ID3D12Pageable *heap = (ID3D12Pageable *)make_heap(device, D3D12_HEAP_FLAG_NONE);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    kit_remove(device);
    EXPECT_HR(ID3D12Device_MakeResident(device, 1, &heap), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12Device_Evict(device, 1, &heap), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12Device3_EnqueueMakeResident(three, D3D12_RESIDENCY_FLAG_NONE, 1, &heap, fence,
                                                1),
              DXGI_ERROR_DEVICE_REMOVED);
}
