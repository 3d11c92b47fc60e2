/* The tiles that D3D12_TILED_RESOURCE_COORDINATE and D3D12_TILE_REGION_SIZE select. */
#pragma once

#include "resource/resource.h"

struct tile_region {
    UINT64 first; /* the first tile's number in the resource */
    UINT64 count;
};

/* Returns the number of tiles of the whole resource. */
UINT64 tile_count(const struct d3d12_resource *resource);

/* Finds the region. `start` NULL means from the first tile; `size` NULL means one tile. Returns
 * false if a part of the region is outside the resource. */
bool tile_region_find(const struct d3d12_resource *resource,
                      const D3D12_TILED_RESOURCE_COORDINATE *start,
                      const D3D12_TILE_REGION_SIZE *size, struct tile_region *out);
