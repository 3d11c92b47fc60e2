/* Lists: when they may record, and what mistakes cause. */
#include "kit.h"

Test(list, is_created_open_and_closes_once)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(COMPUTE);
    cr_assert_eq(ID3D12GraphicsCommandList_GetType(list), COMPUTE);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, allocator, NULL), E_FAIL);
    MUST(ID3D12GraphicsCommandList_Close(list));
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_FAIL);
}

Test(list, of_create_command_list1_is_closed)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    OWNED ID3D12Device4 *device4 = AS(ID3D12Device4, device);
    OWNED ID3D12GraphicsCommandList *list =
        MADE(ID3D12GraphicsCommandList, device4, CreateCommandList1, 0, DIRECT,
             D3D12_COMMAND_LIST_FLAG_NONE);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_FAIL);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    MUST(ID3D12GraphicsCommandList_Close(list));
}

Test(list, wants_an_allocator_of_its_type_and_device)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OWNED ID3D12CommandAllocator *copy = kit_allocator(device, COPY);
    OWNED ID3D12CommandAllocator *strange = kit_allocator(stranger, DIRECT);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0, DIRECT, copy,
            NULL);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0, DIRECT, strange,
            NULL);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0, DIRECT, NULL,
            NULL);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0,
            (D3D12_COMMAND_LIST_TYPE)77, copy, NULL);
}

Test(list, a_mistake_makes_close_fail_and_execution_refused)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_QUEUE_AND_LIST(COPY);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    OWNED ID3D12Resource *small = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 64);
    const int id = D3D12_MESSAGE_ID_SET_PREDICATION_INVALID_PARAMETERS;
    ID3D12GraphicsCommandList_SetPredication(list, small, 4, D3D12_PREDICATION_OP_EQUAL_ZERO);
    cr_assert_eq(kit_count(device, id), 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST), 1);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    kit_run(device, queue, list);
    cr_assert_eq(kit_messages(device), 2);
}

Test(list, executes_closed_bundles_only)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(DIRECT);
    OPEN_BUNDLE;
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
        EXPECT_MESSAGES(device, 1, cases[i].message);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_INVALIDARG);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    }
}

Test(queue, refuses_lists_that_it_can_not_execute)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12CommandAllocator *direct = kit_allocator(device, DIRECT);
    OWNED ID3D12CommandAllocator *copying = kit_allocator(device, COPY);
    OWNED ID3D12CommandAllocator *bundling = kit_allocator(device, BUNDLE);
    OWNED ID3D12GraphicsCommandList *open = kit_list(device, direct, DIRECT);
    OWNED ID3D12GraphicsCommandList *copy = kit_list(device, copying, COPY);
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(device, bundling, BUNDLE);
    const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
    OWNED ID3D12QueryHeap *heap = MADE(ID3D12QueryHeap, device, CreateQueryHeap, &desc);
    MUST(ID3D12GraphicsCommandList_Close(copy));
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    const struct {
        void *list;
        int message;
    } cases[] = {
        {copy, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH},
        {bundle, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_BUNDLENOTSUPPORTED},
        {NULL, EMU_MESSAGE_INVALID_ARGUMENT},
        {queue, EMU_MESSAGE_INVALID_ARGUMENT},
        {heap, EMU_MESSAGE_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12CommandList *lists[] = {cases[i].list};
        kit_clear(device);
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
        EXPECT_MESSAGES(device, 1, cases[i].message);
        EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), S_OK);
    }
    char text[512];
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, (ID3D12CommandList *const *)&open);
    cr_assert_eq(
        kit_count_texts(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_OPENCOMMANDLIST, text), 1);
    cr_assert(strstr(text, "must be closed") && strstr(text, "call Close"), "%s", text);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_INVALID_CALL);
}

/* ---- pipeline states ---- */

Test(pipeline, of_another_device_or_kind_is_refused)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OPEN_LIST(COMPUTE);
    OWNED ID3D12RootSignature *root = kit_root_signature(device),
                              *foreign = kit_root_signature(stranger);
    OWNED ID3D12PipelineState *strange = kit_pipeline(stranger, foreign, EMU_KERNEL_FILL),
                              *graphics = kit_draws(device, root);
    const struct {
        void *state;
        int message;
    } wrong[] = {{strange, EMU_MESSAGE_INVALID_ARGUMENT},
                 {root, EMU_MESSAGE_INVALID_ARGUMENT},
                 {graphics, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        kit_clear(device);
        ID3D12GraphicsCommandList_SetPipelineState(list, wrong[i].state);
        EXPECT_MESSAGES(device, 1, wrong[i].message);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
        EXPECT_HR(ID3D12GraphicsCommandList_Reset(list, allocator, wrong[i].state), E_INVALIDARG);
        REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 0, COMPUTE,
                allocator, wrong[i].state);
        EXPECT_MESSAGES(device, 3, wrong[i].message);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL)); /* the allocator is free */
        ID3D12GraphicsCommandList_ClearState(list, wrong[i].state);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    }
    kit_clear(device);
    ID3D12GraphicsCommandList_SetPipelineState(list, NULL);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 1);
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, foreign);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 2);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
}

Test(list, can_not_be_made_for_other_nodes)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    OWNED ID3D12Device4 *device4 = AS(ID3D12Device4, device);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device, CreateCommandList, 2, DIRECT,
            allocator, NULL);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device4, CreateCommandList1, 2, DIRECT,
            D3D12_COMMAND_LIST_FLAG_NONE);
    REFUSES(E_INVALIDARG, ID3D12GraphicsCommandList, device4, CreateCommandList1, 0, DIRECT,
            (D3D12_COMMAND_LIST_FLAGS)1);
    EXPECT_MESSAGES(device, 3, EMU_MESSAGE_INVALID_ARGUMENT);
}

/* ---- queues ---- */

Test(queue, is_made_as_described_or_not_at_all)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const struct {
        D3D12_COMMAND_QUEUE_DESC desc;
        HRESULT expected;
    } cases[] = {
        {{DIRECT, D3D12_COMMAND_QUEUE_PRIORITY_HIGH, D3D12_COMMAND_QUEUE_FLAG_NONE, 1}, S_OK},
        {{COPY, 0, D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT, 0}, S_OK},
        {{BUNDLE, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0}, E_INVALIDARG},
        {{(D3D12_COMMAND_LIST_TYPE)99, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0}, E_INVALIDARG},
        {{DIRECT, 50, D3D12_COMMAND_QUEUE_FLAG_NONE, 0}, E_INVALIDARG},
        {{DIRECT, D3D12_COMMAND_QUEUE_PRIORITY_GLOBAL_REALTIME, D3D12_COMMAND_QUEUE_FLAG_NONE, 0},
         E_INVALIDARG},
        {{DIRECT, 0, (D3D12_COMMAND_QUEUE_FLAGS)4, 0}, E_INVALIDARG},
        {{DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 2}, E_INVALIDARG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12CommandQueue *queue = (void *)device;
        kit_clear(device);
        HRESULT hr = TRY(ID3D12CommandQueue, &queue, device, CreateCommandQueue, &cases[i].desc);
        cr_assert_eqs(hr, cases[i].expected, !!queue, SUCCEEDED(hr), "case %zu", i);
        cr_assert_eq(kit_messages(device), FAILED(hr) ? 1u : 0u, "case %zu", i);
        if (queue)
            ID3D12CommandQueue_Release(queue);
    }
}

/* All or nothing: one list that can't be executed keeps the others from being. */
Test(queue, executes_all_lists_of_a_call_or_none)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, COPY), *strange = kit_queue(stranger, COPY);
    OPEN_LIST(COPY);
    OWNED ID3D12Resource *word = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    OWNED ID3D12Fence *foreign = kit_fence(stranger, 0);
    UINT64 number;
    UINT *value = kit_map(word);
    OWNED ID3D12GraphicsCommandList2 *list2 = AS(ID3D12GraphicsCommandList2, list);
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {ID3D12Resource_GetGPUVirtualAddress(word),
                                                        5};
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list2, 1, &write, NULL);
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandList *with_none[] = {(ID3D12CommandList *)list, NULL};
    ID3D12CommandList *twice[] = {(ID3D12CommandList *)list, (ID3D12CommandList *)list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 2, with_none);
    kit_finish(device, queue);
    cr_assert_eq(*value, 0);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, NULL);
    ID3D12CommandQueue_ExecuteCommandLists(strange, 1, twice);
    cr_assert_eqs(kit_messages(device), 2, kit_messages(stranger), 1);
    EXPECT_HR(ID3D12CommandQueue_Signal(queue, NULL, 1), E_INVALIDARG);
    EXPECT_HR(ID3D12CommandQueue_Wait(queue, foreign, 1), E_INVALIDARG);
    EXPECT_MESSAGES(device, 4, EMU_MESSAGE_INVALID_ARGUMENT);
    EXPECT_HR(ID3D12CommandQueue_GetTimestampFrequency(queue, NULL), E_INVALIDARG);
    EXPECT_HR(ID3D12CommandQueue_GetClockCalibration(queue, &number, NULL), E_INVALIDARG);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 2, twice); /* two executions */
    kit_finish(device, queue);
    cr_assert_eq(*value, 5);
}

/* Discarded memory is undefined, so only mistakes show [DiscardResource]. */
Test(list, discards_what_there_is)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 64);
    const D3D12_RECT rect = {0, 0, 1, 1};
    const D3D12_DISCARD_REGION whole = {0, NULL, 0, 1}, past = {0, NULL, 1, 1},
                               many = {0, NULL, 0, 2}, null = {1, NULL, 0, 1},
                               rects = {1, &rect, 0, 1};
    const struct {
        ID3D12Resource *resource;
        const D3D12_DISCARD_REGION *region;
        int message;
    } cases[] = {{buffer, NULL, 0},
                 {buffer, &whole, 0},
                 {NULL, NULL, EMU_MESSAGE_INVALID_ARGUMENT},
                 {buffer, &past, EMU_MESSAGE_INVALID_ARGUMENT},
                 {buffer, &many, EMU_MESSAGE_INVALID_ARGUMENT},
                 {buffer, &null, EMU_MESSAGE_INVALID_ARGUMENT},
                 {buffer, &rects, D3D12_MESSAGE_ID_DISCARD_NO_RECTS_FOR_NON_TEXTURE2D}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kit_clear(device);
        ID3D12GraphicsCommandList_DiscardResource(list, cases[i].resource, cases[i].region);
        cr_assert_eqs(kit_messages(device), cases[i].message != 0,
                      kit_count(device, cases[i].message), cases[i].message != 0, "case %zu", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    }
}

/* The destination is a multiple of 4 and the mode one of three [WriteBufferImmediate]; another mode
 * makes Close fail, as on Windows. */
Test(list, writes_words_where_there_can_be_one)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(DIRECT);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(buffer);
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER right[3] = {
        {address, 1}, {address + 4, 2}, {address + 8, 3}};
    const D3D12_WRITEBUFFERIMMEDIATE_MODE modes[3] = {D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT,
                                                      D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN,
                                                      D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT};
    const struct {
        D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter;
        D3D12_WRITEBUFFERIMMEDIATE_MODE mode;
        int id;
    } bad[] = {{{0, 1}, 0, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_DEST},
               {{address + 2, 1}, 0, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT},
               {{address, 1},
                (D3D12_WRITEBUFFERIMMEDIATE_MODE)3,
                D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_MODE}};
    OWNED ID3D12GraphicsCommandList2 *list2 = AS(ID3D12GraphicsCommandList2, list);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kit_clear(device);
        ID3D12GraphicsCommandList2_WriteBufferImmediate(list2, 1, &bad[i].parameter, &bad[i].mode);
        cr_assert_eqs(kit_messages(device), 1, kit_count(device, bad[i].id), 1, "case %zu", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), i == 2 ? E_INVALIDARG : S_OK);
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    }
    kit_clear(device);
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list2, 1, NULL, NULL);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_INVALID_ARGUMENT);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    kit_clear(device);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list2, 3, right, modes);
    kit_run(device, queue, list);
    UINT *words = kit_map(buffer);
    cr_assert_eqs(words[0], 1, words[1], 2);
    cr_assert_eqs(words[2], 3, words[3], 0);
    cr_assert_eq(kit_messages(device), 0);
}

/* Rectangles are of one subresource of a two-dimensional texture [D3D12_DISCARD_REGION]. */
Test(list, discards_rectangles_of_one_subresource)
{
    const D3D12_RESOURCE_DESC desc = kit_texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8, 1, 2, 0);
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *stranger = kit_device();
    OPEN_LIST(DIRECT);
    OWNED ID3D12Resource *foreign = kit_buffer(stranger, D3D12_HEAP_TYPE_DEFAULT, 64);
    const D3D12_RECT rect = {0, 0, 1, 1};
    const D3D12_DISCARD_REGION one = {1, &rect, 1, 1}, two = {1, &rect, 0, 2},
                               all = {0, NULL, 0, 2};
    OWNED ID3D12Resource *texture = kit_resource(device, &desc, D3D12_RESOURCE_STATE_COMMON);
    ID3D12GraphicsCommandList_DiscardResource(list, texture, &one);
    ID3D12GraphicsCommandList_DiscardResource(list, texture, &all);
    cr_assert_eq(kit_messages(device), 0);
    ID3D12GraphicsCommandList_DiscardResource(list, texture, &two);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_DISCARD_ONE_SUBRESOURCE_FOR_MIPS_WITH_RECTS);
    ID3D12GraphicsCommandList_DiscardResource(list, foreign, NULL);
    cr_assert_eqs(kit_messages(device), 2, kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
}
