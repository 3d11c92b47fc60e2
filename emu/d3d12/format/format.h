/* The memory layouts of DXGI formats: their planes, and their blocks of texels. */
#pragma once

#include "base/com.h"

#define FORMAT_PLANES_MAX 2

struct format_plane {
    DXGI_FORMAT format;       /* the plane's format in D3D12_SUBRESOURCE_FOOTPRINT */
    uint8_t bytes;            /* size of a block */
    uint8_t width, height;    /* texels in a block */
    uint8_t x_shift, y_shift; /* the plane's sizes are the texture's sizes >> shift */
};

struct format {
    uint8_t planes; /* 1 or 2 */
    bool depth;     /* whether depth-stencil views may have the format */
    bool typeless;
    struct format_plane plane[FORMAT_PLANES_MAX];
};

/* Describes a format. False: the format is UNKNOWN, or no texture of the emulator can have it. */
bool format_find(DXGI_FORMAT format, struct format *out);

/* Returns the element size of a typed buffer in bytes; 0 if buffers can't have the format. */
UINT format_element_size(DXGI_FORMAT format);

/* Returns the typeless format of the format's family, or `format` itself if there is none. */
DXGI_FORMAT format_family(DXGI_FORMAT format);

/* Returns whether a view with the format `view` may read a texture with the format `resource`, if
 * the texture has no list of castable formats. */
bool format_may_view(DXGI_FORMAT resource, DXGI_FORMAT view);

/* Returns whether depth-stencil views may have this format. */
bool format_is_depth(DXGI_FORMAT format);

/* Whether copies may convert between compressed blocks of a format and texels of another format.
 * The texels must be integers of the block's size [Format Conversion using Direct3D 10.1]. */
bool format_is_block_pair(DXGI_FORMAT one, DXGI_FORMAT other);

/* Returns whether a list of castable formats may have `castable`: the blocks of both formats must
 * have the same size, and `castable` must not be typeless. */
bool format_may_cast(DXGI_FORMAT resource, DXGI_FORMAT castable);
