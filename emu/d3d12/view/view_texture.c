#include "view/view_texture.h"

#include "resource/texture.h"

#define ALL UINT32_MAX

/* ---- descriptions ---- */

static UINT faces(UINT cubes)
{
    return cubes <= ALL / 6 ? cubes * 6 : ALL - 1;
}

struct view_window view_window_shader_resource(const D3D12_SHADER_RESOURCE_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        VIEW_FLAT_CASES(SRV, MostDetailedMip, VIEW_ALL_LEVELS, VIEW_ONE_PLANE);
        VIEW_SAMPLED_CASES(SRV);
    case D3D12_SRV_DIMENSION_TEXTURE3D:
        return VIEW_WINDOW(VIEW_3D, d->Texture3D.MostDetailedMip, d->Texture3D.MipLevels, 0, ALL,
                           0);
    case D3D12_SRV_DIMENSION_TEXTURECUBE:
        return VIEW_WINDOW(VIEW_CUBE, d->TextureCube.MostDetailedMip, d->TextureCube.MipLevels, 0,
                           6, 0);
    case D3D12_SRV_DIMENSION_TEXTURECUBEARRAY:
        return VIEW_WINDOW(VIEW_CUBE, d->TextureCubeArray.MostDetailedMip,
                           d->TextureCubeArray.MipLevels, d->TextureCubeArray.First2DArrayFace,
                           faces(d->TextureCubeArray.NumCubes), 0);
        VIEW_NO_TEXTURE;
    }
}

struct view_window view_window_unordered_access(const D3D12_UNORDERED_ACCESS_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        VIEW_FLAT_CASES(UAV, MipSlice, VIEW_ONE_LEVEL, VIEW_ONE_PLANE);
        VIEW_VOLUME_CASE(UAV);
        VIEW_NO_TEXTURE; /* multisampled views need a tier that the device lacks */
    }
}

/* ---- checks ---- */

static bool has_shape(const D3D12_RESOURCE_DESC *desc, enum view_shape shape)
{
    switch (shape) {
    case VIEW_1D:
        return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE1D;
    case VIEW_2D:
    case VIEW_CUBE:
        return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D && desc->SampleDesc.Count == 1;
    case VIEW_2DMS:
        return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE2D && desc->SampleDesc.Count > 1;
    case VIEW_3D:
        return desc->Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    default:
        return false;
    }
}

/* Whether a range lies within `all` and is not empty. */
static bool has_range(UINT all, UINT first, UINT count)
{
    return first < all && count != 0 && (count == ALL || count <= all - first);
}

static bool has_format(const struct d3d12_resource *resource, DXGI_FORMAT format)
{
    bool has = format_may_view(resource->desc.Format, format);
    for (UINT i = 0; i < resource->castable_count; i++)
        has = has || resource->castable[i] == format;
    return has;
}

static struct validation_error check_format(const struct view_window *window,
                                            const struct d3d12_resource *resource,
                                            const struct view_mistakes *ids)
{
    struct format format, own = {0};
    DXGI_FORMAT asked = window->format;
    if (resource)
        (void)format_find(resource->desc.Format, &own);
    if (resource && asked == DXGI_FORMAT_UNKNOWN)
        asked = resource->desc.Format;
    if (!format_find(asked, &format) || format.typeless)
        return validation_error(ids->format,
                                "Format must be a typed format that textures can have");
    if (resource && !has_format(resource, asked))
        return validation_error(
            ids->format,
            "Format must be in the texture's family, or be one of its castable formats");
    if (resource && window->plane >= own.planes)
        return validation_error(ids->plane, "PlaneSlice is out of range for the texture's format");
    return no_validation_error;
}

struct validation_error view_window_check(const struct view_window *window,
                                          const struct d3d12_resource *resource,
                                          const struct view_mistakes *ids)
{
    if (window->shape == VIEW_NO_SHAPE)
        return validation_error(ids->desc, "ViewDimension is out of range for this kind of view");
    if (resource && !has_shape(&resource->desc, window->shape))
        return validation_error(ids->dimensions,
                                "ViewDimension must suit the resource's Dimension");
    const struct validation_error error = check_format(window, resource, ids);
    if (error.text || !resource)
        return error;
    if (!has_range(resource->desc.MipLevels, window->mip, window->mips))
        return validation_error(ids->desc, "the view's mip levels must lie in the texture");
    if (!has_range(texture_slices(&resource->desc, window->mip), window->slice, window->slices))
        return validation_error(ids->desc, "the view's slices must lie in the texture");
    return no_validation_error;
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
    const UINT left = texture_slices(&texture->desc, window->mip) - window->slice;
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
