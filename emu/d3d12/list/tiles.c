/* CopyTiles copies tiles of reserved resources from and to buffers, 64 KiB for each tile. Without a
 * direction the copy goes to the buffer. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/tile_region.h"

#define TILE       ((UINT64)D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES)
#define TO_TILES   D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE
#define FROM_TILES D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER

static bool flags_are_valid(D3D12_TILE_COPY_FLAGS flags)
{
    const UINT both = TO_TILES | FROM_TILES;
    return ((UINT)flags & ~(both | (UINT)D3D12_TILE_COPY_FLAG_NO_HAZARD)) == 0 &&
           ((UINT)flags & both) != both;
}

void STDMETHODCALLTYPE d3d12_command_list_CopyTiles(list_iface *iface, ID3D12Resource *tiled_iface,
                                                    const D3D12_TILED_RESOURCE_COORDINATE *start,
                                                    const D3D12_TILE_REGION_SIZE *size,
                                                    ID3D12Resource *buffer_iface, UINT64 offset,
                                                    D3D12_TILE_COPY_FLAGS flags)
{
    LIST_OPERATION(COPYTILES);
    LIST_METHOD(ON_COPYING | OUTSIDE_PASS);
    const struct d3d12_resource *tiled = d3d12_resource_from(tiled_iface);
    struct tile_region region;
    const struct d3d12_resource *buffer = NULL;
    if (tiled && tiled->child.device == list->child.device && start && size &&
        flags_are_valid(flags) && tile_region_find(tiled, start, size, &region))
        buffer = command_list_buffer(list, buffer_iface, offset, region.count * TILE);
    LIST_REFUSES(!buffer, report_error, EMU_MESSAGE_INVALID_ARGUMENT,
                 "the region must lie in a reserved resource, its tiles must fit "
                 "into the buffer, and Flags must name one direction");
    for (UINT64 i = 0; i < region.count; i++) {
        const UINT64 at = (region.first + i) * TILE;
        const uint64_t tile = tiled->address + at, bytes = buffer->address + offset + i * TILE;
        /* a buffer may end within its last tile */
        const UINT64 copied = TILE < tiled->size - at ? TILE : tiled->size - at;
        if ((flags & TO_TILES) != 0)
            list->child.device->driver->cmd_copy(list->driver, tile, bytes, copied);
        else
            list->child.device->driver->cmd_copy(list->driver, bytes, tile, copied);
    }
}
