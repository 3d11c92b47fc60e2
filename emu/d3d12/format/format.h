/* The memory layout of DXGI formats: blocks of texels, and planes. */
#pragma once

#include "base/com.h"

#define FORMAT_PLANES_MAX 2

struct format_plane {
    DXGI_FORMAT format;       /* the plane's format in a footprint */
    uint8_t bytes;            /* size of a block */
    uint8_t width, height;    /* texels in a block */
    uint8_t x_shift, y_shift; /* the plane's size is the texture's size >> shift */
};

struct format {
    uint8_t planes; /* 1 or 2 */
    bool depth;     /* whether depth-stencil views may have the format */
    bool typeless;
    struct format_plane plane[FORMAT_PLANES_MAX];
};

/* Finds a format. False: `format` is UNKNOWN, or the emulator's textures can't have it. */
bool format_find(DXGI_FORMAT format, struct format *out);

/* Returns the bytes of an element in a typed buffer; 0 for a format that buffers can't have. */
UINT format_element_size(DXGI_FORMAT format);

/* Returns the typeless format of the format's family, or `format` itself if there is none. */
DXGI_FORMAT format_family(DXGI_FORMAT format);

/* Whether a view with the format `view` may read a texture with the format `resource`, without a
 * list of castable formats. */
bool format_may_view(DXGI_FORMAT resource, DXGI_FORMAT view);

/* Whether a depth-stencil view may have this format. */
bool format_is_depth(DXGI_FORMAT format);

/* Whether copies may convert between compressed blocks of one format and texels of another format.
 * The texels must be integers of the block's size [Format Conversion using Direct3D 10.1]. */
bool format_is_block_pair(DXGI_FORMAT one, DXGI_FORMAT other);

/* Whether `castable` may be in a list of castable formats: the blocks of both formats have the same
 * size, and `castable` is not typeless. */
bool format_may_cast(DXGI_FORMAT resource, DXGI_FORMAT castable);
