/* Names of VkFormat without its prefix: most are a run of kinds of numbers for each layout of
 * components. */
#include "reader/ask.h"

#include <stdio.h>

static const char *const number_kinds[] = {"UNORM", "SNORM", "USCALED", "SSCALED",
                                           "UINT",  "SINT",  "SRGB",    "SFLOAT"};

/* The kinds of a run, as bits, lowest first. */
enum { TO_SINT = 0x3f, TO_SRGB = 0x7f, TO_SFLOAT = 0xbf, WIDE = 0xb0 };

static const struct {
    uint16_t first;
    uint8_t kinds;
    const char *components, *behind;
} runs[] = {
    {9, TO_SRGB, "R8", ""},
    {16, TO_SRGB, "R8G8", ""},
    {23, TO_SRGB, "R8G8B8", ""},
    {30, TO_SRGB, "B8G8R8", ""},
    {37, TO_SRGB, "R8G8B8A8", ""},
    {44, TO_SRGB, "B8G8R8A8", ""},
    {51, TO_SRGB, "A8B8G8R8", "_PACK32"},
    {58, TO_SINT, "A2R10G10B10", "_PACK32"},
    {64, TO_SINT, "A2B10G10R10", "_PACK32"},
    {70, TO_SFLOAT, "R16", ""},
    {77, TO_SFLOAT, "R16G16", ""},
    {84, TO_SFLOAT, "R16G16B16", ""},
    {91, TO_SFLOAT, "R16G16B16A16", ""},
    {98, WIDE, "R32", ""},
    {101, WIDE, "R32G32", ""},
    {104, WIDE, "R32G32B32", ""},
    {107, WIDE, "R32G32B32A32", ""},
    {110, WIDE, "R64", ""},
    {113, WIDE, "R64G64", ""},
    {116, WIDE, "R64G64B64", ""},
    {119, WIDE, "R64G64B64A64", ""},
};

static const char *const first_formats[] = {"UNDEFINED",
                                            "R4G4_UNORM_PACK8",
                                            "R4G4B4A4_UNORM_PACK16",
                                            "B4G4R4A4_UNORM_PACK16",
                                            "R5G6B5_UNORM_PACK16",
                                            "B5G6R5_UNORM_PACK16",
                                            "R5G5B5A1_UNORM_PACK16",
                                            "B5G5R5A1_UNORM_PACK16",
                                            "A1R5G5B5_UNORM_PACK16"};

enum { LAST_FORMATS = 122 };
static const char *const last_formats[] = {"B10G11R11_UFLOAT_PACK32",
                                           "E5B9G9R9_UFLOAT_PACK32",
                                           "D16_UNORM",
                                           "X8_D24_UNORM_PACK32",
                                           "D32_SFLOAT",
                                           "S8_UINT",
                                           "D16_UNORM_S8_UINT",
                                           "D24_UNORM_S8_UINT",
                                           "D32_SFLOAT_S8_UINT",
                                           "BC1_RGB_UNORM_BLOCK",
                                           "BC1_RGB_SRGB_BLOCK",
                                           "BC1_RGBA_UNORM_BLOCK",
                                           "BC1_RGBA_SRGB_BLOCK",
                                           "BC2_UNORM_BLOCK",
                                           "BC2_SRGB_BLOCK",
                                           "BC3_UNORM_BLOCK",
                                           "BC3_SRGB_BLOCK",
                                           "BC4_UNORM_BLOCK",
                                           "BC4_SNORM_BLOCK",
                                           "BC5_UNORM_BLOCK",
                                           "BC5_SNORM_BLOCK",
                                           "BC6H_UFLOAT_BLOCK",
                                           "BC6H_SFLOAT_BLOCK",
                                           "BC7_UNORM_BLOCK",
                                           "BC7_SRGB_BLOCK"};

/* `format` lies between the first ones and the last, where each is in a run. */
static void put_run(uint32_t format, char *text, size_t size)
{
    size_t at = sizeof runs / sizeof runs[0] - 1;
    while (runs[at].first > format)
        at--;
    uint32_t left = format - runs[at].first, kind = 0;
    while (!(runs[at].kinds >> kind & 1) || left-- > 0)
        kind++;
    snprintf(text, size, "%s_%s%s", runs[at].components, number_kinds[kind], runs[at].behind);
}

void annot__vulkan_format_text(uint32_t format, char *text, size_t size)
{
    if (format < sizeof first_formats / sizeof first_formats[0])
        snprintf(text, size, "%s", first_formats[format]);
    else if (format < LAST_FORMATS)
        put_run(format, text, size);
    else if (format - LAST_FORMATS < sizeof last_formats / sizeof last_formats[0])
        snprintf(text, size, "%s", last_formats[format - LAST_FORMATS]);
    else
        snprintf(text, size, "format %u", format);
}
