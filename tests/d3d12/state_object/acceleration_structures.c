/* Acceleration structures on the device's side: sizes, and which driver can read serialized
 * ones. */
#include "state_object/rays.h"

typedef D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS inputs;
typedef D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO sizes;

#define BUILD_FLAG(name) D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_##name
#define TOP              D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL
#define BOTTOM           D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL

static sizes ask(ID3D12Device7 *device, const inputs *of)
{
    sizes info;
    memset(&info, 0xee, sizeof info);
    ID3D12Device7_GetRaytracingAccelerationStructurePrebuildInfo(device, of, &info);
    return info;
}

static D3D12_RAYTRACING_GEOMETRY_DESC triangles(UINT indices, UINT vertices)
{
    return (D3D12_RAYTRACING_GEOMETRY_DESC){
        .Type = D3D12_RAYTRACING_GEOMETRY_TYPE_TRIANGLES,
        .Triangles = {.IndexFormat = indices ? DXGI_FORMAT_R16_UINT : DXGI_FORMAT_UNKNOWN,
                      .VertexFormat = DXGI_FORMAT_R32G32B32_FLOAT,
                      .IndexCount = indices,
                      .VertexCount = vertices}};
}

static D3D12_RAYTRACING_GEOMETRY_DESC boxes(UINT64 count)
{
    return (D3D12_RAYTRACING_GEOMETRY_DESC){
        .Type = D3D12_RAYTRACING_GEOMETRY_TYPE_PROCEDURAL_PRIMITIVE_AABBS,
        .AABBs = {.AABBCount = count}};
}

/* "equal or smaller counts ... the storage requirements will be valid". */
static void at_least(sizes large, sizes small)
{
    cr_assert(large.ResultDataMaxSizeInBytes >= small.ResultDataMaxSizeInBytes &&
              large.ScratchDataSizeInBytes >= small.ScratchDataSizeInBytes &&
              large.UpdateScratchDataSizeInBytes >= small.UpdateScratchDataSizeInBytes);
}

Test(acceleration_structure, size_grows_with_what_is_in_it)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    sizes last = {0};
    for (UINT count = 0; count < 5000; count = count * 2 + 1) {
        const D3D12_RAYTRACING_GEOMETRY_DESC geometry[2] = {triangles(0, count * 3),
                                                            triangles(count * 3, 1)};
        inputs of = {.Type = BOTTOM, .NumDescs = 2, .pGeometryDescs = geometry};
        const sizes both = ask(rays.device7, &of);
        cr_assert(both.ResultDataMaxSizeInBytes > 0 && both.ScratchDataSizeInBytes > 0);
        cr_assert_eq(both.ResultDataMaxSizeInBytes %
                         D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BYTE_ALIGNMENT,
                     0);
        at_least(both, last);
        of.NumDescs = 1;
        at_least(both, ask(rays.device7, &of));
        last = both;
    }
    const D3D12_RAYTRACING_GEOMETRY_DESC indexed[2] = {triangles(30000, 3), triangles(3, 30000)};
    const inputs most = {.Type = BOTTOM, .NumDescs = 1, .pGeometryDescs = &indexed[0]};
    const inputs least = {.Type = BOTTOM, .NumDescs = 1, .pGeometryDescs = &indexed[1]};
    cr_assert(ask(rays.device7, &most).ResultDataMaxSizeInBytes >
              ask(rays.device7, &least).ResultDataMaxSizeInBytes);
    const D3D12_RAYTRACING_GEOMETRY_DESC few = boxes(1), many = boxes(1000);
    const D3D12_RAYTRACING_GEOMETRY_DESC *const pointers[] = {&few, &many};
    inputs of = {.Type = BOTTOM, .NumDescs = 1, .pGeometryDescs = &few};
    const sizes one = ask(rays.device7, &of);
    of.pGeometryDescs = &many;
    cr_assert(ask(rays.device7, &of).ResultDataMaxSizeInBytes > one.ResultDataMaxSizeInBytes);
    of.ppGeometryDescs = pointers;
    of.DescsLayout = D3D12_ELEMENTS_LAYOUT_ARRAY_OF_POINTERS;
    const sizes same = ask(rays.device7, &of);
    cr_assert_mem_eq(&same, &one, sizeof one);
    of.NumDescs = 2;
    cr_assert(ask(rays.device7, &of).ResultDataMaxSizeInBytes > one.ResultDataMaxSizeInBytes);
    cr_assert_eq(kit_messages(rays.device), 0);
}

Test(acceleration_structure, of_instances_is_sized_without_looking_at_them)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    inputs of = {.Type = TOP, .InstanceDescs = 0xdead0000};
    sizes last = ask(rays.device7, &of);
    for (UINT i = 1; i < 1u << 24; i *= 16) {
        of.NumDescs = i;
        const sizes next = ask(rays.device7, &of);
        at_least(next, last);
        last = next;
    }
    cr_assert(last.ResultDataMaxSizeInBytes > 1 << 20);
    of.DescsLayout = D3D12_ELEMENTS_LAYOUT_ARRAY_OF_POINTERS;
    cr_assert_eq(ask(rays.device7, &of).ResultDataMaxSizeInBytes, last.ResultDataMaxSizeInBytes);
    cr_assert_eq(kit_messages(rays.device), 0);
}

Test(acceleration_structure, has_scratch_memory_for_updates_when_they_are_allowed)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    const D3D12_RAYTRACING_GEOMETRY_DESC geometry = triangles(0, 300);
    for (int top = 0; top < 2; top++) {
        inputs of = {.Type = top ? TOP : BOTTOM, .NumDescs = 1, .pGeometryDescs = &geometry};
        const sizes fixed = ask(rays.device7, &of);
        cr_assert_eq(fixed.UpdateScratchDataSizeInBytes, 0);
        of.Flags = BUILD_FLAG(ALLOW_UPDATE) | BUILD_FLAG(ALLOW_COMPACTION) |
                   BUILD_FLAG(PREFER_FAST_TRACE) | BUILD_FLAG(MINIMIZE_MEMORY);
        const sizes updated = ask(rays.device7, &of);
        cr_assert(updated.UpdateScratchDataSizeInBytes > 0);
        at_least(updated, fixed);
    }
    cr_assert_eq(kit_messages(rays.device), 0);
}

Test(acceleration_structure, of_bad_inputs_has_no_size)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    const int id = D3D12_MESSAGE_ID_GET_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO_INVALID;
    static const sizes zero;
    D3D12_RAYTRACING_GEOMETRY_DESC geometry[2];
    const D3D12_RAYTRACING_GEOMETRY_DESC *pointers[2] = {&geometry[0], NULL};
#define NO_SIZE(change)                                                                            \
    do {                                                                                           \
        geometry[0] = geometry[1] = triangles(3, 3);                                               \
        inputs of = {.Type = BOTTOM, .NumDescs = 2, .pGeometryDescs = geometry};                   \
        const sizes right = ask(rays.device7, &of);                                                \
        cr_assert(right.ResultDataMaxSizeInBytes != 0 && kit_messages(rays.device) == 0);          \
        change;                                                                                    \
        const sizes found = ask(rays.device7, &of);                                                \
        cr_assert_mem_eq(&found, &zero, sizeof zero, #change);                                     \
        rays_told(&rays, id);                                                                      \
    } while (0)
    NO_SIZE(of.Type = (D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE)2);
    NO_SIZE(of.Type = (D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE)-1);
    NO_SIZE(of.DescsLayout = (D3D12_ELEMENTS_LAYOUT)2);
    NO_SIZE(of.Flags = (D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAGS)0x40);
    NO_SIZE(of.Flags = BUILD_FLAG(PREFER_FAST_TRACE) | BUILD_FLAG(PREFER_FAST_BUILD));
    NO_SIZE(of.pGeometryDescs = NULL);
    NO_SIZE(of.NumDescs = UINT_MAX);
    NO_SIZE((of.Type = TOP, of.NumDescs = (1 << 24) + 1));
    NO_SIZE(
        (of.DescsLayout = D3D12_ELEMENTS_LAYOUT_ARRAY_OF_POINTERS, of.ppGeometryDescs = pointers));
    NO_SIZE(geometry[1] = boxes(1));
    NO_SIZE(geometry[0].Type = geometry[1].Type = (D3D12_RAYTRACING_GEOMETRY_TYPE)2);
    NO_SIZE(geometry[1].Flags = (D3D12_RAYTRACING_GEOMETRY_FLAGS)4);
    NO_SIZE(geometry[1].Triangles.VertexFormat = DXGI_FORMAT_UNKNOWN);
    NO_SIZE(geometry[1].Triangles.VertexFormat = DXGI_FORMAT_R32G32B32A32_FLOAT);
    NO_SIZE(geometry[1].Triangles.IndexFormat = DXGI_FORMAT_R8_UINT);
    NO_SIZE(geometry[1].Triangles.IndexFormat = DXGI_FORMAT_UNKNOWN);
    NO_SIZE((geometry[0] = geometry[1] = boxes(UINT64_MAX)));
    NO_SIZE((geometry[0] = geometry[1] = boxes(1 << 29)));
    const inputs of = {.Type = TOP};
    ID3D12Device7_GetRaytracingAccelerationStructurePrebuildInfo(rays.device7, &of, NULL);
    rays_told(&rays, id);
    sizes found = ask(rays.device7, NULL);
    cr_assert_mem_eq(&found, &zero, sizeof zero);
    rays_told(&rays, id);
}

Test(acceleration_structure, of_somebody_else_is_not_recognized)
{
    AT_END(rays_end) struct rays rays = rays_begin();
    D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER identifier = {{0}, {0}};
    cr_assert_eq(ID3D12Device7_CheckDriverMatchingIdentifier(
                     rays.device7, D3D12_SERIALIZED_DATA_RAYTRACING_ACCELERATION_STRUCTURE,
                     &identifier),
                 D3D12_DRIVER_MATCHING_IDENTIFIER_UNRECOGNIZED);
    cr_assert_eq(ID3D12Device7_CheckDriverMatchingIdentifier(
                     rays.device7, (D3D12_SERIALIZED_DATA_TYPE)7, &identifier),
                 D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE);
    cr_assert_eq(kit_messages(rays.device), 0);
    cr_assert_eq(ID3D12Device7_CheckDriverMatchingIdentifier(
                     rays.device7, D3D12_SERIALIZED_DATA_RAYTRACING_ACCELERATION_STRUCTURE, NULL),
                 D3D12_DRIVER_MATCHING_IDENTIFIER_UNRECOGNIZED);
    rays_told(&rays, D3D12_MESSAGE_ID_CHECK_DRIVER_MATCHING_IDENTIFIER_INVALID);
}
