#include "format/format.h"

struct range {
    uint8_t first, last; /* DXGI_FORMAT, inclusive */
    uint8_t bytes, width, height;
};

/* Formats of one plane. Left out: R1_UNORM, the opaque and the palettized video formats. */
static const struct range ranges[] = {
    {DXGI_FORMAT_R32G32B32A32_TYPELESS, DXGI_FORMAT_R32G32B32A32_SINT, 16, 1, 1},
    {DXGI_FORMAT_R32G32B32_TYPELESS, DXGI_FORMAT_R32G32B32_SINT, 12, 1, 1},
    {DXGI_FORMAT_R16G16B16A16_TYPELESS, DXGI_FORMAT_R32G32_SINT, 8, 1, 1},
    {DXGI_FORMAT_R10G10B10A2_TYPELESS, DXGI_FORMAT_R32_SINT, 4, 1, 1},
    {DXGI_FORMAT_R8G8_TYPELESS, DXGI_FORMAT_R16_SINT, 2, 1, 1},
    {DXGI_FORMAT_R8_TYPELESS, DXGI_FORMAT_A8_UNORM, 1, 1, 1},
    {DXGI_FORMAT_R9G9B9E5_SHAREDEXP, DXGI_FORMAT_R9G9B9E5_SHAREDEXP, 4, 1, 1},
    {DXGI_FORMAT_R8G8_B8G8_UNORM, DXGI_FORMAT_G8R8_G8B8_UNORM, 4, 2, 1},
    {DXGI_FORMAT_BC1_TYPELESS, DXGI_FORMAT_BC1_UNORM_SRGB, 8, 4, 4},
    {DXGI_FORMAT_BC2_TYPELESS, DXGI_FORMAT_BC3_UNORM_SRGB, 16, 4, 4},
    {DXGI_FORMAT_BC4_TYPELESS, DXGI_FORMAT_BC4_SNORM, 8, 4, 4},
    {DXGI_FORMAT_BC5_TYPELESS, DXGI_FORMAT_BC5_SNORM, 16, 4, 4},
    {DXGI_FORMAT_B5G6R5_UNORM, DXGI_FORMAT_B5G5R5A1_UNORM, 2, 1, 1},
    {DXGI_FORMAT_B8G8R8A8_UNORM, DXGI_FORMAT_B8G8R8X8_UNORM_SRGB, 4, 1, 1},
    {DXGI_FORMAT_BC6H_TYPELESS, DXGI_FORMAT_BC7_UNORM_SRGB, 16, 4, 4},
    {DXGI_FORMAT_AYUV, DXGI_FORMAT_Y410, 4, 1, 1},
    {DXGI_FORMAT_Y416, DXGI_FORMAT_Y416, 8, 1, 1},
    {DXGI_FORMAT_YUY2, DXGI_FORMAT_YUY2, 4, 2, 1},
    {DXGI_FORMAT_Y210, DXGI_FORMAT_Y216, 8, 2, 1},
    {DXGI_FORMAT_B4G4R4A4_UNORM, DXGI_FORMAT_B4G4R4A4_UNORM, 2, 1, 1},
};

static const struct format depth_stencil = {2,
                                            true,
                                            false,
                                            {{DXGI_FORMAT_R32_TYPELESS, 4, 1, 1, 0, 0},
                                             {DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, 0, 0}}};
static const struct format video8 = {2,
                                     false,
                                     false,
                                     {{DXGI_FORMAT_R8_TYPELESS, 1, 1, 1, 0, 0},
                                      {DXGI_FORMAT_R8G8_TYPELESS, 2, 1, 1, 1, 1}}};
static const struct format video16 = {2,
                                      false,
                                      false,
                                      {{DXGI_FORMAT_R16_TYPELESS, 2, 1, 1, 0, 0},
                                       {DXGI_FORMAT_R16G16_TYPELESS, 4, 1, 1, 1, 1}}};

/* Families of formats; the first member of each is the typeless format. */
static const struct {
    uint8_t first, last;
} families[] = {
    {DXGI_FORMAT_R32G32B32A32_TYPELESS, DXGI_FORMAT_R32G32B32A32_SINT},
    {DXGI_FORMAT_R32G32B32_TYPELESS, DXGI_FORMAT_R32G32B32_SINT},
    {DXGI_FORMAT_R16G16B16A16_TYPELESS, DXGI_FORMAT_R16G16B16A16_SINT},
    {DXGI_FORMAT_R32G32_TYPELESS, DXGI_FORMAT_R32G32_SINT},
    {DXGI_FORMAT_R32G8X24_TYPELESS, DXGI_FORMAT_X32_TYPELESS_G8X24_UINT},
    {DXGI_FORMAT_R10G10B10A2_TYPELESS, DXGI_FORMAT_R10G10B10A2_UINT},
    {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_R8G8B8A8_SINT},
    {DXGI_FORMAT_R16G16_TYPELESS, DXGI_FORMAT_R16G16_SINT},
    {DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_R32_SINT},
    {DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_X24_TYPELESS_G8_UINT},
    {DXGI_FORMAT_R8G8_TYPELESS, DXGI_FORMAT_R8G8_SINT},
    {DXGI_FORMAT_R16_TYPELESS, DXGI_FORMAT_R16_SINT},
    {DXGI_FORMAT_R8_TYPELESS, DXGI_FORMAT_R8_SINT},
    {DXGI_FORMAT_BC1_TYPELESS, DXGI_FORMAT_BC1_UNORM_SRGB},
    {DXGI_FORMAT_BC2_TYPELESS, DXGI_FORMAT_BC2_UNORM_SRGB},
    {DXGI_FORMAT_BC3_TYPELESS, DXGI_FORMAT_BC3_UNORM_SRGB},
    {DXGI_FORMAT_BC4_TYPELESS, DXGI_FORMAT_BC4_SNORM},
    {DXGI_FORMAT_BC5_TYPELESS, DXGI_FORMAT_BC5_SNORM},
    {DXGI_FORMAT_B8G8R8A8_TYPELESS, DXGI_FORMAT_B8G8R8A8_UNORM_SRGB},
    {DXGI_FORMAT_B8G8R8X8_TYPELESS, DXGI_FORMAT_B8G8R8X8_UNORM_SRGB},
    {DXGI_FORMAT_BC6H_TYPELESS, DXGI_FORMAT_BC6H_SF16},
    {DXGI_FORMAT_BC7_TYPELESS, DXGI_FORMAT_BC7_UNORM_SRGB},
};

static bool is_typeless(DXGI_FORMAT format)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (format == families[i].first)
            return true;
    return false;
}

static bool find_single(DXGI_FORMAT format, struct format *out)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range *range = &ranges[i];
        if (format < range->first || format > range->last)
            continue;
        *out = (struct format){
            .planes = 1,
            .depth = format == DXGI_FORMAT_D32_FLOAT || format == DXGI_FORMAT_D16_UNORM ||
                     format == DXGI_FORMAT_R32_TYPELESS || format == DXGI_FORMAT_R16_TYPELESS,
            .plane = {{format, range->bytes, range->width, range->height, 0, 0}},
        };
        return true;
    }
    return false;
}

bool format_is_depth(DXGI_FORMAT format)
{
    return format == DXGI_FORMAT_D16_UNORM || format == DXGI_FORMAT_D32_FLOAT ||
           format == DXGI_FORMAT_D24_UNORM_S8_UINT || format == DXGI_FORMAT_D32_FLOAT_S8X24_UINT;
}

bool format_find(DXGI_FORMAT format, struct format *out)
{
    bool known = true;
    switch (format_family(format)) {
    case DXGI_FORMAT_R32G8X24_TYPELESS:
    case DXGI_FORMAT_R24G8_TYPELESS:
        *out = depth_stencil;
        break;
    case DXGI_FORMAT_NV12:
        *out = video8;
        break;
    case DXGI_FORMAT_P010:
    case DXGI_FORMAT_P016:
        *out = video16;
        break;
    default:
        known = find_single(format, out);
    }
    out->typeless = known && is_typeless(format);
    return known;
}

UINT format_element_size(DXGI_FORMAT format)
{
    struct format found;
    if (!format_find(format, &found) || found.planes != 1 || found.plane[0].width != 1 ||
        found.typeless || format >= DXGI_FORMAT_AYUV)
        return 0;
    return found.plane[0].bytes;
}

DXGI_FORMAT format_family(DXGI_FORMAT format)
{
    if (format == DXGI_FORMAT_B8G8R8A8_UNORM)
        return DXGI_FORMAT_B8G8R8A8_TYPELESS;
    if (format == DXGI_FORMAT_B8G8R8X8_UNORM)
        return DXGI_FORMAT_B8G8R8X8_TYPELESS;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (format >= families[i].first && format <= families[i].last)
            return families[i].first;
    return format;
}

bool format_may_view(DXGI_FORMAT resource, DXGI_FORMAT view)
{
    struct format format, other;
    if (format_family(resource) == format_family(view))
        return true;
    if (!format_find(resource, &format) || !format_find(view, &other) || format.depth)
        return false;
    /* a view may show a one-plane video format as any format with the same size of blocks */
    if (format.planes == 1)
        return resource >= DXGI_FORMAT_AYUV && resource <= DXGI_FORMAT_Y216 &&
               format.plane[0].bytes == other.plane[0].bytes;
    return format_family(view) == format.plane[0].format ||
           format_family(view) == format.plane[1].format;
}

static bool is_wide_integer(DXGI_FORMAT format)
{
    switch (format) {
    case DXGI_FORMAT_R32G32B32A32_UINT:
    case DXGI_FORMAT_R32G32B32A32_SINT:
    case DXGI_FORMAT_R16G16B16A16_UINT:
    case DXGI_FORMAT_R16G16B16A16_SINT:
    case DXGI_FORMAT_R32G32_UINT:
    case DXGI_FORMAT_R32G32_SINT:
        return true;
    default:
        return false;
    }
}

bool format_is_block_pair(DXGI_FORMAT one, DXGI_FORMAT other)
{
    struct format block, texel;
    if (is_wide_integer(one))
        return !is_wide_integer(other) && format_is_block_pair(other, one);
    return is_wide_integer(other) && format_find(one, &block) && format_find(other, &texel) &&
           block.plane[0].height == 4 && block.plane[0].bytes == texel.plane[0].bytes;
}

bool format_may_cast(DXGI_FORMAT resource, DXGI_FORMAT castable)
{
    struct format from, to;
    return format_find(resource, &from) && format_find(castable, &to) && !to.typeless &&
           from.planes == 1 && to.planes == 1 && from.plane[0].bytes == to.plane[0].bytes;
}
