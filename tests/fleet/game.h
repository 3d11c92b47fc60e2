/* The game that the corpus is made of: D3D12 objects, random names, and the faults. */
#pragma once

#include "../../examples/setup.h"

#include <stdbool.h>

/* FAULT(name, kind of EMU_HANG, marker behind which the emulator is to fail; "": the work itself
 * fails) */
#define GAME_FAULTS(FAULT)                                                                         \
    FAULT(culling_dispatch, SPINS, "")                                                             \
    FAULT(depth_draw, SPINS, "")                                                                   \
    FAULT(depth_dispatch, SPINS, "")                                                               \
    FAULT(cascade_draw, SPINS, "")                                                                 \
    FAULT(cascade_dispatch, SPINS, "")                                                             \
    FAULT(caster_in_bundle, SPINS, "")                                                             \
    FAULT(mesh_dispatch, SPINS, "")                                                                \
    FAULT(mesh_indirect, SPINS, "")                                                                \
    FAULT(lighting_dispatch, SPINS, "")                                                            \
    FAULT(lighting_unmapped, SPINS, "")                                                            \
    FAULT(lighting_freed, SPINS, "")                                                               \
    FAULT(particles_across_lists, SPINS, "")                                                       \
    FAULT(particles_freed, SPINS, "")                                                              \
    FAULT(bloom_dispatch, SPINS, "")                                                               \
    FAULT(bloom_unmapped, SPINS, "")                                                               \
    FAULT(tonemap_dispatch, SPINS, "")                                                             \
    FAULT(tonemap_lost, LOSES, "Tonemap, frame %d *")                                              \
    FAULT(unmarked_dispatch, SPINS, "")                                                            \
    FAULT(ui_dispatch, SPINS, "")                                                                  \
    FAULT(nested_dispatch, SPINS, "")                                                              \
    FAULT(skinning_fault, FAULTS, "Skinning, frame %d *")                                          \
    FAULT(upload_hang, SPINS, "Upload %d: *")                                                      \
    FAULT(video_dispatch, SPINS, "")                                                               \
    FAULT(application_crash, SPINS, "")

/* The faults of the second game (unseen.c). */
#define UNSEEN_FAULTS(FAULT)                                                                       \
    FAULT(terrain_freed, SPINS, "")                                                                \
    FAULT(material_dispatch, SPINS, "")                                                            \
    FAULT(shader_dispatch, SPINS, "")                                                              \
    FAULT(split_screen_dispatch, SPINS, "")                                                        \
    FAULT(alternating_dispatch, SPINS, "")                                                         \
    FAULT(ssao_dispatch, SPINS, "")                                                                \
    FAULT(gbuffer_draw, SPINS, "")                                                                 \
    FAULT(crash_while_busy, SPINS, "")                                                             \
    FAULT(decals_marker, SPINS, "Decal batch, frame %d *")                                         \
    FAULT(readback_lost, LOSES, "Readback %d *")                                                   \
    FAULT(eye_dispatch, SPINS, "")                                                                 \
    FAULT(reordered_draw, SPINS, "")                                                               \
    FAULT(wide_dispatch, SPINS, "")                                                                \
    FAULT(fog_first_dispatch, SPINS, "")                                                           \
    FAULT(fog_second_dispatch, SPINS, "")                                                          \
    FAULT(blur_dispatch, SPINS, "")

#define FAULT_ENUM(name, kind, marker) FAULT_##name,
enum fault {
    GAME_FAULTS(FAULT_ENUM) FAULT_FIRST_UNSEEN,
    FAULT_BEFORE_UNSEEN = FAULT_FIRST_UNSEEN - 1,
    UNSEEN_FAULTS(FAULT_ENUM) FAULT_COUNT
};

enum { SLOTS = 2, WORKERS_MAX = 4, PASSES_MAX = 24 };

struct game;
struct pass;
typedef void record_pass(struct game *game, struct pass *pass, uint64_t random);

/* One command list of a frame. */
struct pass {
    record_pass *record;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocators[SLOTS];
    ID3D12GraphicsCommandList *lists[SLOTS], *list; /* the frame's */
    int number;                                     /* among passes of its kind */
};

struct game {
    enum fault fault;
    uint64_t random;
    int fault_frame, frame, threads, workers;
    bool has_waits, is_patient;
    ID3D12Device *device;
    ID3D12CommandQueue *graphics, *compute, *copy, *video;
    ID3D12CommandQueue *bad_queue; /* the one with the fault */
    ID3D12Fence *culled, *uploaded, *shown, *done;
    ID3D12RootSignature *root;
    ID3D12PipelineState *fill, *spin, *touch, *draw, *draw_spin;
    ID3D12CommandSignature *indirect;
    ID3D12Resource *target, *staging, *freed, *arguments;
    uint64_t freed_address;
    ID3D12CommandAllocator *bundle_allocators[2];
    ID3D12GraphicsCommandList *casters, *bad_casters;
    struct pass passes[PASSES_MAX];
    int pass_count, taken;
};

/* The next number of a sequence; splitmix64. */
uint64_t game_next(uint64_t *random);
/* One of 0 ... count - 1. */
int game_below(uint64_t *random, int count);

/* objects.c */
void game_open(struct game *game);
void game_close(struct game *game);
void game_name(ID3D12Object *object, const char *name);
ID3D12GraphicsCommandList *game_list(struct game *game, ID3D12CommandAllocator *allocator,
                                     D3D12_COMMAND_LIST_TYPE type, const char *name);
ID3D12Resource *game_buffer(struct game *game, D3D12_HEAP_TYPE type, UINT64 size, const char *name);

/* passes.c: a frame's command lists, and where each fault is. */
void game_add_passes(struct game *game);
void game_add(struct game *game, record_pass *record, ID3D12CommandQueue *queue, int number,
              const char *name);
/* Whether this frame is the one with this fault. */
bool game_is_now(const struct game *game, enum fault fault);
void game_dispatch(struct game *game, ID3D12GraphicsCommandList *list,
                   ID3D12PipelineState *pipeline);
void game_draw(struct game *game, ID3D12GraphicsCommandList *list, ID3D12PipelineState *pipeline);
void game_touch(struct game *game, ID3D12GraphicsCommandList *list, uint64_t address);

/* unseen.c: the same of the second game. */
void game_add_unseen_passes(struct game *game);
