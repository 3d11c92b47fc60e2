/* Converts colours, depths and integers to texels of a format, for calls that clear a view. */
#pragma once

#include "base/com.h"

struct clear_value {
    uint8_t bytes[16]; /* the value as one texel of the format */
    UINT size;         /* bytes of the value; 0: this clear is impossible for the format */
};

/* Returns the colour as a render target or typed view stores it, by D3D12's rounding rules. */
struct clear_value clear_value_color(DXGI_FORMAT format, const FLOAT rgba[4]);

/* Returns the low bits of each value, unchanged [ClearUnorderedAccessViewUint]. */
struct clear_value clear_value_bits(DXGI_FORMAT format, const UINT values[4]);

/* Returns the value for plane 0 of a depth format; the stencil is a byte in plane 1. */
struct clear_value clear_value_depth(DXGI_FORMAT format, FLOAT depth);
