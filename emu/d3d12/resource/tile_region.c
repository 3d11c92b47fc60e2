#include "resource/tile_region.h"

#define TILE ((UINT64)D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES)

UINT64 tile_count(const struct d3d12_resource *resource)
{
    return resource->reserved ? (resource->size + TILE - 1) / TILE : 0;
}

/* A box of a buffer is a row. Packed mips have no boxes. */
static bool is_row(const struct d3d12_resource *resource, const D3D12_TILE_REGION_SIZE *size)
{
    return resource_desc_is_buffer(&resource->desc) && size->Width == size->NumTiles &&
           size->Height == 1 && size->Depth == 1;
}

bool tile_region_find(const struct d3d12_resource *resource,
                      const D3D12_TILED_RESOURCE_COORDINATE *start,
                      const D3D12_TILE_REGION_SIZE *size, struct tile_region *out)
{
    static const D3D12_TILED_RESOURCE_COORDINATE origin = {0, 0, 0, 0};
    static const D3D12_TILE_REGION_SIZE one = {.NumTiles = 1};
    if (!start)
        start = &origin;
    if (!size)
        size = &one;
    *out = (struct tile_region){start->X, size->NumTiles};
    return resource->reserved && start->Subresource < d3d12_resource_parts(resource) &&
           out->first < tile_count(resource) && start->Y == 0 && start->Z == 0 &&
           (!size->UseBox || is_row(resource, size)) && out->count != 0 &&
           out->count <= tile_count(resource) - out->first;
}
