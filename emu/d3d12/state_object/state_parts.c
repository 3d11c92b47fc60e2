#include "state_object/state_parts.h"

#include "device/child.h"
#include "base/wide.h"

struct state_block {
    struct state_block *next;
    max_align_t memory[];
};

void *state_parts_alloc(struct state_parts *parts, size_t size)
{
    struct state_block *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->next = parts->blocks;
    parts->blocks = block;
    return block->memory;
}

static WCHAR *copied(struct state_parts *parts, const WCHAR *name)
{
    const size_t size = (wide_length(name) + 1) * sizeof *name;
    WCHAR *copy = state_parts_alloc(parts, size);
    if (copy)
        memcpy(copy, name, size);
    return copy;
}

HRESULT state_parts_hold(struct state_parts *parts, struct d3d12_child *child)
{
    struct state_hold *hold = state_parts_alloc(parts, sizeof *hold);
    if (!hold)
        return E_OUTOFMEMORY;
    d3d12_child_add_private_ref(child);
    *hold = (struct state_hold){parts->holds, child};
    parts->holds = hold;
    return S_OK;
}

void state_parts_finish(struct state_parts *parts)
{
    for (struct state_hold *hold = parts->holds; hold; hold = hold->next)
        d3d12_child_release_private_ref(hold->child);
    HASH_CLEAR(hh, parts->exports_by_name);
    while (parts->blocks) {
        struct state_block *next = parts->blocks->next;
        free(parts->blocks);
        parts->blocks = next;
    }
    *parts = (struct state_parts){0};
}

/* Without its NUL, which is no part of a key. */
static size_t name_size(const WCHAR *name)
{
    return wide_length(name) * sizeof *name;
}

struct state_export *state_parts_find(const struct state_parts *parts, const WCHAR *name)
{
    struct state_export *export;
    HASH_FIND(hh, parts->exports_by_name, name, name_size(name), export);
    return export;
}

HRESULT state_parts_add(struct state_parts *parts, const WCHAR *name, uint32_t kind,
                        struct state_export **out)
{
    if (name[0] == 0)
        return state_parts_fail(parts, "an export without a name");
    if (state_parts_find(parts, name))
        return state_parts_fail(parts, "two exports of one name");
    struct state_export *export = state_parts_alloc(parts, sizeof *export);
    WCHAR *copy = copied(parts, name);
    if (!export || !copy)
        return E_OUTOFMEMORY;
    *export = (struct state_export){.next = parts->exports,
                                    .name = copy,
                                    .kind = kind,
                                    .scope = parts->scope,
                                    .is_importable = true};
    bool added;
    HASH_ADD_KEYPTR_OR_FAIL(hh, parts->exports_by_name, copy, name_size(copy), export, added);
    if (!added)
        return E_OUTOFMEMORY;
    parts->exports = export;
    if (out)
        *out = export;
    return S_OK;
}

/* NULL stays NULL. */
static bool copy_name(struct state_parts *parts, const WCHAR **name)
{
    if (*name)
        *name = copied(parts, *name);
    return *name != NULL;
}

HRESULT state_parts_copy(struct state_parts *parts, const WCHAR *name,
                         const struct state_export *from)
{
    struct state_export *export;
    HRESULT hr = state_parts_add(parts, name, from->kind, &export);
    if (FAILED(hr))
        return hr;
    struct state_export copy = *from;
    copy.next = export->next;
    copy.hh = export->hh;
    copy.name = export->name;
    if (from->mangled && (!copy_name(parts, &copy.mangled) || !copy_name(parts, &copy.plain)))
        return E_OUTOFMEMORY;
    for (int i = 0; i < STATE_HITS; i++)
        if (from->hits[i].import && !copy_name(parts, &copy.hits[i].import))
            return E_OUTOFMEMORY;
    *export = copy;
    return S_OK;
}

HRESULT state_parts_define(struct state_parts *parts, enum state_aspect aspect, uint64_t value,
                           const D3D12_STATE_SUBOBJECT *source, const WCHAR *name)
{
    struct state_definition *definition = state_parts_alloc(parts, sizeof *definition);
    if (!definition || (name && !copy_name(parts, &name)))
        return E_OUTOFMEMORY;
    *definition = (struct state_definition){.next = parts->definitions,
                                            .aspect = aspect,
                                            .value = value,
                                            .source = source,
                                            .name = name,
                                            .scope = parts->scope};
    parts->definitions = definition;
    return S_OK;
}

HRESULT state_parts_associate(struct state_parts *parts, const D3D12_STATE_SUBOBJECT *source,
                              const WCHAR *definition, const WCHAR *export)
{
    struct state_association *association = state_parts_alloc(parts, sizeof *association);
    if (!association || (definition && !copy_name(parts, &definition)) ||
        (export && !copy_name(parts, &export)))
        return E_OUTOFMEMORY;
    *association = (struct state_association){.next = parts->associations,
                                              .source = source,
                                              .definition = definition,
                                              .export = export,
                                              .scope = parts->scope};
    parts->associations = association;
    return S_OK;
}

HRESULT state_parts_add_hit_group(struct state_parts *parts, const WCHAR *name, uint32_t type,
                                  const WCHAR *const imports[STATE_HITS])
{
    struct state_export *export;
    if (!name)
        return state_parts_fail(parts, "a hit group without a name");
    const bool intersects = imports[0] != NULL && imports[0][0] != 0;
    if (type > D3D12_HIT_GROUP_TYPE_PROCEDURAL_PRIMITIVE)
        return state_parts_fail(parts, "a hit group of an unknown type");
    if (intersects != (type == D3D12_HIT_GROUP_TYPE_PROCEDURAL_PRIMITIVE))
        return state_parts_fail(parts, intersects
                                           ? "a hit group of triangles with an intersection "
                                             "shader"
                                           : "a hit group of procedural primitives without an "
                                             "intersection shader");
    HRESULT hr = state_parts_add(parts, name, DXIL_HIT_GROUP, &export);
    for (int i = 0; SUCCEEDED(hr) && i < STATE_HITS; i++) {
        if (!imports[i] || imports[i][0] == 0)
            continue;
        export->hits[i].import = imports[i];
        hr = copy_name(parts, &export->hits[i].import) ? S_OK : E_OUTOFMEMORY;
    }
    return hr;
}
