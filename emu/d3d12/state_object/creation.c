#include "state_object/creation.h"

#include "base/dxbc.h"
#include "base/wide.h"
#include "device/device.h"

/* ---- what a pipeline is as a whole ---- */

/* The same for all exports; of a pipeline without any, its subobject's, or 0. */
static uint64_t pipeline_config_of(const struct state_parts *parts)
{
    for (const struct state_export *e = parts->exports; e; e = e->next)
        if (state_value_is_there(&e->values[ASPECT_PIPELINE_CONFIG]))
            return e->values[ASPECT_PIPELINE_CONFIG].value;
    for (const struct state_definition *d = parts->definitions; d; d = d->next)
        if (d->aspect == ASPECT_PIPELINE_CONFIG)
            return d->value;
    return 0;
}

static uint32_t kernel_of(const struct state_parts *parts)
{
    for (const struct state_export *e = parts->exports; e; e = e->next)
        if (e->kernel != 0)
            return e->kernel;
    return 0;
}

static UINT64 larger(UINT64 a, UINT64 b)
{
    return a > b ? a : b;
}

/* The default of the DXR specification, "Pipeline stack". */
static UINT64 default_stack_size(const struct state_parts *parts, uint32_t depth)
{
    UINT64 generation = 0, miss = 0, callable = 0, hits[STATE_HITS] = {0};
    for (const struct state_export *e = parts->exports; e; e = e->next) {
        if (e->kind == DXIL_RAY_GENERATION)
            generation = larger(generation, e->stack);
        if (e->kind == DXIL_MISS)
            miss = larger(miss, e->stack);
        if (e->kind == DXIL_CALLABLE)
            callable = larger(callable, e->stack);
        for (int i = 0; i < STATE_HITS; i++)
            hits[i] = larger(hits[i], e->hits[i].stack);
    }
    const UINT64 traced = larger(hits[DXIL_CLOSEST_HIT - DXIL_INTERSECTION], miss);
    const UINT64 searched = hits[0] + hits[DXIL_ANY_HIT - DXIL_INTERSECTION];
    return generation + larger(traced, searched) * (depth > 0 ? 1 : 0) +
           traced * (depth > 0 ? depth - 1 : 0) + 2 * callable;
}

/* Never the same twice in a process, and never all zeros, which means no shader. A part that was
 * whole in a collection has one already, which stays. */
static void identify(struct state_parts *parts)
{
    static atomic_uint_fast64_t next = 1;
    for (struct state_export *e = parts->exports; e; e = e->next) {
        struct byte_writer writer = {e->identifier, 0};
        if (e->is_identified)
            continue;
        e->is_identified = e->is_complete;
        const uint64_t serial = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
        put_u32(&writer, DXBC_TAG('E', 'M', 'U', 'S'));
        put_u32(&writer, e->kind);
        put_u64(&writer, serial);
        put_u64(&writer, hash_bytes(HASH_BEGIN, e->name, wide_length(e->name) * sizeof(WCHAR)));
        put_u64(&writer, 0);
    }
}

/* ---- creation ---- */

/* `hr`: how the preparation went; E_INVALIDARG is told. On failure the object is gone. */
static HRESULT finish_creation(HRESULT hr, struct d3d12_device *device,
                               struct d3d12_state_object *object, int id, const char *method,
                               struct d3d12_state_object **out)
{
    if (hr == E_INVALIDARG)
        d3d12_device_error(device, id, "%s: %s", method, object->parts.error);
    object->kernel = kernel_of(&object->parts);
    *out = object;
    return d3d12_child_end(&object->child, hr);
}

/* A description on its own, read and linked; on failure only state_parts_finish is left to do. */
static HRESULT prepare(struct d3d12_state_object *object, struct d3d12_device *device,
                       const D3D12_STATE_OBJECT_DESC *desc)
{
    HRESULT hr = state_parts_read(&object->parts, device, desc);
    if (SUCCEEDED(hr))
        hr = state_parts_link(&object->parts);
    if (FAILED(hr))
        return hr;
    identify(&object->parts);
    object->pipeline_config = pipeline_config_of(&object->parts);
    return S_OK;
}

HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out)
{
    struct d3d12_state_object *object = d3d12_state_object_begin(device);
    if (!object)
        return E_OUTOFMEMORY;
    const HRESULT hr = prepare(object, device, desc);
    if (SUCCEEDED(hr) && object->parts.is_pipeline)
        object->stack_size =
            default_stack_size(&object->parts, state_recursion_depth(object->pipeline_config));
    return finish_creation(hr, device, object, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR,
                           "ID3D12Device5::CreateStateObject", out);
}

/* ---- growth ---- */

static bool may_grow(const struct state_parts *parts)
{
    return parts->is_pipeline &&
           (parts->flags & D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS) != 0;
}

static HRESULT inherit(struct state_parts *parts, const struct state_parts *from)
{
    HRESULT hr = S_OK;
    for (const struct state_hold *hold = from->holds; SUCCEEDED(hr) && hold; hold = hold->next)
        hr = state_parts_hold(parts, hold->child);
    for (const struct state_export *e = from->exports; SUCCEEDED(hr) && e; e = e->next)
        /* what rays can't enter may be there again, with another content */
        if (state_export_is_entry(e) || !state_parts_find(parts, e->name))
            hr = state_parts_copy(parts, e->name, e);
    return hr;
}

static bool agree(const struct d3d12_state_object *a, const struct d3d12_state_object *b,
                  enum state_aspect aspect)
{
    for (const struct state_export *x = a->parts.exports; x; x = x->next)
        for (const struct state_export *y = b->parts.exports; y; y = y->next)
            if (state_value_is_there(&x->values[aspect]) &&
                state_value_is_there(&y->values[aspect]))
                return x->values[aspect].value == y->values[aspect].value;
    return true;
}

static HRESULT prepare_growth(struct d3d12_state_object *object, struct d3d12_device *device,
                              const D3D12_STATE_OBJECT_DESC *desc,
                              const struct d3d12_state_object *from)
{
    struct state_parts *parts = &object->parts;
    if (!from || from->child.device != device)
        return state_parts_fail(parts, "no state object of this device to grow from");
    HRESULT hr = prepare(object, device, desc);
    if (FAILED(hr))
        return hr;
    if (!may_grow(&from->parts) || !may_grow(parts))
        return state_parts_fail(parts, "not two pipelines that both allow additions");
    if (object->pipeline_config != from->pipeline_config ||
        !agree(object, from, ASPECT_SHADER_CONFIG) || !agree(object, from, ASPECT_NODE_MASK))
        return state_parts_fail(parts, "configs or node masks that differ from the existing ones");
    return inherit(parts, &from->parts);
}

HRESULT d3d12_state_object_grow(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                ID3D12StateObject *iface, struct d3d12_state_object **out)
{
    struct d3d12_state_object *from = d3d12_state_object_from(iface);
    struct d3d12_state_object *object = d3d12_state_object_begin(device);
    if (!object)
        return E_OUTOFMEMORY;
    const HRESULT hr = prepare_growth(object, device, desc, from);
    if (SUCCEEDED(hr))
        object->stack_size = atomic_load_explicit(&from->stack_size, memory_order_relaxed);
    return finish_creation(hr, device, object, D3D12_MESSAGE_ID_ADD_TO_STATE_OBJECT_ERROR,
                           "ID3D12Device7::AddToStateObject", out);
}
