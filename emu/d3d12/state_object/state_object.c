#include "state_object/state_object.h"

#include "device/device.h"
#include "root_signature/root_signature.h"

D3D12_CHILD_METHODS(d3d12_state_object, ID3D12StateObject)

static CONST_VTBL ID3D12StateObjectVtbl d3d12_state_object_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_state_object),
};

static const struct d3d12_child_class state_object_class = {
    .kind = D3D12DDI_HT_STATE_OBJECT,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12StateObject, NULL},
    .methods = &d3d12_state_object_vtable,
};

D3D12_CHILD_FROM(d3d12_state_object, ID3D12StateObject, state_object_class)

/* ---- checks of descriptions: each returns the mistake, or NULL ---- */

static const char *check_root(struct d3d12_device *device, ID3D12RootSignature *iface,
                              bool is_local)
{
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(iface);
    if (!signature || signature->child.device != device)
        return "the subobject's root signature must be of this device";
    if (is_local !=
        ((signature->layout.flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0))
        return is_local ? "the subobject's root signature must be local, not global"
                        : "the subobject's root signature must be global, not local";
    return NULL;
}

static const char *check_collection(struct d3d12_device *device, ID3D12StateObject *iface)
{
    const struct d3d12_state_object *object = d3d12_state_object_from(iface);
    return object && object->child.device == device && !object->is_pipeline
               ? NULL
               : "the subobject's pExistingCollection must be a collection of this device";
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

/* Either the whole state object halts at debug breaks, or nothing [Shader Debug Break v0.04]. */
static const char *check_collections(const struct d3d12_state_object *object,
                                     const D3D12_STATE_OBJECT_DESC *desc)
{
    for (UINT i = 0; i < desc->NumSubobjects; i++)
        if (desc->pSubobjects[i].Type == D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION) {
            const D3D12_EXISTING_COLLECTION_DESC *existing = desc->pSubobjects[i].pDesc;
            if (breaks_of(d3d12_state_object_from(existing->pExistingCollection)->flags) !=
                breaks_of(object->flags))
                return "collections must have the same debug break flags as the state object";
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
    struct d3d12_state_object *object =
        d3d12_child_begin(device, &state_object_class, sizeof *object);
    if (!object)
        return E_OUTOFMEMORY;
    const char *error = read_desc(object, device, desc);
    if (error)
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_STATE_OBJECT_ERROR,
                           "ID3D12Device::CreateStateObject: %s", error);
    *out = object;
    return d3d12_child_end(&object->child, error ? E_INVALIDARG : S_OK);
}
