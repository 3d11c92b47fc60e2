#include "state_object/state_object.h"

#include "base/bytes.h"
#include "base/wide.h"
#include "containers.h"
#include "device/device.h"
#include "gate.h"
#include "root_signature/root_signature.h"

#define UNKNOWN_SIZE UINT64_C(0xffffffff)
#define STACK_SIZE   64u /* every shader's */

struct state_identifier {
    struct state_identifier *next;
    unsigned char bytes[D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES];
};

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

/* Never all zeros, which means no shader. The lock is held; NULL: no memory. */
static struct state_identifier *identify(struct d3d12_state_object *object, const WCHAR *name)
{
    struct state_identifier *found, wanted = {.next = NULL};
    struct byte_writer writer = {wanted.bytes, 0};
    put_u64(&writer, object->number);
    put_u64(&writer, hash_bytes(HASH_BEGIN, name, wide_length(name) * sizeof(WCHAR)));
    LL_FOREACH(object->identifiers, found)
    {
        if (memcmp(found->bytes, wanted.bytes, sizeof found->bytes) == 0)
            return found;
    }
    found = malloc(sizeof *found);
    if (found) {
        *found = wanted;
        LL_PREPEND(object->identifiers, found);
    }
    return found;
}

static void *STDMETHODCALLTYPE
d3d12_state_properties_GetShaderIdentifier(ID3D12StateObjectProperties *iface, LPCWSTR name)
{
    struct d3d12_state_object *object = impl_from_ID3D12StateObjectProperties(iface);
    struct state_identifier *found = NULL;
    if (name) {
        emu_lock(&object->lock);
        found = identify(object, name);
        emu_unlock(&object->lock);
    }
    if (found)
        return found->bytes;
    d3d12_child_error(&object->child, D3D12_MESSAGE_ID_GET_SHADER_IDENTIFIER_ERROR,
                      "ID3D12StateObjectProperties::GetShaderIdentifier: %s",
                      name ? "no memory" : "no name");
    return NULL;
}

static UINT64 STDMETHODCALLTYPE
d3d12_state_properties_GetShaderStackSize(ID3D12StateObjectProperties *iface, LPCWSTR name)
{
    if (name)
        return STACK_SIZE;
    d3d12_child_error(
        &impl_from_ID3D12StateObjectProperties(iface)->child,
        D3D12_MESSAGE_ID_GET_SHADER_STACK_SIZE_ERROR,
        "ID3D12StateObjectProperties::GetShaderStackSize: pExportName must not be NULL");
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
    if (object->is_pipeline && size < UNKNOWN_SIZE)
        atomic_store_explicit(&object->stack_size, size, memory_order_relaxed);
    else
        d3d12_child_error(&object->child, D3D12_MESSAGE_ID_SET_PIPELINE_STACK_SIZE_ERROR,
                          "ID3D12StateObjectProperties::SetPipelineStackSize: %s",
                          object->is_pipeline ? "the size must be below 2^32"
                                              : "the state object must be a pipeline");
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
    struct d3d12_state_object *object = container_of(child, struct d3d12_state_object, child);
    struct state_identifier *identifier, *next;
    LL_FOREACH_SAFE(object->identifiers, identifier, next)
    {
        free(identifier);
    }
    pthread_mutex_destroy(&object->lock);
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

D3D12_CHILD_FROM(d3d12_state_object, ID3D12StateObject, state_object_class)

/* ---- descriptions: what is wrong with one, or NULL ---- */

static const char *check_root(struct d3d12_device *device, ID3D12RootSignature *iface,
                              bool is_local)
{
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(iface);
    if (!signature || signature->child.device != device)
        return "the subobject must name a root signature of this device";
    if (is_local !=
        ((signature->layout.flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0))
        return is_local ? "the subobject needs a local root signature; this one is global"
                        : "the subobject needs a global root signature; this one is local";
    return NULL;
}

static const char *check_collection(struct d3d12_device *device, ID3D12StateObject *iface)
{
    const struct d3d12_state_object *object = d3d12_state_object_from(iface);
    return object && object->child.device == device && !object->is_pipeline
               ? NULL
               : "the subobject must name a collection of this device";
}

static UINT breaks_of(D3D12_STATE_OBJECT_FLAGS flags)
{
    return (UINT)flags & (UINT)(D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_ALWAYS_HALT |
                                D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_FORCE_NOP);
}

static const char *read_flags(const D3D12_STATE_OBJECT_CONFIG *config,
                              D3D12_STATE_OBJECT_FLAGS *flags)
{
    const UINT known = D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_ALWAYS_HALT |
                       D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_FORCE_NOP |
                       D3D12_STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS |
                       D3D12_STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS |
                       D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS;
    *flags = config->Flags;
    if (breaks_of(config->Flags) == breaks_of((D3D12_STATE_OBJECT_FLAGS)known))
        return "Flags must not have DEBUG_BREAK_ALWAYS_HALT together with DEBUG_BREAK_FORCE_NOP";
    return ((UINT)config->Flags & ~known) == 0 ? NULL
                                               : "the state object's Flags has unknown flags";
}

static const char *read_subobject(struct d3d12_state_object *object, struct d3d12_device *device,
                                  const D3D12_STATE_SUBOBJECT *subobject)
{
    const void *desc = subobject->pDesc;
    if (!desc)
        return "a subobject's pDesc must not be NULL";
    switch (subobject->Type) {
    case D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG:
        return read_flags(desc, &object->flags);
    case D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE:
        return check_root(device, ((const D3D12_GLOBAL_ROOT_SIGNATURE *)desc)->pGlobalRootSignature,
                          false);
    case D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE:
        return check_root(device, ((const D3D12_LOCAL_ROOT_SIGNATURE *)desc)->pLocalRootSignature,
                          true);
    case D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION:
        return check_collection(
            device, ((const D3D12_EXISTING_COLLECTION_DESC *)desc)->pExistingCollection);
    case D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK:
        return ((const D3D12_NODE_MASK *)desc)->NodeMask <= 1
                   ? NULL
                   : "a NodeMask must be 0 or 1: the adapter has one node";
    case D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY:
    case D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION:
    case D3D12_STATE_SUBOBJECT_TYPE_DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION:
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG:
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG:
    case D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP:
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG1:
        return NULL;
    default:
        return "a subobject's Type must be a D3D12_STATE_SUBOBJECT_TYPE";
    }
}

/* All of a state object halts at debug breaks, or nothing [Shader Debug Break v0.04]. */
static const char *check_collections(const struct d3d12_state_object *object,
                                     const D3D12_STATE_OBJECT_DESC *desc)
{
    for (UINT i = 0; i < desc->NumSubobjects; i++)
        if (desc->pSubobjects[i].Type == D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION) {
            const D3D12_EXISTING_COLLECTION_DESC *existing = desc->pSubobjects[i].pDesc;
            if (breaks_of(d3d12_state_object_from(existing->pExistingCollection)->flags) !=
                breaks_of(object->flags))
                return "collections must have the debug break flags of the state object";
        }
    return NULL;
}

static const char *read_desc(struct d3d12_state_object *object, struct d3d12_device *device,
                             const D3D12_STATE_OBJECT_DESC *desc)
{
    const char *error = NULL;
    if (!desc)
        return "the description must not be NULL";
    if (desc->Type != D3D12_STATE_OBJECT_TYPE_COLLECTION &&
        desc->Type != D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE)
        return "Type must be a D3D12_STATE_OBJECT_TYPE";
    if (desc->NumSubobjects != 0 && !desc->pSubobjects)
        return "NumSubobjects is above 0, but pSubobjects is NULL";
    object->is_pipeline = desc->Type == D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE;
    for (UINT i = 0; !error && i < desc->NumSubobjects; i++)
        error = read_subobject(object, device, &desc->pSubobjects[i]);
    return error ? error : check_collections(object, desc);
}

HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out)
{
    static atomic_uint_fast64_t numbers = 1;
    struct d3d12_state_object *object =
        d3d12_child_begin(device, &state_object_class, sizeof *object);
    if (!object)
        return E_OUTOFMEMORY;
    pthread_mutex_init(&object->lock, NULL);
    object->properties.lpVtbl = &d3d12_state_properties_vtable;
    object->number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed);
    const char *error = read_desc(object, device, desc);
    object->stack_size = object->is_pipeline ? STACK_SIZE : 0;
    if (error)
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR,
                           "ID3D12Device::CreateStateObject: %s", error);
    *out = object;
    return d3d12_child_end(&object->child, error ? E_INVALIDARG : S_OK);
}
