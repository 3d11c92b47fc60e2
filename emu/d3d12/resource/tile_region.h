/* Finds the tiles that D3D12_TILED_RESOURCE_COORDINATE and D3D12_TILE_REGION_SIZE select. */
#pragma once

#include "resource/resource.h"

struct tile_region {
    UINT64 first; /* index of the first tile in the resource */
    UINT64 count;
};

/* Returns how many tiles the whole resource has. */
UINT64 tile_count(const struct d3d12_resource *resource);

/* Finds the tiles of a region. If `start` is NULL, the region begins at the first tile; if `size`
 * is NULL, it is one tile. Returns false if a part of the region is outside the resource. */
bool tile_region_find(const struct d3d12_resource *resource,
                      const D3D12_TILED_RESOURCE_COORDINATE *start,
                      const D3D12_TILE_REGION_SIZE *size, struct tile_region *out);
