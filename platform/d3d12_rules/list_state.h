/* D3D12's rules for the state of a list: which state a call sets, which state a bundle inherits and
 * leaves behind, and which state work uses. The emulator and the layer for D3D12 share these rules,
 * so that reports name the same objects.
 *
 *     call                            pipeline      targets, depth  indices, vertices
 *     a list begins; ClearState       the call's    none            none
 *     a bundle begins                 the call's    its caller's    its caller's
 *     ExecuteBundle returns           the bundle's  unchanged       the bundle's
 *     ExecuteIndirect returns         unchanged     unchanged       none if commands set them
 *     EndRenderPass returns           unchanged     none            unchanged
 *
 * If a bundle does not set a state, ExecuteBundle leaves the state unchanged. Some state is not
 * known: a bundle's caller while the bundle is recorded, a bundle that other code recorded, and
 * commands that the GPU wrote. No objects are noted for unknown state. */
#pragma once

#include <annot/annot.h>

#include <string.h>

enum {
    LIST_STATE_TARGETS = 8,
    LIST_STATE_SLOTS = 32,   /* slots of vertex buffers */
    LIST_STATE_VERTICES = 3, /* how many vertex buffer slots are noted */
};

/* A view in a list's state. Objects are given by annot_object_id; 0: no object, or unknown. */
struct list_view {
    uint64_t object, part; /* ANNOT_PART */
};

struct list_state {
    uint64_t pipeline, indices;
    uint64_t vertices[LIST_STATE_VERTICES];
    struct list_view targets[LIST_STATE_TARGETS], depth;
    bool sets_pipeline, sets_indices; /* whether the recording has set the pipeline, and the
                                         indices; a bundle leaves them to its caller */
    uint32_t sets_vertices;           /* bit n: the recording has set vertex slot n */
};

/* Sets the list's state for the begin of a list or bundle, and for ClearState. */
static inline void list_state_begin(struct list_state *state, uint64_t pipeline, bool has_pipeline)
{
    *state = (struct list_state){.pipeline = pipeline, .sets_pipeline = has_pipeline};
}

/* SetPipelineState, SetPipelineState1, SetProgram. */
static inline void list_state_set_pipeline(struct list_state *state, uint64_t pipeline)
{
    state->pipeline = pipeline;
    state->sets_pipeline = true;
}

/* Forgets all targets of the list, for OMSetRenderTargets, BeginRenderPass and EndRenderPass. The
 * caller then sets new targets. */
static inline void list_state_clear_targets(struct list_state *state)
{
    memset(state->targets, 0, sizeof state->targets);
    state->depth = (struct list_view){0, 0};
}

static inline void list_state_set_indices(struct list_state *state, uint64_t indices)
{
    state->indices = indices;
    state->sets_indices = true;
}

static inline void list_state_set_vertices(struct list_state *state, uint32_t slot,
                                           uint64_t vertices)
{
    if (slot >= LIST_STATE_SLOTS)
        return;
    state->sets_vertices |= 1u << slot;
    if (slot < LIST_STATE_VERTICES)
        state->vertices[slot] = vertices;
}

/* Gives the list the state that a bundle leaves, for ExecuteBundle. `bundle` is NULL if the bundle
 * is unknown. */
static inline void list_state_execute_bundle(struct list_state *state,
                                             const struct list_state *bundle)
{
    static const struct list_state unknown = {
        .sets_pipeline = true, .sets_indices = true, .sets_vertices = UINT32_MAX};
    if (!bundle)
        bundle = &unknown;
    if (bundle->sets_pipeline)
        list_state_set_pipeline(state, bundle->pipeline);
    if (bundle->sets_indices)
        list_state_set_indices(state, bundle->indices);
    for (uint32_t i = 0; i < LIST_STATE_VERTICES; i++)
        if (bundle->sets_vertices >> i & 1)
            list_state_set_vertices(state, i, bundle->vertices[i]);
}

/* ---- work ---- */

enum list_work {
    LIST_WORK_UNKNOWN, /* the signature, and so the kind of work, is not known */
    LIST_WORK_DISPATCH,
    LIST_WORK_RAYS,
    LIST_WORK_DRAW,
    LIST_WORK_DRAW_INDEXED,
    LIST_WORK_MESH,
};

/* What kind of work a command signature's commands do, and which state they set. */
struct list_indirect {
    enum list_work work;
    bool sets_indices;
    uint32_t sets_vertices;
    uint32_t offset; /* of the work's arguments in a command, in bytes */
};

/* Adds an argument of a command signature. `type` is a D3D12_INDIRECT_ARGUMENT_TYPE. `slot` is a
 * vertex buffer's slot. `constants`: number of root constants. */
static inline void list_indirect_add(struct list_indirect *to, uint32_t type, uint32_t slot,
                                     uint32_t constants)
{
    enum { VERTEX_BUFFER = 3, INDEX_BUFFER = 4, CONSTANT = 5 };
    static const uint8_t sizes[] = {0, 0, 0, 16, 16, 0, 8, 8, 8}; /* others: 0 */
    static const uint8_t works[] = {[0] = LIST_WORK_DRAW,
                                    [1] = LIST_WORK_DRAW_INDEXED,
                                    [2] = LIST_WORK_DISPATCH,
                                    [9] = LIST_WORK_RAYS,
                                    [10] = LIST_WORK_MESH};
    if (type == VERTEX_BUFFER && slot < LIST_STATE_SLOTS)
        to->sets_vertices |= 1u << slot;
    to->sets_indices |= type == INDEX_BUFFER;
    to->offset += type == CONSTANT ? 4 * constants : type < sizeof sizes ? sizes[type] : 0u;
    if (type < sizeof works && works[type])
        to->work = (enum list_work)works[type];
}

/* Forgets the state that the commands of an ExecuteIndirect set. Call it before and after the
 * ExecuteIndirect's work is noted. */
static inline void list_state_forget_indirect(struct list_state *state,
                                              const struct list_indirect *indirect)
{
    if (indirect->sets_indices)
        list_state_set_indices(state, 0);
    for (uint32_t i = 0; i < LIST_STATE_VERTICES; i++)
        if (indirect->sets_vertices >> i & 1)
            list_state_set_vertices(state, i, 0);
}

/* The objects that an operation uses, and then the used parts of these objects. */
struct list_objects {
    annot_bound_object of[2 * ANNOT_OPERATION_OBJECTS];
    uint64_t parts[ANNOT_OPERATION_OBJECTS];
    uint32_t count;
};

static inline void list_objects_add_part(struct list_objects *to, struct list_view view,
                                         annot_bound_role role)
{
    if (view.object == 0 || to->count >= ANNOT_OPERATION_OBJECTS)
        return;
    to->parts[to->count] = view.part;
    to->of[to->count++] = (annot_bound_object){view.object, (uint32_t)role, 0};
}

/* The whole object. */
static inline void list_objects_add(struct list_objects *to, uint64_t object, annot_bound_role role)
{
    list_objects_add_part(to, (struct list_view){object, 0}, role);
}

/* Appends the objects' parts to the objects. Returns the value for annot_operation.object_count. */
static inline uint32_t list_objects_end(struct list_objects *of)
{
    uint32_t count = of->count;
    for (uint32_t i = 0; i < of->count; i++)
        if (of->parts[i] != 0)
            of->of[count++] = (annot_bound_object){of->parts[i], ANNOT_BOUND_PART, i};
    return count;
}

/* Adds the objects that this kind of work uses, according to the list's state. */
static inline void list_state_use(const struct list_state *state, enum list_work work,
                                  struct list_objects *to)
{
    const bool draws = work >= LIST_WORK_DRAW;
    const bool reads_vertices = draws && work != LIST_WORK_MESH;
    list_objects_add(to, state->pipeline, ANNOT_BOUND_PIPELINE);
    for (uint32_t i = 0; draws && i < LIST_STATE_TARGETS; i++)
        list_objects_add_part(to, state->targets[i], ANNOT_BOUND_TARGET);
    if (draws)
        list_objects_add_part(to, state->depth, ANNOT_BOUND_DEPTH);
    if (work == LIST_WORK_DRAW_INDEXED)
        list_objects_add(to, state->indices, ANNOT_BOUND_INDICES);
    for (uint32_t i = 0; reads_vertices && i < LIST_STATE_VERTICES; i++)
        list_objects_add(to, state->vertices[i], ANNOT_BOUND_VERTICES);
}
