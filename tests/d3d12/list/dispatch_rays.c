/* Rays on command lists: SetPipelineState1 and DispatchRays. */
#include "state_object/rays.h"

enum { WORDS = 16 };

struct scene {
    struct rays rays;
    D3D12_SHADER_BYTECODE code;
    ID3D12StateObject *pipeline;
    ID3D12RootSignature *signature;
    ID3D12Resource *buffer, *table;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList4 *list;
};

static ID3D12GraphicsCommandList4 *list_of(ID3D12Device *device, ID3D12CommandAllocator *allocator,
                                           D3D12_COMMAND_LIST_TYPE type)
{
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, allocator, type);
    return AS(ID3D12GraphicsCommandList4, list);
}

/* `kernel`: what the ray generation shader does in the emulator; 0: nothing. */
static struct scene begin(D3D12_COMMAND_LIST_TYPE type, emu_kernel kernel)
{
    const struct dxil_contents contents = {
        .functions = rays_functions, .function_count = 8, .kernel = kernel};
    struct scene s = {.rays = rays_begin(), .code = dxil_library(&contents)};
    struct plan plan;
    ID3D12Device *device = s.rays.device;
    rays_plan(&s.rays, &plan);
    plan.dxil.DXILLibrary = s.code;
    MUST(rays_create(&s.rays, &plan, &s.pipeline));
    s.signature = kit_root_signature(device);
    s.buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, WORDS * 4);
    s.table = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 256);
    s.queue = kit_queue(device, type == BUNDLE ? DIRECT : type);
    s.allocator = kit_allocator(device, type);
    s.list = list_of(device, s.allocator, type);
    return s;
}

static void end(struct scene *s)
{
    RELEASE(s->list, s->allocator, s->queue, s->buffer, s->table, s->signature, s->pipeline);
    dxil_free(&s->code);
    rays_end(&s->rays);
}

static D3D12_DISPATCH_RAYS_DESC rays_of(const struct scene *s)
{
    const D3D12_GPU_VIRTUAL_ADDRESS at = ID3D12Resource_GetGPUVirtualAddress(s->table);
    return (D3D12_DISPATCH_RAYS_DESC){.RayGenerationShaderRecord = {at, 32},
                                      .MissShaderTable = {at + 64, 32, 32},
                                      .HitGroupTable = {at + 128, 64, 64},
                                      .Width = 4,
                                      .Height = 2,
                                      .Depth = 1};
}

static void bind(const struct scene *s, UINT value)
{
    const UINT constants[2] = {value, WORDS};
    ID3D12GraphicsCommandList4_SetComputeRootSignature(s->list, s->signature);
    ID3D12GraphicsCommandList4_SetComputeRootUnorderedAccessView(
        s->list, 0, ID3D12Resource_GetGPUVirtualAddress(s->buffer));
    ID3D12GraphicsCommandList4_SetComputeRoot32BitConstants(s->list, 2, 2, constants, 0);
}

static void run(struct scene *s)
{
    kit_execute(s->queue, (ID3D12GraphicsCommandList *)s->list);
    kit_finish(s->rays.device, s->queue);
}

static void expect_words(const struct scene *s, UINT value)
{
    UINT *words = NULL;
    MUST(ID3D12Resource_Map(s->buffer, 0, NULL, (void **)&words));
    for (int i = 0; i < WORDS; i++)
        cr_assert_eq(words[i], value, "word %d is %u", i, words[i]);
    ID3D12Resource_Unmap(s->buffer, 0, NULL);
}

Test(dispatch_rays, runs_the_ray_generation_shader)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, COMPUTE};
    for (int i = 0; i < 2; i++) {
        AT_END(end) struct scene s = begin(types[i], EMU_KERNEL_FILL);
        const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
        bind(&s, 77);
        ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
        run(&s);
        expect_words(&s, 77);
        cr_assert_eq(kit_messages(s.rays.device), 0);
    }
}

Test(dispatch_rays, of_no_rays_runs_nothing)
{
    for (int i = 0; i < 3; i++) {
        AT_END(end) struct scene s = begin(DIRECT, EMU_KERNEL_FILL);
        D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
        *(i == 0 ? &desc.Width : i == 1 ? &desc.Height : &desc.Depth) = 0;
        bind(&s, 77);
        ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
        run(&s);
        expect_words(&s, 0);
        cr_assert_eq(kit_messages(s.rays.device), 0);
    }
}

/* A library from a compiler has no kernel: its rays pass, and need no root signature. */
Test(dispatch_rays, without_a_kernel_passes)
{
    AT_END(end) struct scene s = begin(COMPUTE, (emu_kernel)0);
    const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    run(&s);
    expect_words(&s, 0);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.rays.device), S_OK);
    cr_assert_eq(kit_messages(s.rays.device), 0);
}

Test(dispatch_rays, runs_no_other_shader)
{
    AT_END(end) struct scene s = begin(DIRECT, (emu_kernel)0);
    const struct dxil_contents contents = {
        .functions = &rays_functions[1], .function_count = 1, .kernel = EMU_KERNEL_FILL};
    const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
    D3D12_SHADER_BYTECODE code = dxil_library(&contents);
    ID3D12StateObject *object = NULL;
    struct plan plan;
    rays_plan(&s.rays, &plan);
    plan.dxil.DXILLibrary = code;
    plan.hits.AnyHitShaderImport = plan.hits.ClosestHitShaderImport = NULL;
    MUST(rays_create(&s.rays, &plan, &object));
    bind(&s, 3);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, object);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    run(&s);
    expect_words(&s, 0);
    ID3D12StateObject_Release(object);
    dxil_free(&code);
}

Test(dispatch_rays, can_hang)
{
    AT_END(end) struct scene s = begin(DIRECT, EMU_KERNEL_SPIN);
    const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
    bind(&s, 1);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    kit_execute(s.queue, (ID3D12GraphicsCommandList *)s.list);
    emu_run_until_idle(s.rays.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.rays.device), DXGI_ERROR_DEVICE_HUNG);
}

Test(dispatch_rays, works_in_bundles)
{
    AT_END(end) struct scene s = begin(BUNDLE, EMU_KERNEL_FILL);
    const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.rays.device, DIRECT);
    OWNED ID3D12GraphicsCommandList *caller = kit_list(s.rays.device, allocator, DIRECT);
    bind(&s, 5);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    MUST(ID3D12GraphicsCommandList4_Close(s.list));
    ID3D12GraphicsCommandList_ExecuteBundle(caller, (ID3D12GraphicsCommandList *)s.list);
    kit_execute(s.queue, caller);
    kit_finish(s.rays.device, s.queue);
    expect_words(&s, 5);
    cr_assert_eq(kit_messages(s.rays.device), 0);
}

/* "There is only one pipeline state active on a command list at a time". */
Test(dispatch_rays, wants_the_raytracing_pipeline_set_last)
{
    AT_END(end) struct scene s = begin(DIRECT, EMU_KERNEL_FILL);
    const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
    OWNED ID3D12PipelineState *compute = kit_pipeline(s.rays.device, s.signature, EMU_KERNEL_FILL);
    bind(&s, 9);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    rays_told(&s.rays, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_Dispatch(s.list, 1, 1, 1);
    rays_told(&s.rays, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH);
    ID3D12GraphicsCommandList4_SetPipelineState(s.list, compute);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    rays_told(&s.rays, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_ClearState(s.list, NULL);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    rays_told(&s.rays, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    run(&s);
    expect_words(&s, 0);
}

Test(dispatch_rays, of_a_bad_description_is_dropped)
{
    AT_END(end) struct scene s = begin(DIRECT, EMU_KERNEL_FILL);
    bind(&s, 9);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
#define DROPPED(change)                                                                            \
    do {                                                                                           \
        D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);                                               \
        change;                                                                                    \
        ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);                                    \
        rays_told(&s.rays, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);                                \
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
    rays_told(&s.rays, D3D12_MESSAGE_ID_DISPATCH_RAYS_INVALID);
    run(&s); /* the recording goes on */
    expect_words(&s, 0);
}

Test(dispatch_rays, takes_no_other_state_object)
{
    AT_END(end) struct scene s = begin(DIRECT, EMU_KERNEL_FILL);
    AT_END(rays_end) struct rays others = rays_begin();
    struct plan plan;
    OWNED ID3D12StateObject *collection = NULL, *foreign = NULL;
    rays_plan(&s.rays, &plan);
    plan.type = D3D12_STATE_OBJECT_TYPE_COLLECTION;
    MUST(rays_create(&s.rays, &plan, &collection));
    rays_plan(&others, &plan);
    MUST(rays_create(&others, &plan, &foreign));
    ID3D12StateObject *const wrong[] = {NULL, collection, foreign,
                                        (ID3D12StateObject *)s.signature};
    for (int i = 0; i < 4; i++) {
        ID3D12GraphicsCommandList4_SetPipelineState1(s.list, wrong[i]);
        rays_told(&s.rays, EMU_MESSAGE_INVALID_ARGUMENT);
        EXPECT_HR(ID3D12GraphicsCommandList4_Close(s.list), S_OK);
        MUST(ID3D12CommandAllocator_Reset(s.allocator));
        MUST(ID3D12GraphicsCommandList4_Reset(s.list, s.allocator, NULL));
        kit_clear(s.rays.device);
    }
}

Test(dispatch_rays, is_not_for_copy_lists)
{
    AT_END(end) struct scene s = begin(COPY, EMU_KERNEL_FILL);
    const D3D12_DISPATCH_RAYS_DESC desc = rays_of(&s);
    ID3D12GraphicsCommandList4_SetPipelineState1(s.list, s.pipeline);
    ID3D12GraphicsCommandList4_DispatchRays(s.list, &desc);
    cr_assert_eq(kit_messages(s.rays.device), 2);
    cr_assert(FAILED(ID3D12GraphicsCommandList4_Close(s.list)));
}
