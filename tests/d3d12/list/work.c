/* Real work on real memory: its results are there afterwards. */
#include "kit.h"

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
