/* A draw that hangs, and what it is bound to by descriptors, by copies of them and by addresses;
 * tests/d3d12_layer/bound.sh says what its report has. Argument: "pass" binds by a render pass,
 * "resumed" draws in one that a list before it began, "predicated" behind a copy under a predicate,
 * "bundle" behind a bundle that sets a pipeline and vertices, "cleared" behind ClearState,
 * "indirect, ..." by a command that sets vertices, from memory that the other words of the argument
 * choose, "parts" to one slice behind barriers of others. */
#define INITGUID
#include "../../examples/setup.h"

#include <stdbool.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT
#define BUNDLE D3D12_COMMAND_LIST_TYPE_BUNDLE
enum { VIEWS = 8, TARGETS = 6 };

/* The least that is a vertex shader: code that nobody executes. */
static const unsigned char shader[52] = {
    'D',        'X', 'B', 'C', [20] = 1, [24] = 52,   [28] = 1, [32] = 36,
    [36] = 'S', 'H', 'E', 'X', [40] = 8, [44] = 0x50, [46] = 1, [48] = 2};

struct scene {
    ID3D12Device *device;
    ID3D12Resource *targets[TARGETS], *depth, *buffer, *vertices;
    ID3D12DescriptorHeap *made, *bound, *depths;
    SIZE_T step;
};

/* `parts` is the number of slices, and of mips. */
static ID3D12Resource *make_texture(ID3D12Device *device, DXGI_FORMAT format, UINT16 parts,
                                    D3D12_RESOURCE_STATES state, const WCHAR *name)
{
    const bool is_depth = format == DXGI_FORMAT_D32_FLOAT;
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                      .Width = 640,
                                      .Height = 360,
                                      .DepthOrArraySize = parts,
                                      .MipLevels = parts,
                                      .Format = format,
                                      .SampleDesc = {.Count = 1},
                                      .Flags = is_depth ? D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL
                                                        : D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
    ID3D12Resource *made = NULL;
    MUST(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, &desc, state,
                                              NULL, &IID_ID3D12Resource, (void **)&made));
    MUST(ID3D12Resource_SetName(made, name));
    return made;
}

static ID3D12DescriptorHeap *make_heap(ID3D12Device *device, D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = type, .NumDescriptors = VIEWS};
    ID3D12DescriptorHeap *heap = NULL;
    MUST(ID3D12Device_CreateDescriptorHeap(device, &desc, &IID_ID3D12DescriptorHeap,
                                           (void **)&heap));
    return heap;
}

static D3D12_CPU_DESCRIPTOR_HANDLE at(const struct scene *s, ID3D12DescriptorHeap *heap,
                                      unsigned index)
{
    D3D12_CPU_DESCRIPTOR_HANDLE handle;
#ifdef EMU_D3D12_ABI_VKD3D
    heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap, &handle);
#else
    handle = heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap);
#endif
    handle.ptr += index * s->step;
    return handle;
}

static struct scene make_scene(ID3D12Device *device)
{
    static const WCHAR *const names[TARGETS] = {L"Color",    L"Say \"normals\"", L"Third",
                                                L"Shadow 0", L"Shadow 1",        L"Shadow 2"};
    struct scene s = {.device = device};
    s.step = ID3D12Device_GetDescriptorHandleIncrementSize(device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    for (int i = 0; i < TARGETS; i++)
        s.targets[i] = make_texture(device, DXGI_FORMAT_R8G8B8A8_UNORM, 1,
                                    D3D12_RESOURCE_STATE_RENDER_TARGET, names[i]);
    s.depth =
        make_texture(device, DXGI_FORMAT_D32_FLOAT, 1, D3D12_RESOURCE_STATE_DEPTH_WRITE, L"Depth");
    s.buffer = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 65536, L"Indices");
    s.vertices = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4096, L"Vertices");
    s.made = make_heap(device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    s.bound = make_heap(device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    s.depths = make_heap(device, D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
    return s;
}

/* "Color" is seen in place 1 and "normals" in place 2 of the heap that is bound, behind "Third":
 * three runs become one, which was three. */
static void make_views(const struct scene *s)
{
    const D3D12_DESCRIPTOR_HEAP_TYPE type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV;
    const D3D12_CPU_DESCRIPTOR_HANDLE first = at(s, s->made, 0), to = at(s, s->bound, 0);
    const D3D12_CPU_DESCRIPTOR_HANDLE parts[] = {at(s, s->made, 5), at(s, s->made, 4),
                                                 at(s, s->made, 3)};
    const UINT three = 3;
    ID3D12Device_CreateRenderTargetView(s->device, s->targets[2], NULL, at(s, s->made, 6));
    ID3D12Device_CreateRenderTargetView(s->device, s->targets[0], NULL, at(s, s->made, 6));
    ID3D12Device_CreateRenderTargetView(s->device, s->targets[2], NULL, first);
    ID3D12Device_CreateRenderTargetView(s->device, s->targets[1], NULL, at(s, s->made, 2));
    ID3D12Device_CopyDescriptorsSimple(s->device, 1, at(s, s->made, 1), at(s, s->made, 6), type);
    ID3D12Device_CopyDescriptors(s->device, 3, parts, NULL, 1, &first, &three, type);
    ID3D12Device_CopyDescriptors(s->device, 1, &to, &three, 3, parts, NULL, type);
    ID3D12Device_CreateDepthStencilView(s->device, s->depth, NULL, at(s, s->depths, 0));
}

static ID3D12PipelineState *make_drawing(ID3D12Device *device, ID3D12RootSignature *signature,
                                         const WCHAR *name)
{
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = signature,
        .VS = {shader, sizeof shader},
        .SampleMask = UINT32_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleDesc = {.Count = 1},
    };
    ID3D12PipelineState *pipeline = NULL;
    MUST(ID3D12Device_CreateGraphicsPipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                  (void **)&pipeline));
    MUST(ID3D12PipelineState_SetName(pipeline, name));
    return pipeline;
}

static D3D12_RESOURCE_BARRIER transition(ID3D12Resource *of, UINT subresource,
                                         D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after)
{
    return (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                                    .Transition = {of, subresource, before, after}};
}

/* More of one call than one record has room for. */
static void transitions(ID3D12GraphicsCommandList *list, const struct scene *s)
{
    const D3D12_RESOURCE_STATES drawn = D3D12_RESOURCE_STATE_RENDER_TARGET;
    const D3D12_RESOURCE_STATES read = D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE;
    D3D12_RESOURCE_BARRIER barriers[TARGETS + 1] = {
        [TARGETS] = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV}};
    for (int i = 0; i < TARGETS; i++)
        barriers[i] = transition(s->targets[i], 0, drawn, read);
    ID3D12GraphicsCommandList_ResourceBarrier(list, TARGETS + 1, barriers);
    barriers[0] = transition(s->targets[0], 0, read, drawn);
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, barriers);
}

static void bind_buffers(ID3D12GraphicsCommandList *list, const struct scene *s)
{
    const D3D12_INDEX_BUFFER_VIEW indices = {ID3D12Resource_GetGPUVirtualAddress(s->buffer) + 32768,
                                             1024, DXGI_FORMAT_R16_UINT};
    const D3D12_VERTEX_BUFFER_VIEW vertices[2] = {
        {ID3D12Resource_GetGPUVirtualAddress(s->vertices) + 4095, 1, 1},
        {ID3D12Resource_GetGPUVirtualAddress(s->vertices) + 4096, 1, 1}}; /* in none */
    ID3D12GraphicsCommandList_IASetIndexBuffer(list, &indices);
    ID3D12GraphicsCommandList_IASetVertexBuffers(list, 0, 2, vertices);
    ID3D12GraphicsCommandList_IASetVertexBuffers(list, 30, 1, vertices);
}

static void draw_in_pass(ID3D12GraphicsCommandList *list, const struct scene *s,
                         D3D12_RENDER_PASS_FLAGS flags)
{
    ID3D12GraphicsCommandList4 *list4 = NULL;
    D3D12_RENDER_PASS_RENDER_TARGET_DESC targets[] = {{.cpuDescriptor = at(s, s->bound, 2)},
                                                      {.cpuDescriptor = at(s, s->bound, 0)}};
    for (int i = 0; i < 2; i++) {
        targets[i].BeginningAccess.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE;
        targets[i].EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE;
    }
    MUST(ID3D12GraphicsCommandList_QueryInterface(list, &IID_ID3D12GraphicsCommandList4,
                                                  (void **)&list4));
    ID3D12GraphicsCommandList4_BeginRenderPass(list4, 2, targets, NULL, flags);
    if (flags != D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS)
        ID3D12GraphicsCommandList_DrawIndexedInstanced(list, 3, 1, 0, -1, 0);
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    ID3D12GraphicsCommandList4_Release(list4);
}

/* Has its pipeline from Reset. */
static void begin_frame(ID3D12GraphicsCommandList *list, ID3D12CommandAllocator *allocator,
                        const struct scene *s, ID3D12RootSignature *signature,
                        ID3D12PipelineState *pipeline)
{
    MUST(ID3D12GraphicsCommandList_Close(list));
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, pipeline));
    PIXBeginEvent(list, 0, "Frame");
    const D3D12_CPU_DESCRIPTOR_HANDLE targets = at(s, s->bound, 1), depth = at(s, s->depths, 0);
    ID3D12GraphicsCommandList_OMSetRenderTargets(list, 2, &targets, TRUE, &depth);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, signature);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    bind_buffers(list, s);
}

/* Leaves its pipeline and its vertices to the caller, and no index buffer [Direct3D 12, command
 * lists and bundles]. */
static void execute_bundle(ID3D12GraphicsCommandList *list, const struct scene *s,
                           ID3D12PipelineState *pipeline)
{
    const D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_BUNDLE;
    const D3D12_VERTEX_BUFFER_VIEW vertices = {ID3D12Resource_GetGPUVirtualAddress(s->buffer), 64,
                                               16};
    ID3D12GraphicsCommandList *bundle =
        make_list(s->device, make_allocator(s->device, type), type, L"Bundle");
    ID3D12GraphicsCommandList_SetPipelineState(bundle, pipeline);
    ID3D12GraphicsCommandList_IASetVertexBuffers(bundle, 0, 1, &vertices);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
}

/* Leaves of what was set the pipeline that it is given, and the targets that are set anew. */
static void clear_state(ID3D12GraphicsCommandList *list, const struct scene *s,
                        ID3D12RootSignature *signature, ID3D12PipelineState *pipeline)
{
    const D3D12_INDEX_BUFFER_VIEW indices = {ID3D12Resource_GetGPUVirtualAddress(s->buffer), 1024,
                                             DXGI_FORMAT_R16_UINT};
    const D3D12_CPU_DESCRIPTOR_HANDLE target = at(s, s->bound, 2);
    ID3D12GraphicsCommandList_ClearState(list, pipeline);
    ID3D12GraphicsCommandList_OMSetRenderTargets(list, 1, &target, FALSE, NULL);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, signature);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D12GraphicsCommandList_IASetIndexBuffer(list, &indices);
}

static UINT *commands; /* the memory of uploaded commands */

/* Memory that the CPU reads, behind other memory in a heap. */
static ID3D12Resource *make_commands(const struct scene *s, const char *how)
{
    const bool is_cached = strstr(how, "cached"), is_custom = is_cached || strstr(how, "combined");
    const D3D12_HEAP_DESC heap = {
        .SizeInBytes = 262144,
        .Properties.Type = is_custom ? D3D12_HEAP_TYPE_CUSTOM : D3D12_HEAP_TYPE_UPLOAD,
        .Properties.CPUPageProperty = is_cached   ? D3D12_CPU_PAGE_PROPERTY_WRITE_BACK
                                      : is_custom ? D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE
                                                  : D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
        .Properties.MemoryPoolPreference =
            is_custom ? D3D12_MEMORY_POOL_L0 : D3D12_MEMORY_POOL_UNKNOWN};
    const D3D12_RESOURCE_DESC desc = describe_buffer(1024);
    ID3D12Resource *made = NULL;
    ID3D12Heap *of = NULL;
    MUST(ID3D12Device_CreateHeap(s->device, &heap, &IID_ID3D12Heap, (void **)&of));
    MUST(ID3D12Device_CreatePlacedResource(s->device, of, 131072, &desc,
                                           D3D12_RESOURCE_STATE_GENERIC_READ, NULL,
                                           &IID_ID3D12Resource, (void **)&made));
    return made;
}

/* Returns how many arguments a command has. */
static UINT fill_arguments(const char *how, D3D12_INDIRECT_ARGUMENT_DESC *arguments)
{
    UINT count = 0;
    if (strstr(how, "several")) {
        arguments[count++] = (D3D12_INDIRECT_ARGUMENT_DESC){
            .Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT,
            .Constant = {2, .DestOffsetIn32BitValues = 1, .Num32BitValuesToSet = 1}};
        arguments[count++].Type = D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW;
        arguments[count++].Type = D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW;
    }
    if (!strstr(how, "single"))
        arguments[count++].Type = D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW;
    arguments[count++].Type = strstr(how, "dispatch")  ? D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH
                              : strstr(how, "indexed") ? D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED
                                                       : D3D12_INDIRECT_ARGUMENT_TYPE_DRAW;
    return count;
}

/* The work's numbers are at byte 64 in each case; the count is in front of them, or is alone in
 * memory of its own. Other numbers are around both. */
static ID3D12Resource *draw_indirect(ID3D12GraphicsCommandList *list, const struct scene *s,
                                     ID3D12RootSignature *root, ID3D12PipelineState *pipeline,
                                     const char *how)
{
    static const UINT words[] = {9, 8, 3, 7, [16] = 6, 1, 4, UINT32_MAX, 2, 5};
    const UINT before = strstr(how, "several") ? 44 : strstr(how, "single") ? 0 : 16;
    D3D12_INDIRECT_ARGUMENT_DESC arguments[5] = {{0}};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {.ByteStride = before + 24,
                                               .NumArgumentDescs = fill_arguments(how, arguments),
                                               .pArgumentDescs = arguments};
    ID3D12CommandSignature *signature = NULL;
    ID3D12Resource *made = make_commands(s, how);
    ID3D12Resource *of = strstr(how, "hidden") ? s->buffer : made;
    ID3D12Resource *counts = strstr(how, "hides") ? s->buffer : made;
    MUST(ID3D12Resource_Map(made, 0, NULL, (void **)&commands));
    memcpy(commands, words, sizeof words);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, s->buffer, 0, made, 0, 1024);
    if (strstr(how, "apart")) {
        counts = make_unnamed_buffer(s->device, D3D12_HEAP_TYPE_UPLOAD, 1024);
        MUST(ID3D12Resource_Map(counts, 0, NULL, (void **)&commands));
        commands[2] = strstr(how, "many") ? 99 : 3;
    }
    MUST(ID3D12Device_CreateCommandSignature(s->device, &desc, before == 44 ? root : NULL,
                                             &IID_ID3D12CommandSignature, (void **)&signature));
    if (strstr(how, "dispatch")) {
        ID3D12GraphicsCommandList_SetComputeRootSignature(list, root);
        pipeline = make_pipeline(s->device, root, EMU_KERNEL_SPIN, L"Spin");
    }
    ID3D12GraphicsCommandList *bundle =
        make_list(s->device, make_allocator(s->device, BUNDLE), BUNDLE, L"Bundle");
    ID3D12GraphicsCommandList *to = strstr(how, "bundle") ? bundle : list;
    ID3D12GraphicsCommandList_SetPipelineState(to, pipeline);
    ID3D12GraphicsCommandList_ExecuteIndirect(to, signature, strstr(how, "one") ? 1 : 8, of,
                                              64 - before, strstr(how, "uncounted") ? NULL : counts,
                                              8);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(list, bundle);
    return made;
}

/* Two slices of two mips; the second slice's first mip is drawn to. */
static ID3D12Resource *make_chain(const struct scene *s)
{
    const D3D12_RENDER_TARGET_VIEW_DESC view = {.ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY,
                                                .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                                .Texture2DArray = {.FirstArraySlice = 1,
                                                                   .ArraySize = 1}};
    ID3D12Resource *chain = make_texture(s->device, DXGI_FORMAT_R8G8B8A8_UNORM, 2,
                                         D3D12_RESOURCE_STATE_COMMON, L"Chain");
    ID3D12Device_CreateRenderTargetView(s->device, chain, &view, at(s, s->bound, 3));
    return chain;
}

static void barrier_parts(ID3D12GraphicsCommandList *list, const struct scene *s)
{
    ID3D12Resource *chain = make_chain(s);
    const D3D12_CPU_DESCRIPTOR_HANDLE target = at(s, s->bound, 3);
    const D3D12_RESOURCE_STATES drawn = D3D12_RESOURCE_STATE_RENDER_TARGET;
    D3D12_RESOURCE_BARRIER barriers[] = {
        transition(chain, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, D3D12_RESOURCE_STATE_COMMON,
                   drawn),
        transition(chain, 0, drawn, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE),
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING, .Aliasing = {s->buffer, chain}}};
    ID3D12GraphicsCommandList_ResourceBarrier(list, 3, barriers);
    ID3D12GraphicsCommandList7 *list7 = NULL;
    const D3D12_GLOBAL_BARRIER global = {.AccessBefore = D3D12_BARRIER_ACCESS_UNORDERED_ACCESS,
                                         .AccessAfter = D3D12_BARRIER_ACCESS_COPY_SOURCE};
    const D3D12_BUFFER_BARRIER buffer = {.AccessBefore = D3D12_BARRIER_ACCESS_COPY_SOURCE,
                                         .AccessAfter = D3D12_BARRIER_ACCESS_COPY_DEST,
                                         .pResource = s->vertices,
                                         .Size = UINT64_MAX};
    const D3D12_TEXTURE_BARRIER texture = {.SyncAfter = D3D12_BARRIER_SYNC_SPLIT,
                                           .LayoutBefore = D3D12_BARRIER_LAYOUT_RENDER_TARGET,
                                           .LayoutAfter = D3D12_BARRIER_LAYOUT_COPY_SOURCE,
                                           .pResource = chain,
                                           .Subresources = {1, 1, 0, 2, 0, 1}};
    const D3D12_BARRIER_GROUP groups[] = {
        {.Type = D3D12_BARRIER_TYPE_GLOBAL, .NumBarriers = 1, .pGlobalBarriers = &global},
        {.Type = D3D12_BARRIER_TYPE_BUFFER, .NumBarriers = 1, .pBufferBarriers = &buffer},
        {.Type = D3D12_BARRIER_TYPE_TEXTURE, .NumBarriers = 1, .pTextureBarriers = &texture}};
    MUST(ID3D12GraphicsCommandList_QueryInterface(list, &IID_ID3D12GraphicsCommandList7,
                                                  (void **)&list7));
    ID3D12GraphicsCommandList7_Barrier(list7, 3, groups);
    ID3D12GraphicsCommandList7_Release(list7);
    ID3D12GraphicsCommandList_OMSetRenderTargets(list, 1, &target, FALSE, NULL);
}

static void end_frame(ID3D12GraphicsCommandList *list)
{
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    ID3D12Resource *indirect = NULL;
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.hang.place = EMU_HANG_AT_DRAW;
    config.hang.count = 1;
    emu_configure(&config);
    ID3D12Device *device = make_device();
    ID3D12CommandQueue *queue = make_queue(device, DIRECT, L"Queue");
    ID3D12CommandAllocator *allocator = make_allocator(device, DIRECT);
    ID3D12CommandAllocator *other = make_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = make_list(device, allocator, DIRECT, L"List");
    ID3D12GraphicsCommandList *next = make_list(device, other, DIRECT, L"Next");
    ID3D12GraphicsCommandList *const lists[] = {list, next};
    ID3D12RootSignature *signature = make_root_signature(device);
    ID3D12PipelineState *pipeline = make_drawing(device, signature, L"Draw");
    ID3D12Fence *fence = make_fence(device);
    const struct scene s = make_scene(device);
    make_views(&s);
    begin_frame(list, allocator, &s, signature, pipeline);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, s.buffer, 0, s.vertices, 0, 256);
    transitions(list, &s);
    if (strcmp(how, "predicated") == 0) {
        ID3D12GraphicsCommandList_SetPredication(list, s.buffer, 0,
                                                 D3D12_PREDICATION_OP_EQUAL_ZERO);
        ID3D12GraphicsCommandList_CopyBufferRegion(list, s.buffer, 256, s.vertices, 0, 256);
        ID3D12GraphicsCommandList_SetPredication(list, NULL, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    }
    if (strcmp(how, "parts") == 0)
        barrier_parts(list, &s);
    if (strcmp(how, "bundle") == 0)
        execute_bundle(list, &s, make_drawing(device, signature, L"Other"));
    if (strcmp(how, "cleared") == 0)
        clear_state(list, &s, signature, make_drawing(device, signature, L"Other"));
    if (strcmp(how, "pass") == 0)
        draw_in_pass(list, &s, D3D12_RENDER_PASS_FLAG_NONE);
    else if (strcmp(how, "resumed") == 0)
        draw_in_pass(list, &s, D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS);
    else if (strstr(how, "indirect"))
        indirect = draw_indirect(list, &s, signature, pipeline, how);
    else
        ID3D12GraphicsCommandList_DrawIndexedInstanced(list, 3, 1, 0, -1, 0);
    end_frame(list);
    begin_frame(next, other, &s, signature, pipeline);
    draw_in_pass(next, &s, D3D12_RENDER_PASS_FLAG_RESUMING_PASS);
    end_frame(next);
    ID3D12CommandQueue_ExecuteCommandLists(queue, strcmp(how, "resumed") == 0 ? 2 : 1,
                                           (ID3D12CommandList **)(void *)lists);
    if (strstr(how, "rewritten"))
        commands[2] = 1;
    if (strstr(how, "emptied")) {
        emu_run_until_idle(device);
        commands[2] = 0;
    }
    if (strstr(how, "unmapped"))
        ID3D12Resource_Unmap(indirect, 0, NULL);
    if (strstr(how, "released"))
        ID3D12Resource_Release(indirect);
    ID3D12CommandQueue_Signal(queue, fence, 1);
    ID3D12Fence_SetEventOnCompletion(fence, 1, NULL);
    printf("0x%08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(device));
    return 0;
}
