/* Reads a description subobject by subobject. link.c checks what depends on several subobjects. */
#include "device/device.h"
#include "root_signature/root_signature.h"
#include "state_object/state_object.h"

struct reader {
    struct state_parts *parts;
    struct d3d12_device *device;
    const D3D12_STATE_OBJECT_DESC *desc;
};

static HRESULT define(const struct reader *reader, HRESULT hr, enum state_aspect aspect,
                      const uint64_t *value, const D3D12_STATE_SUBOBJECT *source)
{
    return SUCCEEDED(hr) ? state_parts_define(reader->parts, aspect, *value, source, NULL) : hr;
}

static HRESULT read_root(const struct reader *reader, enum state_aspect aspect,
                         ID3D12RootSignature *iface, const D3D12_STATE_SUBOBJECT *source)
{
    struct d3d12_root_signature *signature = d3d12_root_signature_from(iface);
    if (!signature || signature->child.device != reader->device)
        return state_parts_fail(reader->parts, "no root signature of this device");
    const bool is_local =
        (signature->layout.flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0;
    if (is_local != (aspect == ASPECT_LOCAL_ROOT))
        return state_parts_fail(reader->parts,
                                is_local ? "a local root signature where a global one belongs"
                                         : "a global root signature where a local one belongs");
    const HRESULT hr = state_parts_hold(reader->parts, &signature->child);
    return define(reader, hr, aspect, &signature->digest, source);
}

static HRESULT read_node_mask(const struct reader *reader, UINT mask,
                              const D3D12_STATE_SUBOBJECT *source)
{
    const uint64_t value = 1;
    if (mask > 1)
        return state_parts_fail(reader->parts, "a node mask with nodes that the device hasn't");
    return define(reader, S_OK, ASPECT_NODE_MASK, &value, source);
}

static HRESULT read_hit_group(const struct reader *reader, const D3D12_HIT_GROUP_DESC *desc)
{
    const WCHAR *const imports[STATE_HITS] = {
        desc->IntersectionShaderImport, desc->AnyHitShaderImport, desc->ClosestHitShaderImport};
    return state_parts_add_hit_group(reader->parts, desc->HitGroupExport, (uint32_t)desc->Type,
                                     imports);
}

/* ---- collections ---- */

/* All that was decided in the collection stays so. */
static HRESULT add_from_collection(struct state_parts *parts, const struct state_parts *collection,
                                   const WCHAR *name, const struct state_export *from)
{
    HRESULT hr = state_parts_copy(parts, name, from);
    if (FAILED(hr))
        return hr;
    struct state_export *export = parts->exports;
    export->scope = 0;
    export->is_importable =
        (collection->flags &
         D3D12_STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS) != 0;
    for (int i = 0; i < STATE_ASPECTS; i++)
        if (state_value_is_there(&export->values[i]))
            export->values[i].level = LEVEL_COLLECTION;
        else
            export->values[i] = (struct state_value){0};
    export->values[ASPECT_CONFIG].level = LEVEL_NONE; /* each state object's own */
    return S_OK;
}

static HRESULT add_listed(struct state_parts *parts, const struct state_parts *collection,
                          const D3D12_EXPORT_DESC *desc)
{
    if (!desc->Name || desc->Flags != D3D12_EXPORT_FLAG_NONE)
        return state_parts_fail(parts, "an export without a name, or with flags");
    const struct state_export *from = state_parts_find(
        collection, desc->ExportToRename != NULL ? desc->ExportToRename : desc->Name);
    if (!from)
        return state_parts_fail(parts, "an export that its collection hasn't");
    return add_from_collection(parts, collection, desc->Name, from);
}

static HRESULT read_collection(const struct reader *reader,
                               const D3D12_EXISTING_COLLECTION_DESC *desc)
{
    struct state_parts *parts = reader->parts;
    struct d3d12_state_object *object = d3d12_state_object_from(desc->pExistingCollection);
    if (!parts->is_pipeline)
        return state_parts_fail(parts, "a collection within a collection");
    if (!object || object->child.device != reader->device || object->parts.is_pipeline)
        return state_parts_fail(parts, "no collection of this device");
    if (desc->NumExports != 0 && !desc->pExports)
        return state_parts_fail(parts, "a collection with a number of exports and no exports");
    if ((object->parts.flags & D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS) == 0)
        parts->is_final = true;
    HRESULT hr = state_parts_hold(parts, &object->child);
    for (UINT i = 0; SUCCEEDED(hr) && i < desc->NumExports; i++)
        hr = add_listed(parts, &object->parts, &desc->pExports[i]);
    if (desc->NumExports != 0)
        return hr;
    const struct state_export *export = object->parts.exports;
    for (; SUCCEEDED(hr) && export; export = export->next)
        hr = add_from_collection(parts, &object->parts, export->name, export);
    return hr;
}

/* ---- associations ---- */

static bool can_be_associated(D3D12_STATE_SUBOBJECT_TYPE type)
{
    return type <= D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK ||
           type == D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG ||
           type == D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG ||
           type == D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG1;
}

/* Looked at by its address alone: it may be anywhere. */
static bool is_of_description(const D3D12_STATE_OBJECT_DESC *desc,
                              const D3D12_STATE_SUBOBJECT *subobject)
{
    const uintptr_t at = (uintptr_t)subobject, first = (uintptr_t)desc->pSubobjects;
    return at >= first && (at - first) % sizeof *subobject == 0 &&
           (at - first) / sizeof *subobject < desc->NumSubobjects;
}

static HRESULT associate(const struct reader *reader, const D3D12_STATE_SUBOBJECT *source,
                         const WCHAR *definition, UINT count, LPCWSTR *exports)
{
    HRESULT hr = S_OK;
    if (count == 0)
        return state_parts_associate(reader->parts, source, definition, NULL);
    if (!exports)
        return state_parts_fail(reader->parts, "an association with a number of exports and none");
    for (UINT i = 0; SUCCEEDED(hr) && i < count; i++)
        hr = exports[i] == NULL
                 ? state_parts_fail(reader->parts, "an association with an export without a name")
                 : state_parts_associate(reader->parts, source, definition, exports[i]);
    return hr;
}

static HRESULT read_association(const struct reader *reader,
                                const D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION *desc)
{
    const D3D12_STATE_SUBOBJECT *source = desc->pSubobjectToAssociate;
    if (!source || !is_of_description(reader->desc, source))
        return state_parts_fail(reader->parts,
                                "an association of a subobject that isn't among them");
    if (!can_be_associated(source->Type))
        return state_parts_fail(reader->parts, "an association of what has no associations");
    return associate(reader, source, NULL, desc->NumExports, desc->pExports);
}

static HRESULT read_library_association(const struct reader *reader,
                                        const D3D12_DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION *desc)
{
    if (!desc->SubobjectToAssociate)
        return state_parts_fail(reader->parts, "an association of a subobject without a name");
    return associate(reader, NULL, desc->SubobjectToAssociate, desc->NumExports, desc->pExports);
}

/* ---- all of them ---- */

static HRESULT read_config(const struct reader *reader, const D3D12_STATE_SUBOBJECT *subobject)
{
    const D3D12_RAYTRACING_SHADER_CONFIG *shader = subobject->pDesc;
    const D3D12_RAYTRACING_PIPELINE_CONFIG *pipeline = subobject->pDesc;
    const D3D12_RAYTRACING_PIPELINE_CONFIG1 *pipeline1 = subobject->pDesc;
    const D3D12_STATE_OBJECT_CONFIG *config = subobject->pDesc;
    enum state_aspect aspect = ASPECT_PIPELINE_CONFIG;
    uint64_t value = 0;
    HRESULT hr;
    switch (subobject->Type) {
    case D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG:
        aspect = ASPECT_CONFIG;
        hr = state_value_of_flags(reader->parts, (uint32_t)config->Flags, &value);
        break;
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG:
        aspect = ASPECT_SHADER_CONFIG;
        hr = state_value_of_shader_config(reader->parts, shader->MaxPayloadSizeInBytes,
                                          shader->MaxAttributeSizeInBytes, &value);
        break;
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG:
        hr = state_value_of_pipeline_config(reader->parts, pipeline->MaxTraceRecursionDepth, 0,
                                            &value);
        break;
    default:
        hr = state_value_of_pipeline_config(reader->parts, pipeline1->MaxTraceRecursionDepth,
                                            (uint32_t)pipeline1->Flags, &value);
    }
    return define(reader, hr, aspect, &value, subobject);
}

static HRESULT read_subobject(const struct reader *reader, const D3D12_STATE_SUBOBJECT *subobject)
{
    const void *desc = subobject->pDesc;
    if (!desc)
        return state_parts_fail(reader->parts, "a subobject without a description");
    switch (subobject->Type) {
    case D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG:
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG:
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG:
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG1:
        return read_config(reader, subobject);
    case D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE:
        return read_root(reader, ASPECT_GLOBAL_ROOT,
                         ((const D3D12_GLOBAL_ROOT_SIGNATURE *)desc)->pGlobalRootSignature,
                         subobject);
    case D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE:
        return read_root(reader, ASPECT_LOCAL_ROOT,
                         ((const D3D12_LOCAL_ROOT_SIGNATURE *)desc)->pLocalRootSignature,
                         subobject);
    case D3D12_STATE_SUBOBJECT_TYPE_NODE_MASK:
        return read_node_mask(reader, ((const D3D12_NODE_MASK *)desc)->NodeMask, subobject);
    case D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY:
        return state_parts_read_library(reader->parts, desc);
    case D3D12_STATE_SUBOBJECT_TYPE_EXISTING_COLLECTION:
        return read_collection(reader, desc);
    case D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION:
        return read_association(reader, desc);
    case D3D12_STATE_SUBOBJECT_TYPE_DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION:
        return read_library_association(reader, desc);
    case D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP:
        return read_hit_group(reader, desc);
    default:
        return state_parts_fail(reader->parts, "a subobject of an unknown type");
    }
}

HRESULT state_parts_read(struct state_parts *parts, struct d3d12_device *device,
                         const D3D12_STATE_OBJECT_DESC *desc)
{
    const struct reader reader = {parts, device, desc};
    HRESULT hr = S_OK;
    if (!desc)
        return state_parts_fail(parts, "no description");
    if (desc->Type != D3D12_STATE_OBJECT_TYPE_COLLECTION &&
        desc->Type != D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE)
        return state_parts_fail(parts, "a state object of an unknown type");
    if (desc->NumSubobjects != 0 && !desc->pSubobjects)
        return state_parts_fail(parts, "a number of subobjects and no subobjects");
    parts->is_pipeline = desc->Type == D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE;
    for (UINT i = 0; SUCCEEDED(hr) && i < desc->NumSubobjects; i++)
        hr = read_subobject(&reader, &desc->pSubobjects[i]);
    return hr;
}
