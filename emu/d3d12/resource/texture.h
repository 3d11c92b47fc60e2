/* Textures as memory: the subresources follow each other. Each subresource has the rows and pitches
 * that GetCopyableFootprints returns, so a copy between a buffer and a texture copies rows. D3D12
 * leaves the layout to the driver; a program can see the layout only through copies. */
#pragma once

#include "format/format.h"

/* One subresource: its place (D3D12's `footprint`), its size in texels, and its rows of blocks. */
struct texture_part {
    /* Where the subresource is; the offset counts from the texture's start. */
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint;
    struct format_plane plane;
    /* Size in texels; the footprint's size is rounded up to whole blocks. */
    UINT width, height, depth;
    UINT rows;       /* how many rows of blocks a slice has */
    UINT64 row_size; /* bytes that the texels of one row take */
    UINT64 size;     /* bytes from the start of the first texel to the end of the last */
};

/* Returns `desc` with real values in place of 0 mip levels and alignment 0. `desc` must be valid,
 * as for all functions of this header. */
D3D12_RESOURCE_DESC texture_complete(const D3D12_RESOURCE_DESC *desc);

static inline bool texture_is_3d(const D3D12_RESOURCE_DESC *desc)
{
    return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
}

static inline UINT64 texture_align(UINT64 value, UINT64 alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

UINT texture_parts(const D3D12_RESOURCE_DESC *desc);      /* number of subresources */
UINT texture_array_size(const D3D12_RESOURCE_DESC *desc); /* 1 for a volume */
/* Returns the number of slices of a mip. For a volume, this is the mip's depth. */
UINT texture_slices(const D3D12_RESOURCE_DESC *desc, UINT mip);

/* texture_part_measure and texture_part_find describe subresource `index` (below texture_parts) of
 * a texture with a complete description. Only texture_part_find sets the offset. */
void texture_part_measure(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);
void texture_part_find(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);

/* Returns the size of the whole texture in bytes, and its alignment. */
D3D12_RESOURCE_ALLOCATION_INFO texture_allocation(const D3D12_RESOURCE_DESC *desc);

/* Returns whether the box consists of whole blocks of the subresource, and stores the box in *out.
 * If `box` is NULL, it is the whole subresource. Empty boxes are allowed. */
bool texture_part_box(const struct texture_part *part, const D3D12_BOX *box, D3D12_BOX *out);

/* Returns the offset of the block with this texel, in bytes from the subresource's start. */
UINT64 texture_part_offset(const struct texture_part *part, UINT x, UINT y, UINT z);

/* Returns whether the texture may have an alignment of 4 KiB. The texture's most detailed mip must
 * then take at most 64 KiB in tiles of 4 KiB [D3D12_RESOURCE_DESC]. */
bool texture_is_small(const D3D12_RESOURCE_DESC *desc);

UINT64 texture_default_alignment(const D3D12_RESOURCE_DESC *desc);

/* Returns whether D3D12 divides such a texture into tiles of 64 KiB. In the emulator all mips are
 * packed: they are placed as in other textures, and each 64 KiB of memory is a tile. */
bool texture_has_tiles(const D3D12_RESOURCE_DESC *desc);
