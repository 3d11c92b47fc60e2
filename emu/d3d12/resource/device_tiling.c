/* ID3D12Device::GetResourceTiling. */
#include "device/device.h"
#include "device/device_methods.h"
#include "resource/resource.h"
#include "resource/texture.h"
#include "resource/tile_region.h"

struct answer {
    UINT tiles;
    D3D12_PACKED_MIP_INFO packed;
    D3D12_TILE_SHAPE shape;
};

static void describe_texture(const struct texture_tiling *tiling, struct answer *out)
{
    out->packed.NumStandardMips = (UINT8)tiling->standard_mips;
    out->packed.NumPackedMips = (UINT8)tiling->packed_mips;
    out->packed.NumTilesForPackedMips = tiling->packed_tiles;
    if (tiling->packed_mips != 0)
        out->packed.StartTileIndexInOverallResource = tiling->standard_tiles;
    if (tiling->standard_mips != 0)
        out->shape = (D3D12_TILE_SHAPE){tiling->tile_width, tiling->tile_height, 1};
}

static D3D12_SUBRESOURCE_TILING describe_part(const struct d3d12_resource *resource,
                                              const struct texture_tiling *tiling, UINT index)
{
    struct texture_mip_tiles tiles = {0, tile_count(resource), (UINT)tile_count(resource), 1,
                                      false};
    if (!resource_desc_is_buffer(&resource->desc))
        texture_mip_tiles_find(&resource->desc, tiling, index, &tiles);
    if (tiles.packed)
        return (D3D12_SUBRESOURCE_TILING){0, 0, 0, D3D12_PACKED_TILE};
    return (D3D12_SUBRESOURCE_TILING){tiles.across, (UINT16)tiles.down, 1, (UINT)tiles.first};
}

void STDMETHODCALLTYPE d3d12_device_GetResourceTiling(device_iface *iface,
                                                      ID3D12Resource *resource_iface, UINT *tiles,
                                                      D3D12_PACKED_MIP_INFO *packed,
                                                      D3D12_TILE_SHAPE *shape, UINT *count,
                                                      UINT first, D3D12_SUBRESOURCE_TILING *parts)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *resource = d3d12_resource_from(resource_iface);
    struct answer answer = {0};
    struct texture_tiling tiling = {0};
    UINT all = 0;
    if (resource && resource->child.device == device && resource->reserved) {
        all = d3d12_resource_parts(resource);
        answer.tiles = (UINT)tile_count(resource);
        answer.shape = (D3D12_TILE_SHAPE){D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES, 1, 1};
        if (!resource_desc_is_buffer(&resource->desc)) {
            texture_tiling_find(&resource->desc, &tiling);
            answer.shape = (D3D12_TILE_SHAPE){0, 0, 0};
            describe_texture(&tiling, &answer);
        }
    } else {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::GetResourceTiling: the resource must be a reserved "
                           "resource of this device");
    }
    if (tiles)
        *tiles = answer.tiles;
    if (packed)
        *packed = answer.packed;
    if (shape)
        *shape = answer.shape;
    if (!count)
        return;
    const UINT left = first < all ? all - first : 0;
    *count = *count < left ? *count : left;
    for (UINT i = 0; parts && i < *count; i++)
        parts[i] = describe_part(resource, &tiling, first + i);
}
