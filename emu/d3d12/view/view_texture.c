#include "view/view_texture.h"

#include "format/format.h"
#include "resource/texture.h"

#define ALL UINT32_MAX

/* ---- descriptions ---- */

static struct view_window window(enum view_shape shape, UINT mip, UINT mips, UINT slice,
                                 UINT slices, UINT plane)
{
    return (struct view_window){
        .shape = shape, .mip = mip, .mips = mips, .slice = slice, .slices = slices, .plane = plane};
}

static struct view_window cubes(UINT mip, UINT mips, UINT face, UINT count)
{
    return window(VIEW_CUBE, mip, mips, face, count <= ALL / 6 ? count * 6 : ALL - 1, 0);
}

/* The common part of all kinds of views: `mip` is the member of the first level; LEVELS and PLANE
 * are macros for the number of levels and the plane. */
#define FLAT_CASES(KIND, mip, LEVELS, PLANE)                                                       \
    case D3D12_##KIND##_DIMENSION_TEXTURE1D:                                                       \
        return window(VIEW_1D, d->Texture1D.mip, LEVELS(Texture1D), 0, 1, 0);                      \
    case D3D12_##KIND##_DIMENSION_TEXTURE1DARRAY:                                                  \
        return window(VIEW_1D, d->Texture1DArray.mip, LEVELS(Texture1DArray),                      \
                      d->Texture1DArray.FirstArraySlice, d->Texture1DArray.ArraySize, 0);          \
    case D3D12_##KIND##_DIMENSION_TEXTURE2D:                                                       \
        return window(VIEW_2D, d->Texture2D.mip, LEVELS(Texture2D), 0, 1, PLANE(Texture2D));       \
    case D3D12_##KIND##_DIMENSION_TEXTURE2DARRAY:                                                  \
        return window(VIEW_2D, d->Texture2DArray.mip, LEVELS(Texture2DArray),                      \
                      d->Texture2DArray.FirstArraySlice, d->Texture2DArray.ArraySize,              \
                      PLANE(Texture2DArray))
#define SAMPLED_CASES(KIND)                                                                        \
    case D3D12_##KIND##_DIMENSION_TEXTURE2DMS:                                                     \
        return window(VIEW_2DMS, 0, 1, 0, 1, 0);                                                   \
    case D3D12_##KIND##_DIMENSION_TEXTURE2DMSARRAY:                                                \
        return window(VIEW_2DMS, 0, 1, d->Texture2DMSArray.FirstArraySlice,                        \
                      d->Texture2DMSArray.ArraySize, 0)
#define VOLUME_CASE(KIND)                                                                          \
    case D3D12_##KIND##_DIMENSION_TEXTURE3D:                                                       \
        return window(VIEW_3D, d->Texture3D.MipSlice, 1, d->Texture3D.FirstWSlice,                 \
                      d->Texture3D.WSize, 0)
#define NO_TEXTURE                                                                                 \
    default:                                                                                       \
        return window(VIEW_NO_SHAPE, 0, 0, 0, 0, 0)
#define ONE_LEVEL(texture)  1
#define ALL_LEVELS(texture) d->texture.MipLevels
#define ONE_PLANE(texture)  d->texture.PlaneSlice
#define ALL_PLANES(texture) 0

static struct view_window shader_resource(const D3D12_SHADER_RESOURCE_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        FLAT_CASES(SRV, MostDetailedMip, ALL_LEVELS, ONE_PLANE);
        SAMPLED_CASES(SRV);
    case D3D12_SRV_DIMENSION_TEXTURE3D:
        return window(VIEW_3D, d->Texture3D.MostDetailedMip, d->Texture3D.MipLevels, 0, ALL, 0);
    case D3D12_SRV_DIMENSION_TEXTURECUBE:
        return cubes(d->TextureCube.MostDetailedMip, d->TextureCube.MipLevels, 0, 1);
    case D3D12_SRV_DIMENSION_TEXTURECUBEARRAY:
        return cubes(d->TextureCubeArray.MostDetailedMip, d->TextureCubeArray.MipLevels,
                     d->TextureCubeArray.First2DArrayFace, d->TextureCubeArray.NumCubes);
        NO_TEXTURE;
    }
}

static struct view_window unordered_access(const D3D12_UNORDERED_ACCESS_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        FLAT_CASES(UAV, MipSlice, ONE_LEVEL, ONE_PLANE);
        VOLUME_CASE(UAV);
        NO_TEXTURE; /* the multisampled ones need a tier that the device doesn't have */
    }
}

static struct view_window render_target(const D3D12_RENDER_TARGET_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        FLAT_CASES(RTV, MipSlice, ONE_LEVEL, ONE_PLANE);
        SAMPLED_CASES(RTV);
        VOLUME_CASE(RTV);
        NO_TEXTURE;
    }
}

static struct view_window depth_stencil(const D3D12_DEPTH_STENCIL_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        FLAT_CASES(DSV, MipSlice, ONE_LEVEL, ALL_PLANES);
        SAMPLED_CASES(DSV);
        NO_TEXTURE;
    }
}

static struct view_window with_format(struct view_window window, DXGI_FORMAT format)
{
    window.format = format;
    return window;
}

struct view_window view_window_shader_resource(const D3D12_SHADER_RESOURCE_VIEW_DESC *desc)
{
    return with_format(shader_resource(desc), desc->Format);
}

struct view_window view_window_unordered_access(const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc)
{
    return with_format(unordered_access(desc), desc->Format);
}

struct view_window view_window_render_target(const D3D12_RENDER_TARGET_VIEW_DESC *desc)
{
    return with_format(render_target(desc), desc->Format);
}

struct view_window view_window_depth_stencil(const D3D12_DEPTH_STENCIL_VIEW_DESC *desc)
{
    return with_format(depth_stencil(desc), desc->Format);
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
            ids->format, "Format must be of the texture's family, or one of its castable formats");
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
