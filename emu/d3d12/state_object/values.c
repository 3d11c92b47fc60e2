/* The contents of subobjects that are the same in a description and in a DXIL library. */
#include "state_object/state_parts.h"

#define FLAGS                                                                                      \
    (D3D12_STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS |                    \
     D3D12_STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS |                    \
     D3D12_STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS)
#define SKIP_BOTH                                                                                  \
    (D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES |                                               \
     D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES)

HRESULT state_value_of_flags(struct state_parts *parts, uint32_t flags, uint64_t *value)
{
    if ((flags & ~(uint32_t)FLAGS) != 0)
        return state_parts_fail(parts, "unknown state object flags");
    *value = flags;
    return S_OK;
}

HRESULT state_value_of_shader_config(struct state_parts *parts, uint32_t payload,
                                     uint32_t attributes, uint64_t *value)
{
    if (attributes > D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES)
        return state_parts_fail(parts, "a shader config with more than 32 bytes of attributes");
    *value = (uint64_t)payload << 32 | attributes;
    return S_OK;
}

HRESULT state_value_of_pipeline_config(struct state_parts *parts, uint32_t depth, uint32_t flags,
                                       uint64_t *value)
{
    if (depth > D3D12_RAYTRACING_MAX_DECLARABLE_TRACE_RECURSION_DEPTH)
        return state_parts_fail(parts, "a pipeline config with a recursion depth above 31");
    if ((flags & ~(uint32_t)SKIP_BOTH) != 0 || flags == SKIP_BOTH)
        return state_parts_fail(parts,
                                "a pipeline config with unknown flags, or skipping everything");
    *value = (uint64_t)depth << 32 | flags;
    return S_OK;
}
