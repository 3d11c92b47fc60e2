#include "bindings.h"

#include <emu/emu.h>

#include <string.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT
#define BUNDLE D3D12_COMMAND_LIST_TYPE_BUNDLE

/* The least that is a vertex shader: code that nobody executes. */
static const unsigned char shader[52] = {
    'D',        'X', 'B', 'C', [20] = 1, [24] = 52,   [28] = 1, [32] = 36,
    [36] = 'S', 'H', 'E', 'X', [40] = 8, [44] = 0x50, [46] = 1, [48] = 2};

/* ---- objects ---- */

static void name(void *object, char kind, int number)
{
    const WCHAR text[] = {(WCHAR)kind, (WCHAR)('0' + number), 0};
    MUST(ID3D12Object_SetName((ID3D12Object *)object, text));
}

static D3D12_CPU_DESCRIPTOR_HANDLE place(const struct bind_scene *scene, int view)
{
    D3D12_CPU_DESCRIPTOR_HANDLE at;
#ifdef EMU_D3D12_ABI_VKD3D /* structs are returned through a pointer */
    scene->heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(scene->heap, &at);
#else
    at = scene->heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(scene->heap);
#endif
    at.ptr += (SIZE_T)view * ID3D12Device_GetDescriptorHandleIncrementSize(
                                 scene->device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    return at;
}

static void make_view(struct bind_scene *scene, int index)
{
    struct bind_view *view = &scene->views[index];
    const bool is_default = chance(&scene->dice, 20);
    *view = (struct bind_view){.texture = (int)below(&scene->dice, BIND_TEXTURES),
                               .slices = BIND_SLICES};
    if (!is_default) {
        view->mip = (int)below(&scene->dice, BIND_MIPS);
        view->slice = (int)below(&scene->dice, BIND_SLICES);
        view->slices = 1 + (int)below(&scene->dice, (unsigned)(BIND_SLICES - view->slice));
    }
    const D3D12_RENDER_TARGET_VIEW_DESC desc = {
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY,
        .Texture2DArray = {.MipSlice = (UINT)view->mip,
                           .FirstArraySlice = (UINT)view->slice,
                           .ArraySize = (UINT)view->slices}};
    ID3D12Device_CreateRenderTargetView(scene->device, scene->textures[view->texture],
                                        is_default ? NULL : &desc, place(scene, index));
}

static ID3D12PipelineState *make_pipeline(const struct bind_scene *scene)
{
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = scene->root,
        .VS = {shader, sizeof shader},
        .SampleMask = UINT32_MAX,
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleDesc = {.Count = 1},
    };
    return MADE(ID3D12PipelineState, scene->device, CreateGraphicsPipelineState, &desc);
}

/* 0: draws; 1 and 2: set vertex buffers 0 or 2 and draw; 3: set indices and draw by them. */
static void make_signatures(struct bind_scene *scene)
{
    for (int i = 0; i < BIND_SIGNATURES; i++) {
        const D3D12_INDIRECT_ARGUMENT_DESC arguments[2] = {
            {.Type = i == 3 ? D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW
                            : D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW,
             .VertexBuffer = {i == 2 ? 2 : 0}},
            {.Type = i == 3 ? D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED
                            : D3D12_INDIRECT_ARGUMENT_TYPE_DRAW}};
        const D3D12_COMMAND_SIGNATURE_DESC desc = {
            .ByteStride = 64, .NumArgumentDescs = i == 0 ? 1 : 2, .pArgumentDescs = arguments + !i};
        scene->signatures[i] =
            MADE(ID3D12CommandSignature, scene->device, CreateCommandSignature, &desc, NULL);
    }
}

static void make_objects(struct bind_scene *scene)
{
    const D3D12_RESOURCE_DESC desc =
        kit_texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, BIND_SLICES, BIND_MIPS,
                         D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    scene->root = kit_root_signature(scene->device);
    for (int i = 0; i < BIND_PIPELINES; i++)
        name(scene->pipelines[i] = make_pipeline(scene), 'P', i);
    for (int i = 0; i < BIND_TEXTURES; i++)
        name(scene->textures[i] = kit_resource(scene->device, &desc, D3D12_RESOURCE_STATE_COMMON),
             'T', i);
    for (int i = 0; i < BIND_BUFFERS; i++)
        name(scene->buffers[i] = kit_buffer(scene->device, D3D12_HEAP_TYPE_DEFAULT, 4096), 'B', i);
    scene->heap = kit_descriptors(scene->device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, BIND_VIEWS,
                                  D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
    for (int i = 0; i < BIND_VIEWS; i++)
        make_view(scene, i);
    make_signatures(scene);
}

/* ---- what calls leave ---- */

static void begin(struct bind_model *model, int pipeline, bool is_bundle)
{
    const int rest = is_bundle ? BIND_UNKNOWN : BIND_NONE;
    model->pipeline = pipeline;
    model->indices = rest;
    for (int i = 0; i < BIND_SLOTS; i++)
        model->slots[i] = rest;
    model->view_count = 0;
    model->has_root = model->has_topology = false;
}

static struct bind_shot *shoot(struct bind_recording *to, uint32_t kind)
{
    struct bind_shot *shot = &to->shots[to->count++];
    *shot = (struct bind_shot){.kind = kind, .at = to->now};
    to->now.barriers = 0;
    return shot;
}

/* ---- state ---- */

static void set_pipeline(struct bind_scene *s, ID3D12GraphicsCommandList *list,
                         struct bind_recording *to)
{
    to->now.pipeline = (int)below(&s->dice, BIND_PIPELINES);
    ID3D12GraphicsCommandList_SetPipelineState(list, s->pipelines[to->now.pipeline]);
}

static void set_vertices(struct bind_scene *s, ID3D12GraphicsCommandList *list,
                         struct bind_recording *to)
{
    D3D12_VERTEX_BUFFER_VIEW views[3] = {{0}};
    const unsigned first = below(&s->dice, 4), count = 1 + below(&s->dice, 3);
    const bool is_null = chance(&s->dice, 15);
    for (unsigned i = 0; i < count && first + i < BIND_SLOTS; i++) {
        const int buffer = chance(&s->dice, 15) ? BIND_NONE : (int)below(&s->dice, BIND_BUFFERS);
        to->now.slots[first + i] = is_null ? BIND_NONE : buffer;
        if (buffer != BIND_NONE)
            views[i] = (D3D12_VERTEX_BUFFER_VIEW){
                ID3D12Resource_GetGPUVirtualAddress(s->buffers[buffer]), 64, 16};
    }
    ID3D12GraphicsCommandList_IASetVertexBuffers(list, first, count, is_null ? NULL : views);
}

static void set_indices(struct bind_scene *s, ID3D12GraphicsCommandList *list,
                        struct bind_recording *to, bool may_be_none)
{
    const bool is_none = may_be_none && chance(&s->dice, 25);
    to->now.indices = is_none ? BIND_NONE : (int)below(&s->dice, BIND_BUFFERS);
    const D3D12_INDEX_BUFFER_VIEW view = {
        is_none ? 0 : ID3D12Resource_GetGPUVirtualAddress(s->buffers[to->now.indices]), 64,
        DXGI_FORMAT_R16_UINT};
    ID3D12GraphicsCommandList_IASetIndexBuffer(list, is_none ? NULL : &view);
}

static void set_targets(struct bind_scene *s)
{
    struct bind_model *now = &s->of.now;
    D3D12_CPU_DESCRIPTOR_HANDLE handles[8];
    const bool is_range = chance(&s->dice, 30);
    now->view_count = (int)below(&s->dice, 4);
    for (int i = 0; i < now->view_count; i++) {
        now->views[i] =
            is_range && i > 0 ? now->views[0] + i : (int)below(&s->dice, BIND_VIEWS - 3);
        handles[i] = place(s, now->views[i]);
    }
    ID3D12GraphicsCommandList_OMSetRenderTargets(s->list, (UINT)now->view_count,
                                                 now->view_count ? handles : NULL, is_range, NULL);
}

/* ---- work ---- */

/* What a draw can't do without. */
static void prepare(struct bind_scene *s, ID3D12GraphicsCommandList *list,
                    struct bind_recording *to, bool is_indexed)
{
    if (to->now.pipeline < 0)
        set_pipeline(s, list, to);
    if (!to->now.has_root)
        ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, s->root);
    if (!to->now.has_topology)
        ID3D12GraphicsCommandList_IASetPrimitiveTopology(
            list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    to->now.has_root = to->now.has_topology = true;
    if (is_indexed && to->now.indices < 0)
        set_indices(s, list, to, false);
}

/* Work says in its arguments which it is. */
static int number_next(const struct bind_scene *s, const struct bind_recording *to)
{
    const int list = to == &s->of ? 0 : 1 + (int)(to - s->bundles);
    return list * BIND_SHOTS + to->count;
}

static void draw(struct bind_scene *s, ID3D12GraphicsCommandList *list, struct bind_recording *to)
{
    const bool is_indexed = chance(&s->dice, 40);
    const int number = number_next(s, to);
    prepare(s, list, to, is_indexed);
    struct bind_shot *shot = shoot(to, is_indexed ? D3D12_AUTO_BREADCRUMB_OP_DRAWINDEXEDINSTANCED
                                                  : D3D12_AUTO_BREADCRUMB_OP_DRAWINSTANCED);
    shot->draws = shot->runs = shot->uses_vertices = true;
    shot->uses_indices = is_indexed;
    to->draws++;
    if (is_indexed)
        ID3D12GraphicsCommandList_DrawIndexedInstanced(list, 3, 1, 0, number, 0);
    else
        ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, (UINT)number, 0);
}

/* Their number in memory is 0. What they set nobody knows. In bundles commands only draw, and are
 * counted by the caller. */
static void draw_indirect(struct bind_scene *s, ID3D12GraphicsCommandList *list,
                          struct bind_recording *to)
{
    const bool is_bundle = to != &s->of;
    const UINT64 number = (UINT64)number_next(s, to);
    const int which = is_bundle ? 0 : (int)below(&s->dice, BIND_SIGNATURES);
    prepare(s, list, to, which == 3);
    if (which == 3)
        to->now.indices = BIND_UNKNOWN;
    else if (which > 0)
        to->now.slots[which == 2 ? 2 : 0] = BIND_UNKNOWN;
    struct bind_shot *shot = shoot(to, D3D12_AUTO_BREADCRUMB_OP_EXECUTEINDIRECT);
    shot->draws = shot->runs = shot->uses_vertices = true;
    shot->uses_indices = which == 3;
    ID3D12GraphicsCommandList_ExecuteIndirect(list, s->signatures[which], 1, s->buffers[0],
                                              number * 4, is_bundle ? NULL : s->buffers[1], 0);
}

static void clear(struct bind_scene *s)
{
    static const FLOAT black[4];
    const int view = (int)below(&s->dice, BIND_VIEWS);
    shoot(&s->of, D3D12_AUTO_BREADCRUMB_OP_CLEARRENDERTARGETVIEW)->target = s->views[view];
    ID3D12GraphicsCommandList_ClearRenderTargetView(s->list, place(s, view), black, 0, NULL);
}

static D3D12_TEXTURE_COPY_LOCATION location(const struct bind_scene *s, struct bind_view at)
{
    return (D3D12_TEXTURE_COPY_LOCATION){.pResource = s->textures[at.texture],
                                         .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                         .SubresourceIndex = (UINT)(at.mip + at.slice * BIND_MIPS)};
}

static void copy(struct bind_scene *s)
{
    const int mip = (int)below(&s->dice, BIND_MIPS);
    const int from = (int)below(&s->dice, BIND_TEXTURES), apart = 1 + (int)below(&s->dice, 3);
    struct bind_shot *shot = shoot(&s->of, D3D12_AUTO_BREADCRUMB_OP_COPYTEXTUREREGION);
    shot->from = (struct bind_view){from, mip, (int)below(&s->dice, BIND_SLICES), 1};
    shot->to = (struct bind_view){(from + apart) % BIND_TEXTURES, mip,
                                  (int)below(&s->dice, BIND_SLICES), 1};
    const D3D12_TEXTURE_COPY_LOCATION to = location(s, shot->to), source = location(s, shot->from);
    ID3D12GraphicsCommandList_CopyTextureRegion(s->list, &to, 0, 0, 0, &source, NULL);
}

/* A render pass with one target, which nothing is bound to behind it. */
static void pass(struct bind_scene *s)
{
    ID3D12GraphicsCommandList4 *list4 = AS(ID3D12GraphicsCommandList4, s->list);
    struct bind_model *now = &s->of.now;
    now->view_count = 1;
    now->views[0] = (int)below(&s->dice, BIND_VIEWS);
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {
        .cpuDescriptor = place(s, now->views[0]),
        .BeginningAccess = {.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE},
        .EndingAccess = {.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE}};
    ID3D12GraphicsCommandList4_BeginRenderPass(list4, 1, &target, NULL,
                                               D3D12_RENDER_PASS_FLAG_NONE);
    draw(s, s->list, &s->of);
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    now->view_count = 0;
    ID3D12GraphicsCommandList4_Release(list4);
}

/* ---- bundles ---- */

static void fill_bundle(struct bind_scene *s, int index)
{
    struct bind_recording *to = &s->bundles[index];
    ID3D12GraphicsCommandList *list = s->bundle_lists[index];
    for (unsigned left = below(&s->dice, 3); left > 0; left--)
        if (chance(&s->dice, 40))
            set_vertices(s, list, to);
        else if (chance(&s->dice, 40))
            set_indices(s, list, to, true);
        else if (chance(&s->dice, 30))
            draw_indirect(s, list, to);
        else
            set_pipeline(s, list, to);
}

static void make_bundle(struct bind_scene *s, int index)
{
    struct bind_recording *to = &s->bundles[index];
    const int pipeline = chance(&s->dice, 50) ? (int)below(&s->dice, BIND_PIPELINES) : BIND_NONE;
    ID3D12CommandAllocator **allocator = &s->allocators[1 + index];
    *allocator = kit_allocator(s->device, BUNDLE);
    s->bundle_lists[index] = MADE(ID3D12GraphicsCommandList, s->device, CreateCommandList, 0,
                                  BUNDLE, *allocator, pipeline < 0 ? NULL : s->pipelines[pipeline]);
    name(s->bundle_lists[index], 'L', 1 + index);
    *to = (struct bind_recording){.count = 0};
    begin(&to->now, pipeline, true);
    fill_bundle(s, index);
    draw(s, s->bundle_lists[index], to);
    fill_bundle(s, index);
    MUST(ID3D12GraphicsCommandList_Close(s->bundle_lists[index]));
}

/* What the bundle set stays, and what it didn't set was the caller's and stays, too. A bundle
 * begins without the caller's pipeline; it has set one, because it draws. */
static void call(struct bind_scene *s)
{
    const int index = (int)below(&s->dice, BIND_BUNDLES);
    const struct bind_model *left = &s->bundles[index].now;
    struct bind_model *now = &s->of.now;
    prepare(s, s->list, &s->of, true);
    ID3D12GraphicsCommandList_ExecuteBundle(s->list, s->bundle_lists[index]);
    s->of.draws += s->bundles[index].draws;
    now->pipeline = left->pipeline;
    now->barriers = 0;
    if (left->indices != BIND_UNKNOWN)
        now->indices = left->indices;
    for (int i = 0; i < BIND_SLOTS; i++)
        if (left->slots[i] != BIND_UNKNOWN)
            now->slots[i] = left->slots[i];
}

/* ---- barriers ---- */

static void enter(struct bind_model *now, const struct bind_view *part, int mips, int state)
{
    for (int slice = part->slice; slice < part->slice + part->slices; slice++)
        for (int mip = part->mip; mip < part->mip + mips; mip++)
            now->states[part->texture][mip + slice * BIND_MIPS] = state;
}

static void legacy_barriers(struct bind_scene *s)
{
    static const D3D12_RESOURCE_STATES states[] = {D3D12_RESOURCE_STATE_RENDER_TARGET,
                                                   D3D12_RESOURCE_STATE_COPY_DEST,
                                                   D3D12_RESOURCE_STATE_COPY_SOURCE,
                                                   D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE};
    static const struct bind_view all = {0, 0, 0, BIND_SLICES};
    D3D12_RESOURCE_BARRIER barriers[9];
    const unsigned count = 1 + below(&s->dice, chance(&s->dice, 30) ? 9 : 3);
    for (unsigned i = 0; i < count; i++) {
        struct bind_view part = all;
        const unsigned kind = below(&s->dice, 10), half = below(&s->dice, 8);
        part.texture = (int)below(&s->dice, BIND_TEXTURES);
        ID3D12Resource *texture = s->textures[part.texture];
        s->of.now.barriers += kind == 1 ? 2 : 1;
        if (kind == 0) {
            barriers[i] = (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
            continue;
        }
        if (kind == 1) {
            barriers[i] = (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING,
                                                   .Aliasing = {s->buffers[0], texture}};
            continue;
        }
        const bool is_one = chance(&s->dice, 60);
        if (is_one)
            part = (struct bind_view){part.texture, (int)below(&s->dice, BIND_MIPS),
                                      (int)below(&s->dice, BIND_SLICES), 1};
        const D3D12_RESOURCE_STATES after = states[below(&s->dice, 4)];
        const D3D12_RESOURCE_STATES before = states[((unsigned)after + 1) % 4];
        barriers[i] = (D3D12_RESOURCE_BARRIER){
            .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
            .Flags = half == 0   ? D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY
                     : half == 1 ? D3D12_RESOURCE_BARRIER_FLAG_END_ONLY
                                 : D3D12_RESOURCE_BARRIER_FLAG_NONE,
            .Transition = {texture,
                           is_one ? (UINT)(part.mip + part.slice * BIND_MIPS)
                                  : D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                           before == after ? D3D12_RESOURCE_STATE_COMMON : before, after}};
        enter(&s->of.now, &part, is_one ? 1 : BIND_MIPS, half == 0 ? BIND_UNKNOWN : (int)after);
    }
    ID3D12GraphicsCommandList_ResourceBarrier(s->list, count, barriers);
}

/* Ranges of mips and slices, of one queue's layouts; buffers and everything, of no layout. */
static void enhanced_barriers(struct bind_scene *s)
{
    static const D3D12_BARRIER_LAYOUT layouts[] = {D3D12_BARRIER_LAYOUT_RENDER_TARGET,
                                                   D3D12_BARRIER_LAYOUT_COPY_DEST,
                                                   D3D12_BARRIER_LAYOUT_COPY_SOURCE,
                                                   D3D12_BARRIER_LAYOUT_SHADER_RESOURCE};
    const D3D12_GLOBAL_BARRIER global = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                         .SyncAfter = D3D12_BARRIER_SYNC_ALL};
    const D3D12_BUFFER_BARRIER buffer = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                         .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                         .pResource = s->buffers[0],
                                         .Size = UINT64_MAX};
    D3D12_TEXTURE_BARRIER textures[6];
    const unsigned count = 1 + below(&s->dice, 6), half = below(&s->dice, 3);
    for (unsigned i = 0; i < count; i++) {
        struct bind_view part = {(int)below(&s->dice, BIND_TEXTURES),
                                 (int)below(&s->dice, BIND_MIPS), (int)below(&s->dice, BIND_SLICES),
                                 1};
        const int mips = 1 + (int)below(&s->dice, (unsigned)(BIND_MIPS - part.mip));
        part.slices = 1 + (int)below(&s->dice, (unsigned)(BIND_SLICES - part.slice));
        const D3D12_BARRIER_LAYOUT after = layouts[below(&s->dice, 4)];
        textures[i] = (D3D12_TEXTURE_BARRIER){
            .SyncBefore = half == 1 && i == 0 ? D3D12_BARRIER_SYNC_SPLIT : D3D12_BARRIER_SYNC_ALL,
            .SyncAfter = half == 0 && i == 0 ? D3D12_BARRIER_SYNC_SPLIT : D3D12_BARRIER_SYNC_ALL,
            .LayoutBefore = D3D12_BARRIER_LAYOUT_COMMON,
            .LayoutAfter = after,
            .pResource = s->textures[part.texture],
            .Subresources = {(UINT)part.mip, (UINT)mips, (UINT)part.slice, (UINT)part.slices, 0,
                             1}};
        enter(&s->of.now, &part, mips, half == 0 && i == 0 ? BIND_UNKNOWN : (int)after);
    }
    const D3D12_BARRIER_GROUP groups[] = {
        {.Type = D3D12_BARRIER_TYPE_BUFFER, .NumBarriers = 1, .pBufferBarriers = &buffer},
        {.Type = D3D12_BARRIER_TYPE_TEXTURE, .NumBarriers = count, .pTextureBarriers = textures},
        {.Type = D3D12_BARRIER_TYPE_GLOBAL, .NumBarriers = 1, .pGlobalBarriers = &global}};
    ID3D12GraphicsCommandList7 *list7 = AS(ID3D12GraphicsCommandList7, s->list);
    s->of.now.barriers += (int)count + 2;
    ID3D12GraphicsCommandList7_Barrier(list7, 3, groups);
    ID3D12GraphicsCommandList7_Release(list7);
}

static void barriers(struct bind_scene *s)
{
    if (chance(&s->dice, 30))
        enhanced_barriers(s);
    else
        legacy_barriers(s);
}

/* ---- the list ---- */

static void start(struct bind_scene *s, bool is_reset)
{
    const int pipeline = chance(&s->dice, 50) ? (int)below(&s->dice, BIND_PIPELINES) : BIND_NONE;
    ID3D12PipelineState *state = pipeline < 0 ? NULL : s->pipelines[pipeline];
    if (is_reset) {
        MUST(ID3D12GraphicsCommandList_Close(s->list));
        MUST(ID3D12CommandAllocator_Reset(s->allocators[0]));
        MUST(ID3D12GraphicsCommandList_Reset(s->list, s->allocators[0], state));
    } else {
        s->allocators[0] = kit_allocator(s->device, DIRECT);
        s->list = MADE(ID3D12GraphicsCommandList, s->device, CreateCommandList, 0, DIRECT,
                       s->allocators[0], state);
    }
    s->of = (struct bind_recording){.count = 0};
    begin(&s->of.now, pipeline, false);
    for (int i = 0; i < BIND_TEXTURES; i++)
        for (int k = 0; k < BIND_PARTS; k++)
            s->of.now.states[i][k] = BIND_NONE;
}

static void clear_state(struct bind_scene *s)
{
    const int pipeline = chance(&s->dice, 60) ? (int)below(&s->dice, BIND_PIPELINES) : BIND_NONE;
    begin(&s->of.now, pipeline, false);
    ID3D12GraphicsCommandList_ClearState(s->list, pipeline < 0 ? NULL : s->pipelines[pipeline]);
}

static void step(struct bind_scene *s)
{
    switch (below(&s->dice, 16)) {
    case 0:
        clear_state(s);
        break;
    case 1:
        set_pipeline(s, s->list, &s->of);
        break;
    case 2:
        ID3D12GraphicsCommandList_SetGraphicsRootSignature(s->list, s->root);
        s->of.now.has_root = true;
        break;
    case 3:
    case 4:
        set_vertices(s, s->list, &s->of);
        break;
    case 5:
        set_indices(s, s->list, &s->of, true);
        break;
    case 6:
    case 7:
        set_targets(s);
        break;
    case 8:
        call(s);
        break;
    case 9:
        draw_indirect(s, s->list, &s->of);
        break;
    case 10:
        pass(s);
        break;
    case 11:
    case 12:
        barriers(s);
        break;
    case 13:
        copy(s);
        break;
    case 14:
        clear(s);
        break;
    default:
        if (chance(&s->dice, 40))
            barriers(s);
        draw(s, s->list, &s->of);
    }
}

void bind_open(struct bind_scene *scene, uint64_t seed)
{
    *scene = (struct bind_scene){.dice = {seed * 2654435761u}};
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                           (void **)&scene->device));
    kit_set_mode(scene->device, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    make_objects(scene);
    for (int i = 0; i < BIND_BUNDLES; i++)
        make_bundle(scene, i);
    start(scene, false);
    name(scene->list, 'L', 0);
    for (unsigned left = 10 + below(&scene->dice, 30); left > 0; left -= left > 1) {
        step(scene);
        if (left > 1 && chance(&scene->dice, 3))
            start(scene, true);
        if (left == 1 && scene->of.draws >= BIND_DRAWS)
            break;
    }
    draw(scene, scene->list, &scene->of);
    MUST(ID3D12GraphicsCommandList_Close(scene->list));
}

void bind_close(struct bind_scene *s)
{
    RELEASE(s->list, s->root, s->heap);
    for (int i = 0; i < BIND_BUNDLES; i++)
        ID3D12GraphicsCommandList_Release(s->bundle_lists[i]);
    for (int i = 0; i <= BIND_BUNDLES; i++)
        ID3D12CommandAllocator_Release(s->allocators[i]);
    for (int i = 0; i < 4; i++)
        RELEASE(s->pipelines[i], s->textures[i], s->buffers[i], s->signatures[i]);
    ID3D12Device_Release(s->device);
}
