/* Textures as memory: the subresources follow each other, each with the rows and pitches that
 * GetCopyableFootprints returns. So a copy between a buffer and a texture is a copy of rows. D3D12
 * leaves the layout to the driver; only copies show the layout. */
#pragma once

#include "format/format.h"

/* One subresource: its place (D3D12's `footprint`), its sizes in texels, and its rows in blocks. */
struct texture_part {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT
    footprint; /* the subresource's place; its offset counts from the texture's start */
    struct format_plane plane;
    UINT width, height,
        depth; /* sizes in texels; the sizes in the footprint are rounded up to whole blocks */
    UINT rows; /* rows of blocks in a slice */
    UINT64 row_size; /* bytes of a row's texels */
    UINT64 size;     /* bytes from the first texel's start to the last texel's end */
};

/* Returns the description; if mip levels or alignment are 0, with the real values in place of 0.
 * Every description in this header must be valid. */
D3D12_RESOURCE_DESC texture_complete(const D3D12_RESOURCE_DESC *desc);

UINT texture_parts(const D3D12_RESOURCE_DESC *desc); /* number of subresources */
/* Returns how many slices a mip has; for a volume, this is the mip's depth. */
UINT texture_slices(const D3D12_RESOURCE_DESC *desc, UINT mip);

/* Both functions describe subresource `index` of a texture with a complete description; `index`
 * must be less than texture_parts. texture_part_measure leaves out the subresource's offset. */
void texture_part_measure(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);
void texture_part_find(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);

/* Returns the bytes of the whole texture, and the texture's alignment. */
D3D12_RESOURCE_ALLOCATION_INFO texture_allocation(const D3D12_RESOURCE_DESC *desc);

/* Whether the box consists of whole blocks of the subresource; `box` NULL means the whole
 * subresource. Stores the box in *out. Empty boxes are allowed. */
bool texture_part_box(const struct texture_part *part, const D3D12_BOX *box, D3D12_BOX *out);

/* Returns the offset of a texel's block in the subresource. */
UINT64 texture_part_offset(const struct texture_part *part, UINT x, UINT y, UINT z);

/* Whether the texture may be aligned to 4 KiB: this needs a most detailed mip that takes at most 64
 * KiB in tiles of 4 KiB [D3D12_RESOURCE_DESC]. */
bool texture_is_small(const D3D12_RESOURCE_DESC *desc);

UINT64 texture_default_alignment(const D3D12_RESOURCE_DESC *desc);

/* Whether D3D12 divides such textures into tiles of 64 KiB. In the emulator all mips are packed:
 * mips are placed as in other textures, and each 64 KiB of memory is a tile. */
bool texture_has_tiles(const D3D12_RESOURCE_DESC *desc);
