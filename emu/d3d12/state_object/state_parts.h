/*
 * The parts of a state object: exports, and subobjects that are associated with them.
 *
 * A description is read into lists (read.c) and then linked (link.c): every export gets at most one
 * subobject of each aspect, hit groups get their shaders. An association reaches an export on one
 * of these levels, and the highest level wins:
 *
 *     library, by being there < library, default < library, by name < the same three of the object
 *
 * What a collection has already decided ranks above all of these. Two different associations on one
 * level are a conflict; on the levels "by being there" neither counts then. A default is an
 * association without a list of exports. A subobject counts by being there if no association of its
 * own scope names it. Both reach their own scope only: scope 0 is the object, and each DXIL library
 * has a scope of its own.
 */
#pragma once

#include "containers.h"
#include "base/com.h"
#include "state_object/dxil_library.h"

struct d3d12_child;
struct d3d12_device;

enum state_aspect {
    ASPECT_CONFIG,
    ASPECT_GLOBAL_ROOT,
    ASPECT_LOCAL_ROOT,
    ASPECT_NODE_MASK,
    ASPECT_SHADER_CONFIG,
    ASPECT_PIPELINE_CONFIG,
    STATE_ASPECTS /* no aspect */
};

enum state_level {
    LEVEL_NONE,
    LEVEL_LIBRARY_THERE,
    LEVEL_LIBRARY_DEFAULT,
    LEVEL_LIBRARY,
    LEVEL_OBJECT_THERE,
    LEVEL_OBJECT_DEFAULT,
    LEVEL_OBJECT,
    LEVEL_COLLECTION
};

/* The subobject's content; of a root signature, its digest. */
struct state_value {
    enum state_level level;
    bool is_ambiguous; /* several are there: none counts */
    uint64_t value;
};

/* A shader of a hit group, by the place of its kind behind DXIL_INTERSECTION. */
#define STATE_HITS 3

struct state_hit {
    const WCHAR *import; /* NULL: none */
    bool is_found;
    UINT64 stack;
};

struct state_export {
    struct state_export *next;
    UT_hash_handle hh; /* by name */
    const WCHAR *name;
    const WCHAR *mangled, *plain; /* as its library names it; NULL: not from one */
    uint32_t kind;                /* enum dxil_kind, or a shader that rays never run */
    unsigned scope;
    bool is_importable; /* by hit groups outside of the collection that it came with */
    bool is_complete;   /* has all that it needs to be run */
    bool is_identified; /* `identifier` is what it was told as */
    UINT64 stack;
    uint32_t kernel; /* emu_kernel; 0: none */
    struct state_value values[STATE_ASPECTS];
    struct state_hit hits[STATE_HITS]; /* of a hit group */
    unsigned char identifier[D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES];
};

struct state_definition {
    struct state_definition *next;
    enum state_aspect aspect;
    uint64_t value;
    const D3D12_STATE_SUBOBJECT *source; /* NULL: a library's */
    const WCHAR *name;                   /* a library's */
    unsigned scope;
    bool is_associated; /* within its scope */
};

struct state_association {
    struct state_association *next;
    const D3D12_STATE_SUBOBJECT
        *source; /* what is associated: this, or NULL and what libraries name so */
    const WCHAR *definition;
    const WCHAR *export; /* NULL: a default */
    unsigned scope;
};

struct state_hold {
    struct state_hold *next;
    struct d3d12_child *child;
};

/* Lists are newest first; what they consist of, names included, is `blocks`. */
struct state_parts {
    bool is_pipeline; /* else a collection */
    bool is_final;    /* has a collection that doesn't allow additions */
    D3D12_STATE_OBJECT_FLAGS flags;
    struct state_export *exports;
    struct state_export *exports_by_name;
    struct state_definition *definitions;
    struct state_association *associations;
    struct state_hold *holds; /* used as long as this lives */
    unsigned scope, scopes;   /* the one being read, and how many libraries there are */
    struct state_block *blocks;
    const char *error; /* why the last E_INVALIDARG */
};

/* Zeroed memory that lives as long as the parts; NULL: none left. */
void *state_parts_alloc(struct state_parts *parts, size_t size);
HRESULT state_parts_hold(struct state_parts *parts, struct d3d12_child *child);
void state_parts_finish(struct state_parts *parts);

static inline HRESULT state_parts_fail(struct state_parts *parts, const char *text)
{
    parts->error = text;
    return E_INVALIDARG;
}

static inline bool state_value_is_there(const struct state_value *value)
{
    return value->level != LEVEL_NONE && !value->is_ambiguous;
}

/* Where rays can enter: what has a shader identifier. */
static inline bool state_export_is_entry(const struct state_export *export)
{
    return export->kind == DXIL_RAY_GENERATION || export->kind == DXIL_MISS ||
           export->kind == DXIL_CALLABLE || export->kind == DXIL_HIT_GROUP;
}

/* NULL: there is none. */
struct state_export *state_parts_find(const struct state_parts *parts, const WCHAR *name);

/* E_INVALIDARG: the name is taken. `out` may be NULL. */
HRESULT state_parts_add(struct state_parts *parts, const WCHAR *name, uint32_t kind,
                        struct state_export **out);
/* A copy that needs nothing of the parts that it comes from. */
HRESULT state_parts_copy(struct state_parts *parts, const WCHAR *name,
                         const struct state_export *from);
HRESULT state_parts_define(struct state_parts *parts, enum state_aspect aspect, uint64_t value,
                           const D3D12_STATE_SUBOBJECT *source, const WCHAR *name);
HRESULT state_parts_associate(struct state_parts *parts, const D3D12_STATE_SUBOBJECT *source,
                              const WCHAR *definition, const WCHAR *export);
/* A hit group of the description or of a library; names NULL or empty: none. */
HRESULT state_parts_add_hit_group(struct state_parts *parts, const WCHAR *name, uint32_t type,
                                  const WCHAR *const imports[STATE_HITS]);

/* state_values.c: what a subobject's content is, checked. */
HRESULT state_value_of_flags(struct state_parts *parts, uint32_t flags, uint64_t *value);
HRESULT state_value_of_shader_config(struct state_parts *parts, uint32_t payload,
                                     uint32_t attributes, uint64_t *value);
HRESULT state_value_of_pipeline_config(struct state_parts *parts, uint32_t depth, uint32_t flags,
                                       uint64_t *value);
static inline uint32_t state_recursion_depth(uint64_t pipeline_config)
{
    return (uint32_t)(pipeline_config >> 32);
}

/* state_library.c: a library's functions and subobjects, all or the listed. */
HRESULT state_parts_read_library(struct state_parts *parts, const D3D12_DXIL_LIBRARY_DESC *desc);

/* state_read.c. The parts are empty; on failure they have to be finished all the same. */
HRESULT state_parts_read(struct state_parts *parts, struct d3d12_device *device,
                         const D3D12_STATE_OBJECT_DESC *desc);

/* state_link.c: after all is read. */
HRESULT state_parts_link(struct state_parts *parts);
