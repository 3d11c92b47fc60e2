/* Makes the names of VkFormat without the prefix. For most layouts of components, VkFormat has a
 * run of values, one for each kind of number. */
#include "reader/ask.h"

#include "base/search.h"

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

static const char first_formats[] =
    "UNDEFINED\0R4G4_UNORM_PACK8\0R4G4B4A4_UNORM_PACK16\0B4G4R4A4_UNORM_PACK16\0"
    "R5G6B5_UNORM_PACK16\0B5G6R5_UNORM_PACK16\0R5G5B5A1_UNORM_PACK16\0B5G5R5A1_UNORM_PACK16\0"
    "A1R5G5B5_UNORM_PACK16";

enum { LAST_FORMATS = 122 };
static const char last_formats[] =
    "B10G11R11_UFLOAT_PACK32\0E5B9G9R9_UFLOAT_PACK32\0D16_UNORM\0X8_D24_UNORM_PACK32\0D32_SFLOAT\0"
    "S8_UINT\0D16_UNORM_S8_UINT\0D24_UNORM_S8_UINT\0D32_SFLOAT_S8_UINT\0BC1_RGB_UNORM_BLOCK\0"
    "BC1_RGB_SRGB_BLOCK\0BC1_RGBA_UNORM_BLOCK\0BC1_RGBA_SRGB_BLOCK\0BC2_UNORM_BLOCK\0"
    "BC2_SRGB_BLOCK\0BC3_UNORM_BLOCK\0BC3_SRGB_BLOCK\0BC4_UNORM_BLOCK\0BC4_SNORM_BLOCK\0"
    "BC5_UNORM_BLOCK\0BC5_SNORM_BLOCK\0BC6H_UFLOAT_BLOCK\0BC6H_SFLOAT_BLOCK\0BC7_UNORM_BLOCK\0"
    "BC7_SRGB_BLOCK";

/* Writes the name of a format in a run. */
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
    const bool is_last = format >= LAST_FORMATS;
    const char *name = is_last ? ANNOT__WORD_AT(last_formats, format - LAST_FORMATS)
                               : ANNOT__WORD_AT(first_formats, format);
    if (name)
        snprintf(text, size, "%s", name);
    else if (is_last)
        snprintf(text, size, "format %u", format);
    else
        put_run(format, text, size);
}
