/* Converts colours, depths and integers to a format's texels, for calls that clear a view. */
#pragma once

#include "base/com.h"

struct clear_value {
    uint8_t bytes[16]; /* the bytes of one texel with the value */
    UINT size;         /* size of the texel in bytes; 0: the format can't be cleared this way */
};

/* Returns the texel that a view or target stores for the colour, rounded by D3D12's rules. */
struct clear_value clear_value_color(DXGI_FORMAT format, const FLOAT rgba[4]);

/* Returns a texel that is made of each value's low bits [ClearUnorderedAccessViewUint]. */
struct clear_value clear_value_bits(DXGI_FORMAT format, const UINT values[4]);

/* Returns the texel of a depth format's plane 0. The stencil is a byte in plane 1. */
struct clear_value clear_value_depth(DXGI_FORMAT format, FLOAT depth);
