/* Real work on real memory: its results are there afterwards. */
#include "kit.h"

Test(work, a_dispatch_fills_a_buffer_that_is_read_back)
{
    enum { WORDS = 1024 };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OPEN_LIST(DIRECT);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *fill = kit_pipeline(device, signature, EMU_KERNEL_FILL);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, WORDS * 4);
    OWNED ID3D12Resource *readback = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, WORDS * 4);

    kit_dispatch(list, signature, fill, buffer, NULL, 0xC0FFEE, WORDS);
    ID3D12GraphicsCommandList_CopyResource(list, readback, buffer);
    kit_run(device, queue, list);

    uint32_t *words = kit_map(readback);
    for (int i = 0; i < WORDS; i++)
        cr_assert_eq(words[i], 0xC0FFEE, "word %d is %x", i, words[i]);
    ID3D12Resource_Unmap(readback, 0, NULL);
    cr_assert_eq(kit_messages(device), 0);
}

Test(work, copies_and_immediate_writes_land_where_they_should)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, COPY);
    OPEN_LIST(COPY);
    OWNED ID3D12Resource *upload = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 256);
    OWNED ID3D12Resource *readback = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 256);
    uint8_t *from = kit_map(upload), *to = kit_map(readback);
    for (int i = 0; i < 256; i++)
        from[i] = (uint8_t)i;

    OWNED ID3D12GraphicsCommandList2 *list2 = AS(ID3D12GraphicsCommandList2, list);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, readback, 16, upload, 100, 8);
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {
        ID3D12Resource_GetGPUVirtualAddress(readback) + 32, 0x11223344};
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list2, 1, &write, NULL);
    kit_run(device, queue, list);

    for (int i = 0; i < 8; i++)
        cr_assert_eq(to[16 + i], 100 + i);
    cr_assert_eqs(to[15], 0, to[24], 0);
    uint32_t word;
    memcpy(&word, to + 32, 4);
    cr_assert_eq(word, 0x11223344);
    cr_assert_eq(kit_messages(device), 0);
}

Test(work, a_bundle_does_its_work_each_time_it_is_executed)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    OWNED ID3D12CommandAllocator *bundle_allocator = kit_allocator(device, BUNDLE);
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(device, bundle_allocator, BUNDLE);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *add = kit_pipeline(device, signature, EMU_KERNEL_ADD);
    OWNED ID3D12Resource *sum = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    OWNED ID3D12Resource *term = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 64);
    uint32_t *values = kit_map(term), *result = kit_map(sum);
    values[0] = 7;

    kit_dispatch(bundle, signature, add, sum, term, 0, 1);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    for (int i = 0; i < 3; i++)
        ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    kit_execute(queue, list);
    ID3D12CommandList *again[] = {(ID3D12CommandList *)list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, again);
    kit_finish(device, queue);
    cr_assert_eq(result[0], 2 * 3 * 7);
    cr_assert_eq(kit_messages(device), 0);
}

/* D3D12 makes it the application's duty to keep things alive; an application that doesn't must not
 * crash the GPU. */
Test(work, everything_may_be_released_while_the_gpu_uses_it)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        emu_config config = kit_config();
        config.seed = seed;
        AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
        OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
        ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
        ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
        ID3D12RootSignature *signature = kit_root_signature(device);
        ID3D12PipelineState *fill = kit_pipeline(device, signature, EMU_KERNEL_FILL);
        ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 65536);
        ID3D12Fence *fence = kit_fence(device, 0);
        kit_dispatch(list, signature, fill, buffer, NULL, 1, 16384);
        kit_execute(queue, list);
        MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
        emu_run_steps(device, seed);

        RELEASE(buffer, fill, signature, list, allocator, fence);
        emu_run_until_idle(device);
        EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), S_OK);
    }
}

Test(work, a_list_may_be_reset_and_recorded_anew_while_the_gpu_executes_it)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, COMPUTE);
    OWNED ID3D12CommandAllocator *first = kit_allocator(device, COMPUTE);
    OWNED ID3D12CommandAllocator *second = kit_allocator(device, COMPUTE);
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, first, COMPUTE);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *fill = kit_pipeline(device, signature, EMU_KERNEL_FILL);
    ID3D12Resource *buffers[2] = {kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64),
                                  kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64)};
    kit_dispatch(list, signature, fill, buffers[0], NULL, 1, 16);
    kit_execute(queue, list);
    MUST(ID3D12GraphicsCommandList_Reset(list, second, NULL));
    kit_dispatch(list, signature, fill, buffers[1], NULL, 2, 16);
    kit_run(device, queue, list);
    for (int i = 0; i < 2; i++) {
        uint32_t *words = kit_map(buffers[i]);
        cr_assert_eqs(words[0], (uint32_t)i + 1, words[15], (uint32_t)i + 1);
        ID3D12Resource_Release(buffers[i]);
    }
}
