/* Rays on command lists: SetPipelineState1 and DispatchRays. None is traced. */
#include "kit.h"

struct scene {
    ID3D12Device *device;
    ID3D12StateObject *pipeline;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList4 *list;
};

static ID3D12StateObject *state_object(ID3D12Device *device, D3D12_STATE_OBJECT_TYPE type)
{
    const D3D12_STATE_OBJECT_DESC desc = {type, 0, NULL};
    OWNED ID3D12Device5 *device5 = AS(ID3D12Device5, device);
    return MADE(ID3D12StateObject, device5, CreateStateObject, &desc);
}

static struct scene begin(D3D12_COMMAND_LIST_TYPE type)
{
    struct scene s = {.device = kit_device()};
    s.pipeline = state_object(s.device, D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE);
    s.allocator = kit_allocator(s.device, type);
    OWNED ID3D12GraphicsCommandList *list = kit_list(s.device, s.allocator, type);
    s.list = AS(ID3D12GraphicsCommandList4, list);
    return s;
}

static void end(struct scene *s)
{
    RELEASE(s->list, s->allocator, s->pipeline);
    kit_close(s->device);
}

static D3D12_DISPATCH_RAYS_DESC rays(void)
{
    return (D3D12_DISPATCH_RAYS_DESC){.RayGenerationShaderRecord = {4096, 32},
                                      .MissShaderTable = {4096 + 64, 32, 32},
                                      .HitGroupTable = {4096 + 128, 64, 64},
                                      .Width = 4,
                                      .Height = 2,
                                      .Depth = 1};
}

static void told(const struct scene *s, int id)
{
    EXPECT_MESSAGES(s->device, 1, id);
    kit_clear(s->device);
}

static void run(const struct scene *s, D3D12_COMMAND_LIST_TYPE type)
{
    OWNED ID3D12CommandQueue *queue = kit_queue(s->device, type);
    kit_execute(queue, (ID3D12GraphicsCommandList *)s->list);
    kit_finish(s->device, queue);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s->device), S_OK);
}

Test(dispatch_rays, passes_on_direct_and_compute_lists)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, COMPUTE};
    for (int i = 0; i < 2; i++) {
        AT_END(end) struct scene s = begin(types[i]);
        D3D12_DISPATCH_RAYS_DESC desc = rays();
        ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
        desc.Width = 0;
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
        run(&s, types[i]);
        cr_assert_eq(kit_messages(s.device), 0);
    }
}

/* No debugger is there: with DEBUG_BREAK_ALWAYS_HALT waves halt, and the timeout removes the
 * device; with FORCE_NOP they go on. */
Test(dispatch_rays, halts_at_a_debug_break_where_the_pipeline_says_so)
{
    for (unsigned flag = 0x80; flag <= 0x100; flag *= 2) {
        AT_END(end) struct scene s = begin(DIRECT);
        const D3D12_STATE_OBJECT_CONFIG config = {(D3D12_STATE_OBJECT_FLAGS)flag};
        const D3D12_STATE_SUBOBJECT part = {D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG,
                                            &config};
        const D3D12_STATE_OBJECT_DESC object = {D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE, 1,
                                                &part};
        const D3D12_DISPATCH_RAYS_DESC desc = rays();
        OWNED ID3D12Device5 *device5 = AS(ID3D12Device5, s.device);
        OWNED ID3D12StateObject *pipeline =
            MADE(ID3D12StateObject, device5, CreateStateObject, &object);
        OWNED ID3D12CommandQueue *queue = kit_queue(s.device, DIRECT);
        ID3D12GraphicsCommandList4_SetPipelineState1(s.list, pipeline);
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
        kit_execute(queue, (ID3D12GraphicsCommandList *)s.list);
        emu_run_until_idle(s.device);
        EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device),
                  flag == 0x80 ? DXGI_ERROR_DEVICE_HUNG : S_OK);
    }
}

Test(dispatch_rays, works_in_bundles)
{
    AT_END(end) struct scene s = begin(BUNDLE);
    const D3D12_DISPATCH_RAYS_DESC desc = rays();
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, DIRECT);
    OWNED ID3D12GraphicsCommandList *caller = kit_list(s.device, allocator, DIRECT);
    OWNED ID3D12RootSignature *signature = kit_root_signature(s.device);
    ID3D12GraphicsCommandList4_SetComputeRootSignature(s.list, signature);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    MUST(ID3D12GraphicsCommandList4_Close(s.list));
    ID3D12GraphicsCommandList_ExecuteBundle(caller, (ID3D12GraphicsCommandList *)s.list);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* "There is only one pipeline state active on a command list at a time". */
Test(dispatch_rays, wants_the_raytracing_pipeline_set_last)
{
    AT_END(end) struct scene s = begin(DIRECT);
    const D3D12_DISPATCH_RAYS_DESC desc = rays();
    OWNED ID3D12RootSignature *signature = kit_root_signature(s.device);
    OWNED ID3D12PipelineState *compute = kit_pipeline(s.device, signature, EMU_KERNEL_FILL);
    ID3D12GraphicsCommandList4_SetComputeRootSignature(s.list, signature);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    told(&s, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_Dispatch(s.list, 1, 1, 1);
    told(&s, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH);
    ID3D12GraphicsCommandList4_SetPipelineState(s.list, compute);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    told(&s, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_ClearState(s.list, NULL);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    told(&s, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    run(&s, DIRECT); /* the recording goes on */
}

Test(dispatch_rays, of_a_bad_description_is_dropped)
{
    AT_END(end) struct scene s = begin(DIRECT);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
#define DROPPED(change)                                                                            \
    do {                                                                                           \
        D3D12_DISPATCH_RAYS_DESC desc = rays();                                                    \
        change;                                                                                    \
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);                                    \
        told(&s, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);                                          \
    } while (0)
    DROPPED(desc.RayGenerationShaderRecord.StartAddress = 0);
    DROPPED(desc.RayGenerationShaderRecord.StartAddress += 32);
    DROPPED(desc.RayGenerationShaderRecord.SizeInBytes = 31);
    DROPPED(desc.MissShaderTable.StartAddress += 32);
    DROPPED(desc.HitGroupTable.StartAddress += 1);
    DROPPED(desc.CallableShaderTable.StartAddress = 8);
    DROPPED(desc.MissShaderTable.StrideInBytes = 16);
    DROPPED(desc.HitGroupTable.StrideInBytes = 4096 + 32);
    DROPPED(desc.CallableShaderTable.StrideInBytes = UINT64_MAX);
    DROPPED((desc.Width = 1 << 15, desc.Height = 1 << 15, desc.Depth = 2));
    DROPPED((desc.Width = desc.Height = desc.Depth = UINT_MAX));
    DROPPED((desc.Width = (1 << 30) + 1, desc.Height = 1));
    ID3D12GraphicsCommandList4_DispatchRays(s.list, NULL);
    told(&s, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    run(&s, DIRECT); /* the recording goes on */
}

Test(dispatch_rays, takes_no_other_state_object)
{
    AT_END(end) struct scene s = begin(DIRECT), other = begin(DIRECT);
    OWNED ID3D12StateObject *collection =
        state_object(s.device, D3D12_STATE_OBJECT_TYPE_COLLECTION);
    ID3D12StateObject *const wrong[] = {NULL, collection, other.pipeline,
                                        (ID3D12StateObject *)s.allocator};
    for (int i = 0; i < 4; i++) {
        ID3D12GraphicsCommandList4_SetPipelineState1(s.list, wrong[i]);
        told(&s, EMU_MESSAGE_INVALID_ARGUMENT);
    }
    EXPECT_HR(ID3D12GraphicsCommandList4_Close(s.list), S_OK);
}

Test(dispatch_rays, is_not_for_copy_lists)
{
    AT_END(end) struct scene s = begin(COPY);
    const D3D12_DISPATCH_RAYS_DESC desc = rays();
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    cr_assert_eq(kit_messages(s.device), 2);
    cr_assert(FAILED(ID3D12GraphicsCommandList4_Close(s.list)));
}
