/* Bundles: what they inherit, what they leave behind, and what they may not do. */
#include "kit.h"

#include "base/abi.h"

struct scene {
    KIT_SCENE;
    ID3D12CommandAllocator *bundling;
    ID3D12GraphicsCommandList *bundle;
    ID3D12RootSignature *root;
    ID3D12PipelineState *fill;
    ID3D12Resource *result, *other;
    uint32_t *words, *others;
};

static struct scene open_scene(void)
{
    struct scene s;
    KIT_SCENE_OPEN(&s, kit_device(), DIRECT);
    s.bundling = kit_allocator(s.device, BUNDLE);
    s.bundle = kit_list(s.device, s.bundling, BUNDLE);
    s.root = kit_root_signature(s.device);
    s.fill = kit_pipeline(s.device, s.root, EMU_KERNEL_FILL);
    s.result = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 256);
    s.other = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 256);
    s.words = kit_map(s.result);
    s.others = kit_map(s.other);
    return s;
}

static void close_scene(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->result, s->other, s->fill, s->root, s->bundle, s->bundling);
}

static void set_destination(ID3D12GraphicsCommandList *list, ID3D12Resource *buffer)
{
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(buffer));
}

/* All that a fill of one word needs, but for the pipeline state. */
static void bind(struct scene *s, UINT value)
{
    const UINT constants[2] = {value, 1};
    ID3D12GraphicsCommandList_SetComputeRootSignature(s->list, s->root);
    set_destination(s->list, s->result);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s->list, 2, 2, constants, 0);
}

static void run(struct scene *s)
{
    kit_run(s->device, s->queue, s->list);
}

Test(bundle, without_a_root_signature_has_its_callers_and_all_arguments)
{
    AT_END(close_scene) struct scene s = open_scene();
    ID3D12GraphicsCommandList_SetPipelineState(s.bundle, s.fill);
    ID3D12GraphicsCommandList_Dispatch(s.bundle, 1, 1, 1);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    bind(&s, 21);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    set_destination(s.list, s.other); /* the next execution inherits what is set then */
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.list, 2, 22, 0);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    run(&s);
    cr_assert_eqs(s.words[0], 21, s.others[0], 22, "%u %u", s.words[0], s.others[0]);
    cr_assert_eq(kit_messages(s.device), 0);
}

Test(bundle, inherits_what_it_does_not_set_itself)
{
    for (int own_signature = 0; own_signature < 2; own_signature++) {
        AT_END(close_scene) struct scene s = open_scene();
        ID3D12GraphicsCommandList_SetPipelineState(s.bundle, s.fill);
        if (own_signature) /* the same as the caller's */
            ID3D12GraphicsCommandList_SetComputeRootSignature(s.bundle, s.root);
        ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.bundle, 2, 31, 0);
        ID3D12GraphicsCommandList_Dispatch(s.bundle, 1, 1, 1);
        MUST(ID3D12GraphicsCommandList_Close(s.bundle));
        bind(&s, 30);
        ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
        run(&s);
        cr_assert_eq(s.words[0], 31);
        cr_assert_eq(kit_messages(s.device), 0);
    }
}

/* "All of the state that is set in a bundle will affect the state of the parent command list"
 * [ExecuteBundle]. */
Test(bundle, leaves_its_state_to_its_caller)
{
    AT_END(close_scene) struct scene s = open_scene();
    ID3D12GraphicsCommandList_SetPipelineState(s.bundle, s.fill);
    set_destination(s.bundle, s.other);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.bundle, 2, 42, 0);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    bind(&s, 41);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1); /* with the bundle's pipeline state */
    run(&s);
    cr_assert_eq3(s.words[0], 0, s.others[0], 42, s.others[1], 0);
    cr_assert_eq(kit_messages(s.device), 0);
}

Test(bundle, has_no_pipeline_state_of_its_callers)
{
    AT_END(close_scene) struct scene s = open_scene();
    ID3D12GraphicsCommandList_Dispatch(s.bundle, 1, 1, 1);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_PIPELINE_STATE_NOT_SET);
}

Test(bundle, is_not_executed_where_what_it_inherits_is_missing)
{
    AT_END(close_scene) struct scene s = open_scene();
    ID3D12GraphicsCommandList_SetPipelineState(s.bundle, s.fill);
    ID3D12GraphicsCommandList_SetComputeRootConstantBufferView(s.bundle, 0, 0); /* a UAV there */
    ID3D12GraphicsCommandList_Dispatch(s.bundle, 1, 1, 1);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_NOT_SET);
    bind(&s, 1);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    cr_assert_eqs(
        kit_messages(s.device), 2,
        kit_count(s.device, D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_MISMATCH), 1);
    run(&s);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), S_OK);
}

/* Two parameters of one index can't both be what the caller has. */
Test(bundle, may_not_take_two_signatures_for_granted)
{
    AT_END(close_scene) struct scene s = open_scene();
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(s.bundle, 5, 0);
    ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(s.bundle, 5, 0);
    cr_assert_eq(kit_messages(s.device), 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.bundle), S_OK);
    MUST(ID3D12GraphicsCommandList_Reset(s.bundle, s.bundling, NULL));
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(s.bundle, 64, 0);
    cr_assert_eq(kit_messages(s.device), 2);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.bundle), S_OK);
}

/* Another root signature of the bundle's: nothing of the caller's is bound, and the caller has the
 * bundle's then. */
Test(bundle, of_another_root_signature_inherits_nothing)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_ROOT_PARAMETER parameters[3] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV, .Descriptor = {.ShaderRegister = 1}},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    OWNED ID3D12RootSignature *other = kit_root_signature_of(s.device, &desc);
    ID3D12GraphicsCommandList_SetPipelineState(s.bundle, s.fill);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.bundle, other);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.bundle, 2, 9, 0);
    ID3D12GraphicsCommandList_Dispatch(s.bundle, 1, 1, 1); /* no words are given: fills none */
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    bind(&s, 51);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(s.list, 1, 0);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1); /* the caller's are gone too */
    run(&s);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), S_OK);
    cr_assert_eq(s.words[0], 0);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* "The bundle descriptor heaps must match the calling command list descriptor heap" [bundle
 * restrictions]. */
Test(bundle, has_the_descriptor_heaps_of_its_caller)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                             .NumDescriptors = 2,
                                             .Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE};
    ID3D12DescriptorHeap *heaps[2];
    for (int i = 0; i < 2; i++)
        heaps[i] = MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &desc);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.bundle, 1, &heaps[0]);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    const int mismatch = D3D12_MESSAGE_ID_EXECUTE_BUNDLE_DESCRIPTOR_HEAP_MISMATCH;
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    EXPECT_MESSAGES(s.device, 1, mismatch);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &heaps[1]);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    EXPECT_MESSAGES(s.device, 2, mismatch);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &heaps[0]);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    cr_assert_eq(kit_messages(s.device), 2);
    for (int i = 0; i < 2; i++)
        ID3D12DescriptorHeap_Release(heaps[i]);
}

Test(bundle, may_have_tables_in_the_heap_that_its_caller_sets)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                             .NumDescriptors = 2,
                                             .Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE};
    ID3D12DescriptorHeap *heaps[2];
    D3D12_GPU_DESCRIPTOR_HANDLE handles[2];
    for (int i = 0; i < 2; i++) {
        heaps[i] = MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &desc);
        ABI_CALL_STRUCT(heaps[i], GetGPUDescriptorHandleForHeapStart, &handles[i]);
    }
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s.bundle, 0, handles[0]);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &heaps[1]);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_DESCRIPTOR_HEAP_MISMATCH);
    MUST(ID3D12GraphicsCommandList_Reset(s.bundle, s.bundling, NULL));
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s.bundle, 0, handles[0]);
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s.bundle, 1, handles[1]);
    cr_assert_eqs(kit_messages(s.device), 2,
                  kit_count(s.device, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID), 1);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.bundle), S_OK);
    for (int i = 0; i < 2; i++)
        ID3D12DescriptorHeap_Release(heaps[i]);
}

/* Copies, clears, barriers, predication, queries, targets, viewports and scissors are the caller's
 * [bundle restrictions]. */
Test(bundle, may_not_do_what_is_its_callers)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_VIEWPORT viewport = {0, 0, 1, 1, 0, 1};
    const D3D12_RECT rect = {0, 0, 1, 1};
#define FORBIDDEN(...)                                                                             \
    KIT_MISTAKE(s.device, s.bundle, s.bundling, E_FAIL, D3D12_MESSAGE_ID_INVALID_BUNDLE_API,       \
                __VA_ARGS__)
    FORBIDDEN(CopyResource, s.result, s.other);
    FORBIDDEN(CopyBufferRegion, s.result, 0, s.other, 0, 4);
    FORBIDDEN(ResourceBarrier, 0, NULL);
    FORBIDDEN(ExecuteBundle, s.bundle);
    FORBIDDEN(RSSetViewports, 1, &viewport);
    FORBIDDEN(RSSetScissorRects, 1, &rect);
    FORBIDDEN(OMSetRenderTargets, 0, NULL, FALSE, NULL);
    FORBIDDEN(SOSetTargets, 0, 0, NULL);
    FORBIDDEN(ClearState, NULL);
    FORBIDDEN(BeginQuery, NULL, D3D12_QUERY_TYPE_OCCLUSION, 0);
}
