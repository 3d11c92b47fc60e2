/* Links what was read: resolves associations and hit groups, and finds what is missing. */
#include "state_object/state_parts.h"
#include "base/wide.h"

#define ADDITIONS D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS
#define DEFERRED  D3D12_STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS
#define EXTERNAL  D3D12_STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS

/* ---- associations ---- */

static bool is_by_name(enum state_level level)
{
    return level == LEVEL_LIBRARY || level == LEVEL_OBJECT || level == LEVEL_COLLECTION;
}

static HRESULT apply(struct state_parts *parts, struct state_export *export,
                     const struct state_definition *definition, enum state_level level)
{
    struct state_value *value = &export->values[definition->aspect];
    const bool is_same_level =
        value->level == level || (value->level == LEVEL_COLLECTION && is_by_name(level));
    if (is_same_level && value->value != definition->value) {
        if (level != LEVEL_LIBRARY_THERE && level != LEVEL_OBJECT_THERE)
            return state_parts_fail(parts, "two subobjects of a kind associated with one export");
        value->is_ambiguous = true;
    }
    if (level > value->level)
        *value = (struct state_value){.level = level, .value = definition->value};
    return S_OK;
}

static HRESULT apply_to_scope(struct state_parts *parts, const struct state_definition *definition,
                              unsigned scope, enum state_level level)
{
    HRESULT hr = S_OK;
    for (struct state_export *e = parts->exports; SUCCEEDED(hr) && e; e = e->next)
        if (scope == 0 || e->scope == scope)
            hr = apply(parts, e, definition, level);
    return hr;
}

/* A library's associations know its own names, the object's what was exported; the compiler's names
 * do everywhere. */
static bool is_named(const struct state_export *export, const struct state_association *association)
{
    const WCHAR *name = association->export;
    if (export->mangled && wide_same(export->mangled, name))
        return true;
    return association->scope != 0 && export->scope == association->scope && export->plain != NULL
               ? wide_same(export->plain, name)
               : wide_same(export->name, name);
}

static struct state_definition *find_definition(const struct state_parts *parts,
                                                const struct state_association *association)
{
    struct state_definition *found = NULL;
    for (struct state_definition *d = parts->definitions; d; d = d->next) {
        const bool same = association->source != NULL
                              ? d->source == association->source
                              : d->name != NULL && wide_same(d->name, association->definition);
        if (same && (!found || d->scope == association->scope))
            found = d;
    }
    return found;
}

static HRESULT apply_association(struct state_parts *parts,
                                 const struct state_association *association)
{
    struct state_definition *definition = find_definition(parts, association);
    if (!definition)
        return parts->is_pipeline || (parts->flags & DEFERRED) == 0
                   ? state_parts_fail(parts, "an association of a subobject that isn't there")
                   : S_OK;
    if (definition->scope == association->scope)
        definition->is_associated = true;
    if (!association->export)
        return apply_to_scope(parts, definition, association->scope,
                              association->scope == 0 ? LEVEL_OBJECT_DEFAULT
                                                      : LEVEL_LIBRARY_DEFAULT);
    bool found = false;
    HRESULT hr = S_OK;
    for (struct state_export *e = parts->exports; SUCCEEDED(hr) && e; e = e->next)
        if (is_named(e, association)) {
            found = true;
            hr =
                apply(parts, e, definition, association->scope == 0 ? LEVEL_OBJECT : LEVEL_LIBRARY);
        }
    /* libraries name all that they have, of which some may have been left out */
    const bool may_lack =
        association->scope != 0 || (!parts->is_pipeline && (parts->flags & EXTERNAL) != 0);
    return found || may_lack
               ? hr
               : state_parts_fail(parts, "an association with an export that isn't there");
}

static HRESULT apply_all(struct state_parts *parts)
{
    HRESULT hr = S_OK;
    const struct state_association *association = parts->associations;
    for (; SUCCEEDED(hr) && association; association = association->next)
        hr = apply_association(parts, association);
    const struct state_definition *definition = parts->definitions;
    for (; SUCCEEDED(hr) && definition; definition = definition->next)
        if (!definition->is_associated)
            hr = apply_to_scope(parts, definition, definition->scope,
                                definition->scope == 0 ? LEVEL_OBJECT_THERE : LEVEL_LIBRARY_THERE);
    return hr;
}

/* ---- the object's own flags ---- */

static HRESULT find_flags(struct state_parts *parts)
{
    const struct state_definition *first = NULL;
    for (const struct state_definition *d = parts->definitions; d; d = d->next) {
        if (d->aspect != ASPECT_CONFIG)
            continue;
        if (first && d->value != first->value)
            return state_parts_fail(parts, "state object configs that differ");
        first = d;
    }
    if (first)
        parts->flags = (D3D12_STATE_OBJECT_FLAGS)first->value;
    return parts->is_final && (parts->flags & ADDITIONS) != 0
               ? state_parts_fail(parts, "additions allowed, but not by a collection")
               : S_OK;
}

/* ---- hit groups ---- */

/* A group's associations hold for its shaders, and theirs hold for it. */
static HRESULT adopt(struct state_parts *parts, struct state_export *group,
                     const struct state_export *shader)
{
    for (int i = 0; i < STATE_ASPECTS; i++) {
        if (!is_by_name(shader->values[i].level))
            continue;
        if (!is_by_name(group->values[i].level))
            group->values[i] = shader->values[i];
        else if (group->values[i].value != shader->values[i].value)
            return state_parts_fail(parts,
                                    "a hit group with subobjects that differ from its shaders'");
    }
    return S_OK;
}

static HRESULT find_hit(struct state_parts *parts, struct state_export *group, int index)
{
    struct state_hit *hit = &group->hits[index];
    if (!hit->import || hit->is_found)
        return S_OK;
    const struct state_export *shader = state_parts_find(parts, hit->import);
    if (!shader)
        return S_OK; /* is_complete will be false */
    if (shader->kind != (uint32_t)(DXIL_INTERSECTION + index))
        return state_parts_fail(parts, "a hit group with a shader of another kind");
    if (!shader->is_importable)
        return state_parts_fail(parts, "a hit group with a shader of a collection that does not "
                                       "allow external dependencies");
    hit->is_found = true;
    hit->stack = shader->stack;
    return adopt(parts, group, shader);
}

static HRESULT find_hits(struct state_parts *parts)
{
    HRESULT hr = S_OK;
    for (struct state_export *group = parts->exports; group; group = group->next)
        for (int i = 0; SUCCEEDED(hr) && i < STATE_HITS; i++)
            hr = find_hit(parts, group, i);
    return hr;
}

/* ---- what must be there, and the same everywhere ---- */

static HRESULT check_same(struct state_parts *parts, enum state_aspect aspect, const char *text)
{
    const struct state_value *first = NULL;
    for (const struct state_export *e = parts->exports; e; e = e->next) {
        const struct state_value *value = &e->values[aspect];
        if (!state_value_is_there(value))
            continue;
        if (first && first->value != value->value)
            return state_parts_fail(parts, text);
        first = value;
    }
    if (aspect != ASPECT_NODE_MASK || !first)
        return S_OK;
    for (const struct state_export *e = parts->exports; e; e = e->next)
        if (!state_value_is_there(&e->values[aspect]))
            return state_parts_fail(parts, "a node mask for some of the exports only");
    return S_OK;
}

static HRESULT check_complete(struct state_parts *parts, struct state_export *export)
{
    const char *missing = NULL;
    if (!state_export_is_entry(export))
        return S_OK;
    if (!state_value_is_there(&export->values[ASPECT_SHADER_CONFIG]))
        missing = "an export without a shader config";
    if (!state_value_is_there(&export->values[ASPECT_PIPELINE_CONFIG]))
        missing = "an export without a pipeline config";
    for (int i = 0; i < STATE_HITS; i++)
        if (export->hits[i].import && !export->hits[i].is_found)
            missing = "a hit group with a shader that isn't there";
    export->is_complete = !missing;
    const bool may_wait = !parts->is_pipeline && (parts->flags & DEFERRED) != 0;
    return !missing || may_wait ? S_OK : state_parts_fail(parts, missing);
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
    for (struct state_export *e = parts->exports; SUCCEEDED(hr) && e; e = e->next)
        hr = check_complete(parts, e);
    return hr;
}
