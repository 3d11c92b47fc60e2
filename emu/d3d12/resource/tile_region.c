#include "resource/tile_region.h"

#include "resource/texture.h"

#define TILE ((UINT64)D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES)

UINT64 tile_count(const struct d3d12_resource *resource)
{
    return resource->reserved ? (resource->size + TILE - 1) / TILE : 0;
}

/* The tiles of a subresource; false: there is no such. */
static bool find_tiles(const struct d3d12_resource *resource, UINT subresource,
                       struct texture_mip_tiles *out)
{
    struct texture_tiling tiling;
    if (!resource->reserved || subresource >= d3d12_resource_parts(resource))
        return false;
    if (resource_desc_is_buffer(&resource->desc)) {
        const UINT64 count = tile_count(resource);
        *out = (struct texture_mip_tiles){0, count, (UINT)count, 1, false};
        return true;
    }
    if (!texture_tiling_find(&resource->desc, &tiling))
        return false;
    texture_mip_tiles_find(&resource->desc, &tiling, subresource, out);
    return true;
}

/* Boxes are of one subresource with tiles of its own. */
static bool find_box(const struct texture_mip_tiles *tiles,
                     const D3D12_TILED_RESOURCE_COORDINATE *start,
                     const D3D12_TILE_REGION_SIZE *size, struct tile_region *out)
{
    if (tiles->packed || size->Width == 0 || size->Height == 0 || size->Depth != 1 ||
        size->Width > tiles->across - start->X || size->Height > tiles->down - start->Y ||
        size->NumTiles != (UINT64)size->Width * size->Height)
        return false;
    out->width = size->Width;
    out->pitch = tiles->across;
    return true;
}

bool tile_region_find(const struct d3d12_resource *resource,
                      const D3D12_TILED_RESOURCE_COORDINATE *start,
                      const D3D12_TILE_REGION_SIZE *size, struct tile_region *out)
{
    static const D3D12_TILED_RESOURCE_COORDINATE origin = {0, 0, 0, 0};
    static const D3D12_TILE_REGION_SIZE one = {.NumTiles = 1};
    struct texture_mip_tiles tiles;
    if (!start)
        start = &origin;
    if (!size)
        size = &one;
    if (!find_tiles(resource, start->Subresource, &tiles) || start->X >= tiles.across ||
        start->Y >= tiles.down || start->Z != 0)
        return false;
    out->first = tiles.first + (UINT64)start->Y * tiles.across + start->X;
    out->count = out->width = out->pitch = size->NumTiles;
    if (size->UseBox)
        return find_box(&tiles, start, size, out);
    /* one after the other, through whatever subresources follow */
    return out->count != 0 && out->count <= tile_count(resource) - out->first;
}
