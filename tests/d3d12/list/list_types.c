/* The methods of each type of command list: each is called, rightly, on a list of every type and on
 * one that is closed. */
#include "kit.h"

#include "base/abi.h"

#define ON(type)  (1u << (type))
#define WORKING   (ON(DIRECT) | ON(COMPUTE) | ON(COPY))
#define COMPUTING (ON(DIRECT) | ON(COMPUTE) | ON(BUNDLE))
#define DRAWING   (ON(DIRECT) | ON(BUNDLE))
#define ALL       (WORKING | ON(BUNDLE))

struct scene {
    ID3D12Device *device;
    ID3D12RootSignature *root;
    ID3D12PipelineState *compute, *graphics;
    ID3D12Resource *buffer, *readback;
    ID3D12QueryHeap *times, *copy_times, *counts;
    ID3D12CommandSignature *dispatch;
    ID3D12GraphicsCommandList *bundle;
    ID3D12CommandAllocator *bundling;
    D3D12_COMMAND_LIST_TYPE type; /* of the list at hand */
    ID3D12GraphicsCommandList8 *list;
};

static ID3D12QueryHeap *create_queries(ID3D12Device *device, D3D12_QUERY_HEAP_TYPE type)
{
    const D3D12_QUERY_HEAP_DESC desc = {type, 2, 0};
    return MADE(ID3D12QueryHeap, device, CreateQueryHeap, &desc);
}

static struct scene open_scene(void)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC signature = {12, 1, &argument, 0};
    struct scene s = {.device = kit_device()};
    s.root = kit_root_signature(s.device);
    s.compute = kit_pipeline(s.device, s.root, EMU_KERNEL_FILL);
    s.graphics = kit_draws(s.device, s.root);
    s.buffer = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 256);
    s.readback = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 256);
    s.times = create_queries(s.device, D3D12_QUERY_HEAP_TYPE_TIMESTAMP);
    s.copy_times = create_queries(s.device, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP);
    s.counts = create_queries(s.device, D3D12_QUERY_HEAP_TYPE_OCCLUSION);
    s.dispatch = MADE(ID3D12CommandSignature, s.device, CreateCommandSignature, &signature, NULL);
    s.bundling = kit_allocator(s.device, BUNDLE);
    s.bundle = kit_list(s.device, s.bundling, BUNDLE);
    MUST(ID3D12GraphicsCommandList_Close(s.bundle));
    return s;
}

static void close_scene(struct scene *s)
{
    RELEASE(s->bundle, s->bundling, s->dispatch, s->times, s->copy_times, s->counts, s->buffer,
            s->readback, s->compute, s->graphics, s->root);
    kit_close(s->device);
}

static ID3D12QueryHeap *times_of(const struct scene *s)
{
    return s->type == COPY ? s->copy_times : s->times;
}

/* ---- the calls: NAME, the lists that have it, and the call itself ---- */

#define TOPOLOGY (D3D12_PRIMITIVE_TOPOLOGY) D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST
#define BIND_COMPUTE(l, s)                                                                         \
    (l->lpVtbl->SetComputeRootSignature(l, s->root), l->lpVtbl->SetPipelineState(l, s->compute))
#define BIND_GRAPHICS(l, s)                                                                        \
    (l->lpVtbl->SetGraphicsRootSignature(l, s->root), l->lpVtbl->SetPipelineState(l, s->graphics), \
     l->lpVtbl->IASetPrimitiveTopology(l, TOPOLOGY))

static const UINT word = 0;
static const FLOAT ones[4] = {1, 1, 1, 1};
static const D3D12_RESOURCE_BARRIER everywhere = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};

#define CALLS(CALL)                                                                                \
    CALL(ClearState, ON(DIRECT) | ON(COMPUTE), (l, NULL))                                          \
    CALL(CopyBufferRegion, WORKING, (l, s->readback, 0, s->buffer, 0, 4))                          \
    CALL(CopyResource, WORKING, (l, s->readback, s->buffer))                                       \
    CALL(IASetPrimitiveTopology, DRAWING, (l, TOPOLOGY))                                           \
    CALL(RSSetViewports, ON(DIRECT), (l, 0, NULL))                                                 \
    CALL(RSSetScissorRects, ON(DIRECT), (l, 0, NULL))                                              \
    CALL(OMSetBlendFactor, DRAWING, (l, ones))                                                     \
    CALL(OMSetStencilRef, DRAWING, (l, 1))                                                         \
    CALL(OMSetFrontAndBackStencilRef, DRAWING, (l, 1, 2))                                          \
    CALL(OMSetDepthBounds, DRAWING, (l, 0, 1))                                                     \
    CALL(SetPipelineState, COMPUTING, (l, s->compute))                                             \
    CALL(ResourceBarrier, WORKING, (l, 1, &everywhere))                                            \
    CALL(ExecuteBundle, ON(DIRECT), (l, s->bundle))                                                \
    CALL(SetDescriptorHeaps, COMPUTING, (l, 0, NULL))                                              \
    CALL(SetComputeRootSignature, COMPUTING, (l, s->root))                                         \
    CALL(SetGraphicsRootSignature, DRAWING, (l, s->root))                                          \
    CALL(IASetIndexBuffer, DRAWING, (l, NULL))                                                     \
    CALL(IASetVertexBuffers, DRAWING, (l, 0, 1, NULL))                                             \
    CALL(SOSetTargets, ON(DIRECT), (l, 0, 1, NULL))                                                \
    CALL(OMSetRenderTargets, ON(DIRECT), (l, 0, NULL, FALSE, NULL))                                \
    CALL(DiscardResource, ON(DIRECT) | ON(COMPUTE), (l, s->readback, NULL))                        \
    CALL(EndQuery, WORKING, (l, times_of(s), D3D12_QUERY_TYPE_TIMESTAMP, 0))                       \
    CALL(ResolveQueryData, WORKING,                                                                \
         (l, times_of(s), D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, s->readback, 0))                       \
    CALL(SetPredication, WORKING, (l, s->buffer, 0, D3D12_PREDICATION_OP_EQUAL_ZERO))              \
    CALL(SetViewInstanceMask, DRAWING, (l, 1))                                                     \
    CALL(SetSamplePositions, DRAWING, (l, 0, 0, NULL))                                             \
    CALL(Barrier, WORKING, (l, 0, NULL))                                                           \
    CALL(SetProtectedResourceSession, WORKING, (l, NULL))                                          \
    CALL(WriteBufferImmediate, ALL, (l, 0, NULL, NULL))

/* These want something set before. */
#define PREPARED_CALLS(CALL)                                                                       \
    CALL(Dispatch, COMPUTING, BIND_COMPUTE, (l, 1, 1, 1))                                          \
    CALL(DrawInstanced, DRAWING, BIND_GRAPHICS, (l, 3, 1, 0, 0))                                   \
    CALL(ExecuteIndirect, COMPUTING, BIND_COMPUTE, (l, s->dispatch, 1, s->buffer, 0, NULL, 0))     \
    CALL(SetComputeRootUnorderedAccessView, COMPUTING, BIND_COMPUTE, (l, 0, 0))                    \
    CALL(SetComputeRootShaderResourceView, COMPUTING, BIND_COMPUTE, (l, 1, 0))                     \
    CALL(SetComputeRoot32BitConstant, COMPUTING, BIND_COMPUTE, (l, 2, 1, 0))                       \
    CALL(SetComputeRoot32BitConstants, COMPUTING, BIND_COMPUTE, (l, 2, 1, &word, 1))               \
    CALL(SetGraphicsRootUnorderedAccessView, DRAWING, BIND_GRAPHICS, (l, 0, 0))                    \
    CALL(SetGraphicsRootShaderResourceView, DRAWING, BIND_GRAPHICS, (l, 1, 0))                     \
    CALL(SetGraphicsRoot32BitConstant, DRAWING, BIND_GRAPHICS, (l, 2, 1, 0))                       \
    CALL(SetGraphicsRoot32BitConstants, DRAWING, BIND_GRAPHICS, (l, 2, 1, &word, 1))

/* Mistaken ones, which only lists that don't have them are asked for. */
#define NOWHERE_CPU                                                                                \
    (D3D12_CPU_DESCRIPTOR_HANDLE)                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#define NOWHERE_GPU                                                                                \
    (D3D12_GPU_DESCRIPTOR_HANDLE)                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#define REFUSED_CALLS(CALL)                                                                        \
    CALL(CopyTextureRegion, WORKING, (l, NULL, 0, 0, 0, NULL, NULL))                               \
    CALL(ResolveSubresource, ON(DIRECT), (l, NULL, 0, NULL, 0, DXGI_FORMAT_R8_UNORM))              \
    CALL(ResolveSubresourceRegion, ON(DIRECT),                                                     \
         (l, NULL, 0, 0, 0, NULL, 0, NULL, DXGI_FORMAT_R8_UNORM, D3D12_RESOLVE_MODE_AVERAGE))      \
    CALL(ClearRenderTargetView, ON(DIRECT), (l, NOWHERE_CPU, ones, 0, NULL))                       \
    CALL(ClearDepthStencilView, ON(DIRECT),                                                        \
         (l, NOWHERE_CPU, D3D12_CLEAR_FLAG_DEPTH, 0, 0, 0, NULL))                                  \
    CALL(ClearUnorderedAccessViewUint, ON(DIRECT) | ON(COMPUTE),                                   \
         (l, NOWHERE_GPU, NOWHERE_CPU, NULL, &word, 0, NULL))                                      \
    CALL(ClearUnorderedAccessViewFloat, ON(DIRECT) | ON(COMPUTE),                                  \
         (l, NOWHERE_GPU, NOWHERE_CPU, NULL, ones, 0, NULL))                                       \
    CALL(BeginRenderPass, ON(DIRECT), (l, 0, NULL, NULL, D3D12_RENDER_PASS_FLAG_NONE))             \
    CALL(EndRenderPass, ON(DIRECT), (l))                                                           \
    CALL(BeginQuery, ON(DIRECT), (l, NULL, D3D12_QUERY_TYPE_OCCLUSION, 0))                         \
    CALL(RSSetShadingRate, DRAWING, (l, D3D12_SHADING_RATE_1X1, NULL))                             \
    CALL(RSSetShadingRateImage, DRAWING, (l, NULL))

#define DEFINE(Name, lists, arguments)                                                             \
    static void call_##Name(struct scene *s, bool prepare)                                         \
    {                                                                                              \
        ID3D12GraphicsCommandList8 *l = s->list;                                                   \
        (void)prepare;                                                                             \
        l->lpVtbl->Name arguments;                                                                 \
    }
#define DEFINE_PREPARED(Name, lists, PREPARE, arguments)                                           \
    static void call_##Name(struct scene *s, bool prepare)                                         \
    {                                                                                              \
        ID3D12GraphicsCommandList8 *l = s->list;                                                   \
        if (prepare)                                                                               \
            PREPARE(l, s);                                                                         \
        l->lpVtbl->Name arguments;                                                                 \
    }
CALLS(DEFINE)
PREPARED_CALLS(DEFINE_PREPARED)
REFUSED_CALLS(DEFINE)

static const struct call {
    const char *name;
    unsigned lists;
    void (*make)(struct scene *s, bool prepare);
} calls[] = {
#define ENTRY(Name, lists, arguments)                   {#Name, lists, call_##Name},
#define ENTRY_PREPARED(Name, lists, PREPARE, arguments) {#Name, lists, call_##Name},
    CALLS(ENTRY) PREPARED_CALLS(ENTRY_PREPARED)};

static const struct call refused_calls[] = {REFUSED_CALLS(ENTRY)};

#define CALL_COUNT    (sizeof calls / sizeof calls[0])
#define REFUSED_COUNT (sizeof refused_calls / sizeof refused_calls[0])

/* Makes the call on a new list: recording, or closed. */
static void make_call(struct scene *s, const struct call *call, D3D12_COMMAND_LIST_TYPE type,
                      bool closed, HRESULT *on_close)
{
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s->device, type);
    OWNED ID3D12GraphicsCommandList *list = kit_list(s->device, allocator, type);
    const bool prepare = !closed && (call->lists & ON(type)) != 0;
    s->type = type;
    s->list = AS(ID3D12GraphicsCommandList8, list);
    if (closed)
        MUST(ID3D12GraphicsCommandList_Close(list));
    kit_clear(s->device);
    call->make(s, prepare);
    if (!closed)
        *on_close = ID3D12GraphicsCommandList_Close(list);
    ID3D12GraphicsCommandList8_Release(s->list);
}

/* The call on a list of this type is taken, or refused with one message. */
static void expect_call(struct scene *s, const struct call *call, D3D12_COMMAND_LIST_TYPE type)
{
    const bool has = (call->lists & ON(type)) != 0;
    const int id = type == BUNDLE ? (int)D3D12_MESSAGE_ID_INVALID_BUNDLE_API
                                  : (int)EMU_MESSAGE_INVALID_ARGUMENT;
    HRESULT hr = E_FAIL;
    make_call(s, call, type, false, &hr);
    cr_assert_eq(hr, has ? S_OK : E_FAIL, "%s on list type %d: 0x%08x", call->name, (int)type,
                 (unsigned)hr);
    cr_assert_eqs(kit_messages(s->device), !has, kit_count(s->device, id), !has,
                  "%s on list type %d", call->name, (int)type);
}

Test(list_types, have_the_methods_that_d3d12_gives_them_and_no_others)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT, COMPUTE, COPY, BUNDLE};
    AT_END(close_scene) struct scene s = open_scene();
    for (size_t t = 0; t < 4; t++) {
        for (size_t i = 0; i < CALL_COUNT; i++)
            expect_call(&s, &calls[i], types[t]);
        for (size_t i = 0; i < REFUSED_COUNT; i++)
            if ((refused_calls[i].lists & ON(types[t])) == 0)
                expect_call(&s, &refused_calls[i], types[t]);
    }
}

static void expect_closed(struct scene *s, const struct call *call)
{
    make_call(s, call, DIRECT, true, NULL);
    cr_assert_eqs(kit_messages(s->device), 1,
                  kit_count(s->device, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED), 1, "%s", call->name);
}

Test(list_types, closed_ones_take_nothing)
{
    AT_END(close_scene) struct scene s = open_scene();
    for (size_t i = 0; i < CALL_COUNT; i++)
        expect_closed(&s, &calls[i]);
    for (size_t i = 0; i < REFUSED_COUNT; i++)
        expect_closed(&s, &refused_calls[i]);
}
