#include "view/view_parts.h"

#include "view/view_texture.h"

/* Slices of a mip; of a volume, its depth there. */
static UINT slices_of(const D3D12_RESOURCE_DESC *desc, UINT mip)
{
    if (desc->Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE3D)
        return desc->DepthOrArraySize;
    return desc->DepthOrArraySize >> mip != 0 ? (UINT)desc->DepthOrArraySize >> mip : 1;
}

struct view_parts view_parts_of(const struct d3d12_resource *texture,
                                const struct view_window *window)
{
    const struct view_window whole = {.slices = UINT32_MAX};
    const struct view_parts nothing = {.address = 0};
    if (!texture || resource_desc_is_buffer(&texture->desc))
        return nothing;
    if (!window)
        window = &whole;
    const UINT left = slices_of(&texture->desc, window->mip) - window->slice;
    return (struct view_parts){
        .address = texture->address,
        .object = annot_object_id(texture->child.annot),
        .desc = texture->desc,
        .format = window->format != DXGI_FORMAT_UNKNOWN ? window->format : texture->desc.Format,
        .mip = window->mip,
        .plane = window->plane,
        .first = window->slice,
        .count = window->slices < left ? window->slices : left,
    };
}
