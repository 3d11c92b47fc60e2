/* A second game, written after the rules of the signature were fixed and never looked at while they
 * were made: names as other engines have them, passes that move between lists and queues, faults
 * that share a scope. Some of it no rule can sort; tests/fleet/README.md says which. */
#include "game.h"

#include <stdio.h>
#include <string.h>

static unsigned any(uint64_t *random)
{
    return (unsigned)game_next(random);
}

static void fill(struct game *game, struct pass *pass)
{
    game_dispatch(game, pass->list, game->fill);
}

static void spin_if(struct game *game, struct pass *pass, enum fault fault)
{
    if (game_is_now(game, fault))
        game_dispatch(game, pass->list, game->spin);
}

/* Begins a scope of metadata 0: UTF-16 with its NUL. */
static void begin_wide(struct pass *pass, const uint16_t *name, UINT size)
{
    ID3D12GraphicsCommandList_BeginEvent(pass->list, 0, name, size);
}

static void end(struct pass *pass)
{
    PIXEndEvent(pass->list);
}

/* ---- passes ---- */

static void physics(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Physics/Substeps=%d", 1 + game_below(&random, 4));
    fill(game, pass);
    end(pass);
}

static void readback(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Readback %d of %u", game->frame, any(&random) % 512);
    ID3D12GraphicsCommandList_CopyBufferRegion(pass->list, game->target, 0, game->staging, 0, 4096);
    end(pass);
}

/* On the compute queue of some players, on the graphics queue of others. */
static void ssao(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "SSAO (half, %d taps)", 4 << game_below(&random, 3));
    fill(game, pass);
    spin_if(game, pass, FAULT_ssao_dispatch);
    PIXBeginEvent(pass->list, 0, "Blur");
    fill(game, pass);
    end(pass);
    end(pass);
}

/* Cut into lists anywhere; each list opens the scopes anew. */
static void gbuffer(struct game *game, struct pass *pass, uint64_t random)
{
    const int draws = 1 + game_below(&random, 30), bad = game_below(&random, draws);
    const bool is_bad = pass->number == game->fault_frame % game->workers;
    PIXBeginEvent(pass->list, 0, "BasePass");
    PIXBeginEvent(pass->list, 0, "GBuffer part %d/%d", pass->number + 1, game->workers);
    for (int i = 0; i < draws; i++) {
        PIXSetMarker(pass->list, 0, "SM_Rock_%02d.uasset #%u", i, any(&random) % 4096);
        game_draw(game, pass->list, game->draw);
        if (is_bad && i == bad && game_is_now(game, FAULT_gbuffer_draw))
            game_draw(game, pass->list, game->draw_spin);
    }
    end(pass);
    end(pass);
}

static void materials(struct game *game, struct pass *pass, uint64_t random)
{
    static const char *const names[] = {
        "M_Rock_Wet",   "M_Rock_Dry",   "M_Sand",        "M_Grass",      "M_Bark_Oak",
        "M_Bark_Pine",  "M_Metal_Rust", "M_Metal_Clean", "M_Glass",      "M_Cloth_Red",
        "M_Cloth_Blue", "M_Skin_Hero",  "M_Skin_Enemy",  "M_Water_Lake", "M_Water_Sea",
        "M_Snow",       "M_Ice",        "M_Lava",        "M_Brick",      "M_Concrete",
        "M_Leather",    "M_Wood_Floor", "M_Wood_Wall",   "M_Paint"};
    const int count = 2 + game_below(&random, 5), bad = game_below(&random, count);
    PIXBeginEvent(pass->list, 0, "Materials");
    for (int i = 0; i < count; i++) {
        PIXBeginEvent(pass->list, 0, "%s",
                      names[game_below(&random, (int)(sizeof names / sizeof names[0]))]);
        fill(game, pass);
        if (i == bad)
            spin_if(game, pass, FAULT_material_dispatch);
        end(pass);
    }
    end(pass);
}

/* Names that end in a short hash, as a build makes them. */
static void shaders(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Custom shaders");
    PIXBeginEvent(pass->list, 0, "cs_%07x", any(&random) & 0xfffffff);
    fill(game, pass);
    spin_if(game, pass, FAULT_shader_dispatch);
    end(pass);
    end(pass);
}

static void split_screen(struct game *game, struct pass *pass, uint64_t random)
{
    const int players = 1 + game_below(&random, 4), bad = game_below(&random, players);
    for (int i = 0; i < players; i++) {
        PIXBeginEvent(pass->list, 0, "Player %c", 'A' + i);
        PIXBeginEvent(pass->list, 0, "Minimap");
        fill(game, pass);
        if (i == bad)
            spin_if(game, pass, FAULT_split_screen_dispatch);
        end(pass);
        end(pass);
    }
}

/* A tree whose nodes are of two kinds. */
static void scene_graph(struct game *game, struct pass *pass, uint64_t random)
{
    const int deep = 1 + game_below(&random, 6);
    for (int i = 0; i < deep; i++) {
        PIXBeginEvent(pass->list, 0, "Group %d", i);
        PIXBeginEvent(pass->list, 0, "Node %u", any(&random) % 100);
    }
    fill(game, pass);
    spin_if(game, pass, FAULT_alternating_dispatch);
    for (int i = 0; i < 2 * deep; i++)
        end(pass);
}

static void terrain(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Terrain");
    for (int i = game_below(&random, 4); i >= 0; i--)
        fill(game, pass);
    if (game_is_now(game, FAULT_terrain_freed))
        game_touch(game, pass->list, game->freed_address);
    end(pass);
}

static void decals(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Decals");
    for (int i = game_below(&random, 4); i >= 0; i--) {
        PIXSetMarker(pass->list, 0, "Decal %d", i);
        fill(game, pass);
    }
    PIXSetMarker(pass->list, 0, "Decal batch, frame %d of %u", game->frame, any(&random));
    fill(game, pass);
    end(pass);
}

static void eyes(struct game *game, struct pass *pass, uint64_t random)
{
    const int bad = game_below(&random, 2);
    for (int i = 0; i < 2; i++) {
        PIXBeginEvent(pass->list, 0, i == 0 ? "Eye left" : "Eye right");
        fill(game, pass);
        if (i == bad)
            spin_if(game, pass, FAULT_eye_dispatch);
        end(pass);
    }
}

static void hair(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Hair [%u strands]", any(&random) % 1000000);
    game_draw(game, pass->list, game->draw);
    if (game_is_now(game, FAULT_reordered_draw))
        game_draw(game, pass->list, game->draw_spin);
    end(pass);
}

static void water(struct game *game, struct pass *pass, uint64_t random)
{
    static const uint16_t name[] = u"\u0412\u043e\u0434\u0430 (\u03bb)";
    begin_wide(pass, name, sizeof name);
    for (int i = game_below(&random, 3); i >= 0; i--)
        fill(game, pass);
    spin_if(game, pass, FAULT_wide_dispatch);
    end(pass);
}

/* Two shaders in one scope: what differs between these faults is in no name. */
static void fog(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "Volumetric fog %dx%dx%d", 160, 90, 64 << game_below(&random, 2));
    fill(game, pass);
    spin_if(game, pass, FAULT_fog_first_dispatch);
    fill(game, pass);
    spin_if(game, pass, FAULT_fog_second_dispatch);
    end(pass);
}

/* A scope of a name that another pass has as well. */
static void depth_of_field(struct game *game, struct pass *pass, uint64_t random)
{
    PIXBeginEvent(pass->list, 0, "DoF f/%.1f", 1.4 + 0.1 * game_below(&random, 60));
    fill(game, pass);
    PIXBeginEvent(pass->list, 0, "Blur");
    fill(game, pass);
    spin_if(game, pass, FAULT_blur_dispatch);
    end(pass);
    end(pass);
}

/* ---- the frame ---- */

static void add_graphics(struct game *game)
{
    static const struct {
        record_pass *record;
        const char *name;
    } rest[] = {{terrain, "RDG 0"}, {materials, "RDG 1"},      {shaders, "RDG 2"},
                {decals, "RDG 3"},  {hair, "RDG 4"},           {water, "RDG 5"},
                {fog, "RDG 6"},     {scene_graph, "RDG 7"},    {split_screen, "RDG 8"},
                {eyes, "RDG 9"},    {depth_of_field, "RDG 10"}};
    enum { REST = sizeof rest / sizeof rest[0] };
    int order[REST];
    for (int i = 0; i < REST; i++) {
        const int at = game_below(&game->random, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < game->workers; i++)
        game_add(game, gbuffer, game->graphics, i, "RDG parallel");
    for (int i = 0; i < REST; i++)
        game_add(game, rest[order[i]].record, game->graphics, 0, rest[order[i]].name);
}

void game_add_unseen_passes(struct game *game)
{
    const bool is_async = game_below(&game->random, 2);
    game->bad_queue = game->fault == FAULT_readback_lost               ? game->copy
                      : game->fault == FAULT_ssao_dispatch && is_async ? game->compute
                                                                       : game->graphics;
    game_add(game, physics, game->compute, 0, "Async physics");
    if (is_async)
        game_add(game, ssao, game->compute, 0, "Async SSAO");
    if (game->fault == FAULT_readback_lost || game_below(&game->random, 2))
        game_add(game, readback, game->copy, 0, "Readback");
    if (!is_async)
        game_add(game, ssao, game->graphics, 0, "SSAO");
    add_graphics(game);
}
