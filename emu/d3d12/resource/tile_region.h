/* The tiles that a D3D12_TILED_RESOURCE_COORDINATE and a D3D12_TILE_REGION_SIZE mean. */
#pragma once

#include "resource/resource.h"

struct tile_region {
    UINT64 first; /* number of a tile in the resource */
    UINT64 count;
    UINT64 width; /* of a row of a box, `count` without a box */
    UINT64 pitch; /* from one row of the box to the next */
};

/* Tiles of the whole resource. 0: it has none. */
UINT64 tile_count(const struct d3d12_resource *resource);

/* Where tile `index` of the region is in the resource. */
static inline UINT64 tile_region_at(const struct tile_region *region, UINT64 index)
{
    return region->first + index / region->width * region->pitch + index % region->width;
}

/* `start` NULL: the first tile; `size` NULL: one tile. False when that is not all in the
 * resource. */
bool tile_region_find(const struct d3d12_resource *resource,
                      const D3D12_TILED_RESOURCE_COORDINATE *start,
                      const D3D12_TILE_REGION_SIZE *size, struct tile_region *out);
