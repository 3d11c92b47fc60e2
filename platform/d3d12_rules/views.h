/* Finds which part of a texture a view shows: shape, mips, slices and planes, in one form for all
 * kinds of views. Include D3D12's header first. */
#pragma once

#include <stdint.h>

enum view_shape { VIEW_NO_SHAPE, VIEW_1D, VIEW_2D, VIEW_2DMS, VIEW_3D, VIEW_CUBE };

/* The part of a texture that a view shows. If a count is UINT32_MAX, the view shows all mips or
 * slices from the first one on. VIEW_NO_SHAPE means that the view shows no texture. */
struct view_window {
    DXGI_FORMAT format; /* format of the view; UNKNOWN means the texture's format */
    enum view_shape shape;
    UINT mip, mips;
    UINT slice, slices; /* first slice and number of slices in an array or volume */
    UINT plane;
};

/* Makes a view_window from `d`, the D3D12 description of a view. */
#define VIEW_WINDOW(...) ((struct view_window){d->Format, __VA_ARGS__})
/* Cases of a switch that views of all kinds have. `mip` is the member for the first mip. The macros
 * LEVELS and PLANE give the number of mips, and the plane. */
#define VIEW_FLAT_CASES(KIND, mip, LEVELS, PLANE)                                                  \
    case D3D12_##KIND##_DIMENSION_TEXTURE1D:                                                       \
        return VIEW_WINDOW(VIEW_1D, d->Texture1D.mip, LEVELS(Texture1D), 0, 1, 0);                 \
    case D3D12_##KIND##_DIMENSION_TEXTURE1DARRAY:                                                  \
        return VIEW_WINDOW(VIEW_1D, d->Texture1DArray.mip, LEVELS(Texture1DArray),                 \
                           d->Texture1DArray.FirstArraySlice, d->Texture1DArray.ArraySize, 0);     \
    case D3D12_##KIND##_DIMENSION_TEXTURE2D:                                                       \
        return VIEW_WINDOW(VIEW_2D, d->Texture2D.mip, LEVELS(Texture2D), 0, 1, PLANE(Texture2D));  \
    case D3D12_##KIND##_DIMENSION_TEXTURE2DARRAY:                                                  \
        return VIEW_WINDOW(VIEW_2D, d->Texture2DArray.mip, LEVELS(Texture2DArray),                 \
                           d->Texture2DArray.FirstArraySlice, d->Texture2DArray.ArraySize,         \
                           PLANE(Texture2DArray))
#define VIEW_SAMPLED_CASES(KIND)                                                                   \
    case D3D12_##KIND##_DIMENSION_TEXTURE2DMS:                                                     \
        return VIEW_WINDOW(VIEW_2DMS, 0, 1, 0, 1, 0);                                              \
    case D3D12_##KIND##_DIMENSION_TEXTURE2DMSARRAY:                                                \
        return VIEW_WINDOW(VIEW_2DMS, 0, 1, d->Texture2DMSArray.FirstArraySlice,                   \
                           d->Texture2DMSArray.ArraySize, 0)
#define VIEW_VOLUME_CASE(KIND)                                                                     \
    case D3D12_##KIND##_DIMENSION_TEXTURE3D:                                                       \
        return VIEW_WINDOW(VIEW_3D, d->Texture3D.MipSlice, 1, d->Texture3D.FirstWSlice,            \
                           d->Texture3D.WSize, 0)
#define VIEW_NO_TEXTURE                                                                            \
    default:                                                                                       \
        return VIEW_WINDOW(VIEW_NO_SHAPE, 0, 0, 0, 0, 0)
#define VIEW_ONE_LEVEL(texture)  1
#define VIEW_ALL_LEVELS(texture) d->texture.MipLevels
#define VIEW_ONE_PLANE(texture)  d->texture.PlaneSlice
#define VIEW_ALL_PLANES(texture) 0

static inline struct view_window view_window_render_target(const D3D12_RENDER_TARGET_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        VIEW_FLAT_CASES(RTV, MipSlice, VIEW_ONE_LEVEL, VIEW_ONE_PLANE);
        VIEW_SAMPLED_CASES(RTV);
        VIEW_VOLUME_CASE(RTV);
        VIEW_NO_TEXTURE;
    }
}

static inline struct view_window view_window_depth_stencil(const D3D12_DEPTH_STENCIL_VIEW_DESC *d)
{
    switch (d->ViewDimension) {
        VIEW_FLAT_CASES(DSV, MipSlice, VIEW_ONE_LEVEL, VIEW_ALL_PLANES);
        VIEW_SAMPLED_CASES(DSV);
        VIEW_NO_TEXTURE;
    }
}
