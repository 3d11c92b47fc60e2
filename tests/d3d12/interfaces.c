/* The shape of the COM interfaces: no hole in any table, identity, and what is not modelled says so. */
#include "kit.h"

/* A table is an array of function pointers. */
static void expect_no_hole(void *object, size_t table_size, const char *name)
{
    const void *const *table = *(const void *const *const *)object;
    for (size_t i = 0; i < table_size / sizeof(void *); i++)
        cr_assert(table[i] != NULL, "%s: slot %zu is empty", name, i);
}

static void expect_interface(void *object, const IID *iid, size_t table_size, const char *name)
{
    IUnknown *unknown = object, *face = NULL, *one = NULL, *other = NULL;
    const ULONG before = kit_references(object);
    HRESULT hr = IUnknown_QueryInterface(unknown, iid, (void **)&face);
    cr_assert(hr == S_OK && face != NULL, "%s: 0x%08x", name, (unsigned)hr);
    expect_no_hole(face, table_size, name);
    MUST(IUnknown_QueryInterface(unknown, &IID_IUnknown, (void **)&one));
    MUST(IUnknown_QueryInterface(face, &IID_IUnknown, (void **)&other));
    cr_assert(one == other, "%s is another object", name);
    IUnknown_Release(one);
    IUnknown_Release(other);
    IUnknown_Release(face);
    cr_assert(kit_references(object) == before);
}

#define EXPECT(object, I) expect_interface(object, &IID_##I, sizeof(I##Vtbl), #I)

Test(interfaces, have_no_hole_and_one_identity)
{
    ID3D12Device *device = kit_device();
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 65536,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    ID3D12Heap *heap = NULL;
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12Fence *fence = kit_fence(device, 0);
    ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4);
    ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *pipeline = kit_pipeline(device, signature, EMU_KERNEL_COPY);
    MUST(ID3D12Device_CreateHeap(device, &heap_desc, &IID_ID3D12Heap, (void **)&heap));

    EXPECT(device, ID3D12Object);
    EXPECT(device, ID3D12Device);
    EXPECT(device, ID3D12Device1);
    EXPECT(device, ID3D12Device2);
    EXPECT(device, ID3D12Device3);
    EXPECT(device, ID3D12Device4);
    EXPECT(device, ID3D12Device5);
    EXPECT(device, ID3D12Device6);
    EXPECT(device, ID3D12Device7);
    EXPECT(device, ID3D12Device8);
    EXPECT(device, ID3D12Device9);
    EXPECT(device, ID3D12Device10);
    EXPECT(device, ID3D12Device11);
    EXPECT(device, ID3D12DeviceTools);
    EXPECT(device, ID3D12DeviceTools1);
    EXPECT(device, ID3D12DeviceTools2);
    EXPECT(device, ID3D12InfoQueue);
    EXPECT(device, ID3D12InfoQueue1);
    EXPECT(queue, ID3D12DeviceChild);
    EXPECT(queue, ID3D12Pageable);
    EXPECT(queue, ID3D12CommandQueue);
    EXPECT(allocator, ID3D12CommandAllocator);
    EXPECT(list, ID3D12CommandList);
    EXPECT(list, ID3D12GraphicsCommandList);
    EXPECT(list, ID3D12GraphicsCommandList1);
    EXPECT(list, ID3D12GraphicsCommandList2);
    EXPECT(list, ID3D12GraphicsCommandList3);
    EXPECT(list, ID3D12GraphicsCommandList4);
    EXPECT(list, ID3D12GraphicsCommandList5);
    EXPECT(list, ID3D12GraphicsCommandList6);
    EXPECT(list, ID3D12GraphicsCommandList7);
    EXPECT(list, ID3D12GraphicsCommandList8);
    EXPECT(fence, ID3D12Fence);
    EXPECT(fence, ID3D12Fence1);
    EXPECT(heap, ID3D12Heap);
    EXPECT(heap, ID3D12Heap1);
    EXPECT(buffer, ID3D12Resource);
    EXPECT(buffer, ID3D12Resource1);
    EXPECT(buffer, ID3D12Resource2);
    EXPECT(signature, ID3D12RootSignature);
    EXPECT(pipeline, ID3D12PipelineState);

    ID3D12PipelineState_Release(pipeline);
    ID3D12RootSignature_Release(signature);
    ID3D12Resource_Release(buffer);
    ID3D12Heap_Release(heap);
    ID3D12Fence_Release(fence);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(interfaces, children_hold_their_device)
{
    ID3D12Device *device = kit_device(), *same = NULL;
    ID3D12Fence *fence = kit_fence(device, 0);
    cr_assert(kit_references(device) == 2);
    MUST(ID3D12Fence_GetDevice(fence, &IID_ID3D12Device, (void **)&same));
    cr_assert(same == device && kit_references(device) == 3);
    ID3D12Device_Release(same);
    cr_assert(ID3D12Device_Release(device) == 1);
    cr_assert(ID3D12Fence_Release(fence) == 0); /* and with it the device: LeakSanitizer looks */
}

Test(interfaces, a_device_can_be_asked_for_without_being_made)
{
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, NULL), S_FALSE);
    void *out = &out;
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_12_2, &IID_ID3D12Device, &out),
              DXGI_ERROR_UNSUPPORTED);
    cr_assert(out == NULL);
    EXPECT_HR(D3D12CreateDevice(NULL, (D3D_FEATURE_LEVEL)1, &IID_ID3D12Device, &out), E_INVALIDARG);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Fence, &out),
              E_NOINTERFACE);
    emu_config config = EMU_CONFIG_INIT;
    config.driver = "there is no such driver";
    cr_assert(emu_configure(&config) == ANNOT_OK);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &out),
              DXGI_ERROR_NOT_FOUND);
    cr_assert(emu_configure(NULL) == ANNOT_OK);
}

Test(not_modelled, methods_fail_with_one_message_that_names_them)
{
    ID3D12Device *device = kit_device();
    void *out = &out;
    EXPECT_HR(ID3D12Device_OpenSharedHandle(device, NULL, &IID_ID3D12Fence, &out), E_NOTIMPL);
    cr_assert(out == NULL);
    cr_assert(kit_messages(device) == 1 && kit_count(device, EMU_MESSAGE_NOT_MODELLED) == 1);

    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12GraphicsCommandList4 *list4 = NULL;
    MUST(ID3D12GraphicsCommandList_QueryInterface(list, &IID_ID3D12GraphicsCommandList4,
                                                  (void **)&list4));
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    ID3D12GraphicsCommandList4_Release(list4);
    cr_assert(kit_count(device, EMU_MESSAGE_NOT_MODELLED) == 2);
    MUST(ID3D12GraphicsCommandList_Close(list));

    ID3D12InfoQueue *queue = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&queue));
    char room[512];
    SIZE_T size = sizeof room;
    MUST(ID3D12InfoQueue_GetMessage(queue, 1, (D3D12_MESSAGE *)(void *)room, &size));
    cr_assert(strstr(((D3D12_MESSAGE *)(void *)room)->pDescription,
                     "ID3D12GraphicsCommandList::EndRenderPass"));
    ID3D12InfoQueue_Release(queue);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
}
