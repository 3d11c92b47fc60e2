/* Textures as memory: subresource after subresource, each with the rows and pitches of
 * GetCopyableFootprints, so that a copy between a buffer and a texture is a copy of rows. D3D12
 * leaves the layout to the driver; only copies show it.
 */
#pragma once

#include "format/format.h"

/* One subresource: D3D12's `footprint`, sizes in texels, rows and columns in blocks. */
struct texture_part {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint; /* offset: in the texture */
    struct format_plane plane;
    UINT width, height, depth; /* texels; the footprint's sizes are rounded up to blocks */
    UINT rows;                 /* rows of blocks in a slice */
    UINT64 row_size;           /* bytes of a row's texels */
    UINT64 size;               /* bytes from the first texel's begin to the last texel's end */
};

/* The description with zeros for mip levels and alignment replaced by their meaning. Here and below
 * descriptions must be valid. */
D3D12_RESOURCE_DESC texture_complete(const D3D12_RESOURCE_DESC *desc);

UINT texture_parts(const D3D12_RESOURCE_DESC *desc); /* number of subresources */
/* How many slices a mip has; for a volume, the mip's depth. */
UINT texture_slices(const D3D12_RESOURCE_DESC *desc, UINT mip);

/* Describe part `index`, which is less than texture_parts, of a complete description. `measure`
 * leaves out the part's place. */
void texture_part_measure(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);
void texture_part_find(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);

/* Bytes of the whole texture, and its alignment. */
D3D12_RESOURCE_ALLOCATION_INFO texture_allocation(const D3D12_RESOURCE_DESC *desc);

/* Whether the box consists of whole blocks of the subresource; NULL means all of it. Fills in *out;
 * empty boxes are allowed. */
bool texture_part_box(const struct texture_part *part, const D3D12_BOX *box, D3D12_BOX *out);

/* The place of a texel's block in the subresource. */
UINT64 texture_part_offset(const struct texture_part *part, UINT x, UINT y, UINT z);

/* Whether the texture may be aligned to 4 KiB: its most detailed mip takes at most 64 KiB in tiles
 * of 4 KiB [D3D12_RESOURCE_DESC]. */
bool texture_is_small(const D3D12_RESOURCE_DESC *desc);

UINT64 texture_default_alignment(const D3D12_RESOURCE_DESC *desc);

/* Whether D3D12 divides such textures into tiles of 64 KiB. Here all mips are packed: they are in
 * memory as those of other textures, and a tile is 64 KiB of it. */
bool texture_has_tiles(const D3D12_RESOURCE_DESC *desc);
