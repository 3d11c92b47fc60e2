/* Random recordings of one list, and a model of what is bound in it by the rules of D3D12 or
 * Vulkan. The model is written anew: it never looks at what is noted. */
#pragma once

#include "dice.h"

/* D3D12_AUTO_BREADCRUMB_OP */
enum bind_kind {
    BIND_DRAW = 3,
    BIND_DRAW_INDEXED = 4,
    BIND_INDIRECT = 5,
    BIND_DISPATCH = 6,
    BIND_COPY = 8,
    BIND_CLEAR = 12,
    BIND_BARRIER = 15,
    BIND_BUNDLE = 16,
    BIND_ENHANCED_BARRIER = 45
};

enum {
    BIND_PIPELINES = 4,
    BIND_TEXTURES = 4,
    BIND_MIPS = 3,
    BIND_SLICES = 4,
    BIND_PARTS = BIND_MIPS * BIND_SLICES, /* of each texture */
    BIND_VIEWS = 12,
    BIND_BUFFERS = 5,
    BIND_ALIASES = 3, /* from this one on buffers lie in one place: D3D12's calls name none */
    BIND_SLOTS = 6,
    BIND_BUNDLES = 2,
    BIND_SIGNATURES = 4,
    BIND_SHOTS = 256, /* calls that work, of one recording: the rest is a number's list */
    BIND_DRAWS = 12,  /* the least that are executed, but for those of indirect calls */
    BIND_NONE = -1,
    BIND_UNKNOWN = -2, /* in a bundle: its caller's; behind an indirect call: the GPU's */
};

/* What a render target view shows: one mip unless `mips` are more. */
struct bind_view {
    int texture, mip, slice, slices, mips;
};

struct bind_model {
    int pipeline, indices;
    int slots[BIND_SLOTS];    /* of vertex buffers */
    int views[8], view_count; /* BIND_NONE: of nothing */
    int depth;
    bool has_root, has_topology;
    int states[BIND_TEXTURES][BIND_PARTS]; /* BIND_NONE: no barrier said it; BIND_UNKNOWN: half */
    int barriers;                          /* since the last work */
    int compute;                           /* Vulkan's other pipeline */
};

/* A call that works, and what was bound in front of it. */
struct bind_shot {
    uint32_t kind; /* D3D12_AUTO_BREADCRUMB_OP */
    struct bind_model at;
    struct bind_view target;   /* of a clear */
    struct bind_view from, to; /* of a copy: one subresource each */
    bool uses_vertices, uses_indices, draws, runs;
};

struct bind_recording {
    struct bind_model now;
    struct bind_shot shots[BIND_SHOTS];
    int count, draws; /* draws: that are executed */
};

struct bind_scene {
    struct dice dice;
    struct bind_view views[BIND_VIEWS];
    struct bind_recording of, bundles[BIND_BUNDLES];
};

struct bind_options {
    const char *evidence, *keep; /* evidence NULL: of the emulator; keep: the dump's path */
    const char *level;
    uint64_t programs, seed;
};

struct bind_counts {
    uint64_t said, silent, false_count, states, barriers;
};

/* Plays the program of this seed in a process that has no device yet, and checks its dump. */
void bind_play(const struct bind_options *options, uint64_t seed, const char *dump,
               struct bind_counts *counts);
/* What the dump says of the recordings. Prints what is false. */
void bind_check(const struct bind_scene *scene, const char *dump, bool has_barriers,
                struct bind_counts *counts);

/* ---- what calls leave ---- */

static inline void bind_begin(struct bind_model *model, int pipeline, int rest)
{
    model->pipeline = pipeline;
    model->indices = model->compute = rest;
    for (int i = 0; i < BIND_SLOTS; i++)
        model->slots[i] = rest;
    model->view_count = 0;
    model->depth = BIND_NONE;
    model->has_root = model->has_topology = false;
}

static inline struct bind_shot *bind_shoot(struct bind_recording *to, enum bind_kind kind)
{
    struct bind_shot *shot = &to->shots[to->count++];
    *shot = (struct bind_shot){.kind = (uint32_t)kind, .at = to->now};
    to->now.barriers = 0;
    return shot;
}

static inline void bind_enter(struct bind_model *now, const struct bind_view *part, int mips,
                              int state)
{
    for (int slice = part->slice; slice < part->slice + part->slices; slice++)
        for (int mip = part->mip; mip < part->mip + mips; mip++)
            now->states[part->texture][mip + slice * BIND_MIPS] = state;
}

/* Which buffer is known to be at the address of this one. */
static inline int bind_known(int buffer)
{
    return buffer < BIND_ALIASES ? buffer : BIND_UNKNOWN;
}

/* Work says in its arguments which it is. */
static inline int bind_number(const struct bind_scene *scene, const struct bind_recording *to)
{
    const int list = to == &scene->of ? 0 : 1 + (int)(to - scene->bundles);
    return list * BIND_SHOTS + to->count;
}
