/* Converts the subresources in D3D12's calls to an ANNOT_PART. Include D3D12's header first. */
#pragma once

#include "d3d12_rules/views.h"

#include <annot/annot.h>

enum {
    LIST_ALL_SUBRESOURCES = -1,
    /* this number of mips, or more, in an ANNOT_PART means all mips */
    LIST_MIPS = 255,
    LIST_SLICES = 65535,
    LIST_PLANES = 16,
};

/* The numbers of mips and slices of a resource; a volume has one slice. Both numbers are 0 if they
 * are not known. */
struct list_shape {
    uint32_t mips, slices;
};

static inline struct list_shape list_shape_of(uint32_t dimension, uint32_t mips, uint32_t depth)
{
    return (struct list_shape){
        mips, dimension == (uint32_t)D3D12_RESOURCE_DIMENSION_TEXTURE3D ? 1 : depth};
}

/* Returns the part for a subresource's index. The index counts mips first, then slices, then planes
 * [Direct3D 12, subresources]. */
static inline uint64_t list_part_of_index(uint32_t index, struct list_shape of)
{
    if (index == (uint32_t)LIST_ALL_SUBRESOURCES)
        return 0;
    const uint64_t in_plane = (uint64_t)of.mips * of.slices;
    if (in_plane == 0 || index / in_plane >= LIST_PLANES)
        return ANNOT_PART_UNKNOWN;
    return ANNOT_PART(1u << index / in_plane, index % of.mips, 1, index / of.mips % of.slices, 1);
}

static inline uint64_t list_part_of_range(const D3D12_BARRIER_SUBRESOURCE_RANGE *range,
                                          struct list_shape of)
{
    if (range->NumMipLevels == 0)
        return list_part_of_index(range->IndexOrFirstMipLevel, of);
    if (range->NumArraySlices == 0 || range->NumPlanes == 0 ||
        range->IndexOrFirstMipLevel >= LIST_MIPS || range->FirstArraySlice >= LIST_SLICES ||
        range->FirstPlane >= LIST_PLANES)
        return ANNOT_PART_UNKNOWN;
    const uint32_t planes = range->NumPlanes >= LIST_PLANES ? 0xFFFF : (1u << range->NumPlanes) - 1;
    return ANNOT_PART((planes << range->FirstPlane) & 0xFFFF, range->IndexOrFirstMipLevel,
                      range->NumMipLevels < LIST_MIPS ? range->NumMipLevels : LIST_MIPS,
                      range->FirstArraySlice,
                      range->NumArraySlices < LIST_SLICES ? range->NumArraySlices : LIST_SLICES);
}

/* Returns a part that has one mip of `count` slices. If the count is too large, the part has all
 * slices from `first` on. */
static inline uint64_t list_part_of_slices(uint32_t planes, uint32_t mip, uint32_t first,
                                           uint32_t count)
{
    return mip >= LIST_MIPS || first >= LIST_SLICES || count == 0
               ? ANNOT_PART_UNKNOWN
               : ANNOT_PART(planes, mip, 1, first, count < LIST_SLICES ? count : LIST_SLICES);
}

/* Returns the part that a render target view shows. If `view` is NULL, this is the first mip of all
 * slices. */
static inline uint64_t list_part_of_target(const D3D12_RENDER_TARGET_VIEW_DESC *view)
{
    if (!view)
        return list_part_of_slices(1, 0, 0, UINT32_MAX);
    const struct view_window of = view_window_render_target(view);
    if (of.shape == VIEW_NO_SHAPE) /* a buffer */
        return 0;
    return of.shape == VIEW_3D
               ? list_part_of_slices(1, of.mip, 0, 1)
               : list_part_of_slices(1u << (of.plane & 15), of.mip, of.slice, of.slices);
}

/* Returns the part that a depth-stencil view shows. */
static inline uint64_t list_part_of_depth(const D3D12_DEPTH_STENCIL_VIEW_DESC *view)
{
    const uint32_t both = 0xFFFF;
    if (!view)
        return list_part_of_slices(both, 0, 0, UINT32_MAX);
    const struct view_window of = view_window_depth_stencil(view);
    return of.shape == VIEW_NO_SHAPE ? ANNOT_PART_UNKNOWN
                                     : list_part_of_slices(both, of.mip, of.slice, of.slices);
}
