/*
 * The subresources of a texture that a view sees, and that a clear through it writes. Stored beside
 * the descriptors of heaps that are not shader-visible, because clears take their descriptors from
 * those.
 */
#ifndef D3D12_VIEW_PARTS_H
#define D3D12_VIEW_PARTS_H

#include "base/com.h"

struct d3d12_resource;
struct view_window;

struct view_parts {
    uint64_t address;         /* of the texture; 0: of none */
    uint64_t object;          /* its annot_object_id */
    D3D12_RESOURCE_DESC desc; /* the texture's */
    DXGI_FORMAT format;       /* the view's */
    UINT mip, plane;
    UINT first, count;         /* slices; of a volume, depths */
    D3D12_DSV_FLAGS read_only; /* of depth-stencil views */
};

/* The part that the window, which the texture was found to have, shows of it; NULL: the most
 * detailed mip of all slices. Of a buffer, and of no resource: nothing. */
struct view_parts view_parts_of(const struct d3d12_resource *texture,
                                const struct view_window *window);

#endif
