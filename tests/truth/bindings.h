/*
 * Random recordings of one list and what is bound in it, by D3D12's rules written down anew: a
 * model that is asked what each call works on, and never looks at what is noted.
 */
#pragma once

#include "dice.h"
#include "../d3d12_objects.h"

enum {
    BIND_PIPELINES = 4,
    BIND_TEXTURES = 4,
    BIND_MIPS = 3,
    BIND_SLICES = 4,
    BIND_PARTS = BIND_MIPS * BIND_SLICES, /* of each texture */
    BIND_VIEWS = 12,
    BIND_BUFFERS = 4,
    BIND_SLOTS = 6,
    BIND_BUNDLES = 2,
    BIND_SIGNATURES = 4,
    BIND_SHOTS = 256, /* calls that work, of one recording: the rest is a number's list */
    BIND_DRAWS = 12,  /* the least that are executed, but for those of indirect calls */
    BIND_NONE = -1,
    BIND_UNKNOWN = -2, /* in a bundle: its caller's; behind an indirect call: the GPU's */
};

/* What a render target view shows. */
struct bind_view {
    int texture, mip, slice, slices;
};

struct bind_model {
    int pipeline, indices;
    int slots[BIND_SLOTS]; /* of vertex buffers */
    int views[8], view_count;
    bool has_root, has_topology;
    int states[BIND_TEXTURES][BIND_PARTS]; /* BIND_NONE: no barrier said it; BIND_UNKNOWN: half */
    int barriers;                          /* since the last work */
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
    ID3D12Device *device;
    ID3D12RootSignature *root;
    ID3D12PipelineState *pipelines[BIND_PIPELINES];
    ID3D12Resource *textures[BIND_TEXTURES], *buffers[BIND_BUFFERS];
    ID3D12DescriptorHeap *heap;
    struct bind_view views[BIND_VIEWS];
    ID3D12CommandSignature *signatures[BIND_SIGNATURES];
    ID3D12CommandAllocator *allocators[1 + BIND_BUNDLES];
    ID3D12GraphicsCommandList *list, *bundle_lists[BIND_BUNDLES];
    struct bind_recording of, bundles[BIND_BUNDLES];
};

/* Makes the objects, and a program of them: the list is closed. */
void bind_open(struct bind_scene *scene, uint64_t seed);
void bind_close(struct bind_scene *scene);

/* What the dump says of the recordings. Prints what is false; returns how much is. */
struct bind_counts {
    uint64_t said, silent, false_count, states, barriers;
};
void bind_check(const struct bind_scene *scene, const char *dump, struct bind_counts *counts);
