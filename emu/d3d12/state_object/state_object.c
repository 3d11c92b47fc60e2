#include "state_object/state_object.h"

#include "base/wide.h"
#include "device/device.h"

#define UNKNOWN_SIZE UINT64_C(0xffffffff)

D3D12_CHILD_METHODS(d3d12_state_object, ID3D12StateObject)

static CONST_VTBL ID3D12StateObjectVtbl d3d12_state_object_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_state_object),
};

/* ---- ID3D12StateObjectProperties ---- */

static inline struct d3d12_state_object *
impl_from_ID3D12StateObjectProperties(ID3D12StateObjectProperties *iface)
{
    return container_of(iface, struct d3d12_state_object, properties);
}

COM_FACE(d3d12_state_properties, ID3D12StateObjectProperties,
         impl_from_ID3D12StateObjectProperties(iface)->child.iface)

static void *STDMETHODCALLTYPE
d3d12_state_properties_GetShaderIdentifier(ID3D12StateObjectProperties *iface, LPCWSTR name)
{
    struct d3d12_state_object *object = impl_from_ID3D12StateObjectProperties(iface);
    struct state_export *export = name != NULL ? state_parts_find(&object->parts, name) : NULL;
    if (export && export->is_complete)
        return export->identifier;
    d3d12_child_error(
        &object->child, D3D12_MESSAGE_ID_GET_SHADER_IDENTIFIER_ERROR,
        "ID3D12StateObjectProperties::GetShaderIdentifier: %s",
        export == NULL ? "no such export"
        : state_export_is_entry(export)
            ? "the export has unresolved references"
            : "the export is no ray generation, miss or callable shader or hit group");
    return NULL;
}

/* The shader of a hit group, of whose name this is all: "group::anyhit". */
static const struct state_hit *find_hit(const struct state_parts *parts, const WCHAR *name)
{
    static const WCHAR *const suffixes[STATE_HITS] = {L"::intersection", L"::anyhit",
                                                      L"::closesthit"};
    const size_t length = wide_length(name);
    for (int i = 0; i < STATE_HITS; i++) {
        const size_t suffix = wide_length(suffixes[i]);
        if (length < suffix || !wide_same(name + (length - suffix), suffixes[i]))
            continue;
        for (const struct state_export *e = parts->exports; e; e = e->next)
            if (e->is_complete && wide_length(e->name) == length - suffix &&
                memcmp(e->name, name, (length - suffix) * sizeof *name) == 0)
                return e->hits[i].is_found ? &e->hits[i] : NULL;
    }
    return NULL;
}

static UINT64 STDMETHODCALLTYPE
d3d12_state_properties_GetShaderStackSize(ID3D12StateObjectProperties *iface, LPCWSTR name)
{
    struct d3d12_state_object *object = impl_from_ID3D12StateObjectProperties(iface);
    const struct state_export *export = name ? state_parts_find(&object->parts, name) : NULL;
    const struct state_hit *hit = name != NULL ? find_hit(&object->parts, name) : NULL;
    if (hit)
        return hit->stack;
    if (export && export->is_complete && export->kind != DXIL_HIT_GROUP)
        return export->stack;
    d3d12_child_error(&object->child, D3D12_MESSAGE_ID_GET_SHADER_STACK_SIZE_ERROR,
                      "ID3D12StateObjectProperties::GetShaderStackSize: %s",
                      export == NULL ? "no such export" : "the export has no stack size");
    return UNKNOWN_SIZE;
}

static UINT64 STDMETHODCALLTYPE
d3d12_state_properties_GetPipelineStackSize(ID3D12StateObjectProperties *iface)
{
    return atomic_load_explicit(&impl_from_ID3D12StateObjectProperties(iface)->stack_size,
                                memory_order_relaxed);
}

static void STDMETHODCALLTYPE
d3d12_state_properties_SetPipelineStackSize(ID3D12StateObjectProperties *iface, UINT64 size)
{
    struct d3d12_state_object *object = impl_from_ID3D12StateObjectProperties(iface);
    if (object->parts.is_pipeline && size < UNKNOWN_SIZE)
        atomic_store_explicit(&object->stack_size, size, memory_order_relaxed);
    else
        d3d12_child_error(&object->child, D3D12_MESSAGE_ID_SET_PIPELINE_STACK_SIZE_ERROR,
                          "ID3D12StateObjectProperties::SetPipelineStackSize: %s",
                          object->parts.is_pipeline ? "the size is above 32 bits"
                                                    : "the state object is no pipeline");
}

static CONST_VTBL ID3D12StateObjectPropertiesVtbl d3d12_state_properties_vtable = {
    COM_FACE_ENTRIES(d3d12_state_properties),
    .GetShaderIdentifier = d3d12_state_properties_GetShaderIdentifier,
    .GetShaderStackSize = d3d12_state_properties_GetShaderStackSize,
    .GetPipelineStackSize = d3d12_state_properties_GetPipelineStackSize,
    .SetPipelineStackSize = d3d12_state_properties_SetPipelineStackSize,
};

/* ---- life ---- */

static void state_object_release(struct d3d12_child *child)
{
    state_parts_finish(&container_of(child, struct d3d12_state_object, child)->parts);
}

static void *state_object_other(struct d3d12_child *child, const IID *riid)
{
    return com_same(riid, &IID_ID3D12StateObjectProperties)
               ? &container_of(child, struct d3d12_state_object, child)->properties
               : NULL;
}

static const struct d3d12_child_class state_object_class = {
    .kind = D3D12DDI_HT_STATE_OBJECT,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12StateObject, NULL},
    .other = state_object_other,
    .methods = &d3d12_state_object_vtable,
    .release = state_object_release,
};

struct d3d12_state_object *d3d12_state_object_from(ID3D12StateObject *iface)
{
    return d3d12_child_of(iface, &state_object_class);
}

struct d3d12_state_object *d3d12_state_object_begin(struct d3d12_device *device)
{
    struct d3d12_state_object *object =
        d3d12_child_begin(device, &state_object_class, sizeof *object);
    if (object)
        object->properties.lpVtbl = &d3d12_state_properties_vtable;
    return object;
}
