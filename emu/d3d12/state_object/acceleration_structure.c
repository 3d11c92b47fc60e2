#include "state_object/acceleration_structure.h"

#include "base/bytes.h"
#include "device/device.h"
#include "pipeline/pipeline_blob.h"

/* Bytes; a header, and what each geometry, primitive and instance adds to the result and to scratch
 * memory. */
#define HEADER    UINT64_C(256)
#define GEOMETRY  UINT64_C(64)
#define PRIMITIVE UINT64_C(64)
#define INSTANCE  UINT64_C(128)
#define UPDATABLE UINT64_C(16) /* more for each primitive or instance that may be updated */
#define SCRATCH   UINT64_C(32)

struct counts {
    uint64_t geometries, primitives;
};

#define BUILD_FLAG(name) ((UINT)D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_##name)

static const char *check_flags(UINT flags)
{
    const UINT known = BUILD_FLAG(ALLOW_UPDATE) | BUILD_FLAG(ALLOW_COMPACTION) |
                       BUILD_FLAG(PREFER_FAST_TRACE) | BUILD_FLAG(PREFER_FAST_BUILD) |
                       BUILD_FLAG(MINIMIZE_MEMORY) | BUILD_FLAG(PERFORM_UPDATE);
    const UINT both = BUILD_FLAG(PREFER_FAST_TRACE) | BUILD_FLAG(PREFER_FAST_BUILD);
    if ((flags & ~known) != 0)
        return "unknown flags";
    return (flags & both) == both ? "both a fast trace and a fast build preferred" : NULL;
}

static bool is_vertex_format(DXGI_FORMAT format)
{
    switch (format) {
    case DXGI_FORMAT_R32G32_FLOAT:
    case DXGI_FORMAT_R32G32B32_FLOAT:
    case DXGI_FORMAT_R16G16_FLOAT:
    case DXGI_FORMAT_R16G16B16A16_FLOAT:
    case DXGI_FORMAT_R16G16_SNORM:
    case DXGI_FORMAT_R16G16B16A16_SNORM:
    case DXGI_FORMAT_R16G16B16A16_UNORM:
    case DXGI_FORMAT_R16G16_UNORM:
    case DXGI_FORMAT_R10G10B10A2_UNORM:
    case DXGI_FORMAT_R8G8B8A8_UNORM:
    case DXGI_FORMAT_R8G8_UNORM:
    case DXGI_FORMAT_R8G8B8A8_SNORM:
    case DXGI_FORMAT_R8G8_SNORM:
        return true;
    default:
        return false;
    }
}

static const char *add_triangles(const D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC *triangles,
                                 struct counts *counts)
{
    const bool is_indexed = triangles->IndexFormat != DXGI_FORMAT_UNKNOWN;
    if (is_indexed && triangles->IndexFormat != DXGI_FORMAT_R16_UINT &&
        triangles->IndexFormat != DXGI_FORMAT_R32_UINT)
        return "the index format is not R16_UINT or R32_UINT";
    if (!is_indexed && (triangles->IndexCount != 0 || triangles->IndexBuffer != 0))
        return "indices without a format";
    if (!is_vertex_format(triangles->VertexFormat))
        return "a vertex format that triangles can't have";
    counts->primitives += (is_indexed ? triangles->IndexCount : triangles->VertexCount) / 3;
    return NULL;
}

static const char *add_geometry(const D3D12_RAYTRACING_GEOMETRY_DESC *geometry,
                                struct counts *counts)
{
    const UINT known = D3D12_RAYTRACING_GEOMETRY_FLAG_OPAQUE |
                       D3D12_RAYTRACING_GEOMETRY_FLAG_NO_DUPLICATE_ANYHIT_INVOCATION;
    if (((UINT)geometry->Flags & ~known) != 0)
        return "unknown geometry flags";
    counts->geometries++;
    switch (geometry->Type) {
    case D3D12_RAYTRACING_GEOMETRY_TYPE_TRIANGLES:
        return add_triangles(&geometry->Triangles, counts);
    case D3D12_RAYTRACING_GEOMETRY_TYPE_PROCEDURAL_PRIMITIVE_AABBS:
        if (geometry->AABBs.AABBCount >
            D3D12_RAYTRACING_MAX_PRIMITIVES_PER_BOTTOM_LEVEL_ACCELERATION_STRUCTURE)
            return "more primitives than a structure can have";
        counts->primitives += geometry->AABBs.AABBCount;
        return NULL;
    default:
        return "a geometry of an unknown type";
    }
}

static const D3D12_RAYTRACING_GEOMETRY_DESC *
geometry_of(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *inputs, UINT index)
{
    return inputs->DescsLayout == D3D12_ELEMENTS_LAYOUT_ARRAY ? &inputs->pGeometryDescs[index]
                                                              : inputs->ppGeometryDescs[index];
}

static const char *
count_geometries(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *inputs,
                 struct counts *counts)
{
    const char *error = NULL;
    if (inputs->NumDescs > D3D12_RAYTRACING_MAX_GEOMETRIES_PER_BOTTOM_LEVEL_ACCELERATION_STRUCTURE)
        return "more geometries than a structure can have";
    if (inputs->NumDescs != 0 && !inputs->pGeometryDescs)
        return "a number of geometries and no geometries";
    for (UINT i = 0; !error && i < inputs->NumDescs; i++) {
        const D3D12_RAYTRACING_GEOMETRY_DESC *geometry = geometry_of(inputs, i);
        if (!geometry)
            return "a geometry that is NULL";
        if (geometry->Type != geometry_of(inputs, 0)->Type)
            return "geometries of two types";
        error = add_geometry(geometry, counts);
        if (counts->primitives >
            D3D12_RAYTRACING_MAX_PRIMITIVES_PER_BOTTOM_LEVEL_ACCELERATION_STRUCTURE)
            return "more primitives than a structure can have";
    }
    return error;
}

static uint64_t align(uint64_t size)
{
    const uint64_t to = D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BYTE_ALIGNMENT;
    return (size + to - 1) / to * to;
}

const char *
acceleration_structure_size(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *inputs,
                            D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO *out)
{
    struct counts counts = {0};
    const bool is_top = inputs->Type == D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL;
    const bool is_updatable = ((UINT)inputs->Flags & BUILD_FLAG(ALLOW_UPDATE)) != 0;
    const char *error = check_flags((UINT)inputs->Flags);
    if (!is_top && inputs->Type != D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL)
        return "a structure of an unknown type";
    if (inputs->DescsLayout != D3D12_ELEMENTS_LAYOUT_ARRAY &&
        inputs->DescsLayout != D3D12_ELEMENTS_LAYOUT_ARRAY_OF_POINTERS)
        return "an unknown layout";
    if (is_top &&
        inputs->NumDescs > D3D12_RAYTRACING_MAX_INSTANCES_PER_TOP_LEVEL_ACCELERATION_STRUCTURE)
        return "more instances than a structure can have";
    if (!error && !is_top)
        error = count_geometries(inputs, &counts);
    if (error)
        return error;
    const uint64_t items = is_top ? inputs->NumDescs : counts.primitives;
    const uint64_t each = (is_top ? INSTANCE : PRIMITIVE) + (is_updatable ? UPDATABLE : 0);
    const uint64_t scratch = align(HEADER + items * SCRATCH);
    *out = (D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO){
        .ResultDataMaxSizeInBytes = align(HEADER + counts.geometries * GEOMETRY + items * each),
        .ScratchDataSizeInBytes = scratch,
        .UpdateScratchDataSizeInBytes = is_updatable ? scratch : 0,
    };
    return NULL;
}

D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER
acceleration_structure_identifier(const struct d3d12_device *device)
{
    D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER identifier = {
        .DriverOpaqueGUID = {
            0x6c626e61, 0x6e6f, 0x7461, {0x2d, 0x65, 0x6d, 0x75, 0x2d, 0x72, 0x61, 0x79}}};
    struct byte_writer writer = {identifier.DriverOpaqueVersioningData, 0};
    put_u64(&writer, pipeline_blob_adapter(device));
    put_u64(&writer, pipeline_blob_driver(device));
    return identifier;
}
