/* What draws really use behind calls that set, keep and clear a list's state, on whatever D3D12
 * this finds, read back from what their shaders wrote; and what platform/d3d12_rules/list_state.h
 * says they use. A runtime that doesn't have a call shows it in a sequence of its own, which comes
 * first; what needs the call is skipped then, with the reason. Prints TAP. */
#define COBJMACROS
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <windows.h>

#include "d3d12_rules/list_state.h"
#include "shaders.h"

#include <stdio.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const HRESULT result_ = (call);                                                            \
        if (FAILED(result_)) {                                                                     \
            printf("Bail out! %s: 0x%08X\n", #call, (unsigned)result_);                            \
            fflush(stdout);                                                                        \
            ExitProcess(3);                                                                        \
        }                                                                                          \
    } while (0)

/* Objects, by the numbers that shaders write or that say which image has a colour; of each kind
 * there are two, 0 is none. */
enum { KINDS = 2, SIDE = 4, ROW = 256, STRIDE = ROW * SIDE };
enum { VERTICES_AT = 0, INDICES_AT = 256, ARGUMENTS_AT = 512, ARGUMENTS = 64, SOURCE = 1024 };

enum step_kind {
    END,
    PIPELINE,
    TARGET, /* with both numbers: OMSetRenderTargets of it, and of the depth buffer `second` */
    VERTICES,
    INDICES,
    CLEAR_STATE,
    RESET,
    BUNDLE, /* what follows up to BUNDLE_END is recorded in a bundle, with the pipeline `first` */
    BUNDLE_END,
    INDIRECT, /* a command signature of that kind: enum indirect_kind */
    DRAW,
    DRAW_INDEXED,
};
enum indirect_kind { DRAWS, DRAWS_INDEXED, SETS_VERTICES, SETS_INDICES, INDIRECTS };

struct step {
    enum step_kind kind;
    unsigned first, second;
};

struct sequence {
    const char *name;
    enum call { NOTHING, BUNDLES, CLEARS, SETS_BY_GPU, CALLS } needs, shows;
    struct step steps[14]; /* the last draw is looked at */
};

static const char *const call_names[CALLS] = {"", "ExecuteBundle", "ClearState",
                                              "buffers that ExecuteIndirect sets"};

#define LOOK_ROUND                                                                                 \
    {TARGET, 1, 1}, {VERTICES, 0, 1}, {VERTICES, 1, 2},                                            \
    {                                                                                              \
        INDICES, 1, 0                                                                              \
    }
static const struct sequence sequences[] = {
    /* clang-format off */
    {"a draw uses what is set", NOTHING, NOTHING, {LOOK_ROUND, {PIPELINE, 1, 0}, {DRAW, 0, 0}}},
    {"an indexed draw uses the indices", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 2, 0}, {DRAW_INDEXED, 0, 0}}},
    {"the last pipeline counts", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {PIPELINE, 2, 0}, {DRAW, 0, 0}}},
    {"targets and depth are replaced together", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {TARGET, 2, 2}, {DRAW, 0, 0}}},
    {"depth without a target is used", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {TARGET, 0, 2}, {DRAW, 0, 0}}},
    {"a slot keeps its vertices when others are set", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {VERTICES, 1, 1}, {DRAW, 0, 0}}},
    {"a slot without vertices has none", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {VERTICES, 0, 0}, {DRAW, 0, 0}}},
    {"a list begins with its pipeline", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {DRAW, 0, 0}, {RESET, 2, 0}, LOOK_ROUND, {DRAW, 0, 0}}},
    {"a list begins without targets", NOTHING, NOTHING,
     {LOOK_ROUND, {DRAW, 0, 0}, {RESET, 2, 0}, {VERTICES, 0, 1}, {DRAW, 0, 0}}},
    {"a list begins without vertices", NOTHING, NOTHING,
     {LOOK_ROUND, {RESET, 2, 0}, {TARGET, 1, 1}, {DRAW, 0, 0}}},
    {"a list begins without indices", NOTHING, NOTHING,
     {LOOK_ROUND, {RESET, 2, 0}, {TARGET, 1, 1}, {DRAW_INDEXED, 0, 0}}},
    {"ExecuteIndirect leaves all to the next draw", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {INDIRECT, DRAWS, 0}, {DRAW, 0, 0}}},
    {"ExecuteIndirect uses what is set", NOTHING, NOTHING,
     {LOOK_ROUND, {PIPELINE, 2, 0}, {INDIRECT, DRAWS_INDEXED, 0}}},
    {"ExecuteIndirect sets vertices", NOTHING, SETS_BY_GPU,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {VERTICES, 0, 0}, {INDIRECT, SETS_VERTICES, 0}}},
    {"vertices that ExecuteIndirect set are none behind it", SETS_BY_GPU, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {INDIRECT, SETS_VERTICES, 0}, {DRAW, 0, 0}}},
    {"indices that ExecuteIndirect set are none behind it", SETS_BY_GPU, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {INDIRECT, SETS_INDICES, 0}, {DRAW_INDEXED, 0, 0}}},
    {"ClearState sets its pipeline", NOTHING, CLEARS,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {CLEAR_STATE, 2, 0}, LOOK_ROUND, {DRAW, 0, 0}}},
    {"ClearState leaves no targets", CLEARS, NOTHING,
     {LOOK_ROUND, {CLEAR_STATE, 2, 0}, {VERTICES, 0, 1}, {DRAW, 0, 0}}},
    {"ClearState leaves no vertices", CLEARS, NOTHING,
     {LOOK_ROUND, {CLEAR_STATE, 2, 0}, {TARGET, 1, 1}, {DRAW, 0, 0}}},
    {"ClearState leaves no indices", CLEARS, NOTHING,
     {LOOK_ROUND, {CLEAR_STATE, 2, 0}, {TARGET, 1, 1}, {DRAW_INDEXED, 0, 0}}},
    {"a bundle draws", NOTHING, BUNDLES,
     {LOOK_ROUND, {BUNDLE, 2, 0}, {VERTICES, 0, 2}, {DRAW, 0, 0}, {BUNDLE_END, 0, 0}}},
    {"a bundle has its caller's targets, vertices and indices", BUNDLES, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {BUNDLE, 2, 0}, {DRAW_INDEXED, 0, 0}, {BUNDLE_END, 0, 0}}},
    {"a bundle leaves its pipeline", BUNDLES, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {BUNDLE, 2, 0}, {BUNDLE_END, 0, 0}, {DRAW, 0, 0}}},
    {"a bundle without a pipeline leaves its caller's", BUNDLES, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {BUNDLE, 0, 0}, {BUNDLE_END, 0, 0}, {DRAW, 0, 0}}},
    {"a bundle leaves the vertices and indices that it set", BUNDLES, NOTHING,
     {LOOK_ROUND, {PIPELINE, 1, 0}, {BUNDLE, 0, 0}, {VERTICES, 0, 2},
      {INDICES, 2, 0}, {BUNDLE_END, 0, 0}, {DRAW_INDEXED, 0, 0}}},
    /* clang-format on */
};

/* ---- objects ---- */

static ID3D12Device *device;
static ID3D12CommandQueue *queue;
static ID3D12Fence *fence;
static ID3D12RootSignature *root;
static ID3D12PipelineState *pipelines[KINDS + 1];
static ID3D12CommandSignature *signatures[INDIRECTS];
static ID3D12Resource *targets[KINDS + 1], *depths[KINDS + 1], *source, *read;
static D3D12_CPU_DESCRIPTOR_HANDLE target_views[KINDS + 1], depth_views[KINDS + 1];

static ID3D12Resource *create(D3D12_HEAP_TYPE type, const D3D12_RESOURCE_DESC *desc,
                              D3D12_RESOURCE_STATES state)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    ID3D12Resource *resource = NULL;
    MUST(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, desc, state,
                                              NULL, &IID_ID3D12Resource, (void **)&resource));
    return resource;
}

static ID3D12Resource *create_buffer(D3D12_HEAP_TYPE type, UINT64 size, D3D12_RESOURCE_STATES state)
{
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                      .Width = size,
                                      .Height = 1,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .SampleDesc = {1, 0},
                                      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
    return create(type, &desc, state);
}

static ID3D12Resource *create_image(DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags,
                                    D3D12_RESOURCE_STATES state)
{
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                      .Width = SIDE,
                                      .Height = SIDE,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .Format = format,
                                      .SampleDesc = {1, 0},
                                      .Flags = flags};
    return create(D3D12_HEAP_TYPE_DEFAULT, &desc, state);
}

/* [0] is the handle of the heap's beginning, and no view. */
static void create_views(D3D12_DESCRIPTOR_HEAP_TYPE type, D3D12_CPU_DESCRIPTOR_HANDLE *views)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = type, .NumDescriptors = KINDS + 1};
    ID3D12DescriptorHeap *heap = NULL;
    MUST(ID3D12Device_CreateDescriptorHeap(device, &desc, &IID_ID3D12DescriptorHeap,
                                           (void **)&heap));
    ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(heap, &views[0]);
    for (unsigned i = 1; i <= KINDS; i++)
        views[i].ptr =
            views[0].ptr + i * ID3D12Device_GetDescriptorHandleIncrementSize(device, type);
}

static void create_images(void)
{
    create_views(D3D12_DESCRIPTOR_HEAP_TYPE_RTV, target_views);
    create_views(D3D12_DESCRIPTOR_HEAP_TYPE_DSV, depth_views);
    for (unsigned i = 1; i <= KINDS; i++) {
        targets[i] =
            create_image(DXGI_FORMAT_R32G32B32A32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET,
                         D3D12_RESOURCE_STATE_RENDER_TARGET);
        depths[i] = create_image(DXGI_FORMAT_D32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL,
                                 D3D12_RESOURCE_STATE_DEPTH_WRITE);
        ID3D12Device_CreateRenderTargetView(device, targets[i], NULL, target_views[i]);
        ID3D12Device_CreateDepthStencilView(device, depths[i], NULL, depth_views[i]);
    }
}

static void create_pipelines(void)
{
    const D3D12_INPUT_ELEMENT_DESC elements[] = {{"FIRST", 0, DXGI_FORMAT_R32_FLOAT, 0, 0,
                                                  D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 1},
                                                 {"SECOND", 0, DXGI_FORMAT_R32_FLOAT, 1, 0,
                                                  D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 1}};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = root,
        .VS = {vs_all, sizeof vs_all},
        .SampleMask = UINT_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID,
                            .CullMode = D3D12_CULL_MODE_NONE,
                            .DepthClipEnable = TRUE},
        .DepthStencilState = {.DepthEnable = TRUE,
                              .DepthWriteMask = D3D12_DEPTH_WRITE_MASK_ALL,
                              .DepthFunc = D3D12_COMPARISON_FUNC_ALWAYS},
        .InputLayout = {elements, 2},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .NumRenderTargets = 1,
        .RTVFormats = {DXGI_FORMAT_R32G32B32A32_FLOAT},
        .DSVFormat = DXGI_FORMAT_D32_FLOAT,
        .SampleDesc = {1, 0},
    };
    desc.BlendState.RenderTarget[0].RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
    desc.PS = (D3D12_SHADER_BYTECODE){ps_one, sizeof ps_one};
    MUST(ID3D12Device_CreateGraphicsPipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                  (void **)&pipelines[1]));
    desc.PS = (D3D12_SHADER_BYTECODE){ps_two, sizeof ps_two};
    MUST(ID3D12Device_CreateGraphicsPipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                  (void **)&pipelines[2]));
}

static void create_root(void)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {
        .Flags = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT};
    ID3DBlob *blob = NULL;
    MUST(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    MUST(ID3D12Device_CreateRootSignature(device, 0, ID3D10Blob_GetBufferPointer(blob),
                                          ID3D10Blob_GetBufferSize(blob), &IID_ID3D12RootSignature,
                                          (void **)&root));
}

static const struct {
    D3D12_INDIRECT_ARGUMENT_TYPE types[2];
    UINT count, stride;
} indirects[INDIRECTS] = {[DRAWS] = {{D3D12_INDIRECT_ARGUMENT_TYPE_DRAW}, 1, 16},
                          [DRAWS_INDEXED] = {{D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED}, 1, 20},
                          [SETS_VERTICES] = {{D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW,
                                              D3D12_INDIRECT_ARGUMENT_TYPE_DRAW},
                                             2,
                                             32},
                          [SETS_INDICES] = {{D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW,
                                             D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED},
                                            2,
                                            36}};

static void create_signatures(void)
{
    for (unsigned i = 0; i < INDIRECTS; i++) {
        D3D12_INDIRECT_ARGUMENT_DESC arguments[2] = {{.Type = indirects[i].types[0]},
                                                     {.Type = indirects[i].types[1]}};
        const D3D12_COMMAND_SIGNATURE_DESC desc = {indirects[i].stride, indirects[i].count,
                                                   arguments, 0};
        MUST(ID3D12Device_CreateCommandSignature(device, &desc, NULL, &IID_ID3D12CommandSignature,
                                                 (void **)&signatures[i]));
    }
}

static UINT64 address(unsigned at)
{
    return ID3D12Resource_GetGPUVirtualAddress(source) + at;
}

static D3D12_VERTEX_BUFFER_VIEW vertices_view(unsigned number)
{
    return (D3D12_VERTEX_BUFFER_VIEW){address(VERTICES_AT + (number - 1) * 16), 4, 4};
}

static D3D12_INDEX_BUFFER_VIEW indices_view(unsigned number)
{
    return (D3D12_INDEX_BUFFER_VIEW){address(INDICES_AT + (number - 1) * 16), 12,
                                     DXGI_FORMAT_R32_UINT};
}

/* Vertex buffer n holds n, index buffer n the three indices from 3 n. */
static void fill_source(void)
{
    static const D3D12_DRAW_ARGUMENTS draw = {3, 1, 0, 0};
    static const D3D12_DRAW_INDEXED_ARGUMENTS indexed = {3, 1, 0, 0, 0};
    unsigned char *bytes = NULL;
    source = create_buffer(D3D12_HEAP_TYPE_UPLOAD, SOURCE, D3D12_RESOURCE_STATE_GENERIC_READ);
    read =
        create_buffer(D3D12_HEAP_TYPE_READBACK, 2 * KINDS * STRIDE, D3D12_RESOURCE_STATE_COPY_DEST);
    MUST(ID3D12Resource_Map(source, 0, NULL, (void **)&bytes));
    for (unsigned n = 1; n <= KINDS; n++) {
        const float value = (float)n;
        const UINT indices[] = {3 * n, 3 * n + 1, 3 * n + 2};
        memcpy(bytes + VERTICES_AT + (n - 1) * 16, &value, sizeof value);
        memcpy(bytes + INDICES_AT + (n - 1) * 16, indices, sizeof indices);
    }
    const D3D12_VERTEX_BUFFER_VIEW vertices = vertices_view(2);
    const D3D12_INDEX_BUFFER_VIEW indices = indices_view(2);
    unsigned char *at = bytes + ARGUMENTS_AT;
    memcpy(at + DRAWS * ARGUMENTS, &draw, sizeof draw);
    memcpy(at + DRAWS_INDEXED * ARGUMENTS, &indexed, sizeof indexed);
    memcpy(at + SETS_VERTICES * ARGUMENTS, &vertices, sizeof vertices);
    memcpy(at + SETS_VERTICES * ARGUMENTS + sizeof vertices, &draw, sizeof draw);
    memcpy(at + SETS_INDICES * ARGUMENTS, &indices, sizeof indices);
    memcpy(at + SETS_INDICES * ARGUMENTS + sizeof indices, &indexed, sizeof indexed);
    ID3D12Resource_Unmap(source, 0, NULL);
}

/* ---- what a draw used ---- */

/* Numbers of objects, 0: none. `is_drawn`: anything was written. */
struct used {
    bool is_drawn;
    unsigned pipeline, target, depth, vertices[2], indices;
};

static struct used used_by_rules(const struct list_state *state, enum list_work work)
{
    struct list_objects objects = {.count = 0};
    struct used used = {.is_drawn = true};
    list_state_use(state, work, &objects);
    for (uint32_t i = 0; i < objects.count; i++) {
        const unsigned number = (unsigned)objects.of[i].object % 10;
        switch (objects.of[i].role) {
        case ANNOT_BOUND_PIPELINE:
            used.pipeline = number;
            break;
        case ANNOT_BOUND_TARGET:
            used.target = number;
            break;
        case ANNOT_BOUND_DEPTH:
            used.depth = number;
            break;
        case ANNOT_BOUND_INDICES:
            used.indices = number;
            break;
        case ANNOT_BOUND_VERTICES: /* 40 and up in slot 0, 50 and up in slot 1 */
            used.vertices[objects.of[i].object >= 50] = number;
            break;
        default:
            break;
        }
    }
    /* without indices a triangle has one corner only */
    if (!used.pipeline || (!used.target && !used.depth) ||
        (work == LIST_WORK_DRAW_INDEXED && !used.indices))
        return (struct used){.is_drawn = false};
    if (!used.target) /* nothing has a colour that says more */
        used = (struct used){.is_drawn = true, .depth = used.depth};
    return used;
}

static struct used used_by_result(void)
{
    struct used used = {.is_drawn = false};
    unsigned char *bytes = NULL;
    MUST(ID3D12Resource_Map(read, 0, NULL, (void **)&bytes));
    for (unsigned i = 1; i <= KINDS; i++) {
        float colour[4], depth;
        memcpy(colour, bytes + (i - 1) * STRIDE, sizeof colour);
        memcpy(&depth, bytes + (KINDS + i - 1) * STRIDE, sizeof depth);
        if (colour[0] != 0) {
            used.target = i;
            used.pipeline = (unsigned)(colour[0] + 0.5f);
            used.vertices[0] = (unsigned)(colour[1] + 0.5f);
            used.vertices[1] = (unsigned)(colour[2] + 0.5f);
            used.indices = (unsigned)(colour[3] + 0.5f);
        }
        if (depth != 1)
            used.depth = i;
    }
    ID3D12Resource_Unmap(read, 0, NULL);
    used.is_drawn = used.target || used.depth;
    return used;
}

static bool is_same(const struct used *a, const struct used *b)
{
    return a->is_drawn == b->is_drawn && a->pipeline == b->pipeline && a->target == b->target &&
           a->depth == b->depth && a->vertices[0] == b->vertices[0] &&
           a->vertices[1] == b->vertices[1] && a->indices == b->indices;
}

static void print_used(const char *who, const struct used *used)
{
    if (used->is_drawn)
        printf("# %s: pipeline %u, target %u, depth %u, vertices %u %u, indices %u\n", who,
               used->pipeline, used->target, used->depth, used->vertices[0], used->vertices[1],
               used->indices);
    else
        printf("# %s: nothing is drawn\n", who);
}

/* ---- a sequence ---- */

struct recording {
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    struct list_state state;
};

static struct recording begin(D3D12_COMMAND_LIST_TYPE type, unsigned pipeline)
{
    struct recording r = {NULL, NULL, {0}};
    MUST(ID3D12Device_CreateCommandAllocator(device, type, &IID_ID3D12CommandAllocator,
                                             (void **)&r.allocator));
    MUST(ID3D12Device_CreateCommandList(device, 0, type, r.allocator, pipelines[pipeline],
                                        &IID_ID3D12GraphicsCommandList, (void **)&r.list));
    list_state_begin(&r.state, pipeline, pipeline != 0);
    return r;
}

static void run(ID3D12GraphicsCommandList *list)
{
    static UINT64 value;
    MUST(ID3D12GraphicsCommandList_Close(list));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, (ID3D12CommandList *const *)&list);
    MUST(ID3D12CommandQueue_Signal(queue, fence, ++value));
    MUST(ID3D12Fence_SetEventOnCompletion(fence, value, NULL));
}

/* What no rule is about, and what the draw writes to, empty. */
static void prepare_draw(ID3D12GraphicsCommandList *list, bool is_bundle)
{
    static const D3D12_VIEWPORT viewport = {0, 0, SIDE, SIDE, 0, 1};
    static const D3D12_RECT scissor = {0, 0, SIDE, SIDE};
    static const FLOAT nothing[4] = {0};
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, root);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    if (is_bundle)
        return;
    ID3D12GraphicsCommandList_RSSetViewports(list, 1, &viewport);
    ID3D12GraphicsCommandList_RSSetScissorRects(list, 1, &scissor);
    for (unsigned i = 1; i <= KINDS; i++) {
        ID3D12GraphicsCommandList_ClearRenderTargetView(list, target_views[i], nothing, 0, NULL);
        ID3D12GraphicsCommandList_ClearDepthStencilView(list, depth_views[i],
                                                        D3D12_CLEAR_FLAG_DEPTH, 1, 0, 0, NULL);
    }
}

static void set_targets(struct recording *r, unsigned target, unsigned depth)
{
    ID3D12GraphicsCommandList_OMSetRenderTargets(r->list, target != 0, &target_views[target], FALSE,
                                                 depth ? &depth_views[depth] : NULL);
    list_state_clear_targets(&r->state);
    r->state.targets[0].object = target ? 10 + target : 0;
    r->state.depth.object = depth ? 20 + depth : 0;
}

static void set_vertices(struct recording *r, unsigned slot, unsigned number)
{
    const D3D12_VERTEX_BUFFER_VIEW view =
        number ? vertices_view(number) : (D3D12_VERTEX_BUFFER_VIEW){0, 0, 0};
    ID3D12GraphicsCommandList_IASetVertexBuffers(r->list, slot, 1, &view);
    list_state_set_vertices(&r->state, slot, number ? 40 + 10 * slot + number : 0);
}

/* The work that it does; its own buffers, which only the GPU knows, are those of number 2. */
static enum list_work execute_indirect(struct recording *r, unsigned kind, struct used *expected)
{
    struct list_indirect of = {.work = LIST_WORK_UNKNOWN};
    for (UINT i = 0; i < indirects[kind].count; i++)
        list_indirect_add(&of, (uint32_t)indirects[kind].types[i], 0, 0);
    struct list_state inside = r->state;
    if (kind == SETS_VERTICES)
        list_state_set_vertices(&inside, 0, 42);
    if (kind == SETS_INDICES)
        list_state_set_indices(&inside, 32);
    *expected = used_by_rules(&inside, of.work);
    ID3D12GraphicsCommandList_ExecuteIndirect(r->list, signatures[kind], 1, source,
                                              ARGUMENTS_AT + kind * ARGUMENTS, NULL, 0);
    list_state_forget_indirect(&r->state, &of);
    return of.work;
}

static void reset(struct recording *r, unsigned pipeline)
{
    run(r->list);
    MUST(ID3D12CommandAllocator_Reset(r->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(r->list, r->allocator, pipelines[pipeline]));
    list_state_begin(&r->state, pipeline, pipeline != 0);
}

/* `caller`: the list that will execute this bundle; NULL: this is a list. */
static void take(struct recording *r, const struct recording *caller, const struct step *step,
                 struct used *expected)
{
    const bool is_indexed = step->kind == DRAW_INDEXED;
    D3D12_INDEX_BUFFER_VIEW indices;
    struct list_state seen = r->state;
    switch (step->kind) {
    case PIPELINE:
        ID3D12GraphicsCommandList_SetPipelineState(r->list, pipelines[step->first]);
        list_state_set_pipeline(&r->state, step->first);
        break;
    case TARGET:
        set_targets(r, step->first, step->second);
        break;
    case VERTICES:
        set_vertices(r, step->first, step->second);
        break;
    case INDICES:
        indices = indices_view(step->first);
        ID3D12GraphicsCommandList_IASetIndexBuffer(r->list, &indices);
        list_state_set_indices(&r->state, 30 + step->first);
        break;
    case CLEAR_STATE:
        ID3D12GraphicsCommandList_ClearState(r->list, pipelines[step->first]);
        list_state_begin(&r->state, step->first, true);
        break;
    case RESET:
        reset(r, step->first);
        break;
    case INDIRECT:
        prepare_draw(r->list, caller != NULL);
        execute_indirect(r, step->first, expected);
        break;
    case DRAW:
    case DRAW_INDEXED:
        if (caller) { /* the caller's, and over it what the bundle set */
            seen = caller->state;
            list_state_execute_bundle(&seen, &r->state);
        }
        *expected = used_by_rules(&seen, is_indexed ? LIST_WORK_DRAW_INDEXED : LIST_WORK_DRAW);
        prepare_draw(r->list, caller != NULL);
        if (is_indexed)
            ID3D12GraphicsCommandList_DrawIndexedInstanced(r->list, 3, 1, 0, 0, 0);
        else
            ID3D12GraphicsCommandList_DrawInstanced(r->list, 3, 1, 0, 0);
        break;
    default:
        break;
    }
}

static const struct step *take_bundle(struct recording *r, const struct step *step,
                                      struct used *expected)
{
    struct recording bundle = begin(D3D12_COMMAND_LIST_TYPE_BUNDLE, step->first);
    while ((++step)->kind != BUNDLE_END)
        take(&bundle, r, step, expected);
    MUST(ID3D12GraphicsCommandList_Close(bundle.list));
    prepare_draw(r->list, false);
    ID3D12GraphicsCommandList_ExecuteBundle(r->list, bundle.list);
    list_state_execute_bundle(&r->state, &bundle.state);
    return step;
}

static void copy_image(ID3D12GraphicsCommandList *list, ID3D12Resource *image, DXGI_FORMAT format,
                       D3D12_RESOURCE_STATES state, unsigned place)
{
    D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION};
    const D3D12_TEXTURE_COPY_LOCATION from = {.pResource = image},
                                      to = {.pResource = read,
                                            .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
                                            .PlacedFootprint = {place * STRIDE,
                                                                {format, SIDE, SIDE, 1, ROW}}};
    barrier.Transition = (D3D12_RESOURCE_TRANSITION_BARRIER){
        image, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, state, D3D12_RESOURCE_STATE_COPY_SOURCE};
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
    ID3D12GraphicsCommandList_CopyTextureRegion(list, &to, 0, 0, 0, &from, NULL);
    barrier.Transition.StateBefore = D3D12_RESOURCE_STATE_COPY_SOURCE;
    barrier.Transition.StateAfter = state;
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
}

static void run_sequence(const struct sequence *of, struct used *expected, struct used *result)
{
    struct recording r = begin(D3D12_COMMAND_LIST_TYPE_DIRECT, 0);
    for (const struct step *step = of->steps; step->kind != END; step++)
        if (step->kind == BUNDLE)
            step = take_bundle(&r, step, expected);
        else
            take(&r, NULL, step, expected);
    for (unsigned i = 1; i <= KINDS; i++) {
        copy_image(r.list, targets[i], DXGI_FORMAT_R32G32B32A32_FLOAT,
                   D3D12_RESOURCE_STATE_RENDER_TARGET, i - 1);
        copy_image(r.list, depths[i], DXGI_FORMAT_R32_FLOAT, D3D12_RESOURCE_STATE_DEPTH_WRITE,
                   KINDS + i - 1);
    }
    run(r.list);
    *result = used_by_result();
    ID3D12GraphicsCommandList_Release(r.list);
    ID3D12CommandAllocator_Release(r.allocator);
}

static void create_all(void)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    MUST(ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, (void **)&queue));
    MUST(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                  (void **)&fence));
    create_root();
    create_images();
    create_pipelines();
    fill_source();
    create_signatures();
}

/* Why the sequence is not run; NULL: it is. */
static const char *find_reason(const struct sequence *of, const bool *lacks, char **left_out)
{
    for (; *left_out; left_out++)
        if (strcmp(*left_out, of->name) == 0)
            return "left out";
    return lacks[of->needs] ? call_names[of->needs] : NULL;
}

/* Arguments: names of sequences that this runtime does not survive. */
int main(int argc, char **argv)
{
    enum { COUNT = sizeof sequences / sizeof *sequences };
    bool lacks[CALLS] = {false};
    int failed = 0;
    (void)argc;
    create_all();
    printf("1..%d\n", COUNT);
    for (int i = 0; i < COUNT; i++) {
        const struct sequence *of = &sequences[i];
        struct used expected = {false, 0, 0, 0, {0, 0}, 0}, result;
        const char *reason = find_reason(of, lacks, argv + 1);
        bool is_right = true;
        if (!reason) {
            run_sequence(of, &expected, &result);
            is_right = is_same(&expected, &result);
        }
        if (!is_right && of->shows != NOTHING) {
            lacks[of->shows] = true;
            reason = call_names[of->shows];
        }
        printf("%s %d - %s%s%s\n", is_right || reason ? "ok" : "not ok", i + 1, of->name,
               reason ? " # SKIP not here: " : "", reason ? reason : "");
        if (!is_right) {
            print_used("by the rules", &expected);
            print_used("by the result", &result);
        }
        fflush(stdout);
        failed += !is_right && !reason;
    }
    return failed != 0;
}
