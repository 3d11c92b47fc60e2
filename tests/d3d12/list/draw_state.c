/* The state that draws and bundles keep, reset and inherit, field by field; and the limits of its
 * values. */
#include "kit.h"

#include "base/abi.h"

#define TRIANGLES (D3D12_PRIMITIVE_TOPOLOGY) D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST

static const int no_topology = D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY;
static const int no_indices = D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INDEX_BUFFER_NOT_SET;

struct scene {
    KIT_SCENE;
    ID3D12CommandAllocator *bundling;
    ID3D12GraphicsCommandList *bundle;
    ID3D12RootSignature *root;
    ID3D12PipelineState *state;
    D3D12_INDEX_BUFFER_VIEW indices;
};

static struct scene open_scene(void)
{
    struct scene s = {.indices = {65536, 4, DXGI_FORMAT_R16_UINT}};
    KIT_SCENE_OPEN(&s, kit_device(), DIRECT);
    s.bundling = kit_allocator(s.device, BUNDLE);
    s.bundle = kit_list(s.device, s.bundling, BUNDLE);
    s.root = kit_root_signature(s.device);
    s.state = kit_draws(s.device, s.root);
    return s;
}

static void close_scene(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->state, s->root, s->bundle, s->bundling);
}

static void bind(struct scene *s)
{
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(s->list, s->root);
    ID3D12GraphicsCommandList_SetPipelineState(s->list, s->state);
}

/* Draws indexed and expects what is missing to be told, and no more. */
static void draw(struct scene *s, bool has_topology, bool has_indices, const char *what)
{
    kit_clear(s->device);
    ID3D12GraphicsCommandList_DrawIndexedInstanced(s->list, 3, 1, 0, 0, 0);
    cr_assert_eq(kit_count(s->device, no_topology), !has_topology, "%s", what);
    cr_assert_eq(kit_count(s->device, no_indices), !has_indices, "%s", what);
    cr_assert_eq(kit_messages(s->device), (UINT64)!has_topology + !has_indices, "%s", what);
}

Test(draw_state, is_lost_by_reset_and_clear_state)
{
    for (int resets = 0; resets < 2; resets++) {
        AT_END(close_scene) struct scene s = open_scene();
        bind(&s);
        ID3D12GraphicsCommandList_IASetPrimitiveTopology(s.list, TRIANGLES);
        ID3D12GraphicsCommandList_IASetIndexBuffer(s.list, &s.indices);
        draw(&s, true, true, "as it was set");
        if (resets) {
            MUST(ID3D12GraphicsCommandList_Close(s.list));
            MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
        } else {
            ID3D12GraphicsCommandList_ClearState(s.list, NULL);
        }
        bind(&s);
        draw(&s, false, false, "as a recording begins");
    }
}

/* An index buffer view of NULL, of address 0, or of DXGI_FORMAT_UNKNOWN, is none
 * [IASetIndexBuffer]. */
Test(draw_state, no_index_buffer_takes_the_one_that_was_set_away)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_INDEX_BUFFER_VIEW none = {0, 0, DXGI_FORMAT_UNKNOWN};
    D3D12_INDEX_BUFFER_VIEW unknown = s.indices;
    unknown.Format = DXGI_FORMAT_UNKNOWN;
    const D3D12_INDEX_BUFFER_VIEW *const nothing[3] = {NULL, &none, &unknown};
    bind(&s);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(s.list, TRIANGLES);
    for (int i = 0; i < 3; i++) {
        ID3D12GraphicsCommandList_IASetIndexBuffer(s.list, &s.indices);
        draw(&s, true, true, "set");
        ID3D12GraphicsCommandList_IASetIndexBuffer(s.list, nothing[i]);
        cr_assert_eq(kit_messages(s.device), 0, "it is no mistake");
        draw(&s, true, false, "taken away");
    }
    MUST(ID3D12GraphicsCommandList_Close(s.list));
}

Test(draw_state, of_a_bundle_is_its_callers_afterwards)
{
    AT_END(close_scene) struct scene s = open_scene();
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(s.bundle, TRIANGLES);
    ID3D12GraphicsCommandList_IASetIndexBuffer(s.bundle, &s.indices);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    bind(&s);
    draw(&s, false, false, "before");
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    draw(&s, true, true, "after");
    MUST(ID3D12GraphicsCommandList_Reset(s.bundle, s.bundling, NULL));
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    draw(&s, true, true, "what a bundle doesn't set stays");
}

Test(draw_state, is_wanted_by_indirect_draws_too)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_INDIRECT_ARGUMENT_DESC indexed = {.Type =
                                                      D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {20, 1, &indexed, 0};
    OWNED ID3D12Resource *commands = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 64);
    OWNED ID3D12CommandSignature *signature =
        MADE(ID3D12CommandSignature, s.device, CreateCommandSignature, &desc, NULL);
    bind(&s);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, signature, 1, commands, 0, NULL, 0);
    cr_assert_eqs(kit_messages(s.device), 2, kit_count(s.device, no_topology), 1);
    cr_assert_eq(kit_count(s.device, no_indices), 1);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(s.list, TRIANGLES);
    ID3D12GraphicsCommandList_IASetIndexBuffer(s.list, &s.indices);
    kit_clear(s.device);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, signature, 1, commands, 0, NULL, 0);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* [D3D_PRIMITIVE_TOPOLOGY] */
Test(draw_state, is_of_the_topologies_that_there_are)
{
    AT_END(close_scene) struct scene s = open_scene();
    for (int value = -1; value < 70; value++) {
        const bool is_one = (value >= 0 && value <= 5) || (value >= 10 && value <= 13) ||
                            (value >= 33 && value <= 64);
        ID3D12GraphicsCommandList_IASetPrimitiveTopology(s.list, (D3D12_PRIMITIVE_TOPOLOGY)value);
        cr_expect_eq(kit_count(s.device, no_topology), !is_one, "%d", value);
        kit_clear(s.device);
    }
    MUST(ID3D12GraphicsCommandList_Close(s.list));
}

/* As many as there are slots, from each slot on, and each of several views. */
Test(draw_state, has_as_many_slots_as_documented)
{
    AT_END(close_scene) struct scene s = open_scene();
    enum { MOST = 34 };
    D3D12_VERTEX_BUFFER_VIEW vertices[MOST] = {{0}};
    D3D12_STREAM_OUTPUT_BUFFER_VIEW streams[MOST] = {{0}};
    const D3D12_VIEWPORT viewports[MOST] = {{0}};
    D3D12_RECT rects[MOST] = {{0}};
#define EXPECT_TAKEN(is_right, call, ...)                                                          \
    do {                                                                                           \
        ID3D12GraphicsCommandList_##call(s.list, __VA_ARGS__);                                     \
        cr_expect_eq(kit_messages(s.device), !(is_right), #call " %u, %u", start, count);          \
        kit_clear(s.device);                                                                       \
    } while (0)
    for (UINT start = 0; start < MOST; start++)
        for (UINT count = 0; count < MOST; count++) {
            EXPECT_TAKEN(start + count <= 32, IASetVertexBuffers, start, count, vertices);
            EXPECT_TAKEN(start + count <= 32, IASetVertexBuffers, start, count, NULL);
            EXPECT_TAKEN(start + count <= 4, SOSetTargets, start, count, streams);
            EXPECT_TAKEN(start + count <= 4, SOSetTargets, start, count, NULL);
            if (start > 0)
                continue;
            EXPECT_TAKEN(count <= 16, RSSetViewports, count, viewports);
            EXPECT_TAKEN(count == 0, RSSetViewports, count, NULL);
            EXPECT_TAKEN(count <= 16, RSSetScissorRects, count, rects);
            EXPECT_TAKEN(count == 0, RSSetScissorRects, count, NULL);
        }
    vertices[3].StrideInBytes = 2049;
    streams[3].SizeInBytes = 2;
    rects[3].top = 1;
    for (UINT start = 0, count = 1; count <= 4; count++) {
        EXPECT_TAKEN(count < 4, IASetVertexBuffers, start, count, vertices);
        EXPECT_TAKEN(count < 4, SOSetTargets, start, count, streams);
        EXPECT_TAKEN(count < 4, RSSetScissorRects, count, rects);
    }
    MUST(ID3D12GraphicsCommandList_Close(s.list));
}

/* Both edges of every limit: the last value that is taken, and the first that isn't. */
Test(draw_state, is_taken_up_to_its_limits)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12GraphicsCommandList1 *l = AS(ID3D12GraphicsCommandList1, s.list);
    OWNED ID3D12DescriptorHeap *heap =
        kit_descriptors(s.device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2, 0);
    const D3D12_STREAM_OUTPUT_BUFFER_VIEW streams[] = {
        {65538, 4, 65600}, {65536, 6, 65600}, {65536, 4, 65602}};
    const D3D12_RECT rects[] = {{0, 0, 1, 0}, {0, 0, 1, -1}};
    D3D12_CPU_DESCRIPTOR_HANDLE first, targets[2];
    ABI_CALL_STRUCT(heap, GetCPUDescriptorHandleForHeapStart, &first);
    targets[0] = first;
    targets[1].ptr = 12;
#define EXPECT_TOLD(is_told, call, ...)                                                            \
    do {                                                                                           \
        ID3D12GraphicsCommandList1_##call(l, __VA_ARGS__);                                         \
        cr_expect_eq(kit_messages(s.device), is_told, #call "(" #__VA_ARGS__ ")");                 \
        kit_clear(s.device);                                                                       \
    } while (0)
    EXPECT_TOLD(1, SOSetTargets, 0, 1, &streams[0]);
    EXPECT_TOLD(1, SOSetTargets, 0, 1, &streams[1]);
    EXPECT_TOLD(1, SOSetTargets, 0, 1, &streams[2]);
    EXPECT_TOLD(0, RSSetScissorRects, 1, &rects[0]);
    EXPECT_TOLD(1, RSSetScissorRects, 1, &rects[1]);
    EXPECT_TOLD(0, SetSamplePositions, 0, 0, NULL);
    EXPECT_TOLD(0, OMSetRenderTargets, 2, &first, TRUE, NULL);
    EXPECT_TOLD(1, OMSetRenderTargets, 3, &first, TRUE, NULL);
    EXPECT_TOLD(1, OMSetRenderTargets, 2, targets, FALSE, NULL);
    EXPECT_TOLD(1, SetSamplePositions, 1, 0, NULL);
    MUST(ID3D12GraphicsCommandList_Close(s.list)); /* mistakes are told, the calls do nothing */
}

/* Without variable-rate shading both are told with their own numbers [RSSetShadingRate]. */
Test(draw_state, has_no_shading_rate)
{
    AT_END(close_scene) struct scene s = open_scene();
    OWNED ID3D12GraphicsCommandList5 *l = AS(ID3D12GraphicsCommandList5, s.list);
    ID3D12GraphicsCommandList5_RSSetShadingRate(l, D3D12_SHADING_RATE_2X2, NULL);
    cr_assert_eq(kit_count(s.device, D3D12_MESSAGE_ID_RSSETSHADINGRATE_REQUIRES_TIER_1), 1);
    ID3D12GraphicsCommandList5_RSSetShadingRateImage(l, NULL);
    cr_assert_eq(kit_count(s.device, D3D12_MESSAGE_ID_RSSETSHADINGRATEIMAGE_REQUIRES_TIER_2), 1);
    cr_assert_eq(kit_messages(s.device), 2);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), S_OK);
}

/* ---- descriptor heaps and root arguments across recordings ---- */

Test(root_arguments, are_lost_by_reset_with_the_descriptor_heaps)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_DESCRIPTOR_RANGE range = {D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0, 0, 0};
    const D3D12_ROOT_PARAMETER parameter = {.ParameterType =
                                                D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE,
                                            .DescriptorTable = {1, &range}};
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 1, .pParameters = &parameter};
    const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                                  D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    D3D12_GPU_DESCRIPTOR_HANDLE handle;
    OWNED ID3D12RootSignature *tables = kit_root_signature_of(s.device, &desc);
    OWNED ID3D12DescriptorHeap *heap =
        MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &heap_desc);
    ABI_CALL_STRUCT(heap, GetGPUDescriptorHandleForHeapStart, &handle);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, tables);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &heap);
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s.list, 0, handle);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(s.list, tables);
    ID3D12GraphicsCommandList_SetGraphicsRootDescriptorTable(s.list, 0, handle);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    cr_assert_eq(kit_messages(s.device), 0);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s.list, 0, handle);
    EXPECT_MESSAGES(s.device, 1, EMU_MESSAGE_INVALID_ARGUMENT);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, tables);
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(s.list, 0, handle);
    cr_assert_eqs(kit_messages(s.device), 2,
                  kit_count(s.device, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID), 1);
    ID3D12GraphicsCommandList_SetGraphicsRootDescriptorTable(s.list, 0, handle);
    cr_assert_eqs(kit_messages(s.device), 3, kit_count(s.device, EMU_MESSAGE_INVALID_ARGUMENT), 2);
}

/* A bundle's assumptions are checked with every constant, and forgotten with its recording. */
Test(root_arguments, that_a_bundle_takes_for_granted_are_all_there)
{
    AT_END(close_scene) struct scene s = open_scene();
    const int mismatch = D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_MISMATCH;
    const UINT values[80] = {0};
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.bundle, 2, 1, 0);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.bundle, 2, 1, 2); /* the third of two */
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    EXPECT_MESSAGES(s.device, 1, mismatch);
    MUST(ID3D12GraphicsCommandList_Reset(s.bundle, s.bundling, NULL));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(s.bundle, 2, 1, 1);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, s.bundle);
    cr_assert_eq(kit_messages(s.device), 1);
    MUST(ID3D12GraphicsCommandList_Reset(s.bundle, s.bundling, NULL));
    kit_clear(s.device);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s.bundle, 0, 65, values, 0);
    cr_assert_eq(kit_messages(s.device), 1, "no root signature has so many");
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s.bundle, 0, 2, values, UINT32_MAX);
    cr_assert_eq(kit_messages(s.device), 2);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.bundle), S_OK);
}

Test(root_arguments, are_of_the_signature_and_have_values)
{
    AT_END(close_scene) struct scene s = open_scene();
    const UINT values[4] = {0};
    const struct {
        UINT index, count, first;
        const void *values;
        int id;
    } bad[] = {{2, 3, 0, values, EMU_MESSAGE_INVALID_ARGUMENT},
               {2, 2, 1, values, EMU_MESSAGE_INVALID_ARGUMENT},
               {2, 1, UINT32_MAX, values, EMU_MESSAGE_INVALID_ARGUMENT},
               {0, 1, 0, values, EMU_MESSAGE_INVALID_ARGUMENT},
               {3, 1, 0, values, EMU_MESSAGE_INVALID_ARGUMENT},
               {2, 1, 0, NULL, D3D12_MESSAGE_ID_SET_ROOT_CONSTANT_INVALID}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kit_clear(s.device);
        ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.root);
        ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s.list, bad[i].index, bad[i].count,
                                                               bad[i].values, bad[i].first);
        cr_assert_eqs(kit_messages(s.device), 1, kit_count(s.device, bad[i].id), 1, "case %zu", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), S_OK);
        MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    }
}

/* ---- queues and signatures ---- */

Test(queue, executes_many_lists_in_one_call_and_none_that_was_never_recorded)
{
    enum { LISTS = 40 };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, COPY);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, COPY);
    OWNED ID3D12Resource *from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 256);
    OWNED ID3D12Resource *to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 256);
    ID3D12CommandList *lists[LISTS], *empty = NULL;
    D3D12_COMMAND_QUEUE_DESC desc;
    uint32_t *words = kit_map(from), *result = kit_map(to);
    for (UINT i = 0; i < LISTS; i++) {
        ID3D12GraphicsCommandList *list = kit_list(device, allocator, COPY);
        words[i] = i + 1;
        ID3D12GraphicsCommandList_CopyBufferRegion(list, to, i * 4, from, i * 4, 4);
        MUST(ID3D12GraphicsCommandList_Close(list));
        lists[i] = (ID3D12CommandList *)list;
    }
    ID3D12CommandQueue_ExecuteCommandLists(queue, LISTS, lists);
    kit_finish(device, queue);
    for (UINT i = 0; i < LISTS; i++) {
        cr_assert_eq(result[i], i + 1, "list %u", i);
        ID3D12CommandList_Release(lists[i]);
    }
    cr_assert_eq(kit_messages(device), 0);
    OWNED ID3D12Device4 *device4 = AS(ID3D12Device4, device);
    empty =
        MADE(ID3D12CommandList, device4, CreateCommandList1, 0, COPY, D3D12_COMMAND_LIST_FLAG_NONE);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &empty);
    char text[512];
    cr_assert_eqs(kit_count_texts(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST,
                                  text),
                  1, kit_messages(device), 1);
    cr_assert(strstr(text, "has no recording: call Reset"), "%s", text);
    ABI_CALL_STRUCT(queue, GetDesc, &desc);
    cr_assert_eqs(desc.Type, COPY, desc.NodeMask, 1);
    ID3D12CommandList_Release(empty);
}

/* Each argument has the size of its struct [D3D12_INDIRECT_ARGUMENT_TYPE]. */
Test(command_signature, wants_room_for_its_arguments)
{
    static const struct {
        D3D12_INDIRECT_ARGUMENT_TYPE type; /* before a dispatch, but for work itself */
        UINT size;
    } cases[] = {{D3D12_INDIRECT_ARGUMENT_TYPE_DRAW, 16},
                 {D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED, 20},
                 {D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH, 12},
                 {D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH, 12},
                 {D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW, 16 + 16},
                 {D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW, 16 + 16}};
    AT_END(close_scene) struct scene s = open_scene();
    AT_END(kit_closed) ID3D12Device *stranger = kit_device();
    OWNED ID3D12RootSignature *foreign = kit_root_signature(stranger);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_INDIRECT_ARGUMENT_DESC arguments[2] = {
            {.Type = cases[i].type}, {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW}};
        const UINT count = i >= 4 ? 2 : 1;
        D3D12_COMMAND_SIGNATURE_DESC desc = {cases[i].size, count, arguments, 0};
        ID3D12CommandSignature *signature =
            MADE(ID3D12CommandSignature, s.device, CreateCommandSignature, &desc, NULL);
        ID3D12CommandSignature_Release(signature);
        desc.ByteStride -= 4;
        REFUSES(E_INVALIDARG, ID3D12CommandSignature, s.device, CreateCommandSignature, &desc,
                NULL);
        desc.ByteStride += 4;
        desc.NodeMask = 2;
        REFUSES(E_INVALIDARG, ID3D12CommandSignature, s.device, CreateCommandSignature, &desc,
                NULL);
    }
    const D3D12_INDIRECT_ARGUMENT_DESC rooted[2] = {
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH}};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {20, 2, rooted, 0};
    REFUSES(E_INVALIDARG, ID3D12CommandSignature, s.device, CreateCommandSignature, &desc, foreign);
}
