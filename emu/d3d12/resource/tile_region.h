/* The tiles of a D3D12_TILED_RESOURCE_COORDINATE and a D3D12_TILE_REGION_SIZE. */
#pragma once

#include "resource/resource.h"

struct tile_region {
    UINT64 first; /* number of the first tile in the resource */
    UINT64 count;
};

/* The number of tiles of the whole resource. */
UINT64 tile_count(const struct d3d12_resource *resource);

/* Finds the region. `start` NULL: from the first tile; `size` NULL: one tile. False: some of it is
 * outside the resource. */
bool tile_region_find(const struct d3d12_resource *resource,
                      const D3D12_TILED_RESOURCE_COORDINATE *start,
                      const D3D12_TILE_REGION_SIZE *size, struct tile_region *out);
