/* Describes and checks views of textures. */
#pragma once

#include "base/validation_error.h"
#include "d3d12_rules/views.h"
#include "resource/resource.h"

struct view_window view_window_shader_resource(const D3D12_SHADER_RESOURCE_VIEW_DESC *desc);
struct view_window view_window_unordered_access(const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc);

/* The numbers of D3D12's messages about mistakes in views of one kind. */
struct view_mistakes {
    int desc, format, dimensions, plane;
};

/* Checks whether the texture has the part that the window selects. If `texture` is NULL, the view
 * is a null descriptor; then only the view's format and shape are checked. */
struct validation_error view_window_check(const struct view_window *window,
                                          const struct d3d12_resource *resource,
                                          const struct view_mistakes *ids);

/* The subresources of a texture that a view shows, and that a clear with the view writes. Only
 * heaps that shaders can't see store view_parts, because clears use such heaps. */
struct view_parts {
    uint64_t address;         /* address of the texture; 0: no texture */
    uint64_t object;          /* annot_object_id of the texture */
    D3D12_RESOURCE_DESC desc; /* the texture's description */
    DXGI_FORMAT format;       /* the view's format */
    UINT mip, plane;
    UINT first, count;         /* the range of array slices; of a volume, the range of depths */
    D3D12_DSV_FLAGS read_only; /* flags of a depth-stencil view: which planes are read-only */
};

/* Returns the part of the texture that the valid view `window` shows. If `window` is NULL, the part
 * is the most detailed mip of all slices. Without a texture, the result has no part. */
struct view_parts view_parts_of(const struct d3d12_resource *texture,
                                const struct view_window *window);
