#include "texture.h"

#define RT D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET
#define DS D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL

static UINT64 align(UINT64 value, UINT64 alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static UINT at_least_1(UINT value)
{
    return value != 0 ? value : 1;
}

static bool is_3d(const D3D12_RESOURCE_DESC *desc)
{
    return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
}

/* ---- what is permitted ---- */

static UINT mips_max(const D3D12_RESOURCE_DESC *desc)
{
    UINT64 largest = desc->Width > desc->Height ? desc->Width : desc->Height;
    UINT levels = 1;
    if (is_3d(desc) && desc->DepthOrArraySize > largest)
        largest = desc->DepthOrArraySize;
    for (; largest > 1; largest /= 2)
        levels++;
    return levels;
}

static bool size_is_valid(const D3D12_RESOURCE_DESC *desc)
{
    UINT64 side = D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION;
    UINT depth = D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION;
    if (is_3d(desc)) {
        side = D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION;
        depth = D3D12_REQ_TEXTURE3D_U_V_OR_W_DIMENSION;
    }
    return desc->Width != 0 && desc->Height != 0 && desc->DepthOrArraySize != 0 &&
           desc->Width <= side && desc->Height <= side && desc->DepthOrArraySize <= depth &&
           (desc->Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE1D || desc->Height == 1) &&
           desc->MipLevels <= mips_max(desc);
}

static bool samples_are_valid(const D3D12_RESOURCE_DESC *desc)
{
    const UINT count = desc->SampleDesc.Count;
    if (desc->SampleDesc.Quality != 0)
        return false;
    if (count == 1)
        return true;
    return (count == 2 || count == 4 || count == 8) &&
           desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D && desc->MipLevels == 1 &&
           (desc->Flags & (RT | DS)) != 0 &&
           (desc->Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0;
}

static bool flags_are_valid(const D3D12_RESOURCE_DESC *desc, const struct format *format)
{
    const bool blocks = format->plane[0].width > 1;
    const D3D12_RESOURCE_FLAGS flags = desc->Flags;
    if ((flags & DS) != 0)
        return format->depth && !is_3d(desc) &&
               (flags & (RT | D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS |
                         D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS)) == 0;
    return (flags & D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE) == 0 &&
           (!blocks || (flags & (RT | D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS)) == 0);
}

static bool blocks_are_whole(const D3D12_RESOURCE_DESC *desc, const struct format *format)
{
    const UINT x = (UINT)format->plane[0].width << format->plane[format->planes - 1].x_shift;
    const UINT y = (UINT)format->plane[0].height << format->plane[format->planes - 1].y_shift;
    return desc->Width % x == 0 && desc->Height % y == 0;
}

static UINT64 default_alignment(const D3D12_RESOURCE_DESC *desc)
{
    return desc->SampleDesc.Count > 1 ? D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT
                                      : D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
}

/* Small alignments are for small textures that are no targets. */
static bool alignment_is_valid(const D3D12_RESOURCE_DESC *desc)
{
    if (desc->Alignment == 0 || desc->Alignment == default_alignment(desc))
        return true;
    D3D12_RESOURCE_DESC most_detailed = texture_complete(desc);
    most_detailed.MipLevels = 1;
    struct texture_part part;
    texture_part_find(&most_detailed, 0, &part);
    const UINT64 size = part.size * desc->SampleDesc.Count;
    if (desc->SampleDesc.Count > 1)
        return desc->Alignment == D3D12_SMALL_MSAA_RESOURCE_PLACEMENT_ALIGNMENT &&
               size <= D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
    return desc->Alignment == D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT &&
           (desc->Flags & (RT | DS)) == 0 && size <= D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
}

bool texture_is_valid(const D3D12_RESOURCE_DESC *desc)
{
    struct format format;
    return desc->Dimension >= D3D12_RESOURCE_DIMENSION_TEXTURE1D &&
           desc->Dimension <= D3D12_RESOURCE_DIMENSION_TEXTURE3D &&
           desc->Layout == D3D12_TEXTURE_LAYOUT_UNKNOWN && format_find(desc->Format, &format) &&
           size_is_valid(desc) && samples_are_valid(desc) && flags_are_valid(desc, &format) &&
           blocks_are_whole(desc, &format) && alignment_is_valid(desc);
}

D3D12_RESOURCE_DESC texture_complete(const D3D12_RESOURCE_DESC *desc)
{
    D3D12_RESOURCE_DESC complete = *desc;
    if (complete.MipLevels == 0)
        complete.MipLevels = (UINT16)mips_max(desc);
    if (complete.Alignment == 0)
        complete.Alignment = default_alignment(desc);
    return complete;
}

/* ---- layout ---- */

static UINT array_size(const D3D12_RESOURCE_DESC *desc)
{
    return is_3d(desc) ? 1 : desc->DepthOrArraySize;
}

UINT texture_parts(const D3D12_RESOURCE_DESC *desc)
{
    struct format format;
    format_find(desc->Format, &format);
    return desc->MipLevels * array_size(desc) * format.planes;
}

static void measure(const D3D12_RESOURCE_DESC *desc, const struct format *format, UINT index,
                    struct texture_part *part)
{
    const UINT mip = index % desc->MipLevels;
    const struct format_plane *plane = &format->plane[index / desc->MipLevels / array_size(desc)];
    part->plane = *plane;
    part->width = at_least_1(at_least_1((UINT)desc->Width >> mip) >> plane->x_shift);
    part->height = at_least_1(at_least_1(desc->Height >> mip) >> plane->y_shift);
    part->depth = is_3d(desc) ? at_least_1((UINT)desc->DepthOrArraySize >> mip) : 1;
    const UINT columns = (part->width + plane->width - 1) / plane->width;
    part->rows = (part->height + plane->height - 1) / plane->height;
    part->row_size = (UINT64)columns * plane->bytes;
    part->footprint.Footprint = (D3D12_SUBRESOURCE_FOOTPRINT){
        plane->format, columns * plane->width, part->rows * plane->height, part->depth,
        (UINT)align(part->row_size, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT)};
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
        offset = align(offset + out->size, D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT);
    }
}

D3D12_RESOURCE_ALLOCATION_INFO texture_allocation(const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_RESOURCE_DESC complete = texture_complete(desc);
    struct texture_part last;
    texture_part_find(&complete, texture_parts(&complete) - 1, &last);
    const UINT64 size = (last.footprint.Offset + last.size) * complete.SampleDesc.Count;
    return (D3D12_RESOURCE_ALLOCATION_INFO){align(size, complete.Alignment), complete.Alignment};
}

bool texture_part_box(const struct texture_part *part, const D3D12_BOX *box, D3D12_BOX *out)
{
    const D3D12_SUBRESOURCE_FOOTPRINT *whole = &part->footprint.Footprint;
    *out = (D3D12_BOX){0, 0, 0, whole->Width, whole->Height, whole->Depth};
    if (box == NULL)
        return true;
    const UINT w = part->plane.width, h = part->plane.height;
    /* a box may end where the texture does, in the middle of a block */
    const UINT right = (box->right + w - 1) / w * w, bottom = (box->bottom + h - 1) / h * h;
    if (box->right > whole->Width || box->bottom > whole->Height || box->back > whole->Depth ||
        box->left % w != 0 || box->top % h != 0 ||
        (right != box->right && box->right != part->width) ||
        (bottom != box->bottom && box->bottom != part->height))
        return false;
    *out = (D3D12_BOX){box->left, box->top, box->front, right, bottom, box->back};
    return true;
}

UINT64 texture_part_slice_pitch(const struct texture_part *part)
{
    return (UINT64)part->footprint.Footprint.RowPitch * part->rows;
}

UINT64 texture_part_offset(const struct texture_part *part, UINT x, UINT y, UINT z)
{
    return z * texture_part_slice_pitch(part) +
           (UINT64)(y / part->plane.height) * part->footprint.Footprint.RowPitch +
           (UINT64)(x / part->plane.width) * part->plane.bytes;
}
