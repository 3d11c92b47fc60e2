/*
 * Converts numbers to texels by [D3D11.3 functional specification, 3.2.3]: floats are clamped,
 * scaled and rounded to the nearest for normalised formats, truncated for integers and for smaller
 * floats. A format lists its channels from the lowest bit on.
 */
#include "resource/clear_value.h"

#include <math.h>

enum number { NUMBER_UNORM = 1, NUMBER_SRGB, NUMBER_SNORM, NUMBER_UINT, NUMBER_SINT, NUMBER_FLOAT };

struct channels {
    uint8_t format; /* DXGI_FORMAT */
    uint8_t number;
    uint8_t bits[4];
    const char *order; /* which colour each channel is */
};

#define RGBA "rgba"
#define BGRA "bgra"

static const struct channels table[] = {
    {DXGI_FORMAT_R32G32B32A32_FLOAT, NUMBER_FLOAT, {32, 32, 32, 32}, RGBA},
    {DXGI_FORMAT_R32G32B32A32_UINT, NUMBER_UINT, {32, 32, 32, 32}, RGBA},
    {DXGI_FORMAT_R32G32B32A32_SINT, NUMBER_SINT, {32, 32, 32, 32}, RGBA},
    {DXGI_FORMAT_R32G32B32_FLOAT, NUMBER_FLOAT, {32, 32, 32}, RGBA},
    {DXGI_FORMAT_R32G32B32_UINT, NUMBER_UINT, {32, 32, 32}, RGBA},
    {DXGI_FORMAT_R32G32B32_SINT, NUMBER_SINT, {32, 32, 32}, RGBA},
    {DXGI_FORMAT_R16G16B16A16_FLOAT, NUMBER_FLOAT, {16, 16, 16, 16}, RGBA},
    {DXGI_FORMAT_R16G16B16A16_UNORM, NUMBER_UNORM, {16, 16, 16, 16}, RGBA},
    {DXGI_FORMAT_R16G16B16A16_UINT, NUMBER_UINT, {16, 16, 16, 16}, RGBA},
    {DXGI_FORMAT_R16G16B16A16_SNORM, NUMBER_SNORM, {16, 16, 16, 16}, RGBA},
    {DXGI_FORMAT_R16G16B16A16_SINT, NUMBER_SINT, {16, 16, 16, 16}, RGBA},
    {DXGI_FORMAT_R32G32_FLOAT, NUMBER_FLOAT, {32, 32}, RGBA},
    {DXGI_FORMAT_R32G32_UINT, NUMBER_UINT, {32, 32}, RGBA},
    {DXGI_FORMAT_R32G32_SINT, NUMBER_SINT, {32, 32}, RGBA},
    {DXGI_FORMAT_R10G10B10A2_UNORM, NUMBER_UNORM, {10, 10, 10, 2}, RGBA},
    {DXGI_FORMAT_R10G10B10A2_UINT, NUMBER_UINT, {10, 10, 10, 2}, RGBA},
    {DXGI_FORMAT_R11G11B10_FLOAT, NUMBER_FLOAT, {11, 11, 10}, RGBA},
    {DXGI_FORMAT_R8G8B8A8_UNORM, NUMBER_UNORM, {8, 8, 8, 8}, RGBA},
    {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, NUMBER_SRGB, {8, 8, 8, 8}, RGBA},
    {DXGI_FORMAT_R8G8B8A8_UINT, NUMBER_UINT, {8, 8, 8, 8}, RGBA},
    {DXGI_FORMAT_R8G8B8A8_SNORM, NUMBER_SNORM, {8, 8, 8, 8}, RGBA},
    {DXGI_FORMAT_R8G8B8A8_SINT, NUMBER_SINT, {8, 8, 8, 8}, RGBA},
    {DXGI_FORMAT_R16G16_FLOAT, NUMBER_FLOAT, {16, 16}, RGBA},
    {DXGI_FORMAT_R16G16_UNORM, NUMBER_UNORM, {16, 16}, RGBA},
    {DXGI_FORMAT_R16G16_UINT, NUMBER_UINT, {16, 16}, RGBA},
    {DXGI_FORMAT_R16G16_SNORM, NUMBER_SNORM, {16, 16}, RGBA},
    {DXGI_FORMAT_R16G16_SINT, NUMBER_SINT, {16, 16}, RGBA},
    {DXGI_FORMAT_R32_FLOAT, NUMBER_FLOAT, {32}, RGBA},
    {DXGI_FORMAT_R32_UINT, NUMBER_UINT, {32}, RGBA},
    {DXGI_FORMAT_R32_SINT, NUMBER_SINT, {32}, RGBA},
    {DXGI_FORMAT_R8G8_UNORM, NUMBER_UNORM, {8, 8}, RGBA},
    {DXGI_FORMAT_R8G8_UINT, NUMBER_UINT, {8, 8}, RGBA},
    {DXGI_FORMAT_R8G8_SNORM, NUMBER_SNORM, {8, 8}, RGBA},
    {DXGI_FORMAT_R8G8_SINT, NUMBER_SINT, {8, 8}, RGBA},
    {DXGI_FORMAT_R16_FLOAT, NUMBER_FLOAT, {16}, RGBA},
    {DXGI_FORMAT_R16_UNORM, NUMBER_UNORM, {16}, RGBA},
    {DXGI_FORMAT_R16_UINT, NUMBER_UINT, {16}, RGBA},
    {DXGI_FORMAT_R16_SNORM, NUMBER_SNORM, {16}, RGBA},
    {DXGI_FORMAT_R16_SINT, NUMBER_SINT, {16}, RGBA},
    {DXGI_FORMAT_R8_UNORM, NUMBER_UNORM, {8}, RGBA},
    {DXGI_FORMAT_R8_UINT, NUMBER_UINT, {8}, RGBA},
    {DXGI_FORMAT_R8_SNORM, NUMBER_SNORM, {8}, RGBA},
    {DXGI_FORMAT_R8_SINT, NUMBER_SINT, {8}, RGBA},
    {DXGI_FORMAT_A8_UNORM, NUMBER_UNORM, {8}, "a"},
    {DXGI_FORMAT_B5G6R5_UNORM, NUMBER_UNORM, {5, 6, 5}, BGRA},
    {DXGI_FORMAT_B5G5R5A1_UNORM, NUMBER_UNORM, {5, 5, 5, 1}, BGRA},
    {DXGI_FORMAT_B4G4R4A4_UNORM, NUMBER_UNORM, {4, 4, 4, 4}, BGRA},
    {DXGI_FORMAT_B8G8R8A8_UNORM, NUMBER_UNORM, {8, 8, 8, 8}, BGRA},
    {DXGI_FORMAT_B8G8R8A8_UNORM_SRGB, NUMBER_SRGB, {8, 8, 8, 8}, BGRA},
    {DXGI_FORMAT_B8G8R8X8_UNORM, NUMBER_UNORM, {8, 8, 8, 8}, BGRA},
    {DXGI_FORMAT_B8G8R8X8_UNORM_SRGB, NUMBER_SRGB, {8, 8, 8, 8}, BGRA},
};

static const struct channels *find_channels(DXGI_FORMAT format)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].format == format)
            return &table[i];
    return NULL;
}

/* ---- one number ---- */

/* NaN becomes `low`'s neighbour 0, which all ranges here contain. */
static double clamp(double value, double low, double high)
{
    return !(value == value) ? 0 : value < low ? low : value > high ? high : value;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* 5 bits of exponent, `mantissa` bits behind it, and a sign before it or, negative ones being 0,
 * none. Rounds towards 0, so that what is too large becomes the largest finite number [D3D11.3
 * functional specification, 3.2.2]. */
static uint32_t small_float(float value, unsigned mantissa, bool has_sign)
{
    const uint32_t bits = float_bits(value), magnitude = bits & 0x7FFFFFFFu;
    const uint32_t sign = bits >> 31 << (5 + mantissa);
    const uint32_t infinity = 0x1Fu << mantissa;
    const uint32_t cut = 23 - mantissa; /* bits of a mantissa that go */
    const int exponent = (int)(magnitude >> 23) - 127;
    if (magnitude > 0x7F800000u) /* not a number */
        return infinity | 1u << (mantissa - 1);
    if (!has_sign && sign != 0)
        return 0;
    if (magnitude == 0x7F800000u)
        return sign | infinity;
    if (exponent > 15)
        return sign | (infinity - 1);
    if (exponent >= -14)
        return sign | (uint32_t)(exponent + 15) << mantissa | (magnitude & 0x7FFFFFu) >> cut;
    const uint32_t shift = cut + (uint32_t)(-14 - exponent); /* denormal */
    return sign | (shift < 32 ? ((magnitude & 0x7FFFFFu) | 0x800000u) >> shift : 0);
}

static double srgb_of(double linear)
{
    const double value = clamp(linear, 0, 1);
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
}

static uint32_t unorm(double value, unsigned bits)
{
    return (uint32_t)(clamp(value, 0, 1) * (double)((1ull << bits) - 1) + 0.5);
}

static uint32_t convert(enum number number, float value, unsigned bits)
{
    const double most = (double)((1ull << (bits - 1)) - 1);
    switch (number) {
    case NUMBER_UNORM:
    case NUMBER_SRGB:
        return unorm((double)value, bits);
    case NUMBER_SNORM:
        return (uint32_t)(int32_t)lround(clamp((double)value, -1, 1) * most);
    case NUMBER_UINT:
        return (uint32_t)clamp((double)value, 0, (double)((1ull << bits) - 1));
    case NUMBER_SINT:
        return (uint32_t)(int32_t)clamp((double)value, -most - 1, most);
    case NUMBER_FLOAT:
        break;
    }
    if (bits == 32)
        return float_bits(value);
    return bits == 16 ? small_float(value, 10, true) : small_float(value, bits - 5, false);
}

/* ---- texels ---- */

/* Appends the low bits of `value`. */
static void append(struct clear_value *out, unsigned *at, uint32_t value, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++, (*at)++)
        out->bytes[*at / 8] |= (uint8_t)((value >> i & 1) << *at % 8);
    out->size = *at / 8;
}

struct clear_value clear_value_color(DXGI_FORMAT format, const FLOAT rgba[4])
{
    const struct channels *channels = find_channels(format);
    struct clear_value out = {.size = 0};
    unsigned at = 0;
    for (unsigned i = 0; channels && i < 4 && channels->bits[i] != 0; i++) {
        const char color = channels->order[i];
        float value = rgba[strchr(RGBA, color) - RGBA];
        if (channels->number == NUMBER_SRGB && color != 'a')
            value = (float)srgb_of((double)value);
        append(&out, &at, convert((enum number)channels->number, value, channels->bits[i]),
               channels->bits[i]);
    }
    return out;
}

struct clear_value clear_value_bits(DXGI_FORMAT format, const UINT values[4])
{
    const struct channels *channels =
        find_channels(format == DXGI_FORMAT_R32_TYPELESS ? DXGI_FORMAT_R32_UINT : format);
    struct clear_value out = {.size = 0};
    unsigned at = 0;
    for (unsigned i = 0; channels && i < 4 && channels->bits[i] != 0; i++)
        append(&out, &at, values[strchr(RGBA, channels->order[i]) - RGBA], channels->bits[i]);
    return out;
}

struct clear_value clear_value_depth(DXGI_FORMAT format, FLOAT depth)
{
    const double clamped = clamp((double)depth, 0, 1);
    struct clear_value out = {.size = 0};
    unsigned at = 0;
    switch (format) {
    case DXGI_FORMAT_D16_UNORM:
        append(&out, &at, unorm(clamped, 16), 16);
        break;
    case DXGI_FORMAT_D24_UNORM_S8_UINT: /* in 32 bits; the upper 8 are unused */
        append(&out, &at, unorm(clamped, 24), 32);
        break;
    case DXGI_FORMAT_D32_FLOAT:
    case DXGI_FORMAT_D32_FLOAT_S8X24_UINT:
        append(&out, &at, float_bits((float)clamped), 32);
        break;
    default:
        break;
    }
    return out;
}
