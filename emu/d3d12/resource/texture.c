#include "resource/texture.h"

static UINT at_least_1(UINT value)
{
    return value != 0 ? value : 1;
}

/* ---- values that a description leaves open ---- */

static UINT mips_max(const D3D12_RESOURCE_DESC *desc)
{
    UINT64 largest = desc->Width > desc->Height ? desc->Width : desc->Height;
    UINT levels = 1;
    if (texture_is_3d(desc) && desc->DepthOrArraySize > largest)
        largest = desc->DepthOrArraySize;
    for (; largest > 1; largest /= 2)
        levels++;
    return levels;
}

UINT64 texture_default_alignment(const D3D12_RESOURCE_DESC *desc)
{
    return desc->SampleDesc.Count > 1 ? D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT
                                      : D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
}

D3D12_RESOURCE_DESC texture_complete(const D3D12_RESOURCE_DESC *desc)
{
    D3D12_RESOURCE_DESC complete = *desc;
    if (complete.MipLevels == 0)
        complete.MipLevels = (UINT16)mips_max(desc);
    if (complete.Alignment == 0)
        complete.Alignment = texture_default_alignment(desc);
    return complete;
}

/* ---- layout ---- */

UINT texture_array_size(const D3D12_RESOURCE_DESC *desc)
{
    return texture_is_3d(desc) ? 1 : desc->DepthOrArraySize;
}

UINT texture_parts(const D3D12_RESOURCE_DESC *desc)
{
    struct format format;
    format_find(desc->Format, &format);
    return desc->MipLevels * texture_array_size(desc) * format.planes;
}

UINT texture_slices(const D3D12_RESOURCE_DESC *desc, UINT mip)
{
    return texture_is_3d(desc) ? at_least_1((UINT)desc->DepthOrArraySize >> mip)
                               : desc->DepthOrArraySize;
}

static void measure(const D3D12_RESOURCE_DESC *desc, const struct format *format, UINT index,
                    struct texture_part *part)
{
    const UINT mip = index % desc->MipLevels;
    const struct format_plane *plane =
        &format->plane[index / desc->MipLevels / texture_array_size(desc)];
    part->plane = *plane;
    part->width = at_least_1(at_least_1((UINT)desc->Width >> mip) >> plane->x_shift);
    part->height = at_least_1(at_least_1(desc->Height >> mip) >> plane->y_shift);
    part->depth = texture_is_3d(desc) ? texture_slices(desc, mip) : 1;
    const UINT columns = (part->width + plane->width - 1) / plane->width;
    part->rows = (part->height + plane->height - 1) / plane->height;
    part->row_size = (UINT64)columns * plane->bytes;
    part->footprint.Footprint = (D3D12_SUBRESOURCE_FOOTPRINT){
        plane->format, columns * plane->width, part->rows * plane->height, part->depth,
        (UINT)texture_align(part->row_size,
                            (UINT64)format->planes * D3D12_TEXTURE_DATA_PITCH_ALIGNMENT)};
    part->size = ((UINT64)part->rows * part->depth - 1) * part->footprint.Footprint.RowPitch +
                 part->row_size;
}

void texture_part_measure(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out)
{
    struct format format;
    format_find(desc->Format, &format);
    measure(desc, &format, index, out);
    out->footprint.Offset = 0;
}

/* Finds a subresource's place; the subresources follow each other. */
void texture_part_find(const D3D12_RESOURCE_DESC *desc, UINT index, struct texture_part *out)
{
    struct format format;
    UINT64 offset = 0;
    format_find(desc->Format, &format);
    for (UINT i = 0;; i++) {
        measure(desc, &format, i, out);
        out->footprint.Offset = offset;
        if (i == index)
            return;
        offset = texture_align(offset + out->size, D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT);
    }
}

D3D12_RESOURCE_ALLOCATION_INFO texture_allocation(const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_RESOURCE_DESC complete = texture_complete(desc);
    struct texture_part last;
    texture_part_find(&complete, texture_parts(&complete) - 1, &last);
    const UINT64 size = (last.footprint.Offset + last.size) * complete.SampleDesc.Count;
    return (D3D12_RESOURCE_ALLOCATION_INFO){texture_align(size, complete.Alignment),
                                            complete.Alignment};
}

/* ---- tiles ---- */

/* Divides a tile's elements among the dimensions; the width gets the remaining elements. */
static void find_shape(const D3D12_RESOURCE_DESC *desc, const struct format_plane *plane,
                       UINT64 size, UINT shape[3])
{
    const UINT dimensions = (UINT)desc->Dimension - D3D12_RESOURCE_DIMENSION_TEXTURE1D + 1;
    UINT bits = 0;
    while ((UINT64)plane->bytes << bits < size)
        bits++;
    shape[0] = (UINT)plane->width << (bits + dimensions - 1) / dimensions;
    shape[1] = (UINT)plane->height << (dimensions > 1 ? (bits + dimensions - 2) / dimensions : 0);
    shape[2] = 1u << (dimensions > 2 ? bits / dimensions : 0);
}

bool texture_is_small(const D3D12_RESOURCE_DESC *desc)
{
    UINT shape[3];
    struct format format;
    format_find(desc->Format, &format);
    find_shape(desc, &format.plane[0], D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT, shape);
    const UINT64 depth = texture_is_3d(desc) ? desc->DepthOrArraySize : 1;
    return (desc->Width + shape[0] - 1) / shape[0] *
               (((UINT64)desc->Height + shape[1] - 1) / shape[1]) *
               ((depth + shape[2] - 1) / shape[2]) <=
           D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT / D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
}

bool texture_has_tiles(const D3D12_RESOURCE_DESC *desc)
{
    struct format format;
    if (!format_find(desc->Format, &format))
        return false;
    const struct format_plane *plane = &format.plane[0];
    return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D && desc->SampleDesc.Count == 1 &&
           format.planes == 1 && plane->width == plane->height &&
           (plane->bytes & (plane->bytes - 1)) == 0;
}

/* ---- places in a subresource ---- */

bool texture_part_box(const struct texture_part *part, const D3D12_BOX *box, D3D12_BOX *out)
{
    const D3D12_SUBRESOURCE_FOOTPRINT *whole = &part->footprint.Footprint;
    *out = (D3D12_BOX){0, 0, 0, whole->Width, whole->Height, whole->Depth};
    if (!box)
        return true;
    const UINT w = part->plane.width, h = part->plane.height;
    /* a box may end at the texture's end, in the middle of a block */
    const UINT right = (box->right + w - 1) / w * w, bottom = (box->bottom + h - 1) / h * h;
    if (box->right > whole->Width || box->bottom > whole->Height || box->back > whole->Depth ||
        box->left % w != 0 || box->top % h != 0 ||
        (right != box->right && box->right != part->width) ||
        (bottom != box->bottom && box->bottom != part->height))
        return false;
    *out = (D3D12_BOX){box->left, box->top, box->front, right, bottom, box->back};
    return true;
}

UINT64 texture_part_offset(const struct texture_part *part, UINT x, UINT y, UINT z)
{
    const struct format_plane *plane = &part->plane;
    return ((UINT64)z * part->rows + y / plane->height) * part->footprint.Footprint.RowPitch +
           (UINT64)(x / plane->width) * plane->bytes;
}
