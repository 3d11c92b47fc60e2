/* Draws: nothing is rasterised, but a draw is work in order, needs its state, and may hang. */
#include "kit.h"

#include "base/abi.h"

#define TRIANGLES (D3D12_PRIMITIVE_TOPOLOGY) D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST

struct scene {
    KIT_SCENE;
    ID3D12RootSignature *root;
    ID3D12Resource *result;
    uint32_t *words;
};

static struct scene open_scene_on(ID3D12Device *device)
{
    struct scene s;
    KIT_SCENE_OPEN(&s, device, DIRECT);
    s.root = kit_root_signature(s.device);
    s.result = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 256);
    MUST(ID3D12Resource_Map(s.result, 0, NULL, (void **)&s.words));
    return s;
}

static struct scene open_scene(void)
{
    return open_scene_on(kit_device());
}

static void close_scene(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->result, s->root);
}

/* Its vertex shader is the kernel; kernel 0: nobody's bytecode. */
static ID3D12PipelineState *create_pipeline(struct scene *s, emu_kernel kernel)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc =
        kit_graphics_desc(s->root, (D3D12_SHADER_BYTECODE)KIT_SHADER(VS));
    if (kernel != 0)
        desc.VS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.VS.BytecodeLength);
    return MADE(ID3D12PipelineState, s->device, CreateGraphicsPipelineState, &desc);
}

static void set_arguments(struct scene *s, UINT word, UINT value)
{
    const UINT constants[2] = {value, 1};
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(s->list, s->root);
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(
        s->list, 0, ID3D12Resource_GetGPUVirtualAddress(s->result) + word * 4);
    ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(s->list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(s->list, TRIANGLES);
}

static void run(struct scene *s)
{
    kit_run(s->device, s->queue, s->list);
}

Test(draws, run_the_kernel_of_their_pipeline_with_graphics_arguments)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
    const D3D12_INDEX_BUFFER_VIEW indices = {ID3D12Resource_GetGPUVirtualAddress(s.result), 4,
                                             DXGI_FORMAT_R16_UINT};
    ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    set_arguments(&s, 2, 6);
    ID3D12GraphicsCommandList_IASetIndexBuffer(s.list, &indices);
    ID3D12GraphicsCommandList_DrawIndexedInstanced(s.list, 3, 2, 0, -1, 0);
    set_arguments(&s, 4, 7);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 0, 1, 0, 0); /* no vertices: nothing runs */
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 0, 0, 0);
    run(&s);
    cr_assert_eq3(s.words[0], 5, s.words[2], 6, s.words[4], 0);
    cr_assert_eq(kit_messages(s.device), 0);
}

Test(draws, without_a_kernel_do_nothing_in_order)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *plain = create_pipeline(&s, (emu_kernel)0);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, plain);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    run(&s);
    cr_assert_eq(s.words[0], 0);
    cr_assert_eq(kit_messages(s.device), 0);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), S_OK);
}

Test(draws, may_hang)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *spin = create_pipeline(&s, EMU_KERNEL_SPIN);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, spin);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    kit_execute(s.queue, s.list);
    emu_run_until_idle(s.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), DXGI_ERROR_DEVICE_HUNG);
}

/* man annot-emulator, EMU_HANG: "dispatch:N" is the N-th dispatch, "draw:N" the N-th draw. */
Test(draws, hangs_are_counted_apart_from_those_of_dispatches)
{
    static const struct {
        emu_hang hang;
        uint32_t dispatched, drawn; /* last before the hang */
    } cases[] = {{{.place = EMU_HANG_AT_DISPATCH, .count = 2}, 1, 6},
                 {{.place = EMU_HANG_AT_DRAW, .count = 2}, 2, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        emu_config config = kit_config();
        config.hang = cases[i].hang;
        AT_END(close_scene) struct scene s = open_scene_on(kit_device_with(&config));
        OWNED ID3D12PipelineState *work = kit_pipeline(s.device, s.root, EMU_KERNEL_FILL);
        OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
        for (UINT n = 0; n < 2; n++) {
            kit_dispatch(s.list, s.root, work, s.result, NULL, n + 1, 1);
            ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
            set_arguments(&s, 2, n + 6);
            ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
        }
        kit_execute(s.queue, s.list);
        emu_run_until_idle(s.device);
        EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), DXGI_ERROR_DEVICE_HUNG);
        cr_expect_eqs(s.words[0], cases[i].dispatched, s.words[2], cases[i].drawn);
    }
}

/* Dispatches and draws have arguments apart [SetGraphicsRootSignature]. */
Test(draws, do_not_see_compute_arguments)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.list, 2, 99, 0);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(s.list, 0, 0);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    run(&s);
    cr_assert_eq(s.words[0], 5);
}

Test(draws, want_a_root_signature_and_a_graphics_pipeline_state)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
    OWNED ID3D12PipelineState *compute = kit_pipeline(s.device, s.root, EMU_KERNEL_FILL);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(s.list, TRIANGLES);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_ROOT_SIGNATURE_NOT_SET);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1);
    cr_assert_eqs(kit_messages(s.device), 2,
                  kit_count(s.device, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH), 1);
    ID3D12GraphicsCommandList_ClearState(s.list, NULL);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    cr_assert_eqs(kit_messages(s.device), 3,
                  kit_count(s.device, D3D12_MESSAGE_ID_COMMAND_LIST_PIPELINE_STATE_NOT_SET), 1);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, compute);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    cr_assert_eqs(kit_messages(s.device), 4,
                  kit_count(s.device, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH), 2);
    run(&s);
    cr_assert_eq(s.words[0], 0);
}

Test(draws, are_told_of_input_that_is_missing)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_DrawIndexedInstanced(s.list, 3, 1, 0, 0, 0);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INDEX_BUFFER_NOT_SET);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        s.list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_UNDEFINED);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    cr_assert_eqs(kit_messages(s.device), 2,
                  kit_count(s.device, D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY),
                  1);
    run(&s);
}

Test(draws, can_be_indirect)
{
    const D3D12_INDIRECT_ARGUMENT_DESC arguments[] = {
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT, .Constant = {2, 0, 1}},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED}};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {40, 3, arguments, 0};
    const UINT command[10] = {8, 0, 0, 0, 0, 3, 1, 0, 0, 0};
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
    OWNED ID3D12Resource *commands = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 64);
    void *data = NULL;
    OWNED ID3D12CommandSignature *signature =
        MADE(ID3D12CommandSignature, s.device, CreateCommandSignature, &desc, s.root);
    MUST(ID3D12Resource_Map(commands, 0, NULL, &data));
    memcpy(data, command, sizeof command);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, signature, 1, commands, 0, NULL, 0);
    cr_assert_eq(kit_messages(s.device), 0);
    run(&s);
    cr_assert_eq(s.words[0], 8);
}

Test(draws, in_a_bundle_inherit_graphics_arguments_but_no_topology)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = create_pipeline(&s, EMU_KERNEL_FILL);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
    ID3D12GraphicsCommandList_SetPipelineState(bundle, fill);
    ID3D12GraphicsCommandList_DrawIndexedInstanced(bundle, 3, 1, 0, 0, 0);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    set_arguments(&s, 1, 9);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
    run(&s);
    cr_assert_eq(s.words[1], 9);
    cr_assert_eq(kit_messages(s.device), 1);
}

/* A pipeline whose mesh shader is the kernel. */
static ID3D12PipelineState *create_mesh_pipeline(struct scene *s, emu_kernel kernel)
{
    struct {
        _Alignas(void *) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE root_type;
        ID3D12RootSignature *root;
        _Alignas(void *) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE shader_type;
        D3D12_SHADER_BYTECODE shader;
    } stream = {.root_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE,
                .root = s->root,
                .shader_type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS};
    stream.shader.pShaderBytecode = emu_kernel_bytecode(kernel, &stream.shader.BytecodeLength);
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {sizeof stream, &stream};
    OWNED ID3D12Device2 *device2 = AS(ID3D12Device2, s->device);
    return MADE(ID3D12PipelineState, device2, CreatePipelineState, &desc);
}

/* MeshShaderTier says that there are none. */
Test(meshes, are_not_modelled)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *mesh = create_mesh_pipeline(&s, EMU_KERNEL_FILL);
    OWNED ID3D12GraphicsCommandList6 *l = AS(ID3D12GraphicsCommandList6, s.list);
    set_arguments(&s, 0, 5);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, mesh);
    ID3D12GraphicsCommandList_DrawInstanced(s.list, 3, 1, 0, 0);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH);
    ID3D12GraphicsCommandList6_DispatchMesh(l, 2, 3, 4);
    cr_assert_eq(kit_count(s.device, EMU_MESSAGE_NOT_MODELLED), 1);
    run(&s);
    cr_assert_eq(s.words[0], 0);
}

/* ---- what draws read ---- */

Test(graphics_state, is_refused_where_it_is_wrong)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_INDEX_BUFFER_VIEW bytes = {65536, 4, DXGI_FORMAT_R8_UINT};
    const D3D12_INDEX_BUFFER_VIEW odd = {65537, 4, DXGI_FORMAT_R16_UINT};
    const D3D12_VERTEX_BUFFER_VIEW wide = {65536, 4096, 2049};
    const D3D12_STREAM_OUTPUT_BUFFER_VIEW crooked = {65538, 4, 0};
    const D3D12_RECT inside_out = {2, 0, 1, 1};
    const D3D12_CPU_DESCRIPTOR_HANDLE nowhere = {0};
#define REFUSED(id, ...)                                                                           \
    KIT_MISTAKE(s.device, s.list, s.allocator, S_OK, D3D12_MESSAGE_ID_##id, __VA_ARGS__)
#define INVALID(...)                                                                               \
    KIT_MISTAKE(s.device, s.list, s.allocator, S_OK, EMU_MESSAGE_INVALID_ARGUMENT, __VA_ARGS__)
    REFUSED(COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY, IASetPrimitiveTopology,
            (D3D12_PRIMITIVE_TOPOLOGY)6);
    REFUSED(COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY, IASetPrimitiveTopology,
            (D3D12_PRIMITIVE_TOPOLOGY)65);
    REFUSED(SET_INDEX_BUFFER_INVALID_DESC, IASetIndexBuffer, &bytes);
    REFUSED(SET_INDEX_BUFFER_INVALID_DESC, IASetIndexBuffer, &odd);
    REFUSED(SET_VERTEX_BUFFERS_INVALID, IASetVertexBuffers, 31, 2, NULL);
    REFUSED(SET_VERTEX_BUFFERS_INVALID_DESC, IASetVertexBuffers, 0, 1, &wide);
    REFUSED(SET_STREAM_OUTPUT_BUFFERS_INVALID, SOSetTargets, UINT32_MAX, 2, NULL);
    REFUSED(SET_STREAM_OUTPUT_BUFFERS_INVALID_DESC, SOSetTargets, 0, 1, &crooked);
    INVALID(RSSetViewports, 17, NULL);
    INVALID(RSSetViewports, 1, NULL);
    INVALID(RSSetScissorRects, 1, NULL);
    REFUSED(SET_SCISSOR_RECTS_INVALID_RECT, RSSetScissorRects, 1, &inside_out);
    REFUSED(COMMAND_LIST_SETRENDERTARGETS_INVALIDNUMRENDERTARGETS, OMSetRenderTargets, 9, &nowhere,
            TRUE, NULL);
    REFUSED(SET_RENDER_TARGETS_INVALID, OMSetRenderTargets, 1, &nowhere, FALSE, NULL);
    REFUSED(SET_RENDER_TARGETS_INVALID, OMSetRenderTargets, 0, NULL, FALSE, &nowhere);
}

Test(graphics_state, is_taken_where_it_is_right)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_DESCRIPTOR_HEAP_DESC targets = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
                                                .NumDescriptors = 8};
    D3D12_CPU_DESCRIPTOR_HANDLE handle;
    const D3D12_VIEWPORT viewport = {0, 0, 1, 1, 0, 1};
    const D3D12_RECT rect = {0, 0, 1, 1}, empty = {0, 0, 0, 0};
    const FLOAT factor[4] = {1, 1, 1, 1};
    OWNED ID3D12DescriptorHeap *heap =
        MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &targets);
    ABI_CALL_STRUCT(heap, GetCPUDescriptorHandleForHeapStart, &handle);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        s.list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_3_CONTROL_POINT_PATCHLIST);
    ID3D12GraphicsCommandList_IASetIndexBuffer(s.list, NULL);
    ID3D12GraphicsCommandList_IASetVertexBuffers(s.list, 0, 32, NULL);
    ID3D12GraphicsCommandList_SOSetTargets(s.list, 0, 4, NULL);
    ID3D12GraphicsCommandList_RSSetViewports(s.list, 1, &viewport);
    ID3D12GraphicsCommandList_RSSetViewports(s.list, 0, NULL);
    ID3D12GraphicsCommandList_RSSetScissorRects(s.list, 1, &rect);
    ID3D12GraphicsCommandList_RSSetScissorRects(s.list, 1, &empty);
    ID3D12GraphicsCommandList_OMSetBlendFactor(s.list, factor);
    ID3D12GraphicsCommandList_OMSetStencilRef(s.list, 1);
    ID3D12GraphicsCommandList_OMSetRenderTargets(s.list, 8, &handle, TRUE, NULL);
    ID3D12GraphicsCommandList_OMSetRenderTargets(s.list, 1, &handle, FALSE, NULL);
    ID3D12GraphicsCommandList_OMSetRenderTargets(s.list, 0, NULL, FALSE, NULL);
    cr_assert_eq(kit_messages(s.device), 0);
    ID3D12GraphicsCommandList_OMSetRenderTargets(s.list, 0, NULL, FALSE, &handle); /* no DSV */
    cr_assert_eq(kit_count(s.device, D3D12_MESSAGE_ID_SET_RENDER_TARGETS_INVALID), 1);
}

Test(graphics_state, is_not_for_compute_lists)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OPEN_LIST(COMPUTE);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, NULL);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, TRIANGLES);
    ID3D12GraphicsCommandList_RSSetViewports(list, 0, NULL);
    ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, 0, 0);
    EXPECT_MESSAGES(device, 4, EMU_MESSAGE_INVALID_ARGUMENT);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(list), E_FAIL);
}

/* "If the root signature is redundantly set to the same one currently set, existing root signature
 * bindings do not become stale" [Using a Root Signature]. */
Test(root_arguments, survive_the_signature_that_is_set_already)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12PipelineState *fill = kit_pipeline(s.device, s.root, EMU_KERNEL_FILL);
    const UINT constants[2] = {3, 1};
    ID3D12GraphicsCommandList_SetPipelineState(s.list, fill);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        s.list, 0, ID3D12Resource_GetGPUVirtualAddress(s.result));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s.list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, NULL);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1); /* fills nothing: no words are given */
    run(&s);
    cr_assert_eq(s.words[0], 3);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), S_OK);
}

Test(root_arguments, are_refused_at_addresses_that_are_not_aligned)
{
    static const int expected[3] = {D3D12_MESSAGE_ID_SET_ROOT_CONSTANT_BUFFER_VIEW_INVALID,
                                    D3D12_MESSAGE_ID_SET_ROOT_SHADER_RESOURCE_VIEW_INVALID,
                                    D3D12_MESSAGE_ID_SET_ROOT_UNORDERED_ACCESS_VIEW_INVALID};
    for (int i = 0; i < 3; i++) {
        AT_END(close_scene) struct scene s = open_scene();
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
        OWNED ID3D12GraphicsCommandList *list = kit_list(s.device, allocator, BUNDLE);
        if (i == 0)
            ID3D12GraphicsCommandList_SetGraphicsRootConstantBufferView(list, 0, 65536 + 128);
        else if (i == 1)
            ID3D12GraphicsCommandList_SetGraphicsRootShaderResourceView(list, 0, 65538);
        else
            ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(list, 0, 65538);
        EXPECT_MESSAGES(s.device, 1, expected[i]);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(list), S_OK);
    }
}
