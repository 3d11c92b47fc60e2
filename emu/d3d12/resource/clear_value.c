/* Converts numbers to texels by [D3D11.3 functional specification, 3.2.3]: floats are clamped,
 * scaled and rounded to the nearest for normalised formats, truncated for integers and for smaller
 * floats. A format lists its channels from the lowest bit on. */
#include "resource/clear_value.h"

#include <math.h>

enum number { NUMBER_UNORM = 1, NUMBER_SRGB, NUMBER_SNORM, NUMBER_UINT, NUMBER_SINT, NUMBER_FLOAT };

struct channels {
    uint8_t format; /* DXGI_FORMAT */
    uint8_t number;
    uint8_t bits[4];
    const char *order; /* order of the colours in the channels */
};

#define RGBA "rgba"
#define BGRA "bgra"

#define ROW(format, number, order, ...)                                                            \
    {                                                                                              \
        DXGI_FORMAT_##format, NUMBER_##number, {__VA_ARGS__}, order                                \
    }
/* The formats of a family with the usual names, and the bits of their channels. */
#define INTEGERS(family, ...)                                                                      \
    ROW(family##_UINT, UINT, RGBA, __VA_ARGS__), ROW(family##_SINT, SINT, RGBA, __VA_ARGS__)
#define FLOATING(family, ...)                                                                      \
    ROW(family##_FLOAT, FLOAT, RGBA, __VA_ARGS__), INTEGERS(family, __VA_ARGS__)
#define NORMALIZED(family, ...)                                                                    \
    ROW(family##_UNORM, UNORM, RGBA, __VA_ARGS__), ROW(family##_SNORM, SNORM, RGBA, __VA_ARGS__),  \
        INTEGERS(family, __VA_ARGS__)

/* clang-format off */
static const struct channels table[] = {
    FLOATING(R32G32B32A32, 32, 32, 32, 32),
    FLOATING(R32G32B32, 32, 32, 32),
    FLOATING(R32G32, 32, 32),
    FLOATING(R32, 32),
    NORMALIZED(R16G16B16A16, 16, 16, 16, 16),
    NORMALIZED(R16G16, 16, 16),
    NORMALIZED(R16, 16),
    ROW(R16G16B16A16_FLOAT, FLOAT, RGBA, 16, 16, 16, 16),
    ROW(R16G16_FLOAT, FLOAT, RGBA, 16, 16),
    ROW(R16_FLOAT, FLOAT, RGBA, 16),
    NORMALIZED(R8G8B8A8, 8, 8, 8, 8),
    NORMALIZED(R8G8, 8, 8),
    NORMALIZED(R8, 8),
    ROW(R10G10B10A2_UNORM, UNORM, RGBA, 10, 10, 10, 2),
    ROW(R10G10B10A2_UINT, UINT, RGBA, 10, 10, 10, 2),
    ROW(R11G11B10_FLOAT, FLOAT, RGBA, 11, 11, 10),
    ROW(A8_UNORM, UNORM, "a", 8),
    ROW(B5G6R5_UNORM, UNORM, BGRA, 5, 6, 5),
    ROW(B5G5R5A1_UNORM, UNORM, BGRA, 5, 5, 5, 1),
    ROW(B4G4R4A4_UNORM, UNORM, BGRA, 4, 4, 4, 4),
    ROW(B8G8R8A8_UNORM, UNORM, BGRA, 8, 8, 8, 8),
    ROW(B8G8R8X8_UNORM, UNORM, BGRA, 8, 8, 8, 8),
    ROW(R8G8B8A8_UNORM_SRGB, SRGB, RGBA, 8, 8, 8, 8),
    ROW(B8G8R8A8_UNORM_SRGB, SRGB, BGRA, 8, 8, 8, 8),
    ROW(B8G8R8X8_UNORM_SRGB, SRGB, BGRA, 8, 8, 8, 8),
};
/* clang-format on */

static const struct channels *find_channels(DXGI_FORMAT format)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].format == format)
            return &table[i];
    return NULL;
}

/* ---- one number ---- */

/* Clamps a value. NaN becomes 0, which all ranges here contain. */
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

/* Makes a float with 5 bits of exponent, `mantissa` bits, and perhaps a sign; without a sign,
 * negative values become 0. Rounds towards 0, so a value that is too large becomes the largest
 * finite number [D3D11.3 functional specification, 3.2.2]. */
static uint32_t small_float(float value, unsigned mantissa, bool has_sign)
{
    const uint32_t bits = float_bits(value), magnitude = bits & 0x7FFFFFFFu;
    const uint32_t sign = bits >> 31 << (5 + mantissa);
    const uint32_t infinity = 0x1Fu << mantissa;
    const uint32_t cut = 23 - mantissa; /* bits of the mantissa that are cut */
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
    case DXGI_FORMAT_D24_UNORM_S8_UINT: /* a texel has 32 bits; the upper 8 are unused */
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
