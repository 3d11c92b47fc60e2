/* The passes of a frame. Names contain what those of real games contain: counters, addresses,
 * GUIDs, sizes, times. */
#include "game.h"

#include <stdio.h>

/* ---- work ---- */

static void set_arguments(struct game *game, ID3D12GraphicsCommandList *list, uint64_t value)
{
    const UINT constants[2] = {(UINT)value, (UINT)(value >> 32)};
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, game->root);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(game->target));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
}

void game_dispatch(struct game *game, ID3D12GraphicsCommandList *list,
                   ID3D12PipelineState *pipeline)
{
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline);
    set_arguments(game, list, 7 | (uint64_t)8 << 32);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

void game_draw(struct game *game, ID3D12GraphicsCommandList *list, ID3D12PipelineState *pipeline)
{
    const UINT constants[2] = {7, 8};
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, game->root);
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(
        list, 0, ID3D12Resource_GetGPUVirtualAddress(game->target));
    ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, 0, 0);
}

void game_touch(struct game *game, ID3D12GraphicsCommandList *list, uint64_t address)
{
    ID3D12GraphicsCommandList_SetPipelineState(list, game->touch);
    set_arguments(game, list, address);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

bool game_is_now(const struct game *game, enum fault fault)
{
    return game->fault == fault && game->frame == game->fault_frame;
}

static void spin_if(struct game *game, ID3D12GraphicsCommandList *list, enum fault fault)
{
    if (game_is_now(game, fault))
        game_dispatch(game, list, game->spin);
}

static unsigned any(uint64_t *random)
{
    return (unsigned)game_next(random);
}

/* ---- passes ---- */

static void culling(struct game *game, struct pass *pass, uint64_t random)
{
    const int tiles = 4 + game_below(&random, 12);
    PIXBeginEvent(pass->list, 0, "Light culling, %d tiles", tiles);
    for (int i = 0; i < tiles; i++) {
        PIXSetMarker(pass->list, 0, "Tile (%d, %d)", i % 4, i / 4);
        game_dispatch(game, pass->list, game->fill);
        if (i == tiles / 2)
            spin_if(game, pass->list, FAULT_culling_dispatch);
    }
    PIXEndEvent(pass->list);
}

static void depth(struct game *game, struct pass *pass, uint64_t random)
{
    const int meshes = 3 + game_below(&random, 20);
    PIXBeginEvent(pass->list, 0, "Depth prepass");
    for (int i = 0; i < meshes; i++) {
        PIXSetMarker(pass->list, 0, "Mesh %d of %d", i + 1, meshes);
        game_draw(game, pass->list, game->draw);
        if (i == meshes / 2 && game_is_now(game, FAULT_depth_draw))
            game_draw(game, pass->list, game->draw_spin);
        if (i == meshes / 3)
            spin_if(game, pass->list, FAULT_depth_dispatch);
    }
    PIXEndEvent(pass->list);
}

static void shadows(struct game *game, struct pass *pass, uint64_t random)
{
    const int cascades = 2 + game_below(&random, 4), bad = game_below(&random, cascades);
    PIXBeginEvent(pass->list, 0, "Shadow pass %ux%u", 512u << game_below(&random, 4), 1024u);
    for (int i = 0; i < cascades; i++) {
        PIXBeginEvent(pass->list, 0, "Cascade %d", i);
        const bool is_bad = i == bad && game_is_now(game, FAULT_caster_in_bundle);
        ID3D12GraphicsCommandList_ExecuteBundle(pass->list,
                                                is_bad ? game->bad_casters : game->casters);
        game_draw(game, pass->list, game->draw);
        if (i == bad && game_is_now(game, FAULT_cascade_draw))
            game_draw(game, pass->list, game->draw_spin);
        if (i == bad)
            spin_if(game, pass->list, FAULT_cascade_dispatch);
        PIXEndEvent(pass->list);
    }
    PIXEndEvent(pass->list);
}

static void mesh(struct game *game, struct pass *pass, uint64_t *random, bool is_bad)
{
    PIXBeginEvent(pass->list, 0, "Mesh 0x%08x, %u triangles, lod %d", any(random),
                  any(random) % 100000, game_below(random, 5));
    game_draw(game, pass->list, game->draw);
    if (is_bad)
        spin_if(game, pass->list, FAULT_mesh_dispatch);
    if (is_bad && game_is_now(game, FAULT_mesh_indirect)) {
        ID3D12GraphicsCommandList_SetPipelineState(pass->list, game->spin);
        set_arguments(game, pass->list, 0);
        ID3D12GraphicsCommandList_ExecuteIndirect(pass->list, game->indirect, 1, game->arguments, 0,
                                                  NULL, 0);
    }
    PIXEndEvent(pass->list);
}

/* As many lists of this kind as the player's machine has workers. */
static void opaque(struct game *game, struct pass *pass, uint64_t random)
{
    const int materials = 1 + game_below(&random, 4), meshes = 1 + game_below(&random, 6);
    const int bad = game_below(&random, materials);
    const bool is_bad = pass->number == game->fault_frame % game->workers;
    PIXBeginEvent(pass->list, 0, "Opaque, chunk %d of %d", pass->number + 1, game->workers);
    for (int i = 0; i < materials; i++) {
        PIXBeginEvent(pass->list, 0, "Material {%08x-%04x-4%03x-a%03x-%08x%04x}", any(&random),
                      any(&random) & 0xffff, any(&random) & 0xfff, any(&random) & 0xfff,
                      any(&random), any(&random) & 0xffff);
        for (int k = 0; k < meshes; k++)
            mesh(game, pass, &random, is_bad && i == bad && k == meshes / 2);
        PIXEndEvent(pass->list);
    }
    PIXEndEvent(pass->list);
}

static void lighting(struct game *game, struct pass *pass, uint64_t random)
{
    const int lights = 2 + game_below(&random, 16);
    PIXBeginEvent(pass->list, 0, "Lighting");
    PIXBeginEvent(pass->list, 0, "%d lights in %.2f ms", lights, 0.01 * (any(&random) % 1000));
    for (int i = 0; i < lights; i++)
        game_dispatch(game, pass->list, game->fill);
    spin_if(game, pass->list, FAULT_lighting_dispatch);
    if (game_is_now(game, FAULT_lighting_unmapped))
        game_touch(game, pass->list, 0x7f0000000000u + any(&random));
    if (game_is_now(game, FAULT_lighting_freed))
        game_touch(game, pass->list, game->freed_address);
    PIXEndEvent(pass->list);
    PIXEndEvent(pass->list);
}

/* Scopes that the next list closes. */
static void particles_begin(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Particles, %u alive", any(&random) % 100000);
    PIXBeginEvent(pass->list, 0, "Simulation step %d", game_below(&random, 8));
    game_dispatch(game, pass->list, game->fill);
}

static void particles_end(struct game *game, struct pass *pass, uint64_t random)
{
    for (int i = game_below(&random, 4); i >= 0; i--)
        game_dispatch(game, pass->list, game->fill);
    spin_if(game, pass->list, FAULT_particles_across_lists);
    if (game_is_now(game, FAULT_particles_freed))
        game_touch(game, pass->list, game->freed_address);
    PIXEndEvent(pass->list);
    PIXEndEvent(pass->list);
}

static void post(struct game *game, struct pass *pass, uint64_t random)
{
    const int steps = 2 + game_below(&random, 5);
    PIXBeginEvent(pass->list, 0, "Post");
    PIXBeginEvent(pass->list, 0, "Bloom %dx%d", 1280 * game->workers, 720 * game->workers);
    for (int i = 0; i < steps; i++) {
        PIXBeginEvent(pass->list, 0, "Downsample %d", i);
        game_dispatch(game, pass->list, game->fill);
        if (i == steps / 2)
            spin_if(game, pass->list, FAULT_bloom_dispatch);
        if (i == steps / 2 && game_is_now(game, FAULT_bloom_unmapped))
            game_touch(game, pass->list, 0x700000000000u + any(&random));
        PIXEndEvent(pass->list);
    }
    PIXEndEvent(pass->list);
    PIXBeginEvent(pass->list, 0, "Tonemap, frame %d at %.3f s", game->frame,
                  0.001 * (any(&random) % 100000));
    game_dispatch(game, pass->list, game->fill);
    spin_if(game, pass->list, FAULT_tonemap_dispatch);
    PIXEndEvent(pass->list);
    PIXEndEvent(pass->list);
}

static void unmarked(struct game *game, struct pass *pass, uint64_t random)
{
    for (int i = game_below(&random, 4); i >= 0; i--)
        game_dispatch(game, pass->list, game->fill);
    spin_if(game, pass->list, FAULT_unmarked_dispatch);
}

/* Markers and no scope. */
static void ui(struct game *game, struct pass *pass, uint64_t random)
{
    const int runs = 1 + game_below(&random, 12);
    for (int i = 0; i < runs; i++) {
        PIXSetMarker(pass->list, 0, "Text run %d, %u glyphs", i, any(&random) % 300);
        game_dispatch(game, pass->list, game->fill);
        if (i == runs / 2)
            spin_if(game, pass->list, FAULT_ui_dispatch);
    }
}

static void debris(struct game *game, struct pass *pass, uint64_t random)
{
    const int deep = 20 + game_below(&random, 300);
    PIXBeginEvent(pass->list, 0, "Debris");
    for (int i = 0; i < deep; i++)
        PIXBeginEvent(pass->list, 0, "Node %d", i);
    game_dispatch(game, pass->list, game->fill);
    spin_if(game, pass->list, FAULT_nested_dispatch);
    for (int i = 0; i <= deep; i++)
        PIXEndEvent(pass->list);
}

static void skinning(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Skinning, frame %d of %u", game->frame, any(&random));
    game_dispatch(game, pass->list, game->fill);
    PIXEndEvent(pass->list);
}

static void upload(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Upload %d: %u bytes", game->frame, any(&random));
    ID3D12GraphicsCommandList_CopyBufferRegion(pass->list, game->target, 0, game->staging, 0, 4096);
    PIXEndEvent(pass->list);
}

static void video(struct game *game, struct pass *pass, uint64_t random)
{
    for (int i = game_below(&random, 3); i >= 0; i--)
        game_dispatch(game, pass->list, game->fill);
    spin_if(game, pass->list, FAULT_video_dispatch);
}

/* ---- the frame ---- */

void game_add(struct game *game, record_pass *record, ID3D12CommandQueue *queue, int number,
              const char *name)
{
    struct pass *pass = &game->passes[game->pass_count++];
    const D3D12_COMMAND_LIST_TYPE type = queue == game->graphics ? D3D12_COMMAND_LIST_TYPE_DIRECT
                                         : queue == game->copy   ? D3D12_COMMAND_LIST_TYPE_COPY
                                                                 : D3D12_COMMAND_LIST_TYPE_COMPUTE;
    pass->record = record;
    pass->queue = queue;
    pass->number = number;
    for (int i = 0; i < SLOTS; i++) {
        pass->allocators[i] = make_allocator(game->device, type);
        pass->lists[i] = game_list(game, pass->allocators[i], type, name);
        MUST(ID3D12GraphicsCommandList_Close(pass->lists[i]));
    }
}

static ID3D12GraphicsCommandList *make_casters(struct game *game, int which, bool is_bad)
{
    const D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_BUNDLE;
    game->bundle_allocators[which] = make_allocator(game->device, type);
    ID3D12GraphicsCommandList *bundle =
        game_list(game, game->bundle_allocators[which], type, "Static casters");
    PIXBeginEvent(bundle, 0, "Static casters");
    for (int i = 0; i < 3; i++) {
        PIXSetMarker(bundle, 0, "Building %d", i);
        game_dispatch(game, bundle, is_bad && i == 1 ? game->spin : game->fill);
    }
    PIXEndEvent(bundle);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    return bundle;
}

void game_add_passes(struct game *game)
{
    char name[64];
    game->bad_queue = game->fault == FAULT_culling_dispatch ? game->compute
                      : game->fault == FAULT_upload_hang    ? game->copy
                      : game->fault == FAULT_video_dispatch ? game->video
                                                            : game->graphics;
    game->casters = make_casters(game, 0, false);
    game->bad_casters = make_casters(game, 1, true);
    game_add(game, culling, game->compute, 0, "Culling list");
    if (game->fault == FAULT_upload_hang || game_below(&game->random, 2))
        game_add(game, upload, game->copy, 0, "Upload list");
    if (game->fault == FAULT_video_dispatch || game_below(&game->random, 2))
        game_add(game, video, game->video, 0, "Video list");
    game_add(game, depth, game->graphics, 0, "Depth list");
    game_add(game, shadows, game->graphics, 0, "Shadow list");
    game_add(game, skinning, game->graphics, 0, "Skinning list");
    for (int i = 0; i < game->workers; i++) {
        snprintf(name, sizeof name, "Opaque list %d", i);
        game_add(game, opaque, game->graphics, i, name);
    }
    game_add(game, lighting, game->graphics, 0, "Lighting list");
    game_add(game, particles_begin, game->graphics, 0, "Particle list A");
    game_add(game, particles_end, game->graphics, 0, "Particle list B");
    if (game->fault == FAULT_nested_dispatch || game_below(&game->random, 2))
        game_add(game, debris, game->graphics, 0, "Debris list");
    game_add(game, post, game->graphics, 0, "Post list");
    if (game->fault == FAULT_ui_dispatch || game_below(&game->random, 2))
        game_add(game, ui, game->graphics, 0, "UI list");
    game_add(game, unmarked, game->graphics, 0, "Present list");
}
