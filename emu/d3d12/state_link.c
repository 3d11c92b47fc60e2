/* From what was read to what runs: associations, hit groups, and whether anything is missing. */
#include "state_parts.h"
#include "wide.h"

#define ADDITIONS D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS
#define DEFERRED  D3D12_STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS
#define EXTERNAL  D3D12_STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS

/* ---- associations ---- */

static HRESULT apply(struct state_parts *parts, struct state_export *export,
                     const struct state_definition *definition, enum state_level level)
{
    struct state_value *value = &export->values[definition->aspect];
    const bool is_default = level == LEVEL_LIBRARY_DEFAULT || level == LEVEL_OBJECT_DEFAULT;
    const bool decided = value->level == LEVEL_COLLECTION;
    if ((value->level == level || (decided && !is_default)) && value->value != definition->value)
        return state_mistake(parts, "two subobjects of a kind associated with one export");
    if (level > value->level)
        *value = (struct state_value){level, definition->value};
    return S_OK;
}

static HRESULT apply_default(struct state_parts *parts, const struct state_definition *definition,
                             unsigned scope)
{
    HRESULT hr = S_OK;
    const enum state_level level = scope == 0 ? LEVEL_OBJECT_DEFAULT : LEVEL_LIBRARY_DEFAULT;
    for (struct state_export *e = parts->exports; SUCCEEDED(hr) && e != NULL; e = e->next)
        if (scope == 0 || e->scope == scope)
            hr = apply(parts, e, definition, level);
    return hr;
}

/* By the name that it was exported as, or the compiler's. */
static struct state_export *find_associated(const struct state_parts *parts, const WCHAR *name)
{
    struct state_export *export = state_parts_find(parts, name);
    if (export != NULL)
        return export;
    for (export = parts->exports; export != NULL; export = export->next)
        if (export->mangled != NULL && wide_same(export->mangled, name))
            break;
    return export;
}

static struct state_definition *find_definition(const struct state_parts *parts,
                                                const struct state_association *association)
{
    struct state_definition *found = NULL;
    for (struct state_definition *d = parts->definitions; d != NULL; d = d->next) {
        const bool same = association->source != NULL
                              ? d->source == association->source
                              : d->name != NULL && wide_same(d->name, association->definition);
        if (same && (found == NULL || d->scope == association->scope))
            found = d;
    }
    return found;
}

static HRESULT apply_association(struct state_parts *parts,
                                 const struct state_association *association)
{
    struct state_definition *definition = find_definition(parts, association);
    if (definition == NULL)
        return parts->is_pipeline || (parts->flags & DEFERRED) == 0
                   ? state_mistake(parts, "an association of a subobject that isn't there")
                   : S_OK;
    if (definition->scope == association->scope)
        definition->is_associated = true;
    if (association->export == NULL)
        return apply_default(parts, definition, association->scope);
    struct state_export *export = find_associated(parts, association->export);
    if (export != NULL)
        return apply(parts, export, definition,
                     association->scope == 0 ? LEVEL_OBJECT : LEVEL_LIBRARY);
    /* libraries name all that they have, of which some may have been left out */
    return association->scope != 0 || (!parts->is_pipeline && (parts->flags & EXTERNAL) != 0)
               ? S_OK
               : state_mistake(parts, "an association with an export that isn't there");
}

static HRESULT apply_all(struct state_parts *parts)
{
    HRESULT hr = S_OK;
    const struct state_association *association = parts->associations;
    for (; SUCCEEDED(hr) && association != NULL; association = association->next)
        hr = apply_association(parts, association);
    const struct state_definition *definition = parts->definitions;
    for (; SUCCEEDED(hr) && definition != NULL; definition = definition->next)
        if (!definition->is_associated)
            hr = apply_default(parts, definition, definition->scope);
    return hr;
}

/* ---- the object's own flags ---- */

static HRESULT find_flags(struct state_parts *parts)
{
    const struct state_definition *first = NULL;
    for (const struct state_definition *d = parts->definitions; d != NULL; d = d->next) {
        if (d->aspect != ASPECT_CONFIG)
            continue;
        if (first != NULL && d->value != first->value)
            return state_mistake(parts, "state object configs that differ");
        first = d;
    }
    if (first != NULL)
        parts->flags = (D3D12_STATE_OBJECT_FLAGS)first->value;
    return parts->is_final && (parts->flags & ADDITIONS) != 0
               ? state_mistake(parts, "additions allowed, but not by a collection")
               : S_OK;
}

/* ---- hit groups ---- */

static bool is_explicit(const struct state_value *value)
{
    return value->level == LEVEL_LIBRARY || value->level == LEVEL_OBJECT ||
           value->level == LEVEL_COLLECTION;
}

/* What is associated with a group holds for its shaders, and what with them holds for it. */
static HRESULT adopt(struct state_parts *parts, struct state_export *group,
                     const struct state_export *shader)
{
    for (int i = 0; i < STATE_ASPECTS; i++) {
        if (!is_explicit(&shader->values[i]))
            continue;
        if (!is_explicit(&group->values[i]))
            group->values[i] = shader->values[i];
        else if (group->values[i].value != shader->values[i].value)
            return state_mistake(parts,
                                 "a hit group with subobjects that differ from its shaders'");
    }
    return S_OK;
}

static HRESULT find_hit(struct state_parts *parts, struct state_export *group, int index)
{
    struct state_hit *hit = &group->hits[index];
    if (hit->import == NULL || hit->is_found)
        return S_OK;
    const struct state_export *shader = state_parts_find(parts, hit->import);
    if (shader == NULL)
        return S_OK; /* is_complete will be false */
    if (shader->kind != (uint32_t)(DXIL_INTERSECTION + index))
        return state_mistake(parts, "a hit group with a shader of another kind");
    if (!shader->is_importable)
        return state_mistake(parts, "a hit group with a shader of a collection that lets nobody "
                                    "depend on it");
    hit->is_found = true;
    hit->stack = shader->stack;
    return adopt(parts, group, shader);
}

static HRESULT find_hits(struct state_parts *parts)
{
    HRESULT hr = S_OK;
    for (struct state_export *group = parts->exports; group != NULL; group = group->next)
        for (int i = 0; SUCCEEDED(hr) && i < STATE_HITS; i++)
            hr = find_hit(parts, group, i);
    return hr;
}

/* ---- what must be there, and the same everywhere ---- */

static HRESULT check_same(struct state_parts *parts, enum state_aspect aspect, const char *text)
{
    const struct state_value *first = NULL;
    for (const struct state_export *e = parts->exports; e != NULL; e = e->next) {
        const struct state_value *value = &e->values[aspect];
        if (value->level == LEVEL_NONE)
            continue;
        if (first != NULL && first->value != value->value)
            return state_mistake(parts, text);
        first = value;
    }
    if (aspect != ASPECT_NODE_MASK || first == NULL)
        return S_OK;
    for (const struct state_export *e = parts->exports; e != NULL; e = e->next)
        if (e->values[aspect].level == LEVEL_NONE)
            return state_mistake(parts, "a node mask for some of the exports only");
    return S_OK;
}

static HRESULT check_complete(struct state_parts *parts, struct state_export *export)
{
    const char *missing = NULL;
    if (!state_export_is_entry(export))
        return S_OK;
    if (export->values[ASPECT_SHADER_CONFIG].level == LEVEL_NONE)
        missing = "an export without a shader config";
    if (export->values[ASPECT_PIPELINE_CONFIG].level == LEVEL_NONE)
        missing = "an export without a pipeline config";
    for (int i = 0; i < STATE_HITS; i++)
        if (export->hits[i].import != NULL && !export->hits[i].is_found)
            missing = "a hit group with a shader that isn't there";
    export->is_complete = missing == NULL;
    const bool may_wait = !parts->is_pipeline && (parts->flags & DEFERRED) != 0;
    return missing == NULL || may_wait ? S_OK : state_mistake(parts, missing);
}

HRESULT state_parts_link(struct state_parts *parts)
{
    HRESULT hr = find_flags(parts);
    if (SUCCEEDED(hr))
        hr = apply_all(parts);
    if (SUCCEEDED(hr))
        hr = find_hits(parts);
    if (SUCCEEDED(hr))
        hr = check_same(parts, ASPECT_SHADER_CONFIG, "shader configs that differ");
    if (SUCCEEDED(hr))
        hr = check_same(parts, ASPECT_PIPELINE_CONFIG, "pipeline configs that differ");
    if (SUCCEEDED(hr))
        hr = check_same(parts, ASPECT_NODE_MASK, "node masks that differ");
    for (struct state_export *e = parts->exports; SUCCEEDED(hr) && e != NULL; e = e->next)
        hr = check_complete(parts, e);
    return hr;
}
