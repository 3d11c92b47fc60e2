/* ID3D12Device::GetResourceTiling. */
#include "device/device_methods.h"
#include "resource/tile_region.h"

void STDMETHODCALLTYPE d3d12_device_GetResourceTiling(device_iface *iface,
                                                      ID3D12Resource *resource_iface, UINT *tiles,
                                                      D3D12_PACKED_MIP_INFO *packed,
                                                      D3D12_TILE_SHAPE *shape, UINT *count,
                                                      UINT first, D3D12_SUBRESOURCE_TILING *parts)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_resource *resource = d3d12_resource_from(resource_iface);
    if (resource && (resource->child.device != device || !resource->reserved))
        resource = NULL;
    if (!resource)
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::GetResourceTiling: the resource must be a reserved "
                           "resource of this device");
    const UINT all = resource ? (UINT)tile_count(resource) : 0;
    const bool is_buffer = resource && resource_desc_is_buffer(&resource->desc);
    const bool is_packed = resource && !is_buffer;
    if (tiles)
        *tiles = all;
    if (packed)
        *packed = (D3D12_PACKED_MIP_INFO){.NumPackedMips =
                                              is_packed ? (UINT8)resource->desc.MipLevels : 0,
                                          .NumTilesForPackedMips = is_packed ? all : 0};
    if (shape)
        *shape = is_buffer ? (D3D12_TILE_SHAPE){D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES, 1, 1}
                           : (D3D12_TILE_SHAPE){0, 0, 0};
    if (!count)
        return;
    const UINT there = resource ? d3d12_resource_parts(resource) : 0;
    const UINT left = first < there ? there - first : 0;
    *count = *count < left ? *count : left;
    for (UINT i = 0; parts && i < *count; i++)
        parts[i] = is_packed ? (D3D12_SUBRESOURCE_TILING){0, 0, 0, D3D12_PACKED_TILE}
                             : (D3D12_SUBRESOURCE_TILING){all, 1, 1, 0};
}
