/* D3D12's: on the emulator, or under the layer for it. */
#include "bindings.h"
#include "../d3d12_objects.h"
#include "gpu.h"

#include <emu/emu.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIRECT D3D12_COMMAND_LIST_TYPE_DIRECT
#define BUNDLE D3D12_COMMAND_LIST_TYPE_BUNDLE

struct scene {
    struct bind_scene is;
    ID3D12Device *device;
    ID3D12RootSignature *root;
    ID3D12PipelineState *pipelines[BIND_PIPELINES];
    ID3D12Resource *textures[BIND_TEXTURES], *buffers[BIND_BUFFERS];
    ID3D12Heap *place;
    ID3D12DescriptorHeap *heap;
    ID3D12CommandSignature *signatures[BIND_SIGNATURES];
    ID3D12CommandAllocator *allocators[1 + BIND_BUNDLES];
    ID3D12GraphicsCommandList *list, *bundle_lists[BIND_BUNDLES];
};

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

static D3D12_CPU_DESCRIPTOR_HANDLE place(const struct scene *scene, int view)
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

static void make_view(struct scene *scene, int index)
{
    struct bind_view *view = &scene->is.views[index];
    const bool is_default = chance(&scene->is.dice, 20);
    *view = (struct bind_view){.texture = (int)below(&scene->is.dice, BIND_TEXTURES),
                               .slices = BIND_SLICES};
    if (!is_default) {
        view->mip = (int)below(&scene->is.dice, BIND_MIPS);
        view->slice = (int)below(&scene->is.dice, BIND_SLICES);
        view->slices = 1 + (int)below(&scene->is.dice, (unsigned)(BIND_SLICES - view->slice));
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

static ID3D12PipelineState *make_pipeline(const struct scene *scene)
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
static void make_signatures(struct scene *scene)
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

static void make_buffers(struct scene *scene)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                  .Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(4096);
    scene->place = MADE(ID3D12Heap, scene->device, CreateHeap, &desc);
    for (int i = 0; i < BIND_BUFFERS; i++) {
        scene->buffers[i] = i < BIND_ALIASES
                                ? kit_buffer(scene->device, D3D12_HEAP_TYPE_DEFAULT, 4096)
                                : MADE(ID3D12Resource, scene->device, CreatePlacedResource,
                                       scene->place, 0, &buffer, D3D12_RESOURCE_STATE_COMMON, NULL);
        name(scene->buffers[i], 'B', i);
    }
}

static void make_objects(struct scene *scene)
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
    make_buffers(scene);
    scene->heap = kit_descriptors(scene->device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, BIND_VIEWS,
                                  D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
    for (int i = 0; i < BIND_VIEWS; i++)
        make_view(scene, i);
    make_signatures(scene);
}

/* ---- state ---- */

static void set_pipeline(struct scene *s, ID3D12GraphicsCommandList *list,
                         struct bind_recording *to)
{
    to->now.pipeline = (int)below(&s->is.dice, BIND_PIPELINES);
    ID3D12GraphicsCommandList_SetPipelineState(list, s->pipelines[to->now.pipeline]);
}

static void set_vertices(struct scene *s, ID3D12GraphicsCommandList *list,
                         struct bind_recording *to)
{
    D3D12_VERTEX_BUFFER_VIEW views[3] = {{0}};
    const unsigned first = below(&s->is.dice, 4), count = 1 + below(&s->is.dice, 3);
    const bool is_null = chance(&s->is.dice, 15);
    for (unsigned i = 0; i < count && first + i < BIND_SLOTS; i++) {
        const int buffer =
            chance(&s->is.dice, 15) ? BIND_NONE : (int)below(&s->is.dice, BIND_BUFFERS);
        to->now.slots[first + i] = is_null ? BIND_NONE : bind_known(buffer);
        if (buffer != BIND_NONE)
            views[i] = (D3D12_VERTEX_BUFFER_VIEW){
                ID3D12Resource_GetGPUVirtualAddress(s->buffers[buffer]), 64, 16};
    }
    ID3D12GraphicsCommandList_IASetVertexBuffers(list, first, count, is_null ? NULL : views);
}

static void set_indices(struct scene *s, ID3D12GraphicsCommandList *list, struct bind_recording *to,
                        bool may_be_none)
{
    const bool is_none = may_be_none && chance(&s->is.dice, 25);
    const int buffer = (int)below(&s->is.dice, BIND_BUFFERS);
    to->now.indices = is_none ? BIND_NONE : bind_known(buffer);
    const D3D12_INDEX_BUFFER_VIEW view = {
        is_none ? 0 : ID3D12Resource_GetGPUVirtualAddress(s->buffers[buffer]), 64,
        DXGI_FORMAT_R16_UINT};
    ID3D12GraphicsCommandList_IASetIndexBuffer(list, is_none ? NULL : &view);
}

static void set_targets(struct scene *s)
{
    struct bind_model *now = &s->is.of.now;
    D3D12_CPU_DESCRIPTOR_HANDLE handles[8];
    const bool is_range = chance(&s->is.dice, 30);
    now->view_count = (int)below(&s->is.dice, 4);
    for (int i = 0; i < now->view_count; i++) {
        now->views[i] =
            is_range && i > 0 ? now->views[0] + i : (int)below(&s->is.dice, BIND_VIEWS - 3);
        handles[i] = place(s, now->views[i]);
    }
    ID3D12GraphicsCommandList_OMSetRenderTargets(s->list, (UINT)now->view_count,
                                                 now->view_count ? handles : NULL, is_range, NULL);
}

/* ---- work ---- */

/* What a draw can't do without. */
static void prepare(struct scene *s, ID3D12GraphicsCommandList *list, struct bind_recording *to,
                    bool is_indexed)
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

static void draw(struct scene *s, ID3D12GraphicsCommandList *list, struct bind_recording *to)
{
    const bool is_indexed = chance(&s->is.dice, 40);
    const int number = bind_number(&s->is, to);
    prepare(s, list, to, is_indexed);
    struct bind_shot *shot = bind_shoot(to, is_indexed ? BIND_DRAW_INDEXED : BIND_DRAW);
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
static void draw_indirect(struct scene *s, ID3D12GraphicsCommandList *list,
                          struct bind_recording *to)
{
    const bool is_bundle = to != &s->is.of;
    const UINT64 number = (UINT64)bind_number(&s->is, to);
    const int which = is_bundle ? 0 : (int)below(&s->is.dice, BIND_SIGNATURES);
    prepare(s, list, to, which == 3);
    if (which == 3)
        to->now.indices = BIND_UNKNOWN;
    else if (which > 0)
        to->now.slots[which == 2 ? 2 : 0] = BIND_UNKNOWN;
    struct bind_shot *shot = bind_shoot(to, BIND_INDIRECT);
    shot->draws = shot->runs = shot->uses_vertices = true;
    shot->uses_indices = which == 3;
    ID3D12GraphicsCommandList_ExecuteIndirect(list, s->signatures[which], 1, s->buffers[0],
                                              number * 4, is_bundle ? NULL : s->buffers[1], 0);
}

static void clear(struct scene *s)
{
    static const FLOAT black[4];
    const int view = (int)below(&s->is.dice, BIND_VIEWS);
    bind_shoot(&s->is.of, BIND_CLEAR)->target = s->is.views[view];
    ID3D12GraphicsCommandList_ClearRenderTargetView(s->list, place(s, view), black, 0, NULL);
}

static D3D12_TEXTURE_COPY_LOCATION location(const struct scene *s, struct bind_view at)
{
    return (D3D12_TEXTURE_COPY_LOCATION){.pResource = s->textures[at.texture],
                                         .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                         .SubresourceIndex = (UINT)(at.mip + at.slice * BIND_MIPS)};
}

static void copy(struct scene *s)
{
    const int mip = (int)below(&s->is.dice, BIND_MIPS);
    const int from = (int)below(&s->is.dice, BIND_TEXTURES), apart = 1 + (int)below(&s->is.dice, 3);
    struct bind_shot *shot = bind_shoot(&s->is.of, BIND_COPY);
    shot->from = (struct bind_view){from, mip, (int)below(&s->is.dice, BIND_SLICES), 1, 1};
    shot->to = (struct bind_view){(from + apart) % BIND_TEXTURES, mip,
                                  (int)below(&s->is.dice, BIND_SLICES), 1, 1};
    const D3D12_TEXTURE_COPY_LOCATION to = location(s, shot->to), source = location(s, shot->from);
    ID3D12GraphicsCommandList_CopyTextureRegion(s->list, &to, 0, 0, 0, &source, NULL);
}

/* A render pass with one target, which nothing is bound to behind it. */
static void pass(struct scene *s)
{
    ID3D12GraphicsCommandList4 *list4 = AS(ID3D12GraphicsCommandList4, s->list);
    struct bind_model *now = &s->is.of.now;
    now->view_count = 1;
    now->views[0] = (int)below(&s->is.dice, BIND_VIEWS);
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {
        .cpuDescriptor = place(s, now->views[0]),
        .BeginningAccess = {.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE},
        .EndingAccess = {.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE}};
    ID3D12GraphicsCommandList4_BeginRenderPass(list4, 1, &target, NULL,
                                               D3D12_RENDER_PASS_FLAG_NONE);
    draw(s, s->list, &s->is.of);
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    now->view_count = 0;
    ID3D12GraphicsCommandList4_Release(list4);
}

/* ---- bundles ---- */

static void fill_bundle(struct scene *s, int index)
{
    struct bind_recording *to = &s->is.bundles[index];
    ID3D12GraphicsCommandList *list = s->bundle_lists[index];
    for (unsigned left = below(&s->is.dice, 3); left > 0; left--)
        if (chance(&s->is.dice, 40))
            set_vertices(s, list, to);
        else if (chance(&s->is.dice, 40))
            set_indices(s, list, to, true);
        else if (chance(&s->is.dice, 30))
            draw_indirect(s, list, to);
        else
            set_pipeline(s, list, to);
}

static void make_bundle(struct scene *s, int index)
{
    struct bind_recording *to = &s->is.bundles[index];
    const int pipeline =
        chance(&s->is.dice, 50) ? (int)below(&s->is.dice, BIND_PIPELINES) : BIND_NONE;
    ID3D12CommandAllocator **allocator = &s->allocators[1 + index];
    *allocator = kit_allocator(s->device, BUNDLE);
    s->bundle_lists[index] = MADE(ID3D12GraphicsCommandList, s->device, CreateCommandList, 0,
                                  BUNDLE, *allocator, pipeline < 0 ? NULL : s->pipelines[pipeline]);
    name(s->bundle_lists[index], 'L', 1 + index);
    *to = (struct bind_recording){.count = 0};
    bind_begin(&to->now, pipeline, BIND_UNKNOWN);
    fill_bundle(s, index);
    draw(s, s->bundle_lists[index], to);
    fill_bundle(s, index);
    MUST(ID3D12GraphicsCommandList_Close(s->bundle_lists[index]));
}

/* What the bundle set stays, and what it didn't set was the caller's and stays, too. A bundle
 * begins without the caller's pipeline; it has set one, because it draws. */
static void call(struct scene *s)
{
    const int index = (int)below(&s->is.dice, BIND_BUNDLES);
    const struct bind_model *left = &s->is.bundles[index].now;
    struct bind_model *now = &s->is.of.now;
    prepare(s, s->list, &s->is.of, true);
    ID3D12GraphicsCommandList_ExecuteBundle(s->list, s->bundle_lists[index]);
    s->is.of.draws += s->is.bundles[index].draws;
    now->pipeline = left->pipeline;
    now->barriers = 0;
    if (left->indices != BIND_UNKNOWN)
        now->indices = left->indices;
    for (int i = 0; i < BIND_SLOTS; i++)
        if (left->slots[i] != BIND_UNKNOWN)
            now->slots[i] = left->slots[i];
}

/* ---- barriers ---- */

static void legacy_barriers(struct scene *s)
{
    static const D3D12_RESOURCE_STATES states[] = {D3D12_RESOURCE_STATE_RENDER_TARGET,
                                                   D3D12_RESOURCE_STATE_COPY_DEST,
                                                   D3D12_RESOURCE_STATE_COPY_SOURCE,
                                                   D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE};
    static const struct bind_view all = {0, 0, 0, BIND_SLICES, 1};
    D3D12_RESOURCE_BARRIER barriers[9];
    const unsigned count = 1 + below(&s->is.dice, chance(&s->is.dice, 30) ? 9 : 3);
    for (unsigned i = 0; i < count; i++) {
        struct bind_view part = all;
        const unsigned kind = below(&s->is.dice, 10), half = below(&s->is.dice, 8);
        part.texture = (int)below(&s->is.dice, BIND_TEXTURES);
        ID3D12Resource *texture = s->textures[part.texture];
        s->is.of.now.barriers += kind == 1 ? 2 : 1;
        if (kind == 0) {
            barriers[i] = (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
            continue;
        }
        if (kind == 1) {
            barriers[i] = (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING,
                                                   .Aliasing = {s->buffers[0], texture}};
            continue;
        }
        const bool is_one = chance(&s->is.dice, 60);
        if (is_one)
            part = (struct bind_view){part.texture, (int)below(&s->is.dice, BIND_MIPS),
                                      (int)below(&s->is.dice, BIND_SLICES), 1, 1};
        const D3D12_RESOURCE_STATES after = states[below(&s->is.dice, 4)];
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
        bind_enter(&s->is.of.now, &part, is_one ? 1 : BIND_MIPS,
                   half == 0 ? BIND_UNKNOWN : (int)after);
    }
    ID3D12GraphicsCommandList_ResourceBarrier(s->list, count, barriers);
}

/* Ranges of mips and slices, of one queue's layouts; buffers and everything, of no layout. */
static void enhanced_barriers(struct scene *s)
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
    const unsigned count = 1 + below(&s->is.dice, 6), half = below(&s->is.dice, 3);
    for (unsigned i = 0; i < count; i++) {
        struct bind_view part = {(int)below(&s->is.dice, BIND_TEXTURES),
                                 (int)below(&s->is.dice, BIND_MIPS),
                                 (int)below(&s->is.dice, BIND_SLICES), 1, 1};
        const int mips = 1 + (int)below(&s->is.dice, (unsigned)(BIND_MIPS - part.mip));
        part.slices = 1 + (int)below(&s->is.dice, (unsigned)(BIND_SLICES - part.slice));
        const D3D12_BARRIER_LAYOUT after = layouts[below(&s->is.dice, 4)];
        textures[i] = (D3D12_TEXTURE_BARRIER){
            .SyncBefore = half == 1 && i == 0 ? D3D12_BARRIER_SYNC_SPLIT : D3D12_BARRIER_SYNC_ALL,
            .SyncAfter = half == 0 && i == 0 ? D3D12_BARRIER_SYNC_SPLIT : D3D12_BARRIER_SYNC_ALL,
            .LayoutBefore = D3D12_BARRIER_LAYOUT_COMMON,
            .LayoutAfter = after,
            .pResource = s->textures[part.texture],
            .Subresources = {(UINT)part.mip, (UINT)mips, (UINT)part.slice, (UINT)part.slices, 0,
                             1}};
        bind_enter(&s->is.of.now, &part, mips, half == 0 && i == 0 ? BIND_UNKNOWN : (int)after);
    }
    const D3D12_BARRIER_GROUP groups[] = {
        {.Type = D3D12_BARRIER_TYPE_BUFFER, .NumBarriers = 1, .pBufferBarriers = &buffer},
        {.Type = D3D12_BARRIER_TYPE_TEXTURE, .NumBarriers = count, .pTextureBarriers = textures},
        {.Type = D3D12_BARRIER_TYPE_GLOBAL, .NumBarriers = 1, .pGlobalBarriers = &global}};
    ID3D12GraphicsCommandList7 *list7 = AS(ID3D12GraphicsCommandList7, s->list);
    s->is.of.now.barriers += (int)count + 2;
    ID3D12GraphicsCommandList7_Barrier(list7, 3, groups);
    ID3D12GraphicsCommandList7_Release(list7);
}

static void barriers(struct scene *s)
{
    if (chance(&s->is.dice, 30))
        enhanced_barriers(s);
    else
        legacy_barriers(s);
}

/* ---- the list ---- */

static void start(struct scene *s, bool is_reset)
{
    const int pipeline =
        chance(&s->is.dice, 50) ? (int)below(&s->is.dice, BIND_PIPELINES) : BIND_NONE;
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
    s->is.of = (struct bind_recording){.count = 0};
    bind_begin(&s->is.of.now, pipeline, BIND_NONE);
    for (int i = 0; i < BIND_TEXTURES; i++)
        for (int k = 0; k < BIND_PARTS; k++)
            s->is.of.now.states[i][k] = BIND_NONE;
}

static void clear_state(struct scene *s)
{
    const int pipeline =
        chance(&s->is.dice, 60) ? (int)below(&s->is.dice, BIND_PIPELINES) : BIND_NONE;
    bind_begin(&s->is.of.now, pipeline, BIND_NONE);
    ID3D12GraphicsCommandList_ClearState(s->list, pipeline < 0 ? NULL : s->pipelines[pipeline]);
}

static void step(struct scene *s)
{
    switch (below(&s->is.dice, 16)) {
    case 0:
        clear_state(s);
        break;
    case 1:
        set_pipeline(s, s->list, &s->is.of);
        break;
    case 2:
        ID3D12GraphicsCommandList_SetGraphicsRootSignature(s->list, s->root);
        s->is.of.now.has_root = true;
        break;
    case 3:
    case 4:
        set_vertices(s, s->list, &s->is.of);
        break;
    case 5:
        set_indices(s, s->list, &s->is.of, true);
        break;
    case 6:
    case 7:
        set_targets(s);
        break;
    case 8:
        call(s);
        break;
    case 9:
        draw_indirect(s, s->list, &s->is.of);
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
        if (chance(&s->is.dice, 40))
            barriers(s);
        draw(s, s->list, &s->is.of);
    }
}

static void open_scene(struct scene *scene, uint64_t seed)
{
    *scene = (struct scene){.is.dice = {seed * 2654435761u}};
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                           (void **)&scene->device));
    kit_set_mode(scene->device, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    make_objects(scene);
    for (int i = 0; i < BIND_BUNDLES; i++)
        make_bundle(scene, i);
    start(scene, false);
    name(scene->list, 'L', 0);
    for (unsigned left = 10 + below(&scene->is.dice, 30); left > 0; left -= left > 1) {
        step(scene);
        if (left > 1 && chance(&scene->is.dice, 3))
            start(scene, true);
        if (left == 1 && scene->is.of.draws >= BIND_DRAWS)
            break;
    }
    draw(scene, scene->list, &scene->is.of);
    MUST(ID3D12GraphicsCommandList_Close(scene->list));
}

static void close_scene(struct scene *s)
{
    RELEASE(s->list, s->root, s->heap, s->place);
    for (int i = 0; i < BIND_BUNDLES; i++)
        ID3D12GraphicsCommandList_Release(s->bundle_lists[i]);
    for (int i = 0; i <= BIND_BUNDLES; i++)
        ID3D12CommandAllocator_Release(s->allocators[i]);
    for (int i = 0; i < 4; i++)
        RELEASE(s->pipelines[i], s->textures[i], s->signatures[i]);
    for (int i = 0; i < BIND_BUFFERS; i++)
        ID3D12Resource_Release(s->buffers[i]);
    ID3D12Device_Release(s->device);
}

/* ---- the program ---- */

static void configure(const struct bind_options *options, const char *path, unsigned hang_at)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.hang.place = EMU_HANG_AT_DRAW;
    config.hang.count = hang_at;
    config.driver = options->evidence ? "legacy" : "reference";
    if (options->evidence) {
        setenv("ANNOT_D3D12_DUMP", path, 1);
        setenv("ANNOT_D3D12_EVIDENCE", options->evidence, 1);
        setenv("ANNOT_D3D12_LEVEL", "exact", 1);
        setenv("ANNOT_D3D12_PROBE", "0", 1);
        setenv("ANNOT_D3D12_QUIET", "1", 1);
    } else {
        config.dump_path = path;
        gpu_set_dred(DRED_FULL);
    }
    emu_configure(&config);
}

void bind_play(const struct bind_options *options, uint64_t seed, const char *path,
               struct bind_counts *counts)
{
    struct dice dice = {seed};
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        abort();
    configure(options, path, 1 + below(&dice, BIND_DRAWS));
    open_scene(scene, seed);
    ID3D12CommandQueue *queue = kit_queue(scene->device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12CommandList *list = (ID3D12CommandList *)scene->list;
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list);
    kit_finish(scene->device, queue);
    if (SUCCEEDED(ID3D12Device_GetDeviceRemovedReason(scene->device))) { /* there are fewer draws */
        ID3D12Device5 *device5 = AS(ID3D12Device5, scene->device);
        ID3D12Device5_RemoveDevice(device5);
        ID3D12Device5_Release(device5);
        ID3D12Device_GetDeviceRemovedReason(scene->device);
    }
    bind_check(&scene->is, path, true, counts);
    ID3D12CommandQueue_Release(queue);
    close_scene(scene);
    free(scene);
    if (!options->keep)
        unlink(path);
}
