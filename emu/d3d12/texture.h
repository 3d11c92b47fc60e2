/*
 * Textures as memory: subresource after subresource, each with the rows and pitches that GetCopyableFootprints tells,
 * so that a copy between a buffer and a texture is a copy of rows. D3D12 leaves the layout to the driver; only copies
 * and WriteToSubresource show it.
 */
#ifndef D3D12_TEXTURE_H
#define D3D12_TEXTURE_H

#include "format.h"

/* One subresource: `footprint` as D3D12 says it, sizes in texels, rows and columns in blocks. */
struct texture_part {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint; /* offset: in the texture */
    struct format_plane plane;
    UINT width, height, depth; /* texels; the footprint's are rounded up to blocks */
    UINT rows;                 /* of blocks, per slice */
    UINT64 row_size;           /* bytes of a row that are texels */
    UINT64 size;               /* from the first byte to the last texel's */
};

/* Whether D3D12 permits the description (of a dimension other than BUFFER). */
bool texture_is_valid(const D3D12_RESOURCE_DESC *desc);

/* The description with its number of mip levels and its alignment in place of zeros. Valid ones only, as below. */
D3D12_RESOURCE_DESC texture_complete(const D3D12_RESOURCE_DESC *desc);

UINT texture_parts(const D3D12_RESOURCE_DESC *desc); /* how many subresources */

/* `index` < texture_parts; of complete descriptions. Measuring leaves out where the part lies. */
void texture_part_measure(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);
void texture_part_find(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out);

/* Bytes that the texture takes, all of it, and where it may lie. */
D3D12_RESOURCE_ALLOCATION_INFO texture_allocation(const D3D12_RESOURCE_DESC *desc);

/* Whether the box is whole blocks within the subresource; NULL: all of it. Fills in *out; empty boxes are allowed. */
bool texture_part_box(const struct texture_part *part, const D3D12_BOX *box, D3D12_BOX *out);

/* Where in the subresource the block at a texel lies; row_pitch bytes to the next row, slice_pitch to the next slice. */
UINT64 texture_part_offset(const struct texture_part *part, UINT x, UINT y, UINT z);
UINT64 texture_part_slice_pitch(const struct texture_part *part);

#endif
