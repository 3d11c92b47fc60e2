/* Allocators and lists: who may record when, and what mistakes are answered with. */
#include "kit.h"

Test(allocator, serves_one_recording_list_at_a_time)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT), *other = NULL;
    EXPECT_HR(ID3D12Device_CreateCommandList(device, 0, DIRECT, allocator, NULL,
                                             &IID_ID3D12GraphicsCommandList, (void **)&other),
              E_INVALIDARG);
    cr_assert(other == NULL);
    MUST(ID3D12GraphicsCommandList_Close(list));
    other = kit_list(device, allocator, DIRECT);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, allocator, NULL), E_INVALIDARG);
    MUST(ID3D12GraphicsCommandList_Close(other));
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_Release(list);
    MUST(ID3D12GraphicsCommandList_Reset(other, allocator, NULL));
    ID3D12GraphicsCommandList_Release(other);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
}

Test(allocator, reset_is_refused_while_a_list_records)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    EXPECT_HR(ID3D12CommandAllocator_Reset(allocator), E_FAIL);
    cr_assert(kit_messages(device) == 1 &&
              kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CANNOT_RESET) == 1);
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(allocator));
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
}

/* Evidence stays until the GPU is done with it. */
Test(allocator, reset_is_refused_while_the_gpu_executes)
{
    ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    annot_marker_info info;
    char bytes[8];
    ID3D12GraphicsCommandList_SetMarker(list, 1, "still", 5);
    const uint64_t id = heard[0].event_id;
    kit_execute(queue, list);
    EXPECT_HR(ID3D12CommandAllocator_Reset(allocator), E_FAIL);
    cr_assert(kit_messages(device) == 1 &&
              kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC) == 1);
    cr_assert(annot_device_lookup(emu_annot_device(device), id, &info, bytes, sizeof bytes) ==
              ANNOT_LOOKUP_LIVE);
    kit_finish(device, queue);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    cr_assert(kit_messages(device) == 1);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

/* As on a runtime without a debug layer. */
Test(allocator, reset_while_the_gpu_executes_goes_through_where_it_is_configured)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.reset_in_flight = true;
    ID3D12Device *device = kit_device_with(&config);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    kit_execute(queue, list);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC) == 1);
    kit_finish(device, queue);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    kit_finish(device, queue);
    cr_assert(kit_messages(device) == 1);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(allocator, of_a_bundle_is_in_use_while_the_gpu_executes_its_caller)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *direct = kit_allocator(device, DIRECT);
    ID3D12CommandAllocator *bundling = kit_allocator(device, BUNDLE);
    ID3D12GraphicsCommandList *list = kit_list(device, direct, DIRECT);
    ID3D12GraphicsCommandList *bundle = kit_list(device, bundling, BUNDLE);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    kit_execute(queue, list);
    EXPECT_HR(ID3D12CommandAllocator_Reset(bundling), E_FAIL);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC) == 1);
    kit_finish(device, queue);
    MUST(ID3D12CommandAllocator_Reset(bundling));
    cr_assert(kit_messages(device) == 1);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12GraphicsCommandList_Release(bundle);
    ID3D12CommandAllocator_Release(direct);
    ID3D12CommandAllocator_Release(bundling);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(allocator, that_was_reset_leaves_nothing_to_execute)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *direct = kit_allocator(device, DIRECT);
    ID3D12CommandAllocator *bundling = kit_allocator(device, BUNDLE);
    ID3D12GraphicsCommandList *list = kit_list(device, direct, DIRECT);
    ID3D12GraphicsCommandList *bundle = kit_list(device, bundling, BUNDLE);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(bundling));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    cr_assert(kit_messages(device) == 1 &&
              kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET) == 1);
    MUST(ID3D12GraphicsCommandList_Reset(list, direct, NULL));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    cr_assert(kit_messages(device) == 2 &&
              kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET_BUNDLE) == 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    MUST(ID3D12GraphicsCommandList_Reset(list, direct, NULL));
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(direct));
    kit_clear(device);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    cr_assert(kit_messages(device) == 1 &&
              kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET) == 1);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12GraphicsCommandList_Release(bundle);
    ID3D12CommandAllocator_Release(direct);
    ID3D12CommandAllocator_Release(bundling);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(allocator, may_be_released_while_its_list_records)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12GraphicsCommandList_SetMarker(list, 1, "x", 1);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12GraphicsCommandList_Release(list);
    kit_close(device);
}

Test(list, is_created_open_and_closes_once)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *allocator = kit_allocator(device, COMPUTE);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, COMPUTE);
    cr_assert(ID3D12GraphicsCommandList_GetType(list) == COMPUTE);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, allocator, NULL), E_FAIL);
    MUST(ID3D12GraphicsCommandList_Close(list));
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_FAIL);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
}

Test(list, of_create_command_list1_is_closed)
{
    ID3D12Device *device = kit_device();
    ID3D12Device4 *device4 = NULL;
    ID3D12GraphicsCommandList *list = NULL;
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device4, (void **)&device4));
    MUST(ID3D12Device4_CreateCommandList1(device4, 0, DIRECT, D3D12_COMMAND_LIST_FLAG_NONE,
                                          &IID_ID3D12GraphicsCommandList, (void **)&list));
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_FAIL);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12Device4_Release(device4);
    kit_close(device);
}

Test(list, wants_an_allocator_of_its_type_and_device)
{
    ID3D12Device *device = kit_device(), *stranger = kit_device();
    ID3D12CommandAllocator *copy = kit_allocator(device, COPY);
    ID3D12CommandAllocator *strange = kit_allocator(stranger, DIRECT);
    void *list = &list;
    EXPECT_HR(ID3D12Device_CreateCommandList(device, 0, DIRECT, copy, NULL,
                                             &IID_ID3D12GraphicsCommandList, &list),
              E_INVALIDARG);
    cr_assert(list == NULL);
    EXPECT_HR(ID3D12Device_CreateCommandList(device, 0, DIRECT, strange, NULL,
                                             &IID_ID3D12GraphicsCommandList, &list),
              E_INVALIDARG);
    EXPECT_HR(ID3D12Device_CreateCommandList(device, 0, DIRECT, NULL, NULL,
                                             &IID_ID3D12GraphicsCommandList, &list),
              E_INVALIDARG);
    EXPECT_HR(ID3D12Device_CreateCommandList(device, 0, (D3D12_COMMAND_LIST_TYPE)77, copy, NULL,
                                             &IID_ID3D12GraphicsCommandList, &list),
              E_INVALIDARG);
    ID3D12CommandAllocator_Release(copy);
    ID3D12CommandAllocator_Release(strange);
    kit_close(device);
    kit_close(stranger);
}

Test(list, a_mistake_makes_close_fail_and_execution_refused)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, COPY);
    ID3D12CommandAllocator *allocator = kit_allocator(device, COPY);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, COPY);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    ID3D12Resource *small = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 64);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, small, 60, small, 0, 8);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS) == 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST) == 1);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    kit_execute(queue, list);
    kit_finish(device, queue);
    cr_assert(kit_messages(device) == 2);
    ID3D12Resource_Release(small);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}

Test(list, executes_closed_bundles_only)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *direct = kit_allocator(device, DIRECT);
    ID3D12CommandAllocator *bundling = kit_allocator(device, BUNDLE);
    ID3D12GraphicsCommandList *list = kit_list(device, direct, DIRECT);
    ID3D12GraphicsCommandList *bundle = kit_list(device, bundling, BUNDLE);
    const struct {
        ID3D12GraphicsCommandList *bundle;
        int message;
    } cases[] = {
        {bundle, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_OPEN_BUNDLE},
        {list, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_TYPE},
        {NULL, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_TYPE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kit_clear(device);
        ID3D12GraphicsCommandList_ExecuteBundle(list, cases[i].bundle);
        cr_assert(kit_messages(device) == 1 && kit_count(device, cases[i].message) == 1);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
        MUST(ID3D12GraphicsCommandList_Reset(list, direct, NULL));
    }
    ID3D12GraphicsCommandList_Release(list);
    ID3D12GraphicsCommandList_Release(bundle);
    ID3D12CommandAllocator_Release(direct);
    ID3D12CommandAllocator_Release(bundling);
    kit_close(device);
}

Test(queue, refuses_lists_that_it_can_not_execute)
{
    ID3D12Device *device = kit_device();
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *direct = kit_allocator(device, DIRECT);
    ID3D12CommandAllocator *copying = kit_allocator(device, COPY);
    ID3D12CommandAllocator *bundling = kit_allocator(device, BUNDLE);
    ID3D12GraphicsCommandList *open = kit_list(device, direct, DIRECT);
    ID3D12GraphicsCommandList *copy = kit_list(device, copying, COPY);
    ID3D12GraphicsCommandList *bundle = kit_list(device, bundling, BUNDLE);
    MUST(ID3D12GraphicsCommandList_Close(copy));
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    const struct {
        void *list;
        int message;
    } cases[] = {
        {open, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_OPENCOMMANDLIST},
        {copy, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH},
        {bundle, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_BUNDLENOTSUPPORTED},
        {NULL, EMU_MESSAGE_INVALID_ARGUMENT},
        {queue, EMU_MESSAGE_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12CommandList *lists[] = {cases[i].list};
        kit_clear(device);
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
        cr_assert(kit_messages(device) == 1 && kit_count(device, cases[i].message) == 1);
    }
    ID3D12GraphicsCommandList_Release(open);
    ID3D12GraphicsCommandList_Release(copy);
    ID3D12GraphicsCommandList_Release(bundle);
    ID3D12CommandAllocator_Release(direct);
    ID3D12CommandAllocator_Release(copying);
    ID3D12CommandAllocator_Release(bundling);
    ID3D12CommandQueue_Release(queue);
    kit_close(device);
}
