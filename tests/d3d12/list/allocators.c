/* Command allocators: which lists they accept, and when they may be reset. */
#include "kit.h"

Test(allocator, serves_one_recording_list_at_a_time)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT), *other = NULL;
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0, DIRECT,
            allocator, NULL);
    MUST(ID3D12GraphicsCommandList_Close(list));
    other = kit_list(device, allocator, DIRECT);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, allocator, NULL), E_INVALIDARG);
    MUST(ID3D12GraphicsCommandList_Close(other));
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_Release(list);
    MUST(ID3D12GraphicsCommandList_Reset(other, allocator, NULL));
    ID3D12GraphicsCommandList_Release(other);
}

Test(allocator, is_free_once_its_list_is_gone_whatever_queues_do)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT),
                                 *of_others = kit_allocator(device, DIRECT);
    OWNED ID3D12GraphicsCommandList *at_work = kit_list(device, of_others, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    OWNED ID3D12Fence *gate = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Wait(queue, gate, 1));
    kit_execute(queue, at_work);
    ID3D12GraphicsCommandList_Release(list);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    MUST(ID3D12Fence_Signal(gate, 1));
    kit_finish(device, queue);
}

Test(allocator, reset_is_refused_while_a_list_records)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(DIRECT);
    EXPECT_HR(ID3D12CommandAllocator_Reset(allocator), E_FAIL);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CANNOT_RESET);
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(allocator));
}

/* Evidence stays until the GPU is done with it. */
Test(allocator, reset_is_refused_while_the_gpu_executes)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OPEN_QUEUE_AND_LIST(DIRECT);
    annot_marker_info info;
    char bytes[8];
    ID3D12GraphicsCommandList_SetMarker(list, 1, "still", 5);
    const uint64_t id = heard[0].event_id;
    kit_execute(queue, list);
    EXPECT_HR(ID3D12CommandAllocator_Reset(allocator), E_FAIL);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC);
    cr_assert_eq(annot_device_lookup(emu_annot_device(device), id, &info, bytes, sizeof bytes),
                 ANNOT_LOOKUP_LIVE);
    kit_finish(device, queue);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    cr_assert_eq(kit_messages(device), 1);
}

/* ANN-LIFE-01: the newer submission may be done while the older one, on another queue, is not. */
Test(allocator, reset_is_refused_while_any_queue_executes)
{
    enum { QUEUES = 6 };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12CommandQueue *queues[QUEUES];
    ID3D12GraphicsCommandList *lists[QUEUES];
    for (int i = 0; i < QUEUES; i++) {
        queues[i] = kit_queue(device, DIRECT);
        lists[i] = kit_list(device, allocator, DIRECT);
        MUST(ID3D12GraphicsCommandList_Close(lists[i]));
    }
    ID3D12Fence *gate = kit_fence(device, 0);
    UINT64 refused = 0;
    for (int i = 0; i < QUEUES; i++) {
        ID3D12CommandList *const list[] = {(ID3D12CommandList *)lists[i]};
        if (i == 0) /* the oldest waits */
            MUST(ID3D12CommandQueue_Wait(queues[0], gate, 1));
        ID3D12CommandQueue_ExecuteCommandLists(queues[i], 1, list);
        if (i > 0)
            kit_finish(device, queues[i]);
        EXPECT_HR(ID3D12CommandAllocator_Reset(allocator), E_FAIL);
        cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC), ++refused);
    }
    MUST(ID3D12Fence_Signal(gate, 1));
    kit_finish(device, queues[0]);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    ID3D12Fence_Release(gate);
    for (int i = 0; i < QUEUES; i++)
        RELEASE(lists[i], queues[i]);
}

/* As on a runtime without a debug layer. */
Test(allocator, reset_while_the_gpu_executes_goes_through_where_it_is_configured)
{
    emu_config config = kit_config();
    config.reset_in_flight = true;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    OPEN_QUEUE_AND_LIST(DIRECT);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    kit_execute(queue, list);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC), 1);
    kit_finish(device, queue);
    MUST(ID3D12CommandAllocator_Reset(allocator));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    kit_finish(device, queue);
    cr_assert_eq(kit_messages(device), 1);
}

Test(allocator, of_a_bundle_is_in_use_while_the_gpu_executes_its_caller)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_QUEUE_AND_LIST(DIRECT);
    OPEN_BUNDLE;
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    kit_execute(queue, list);
    EXPECT_HR(ID3D12CommandAllocator_Reset(bundling), E_FAIL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC), 1);
    kit_finish(device, queue);
    MUST(ID3D12CommandAllocator_Reset(bundling));
    cr_assert_eq(kit_messages(device), 1);
}

Test(allocator, that_was_reset_leaves_nothing_to_execute)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_QUEUE_AND_LIST(DIRECT);
    OPEN_BUNDLE;
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(bundling));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    cr_assert_eqs(kit_messages(device), 2,
                  kit_count(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET_BUNDLE), 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(allocator));
    kit_clear(device);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET);
}

Test(allocator, may_be_released_while_its_list_records)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12CommandAllocator_Release(allocator);
    ID3D12GraphicsCommandList_SetMarker(list, 1, "x", 1);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

/* A list that was recorded anew through another allocator doesn't need the first one any more. */
Test(allocator, of_an_earlier_recording_may_be_reset)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, COPY);
    OWNED ID3D12CommandAllocator *first = kit_allocator(device, COPY);
    OWNED ID3D12CommandAllocator *second = kit_allocator(device, COPY);
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, first, COPY);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12GraphicsCommandList_Reset(list, second, NULL));
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12CommandAllocator_Reset(first));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    MUST(ID3D12CommandAllocator_Reset(first)); /* nor is it in use */
    EXPECT_HR(ID3D12CommandAllocator_Reset(second), E_FAIL);
    kit_finish(device, queue);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC);
}

Test(allocator, of_no_such_type_is_not_made)
{
    static const D3D12_COMMAND_LIST_TYPE bad[] = {
        (D3D12_COMMAND_LIST_TYPE)-1, (D3D12_COMMAND_LIST_TYPE)7, (D3D12_COMMAND_LIST_TYPE)77};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        REFUSES(E_INVALIDARG, ID3D12CommandAllocator, device, CreateCommandAllocator, bad[i]);
        cr_assert_eq(kit_messages(device), i + 1, "case %zu", i);
    }
    EXPECT_HR(TRY(ID3D12CommandAllocator, NULL, device, CreateCommandAllocator, DIRECT), S_FALSE);
}

/* Each refusal has D3D12's own number, and the list may be reset rightly afterwards. */
Test(list, reset_is_refused_with_what_is_no_allocator_for_it)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12CommandAllocator *own = kit_allocator(device, DIRECT),
                                 *copy = kit_allocator(device, COPY);
    OWNED ID3D12CommandAllocator *busy = kit_allocator(device, DIRECT);
    OWNED ID3D12CommandAllocator *foreign = kit_allocator(stranger, DIRECT);
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, own, DIRECT);
    OWNED ID3D12GraphicsCommandList *other = kit_list(device, busy, DIRECT);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, own, NULL), E_FAIL);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_OPEN);
    MUST(ID3D12GraphicsCommandList_Close(list));
    const struct {
        void *allocator;
        int id;
    } bad[] = {{NULL, EMU_MESSAGE_INVALID_ARGUMENT},
               {queue, EMU_MESSAGE_INVALID_ARGUMENT},
               {foreign, EMU_MESSAGE_INVALID_ARGUMENT},
               {copy, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE},
               {busy, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CONTENTION}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kit_clear(device);
        EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, bad[i].allocator, NULL), E_INVALIDARG);
        cr_assert_eqs(kit_messages(device), 1, kit_count(device, bad[i].id), 1, "case %zu", i);
        REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0, DIRECT,
                bad[i].allocator, NULL);
    }
    MUST(ID3D12GraphicsCommandList_Reset(list, own, NULL));
    MUST(ID3D12GraphicsCommandList_Close(list));
}
