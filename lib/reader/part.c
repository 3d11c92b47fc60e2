#include "reader/part.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER = 1, TEXTURE_3D = 4, ALL_MIPS = 255, ALL_SLICES = 65535, ALL_PLANES = 0xFFFF };

/* Returns the number of planes of a DXGI_FORMAT: two for depth and stencil. Video is not
 * counted. */
static uint32_t d3d12_planes(uint32_t format)
{
    enum { FIRST_OF_VIDEO = 100, LAST_OF_VIDEO = 114, P208 = 130, V408 = 132 };
    if ((format >= 19 && format <= 22) || (format >= 44 && format <= 47))
        return 3;
    return (format >= FIRST_OF_VIDEO && format <= LAST_OF_VIDEO) ||
                   (format >= P208 && format <= V408)
               ? ALL_PLANES
               : 1;
}

/* VkImageAspectFlags of VkFormat. */
static uint32_t vulkan_planes(uint32_t format)
{
    enum { D16 = 124, D32 = 126, S8 = 127, D32_S8 = 130, EXTENSIONS = 1000000000 };
    if (format >= D16 && format <= D32)
        return 2;
    if (format == S8)
        return 4;
    if (format > S8 && format <= D32_S8)
        return 6;
    return format >= EXTENSIONS ? ALL_PLANES : 1;
}

/* Whose parts are bytes: they are counted as mips of 4 bytes. */
static bool is_of_bytes(const annot_reader *reader, const annot_resource *of)
{
    return of->dimension == BUFFER && reader->voice == ANNOT_VOICE_VULKAN;
}

static struct annot__part whole_of(const annot_reader *reader, uint64_t object)
{
    struct annot__part whole = {0, UINT32_MAX, 0, UINT32_MAX, ALL_PLANES, false};
    annot_resource of;
    if (!annot_reader_resource_of(reader, object, &of))
        return whole;
    if (of.dimension == BUFFER && !is_of_bytes(reader, &of))
        return (struct annot__part){0, 1, 0, 1, 1, false};
    if (of.dimension == BUFFER)
        return (struct annot__part){
            0,    of.width / 4 < UINT32_MAX ? (uint32_t)((of.width + 3) / 4) : UINT32_MAX, 0, 1, 1,
            false};
    if (of.mips > 0)
        whole.mip_end = of.mips;
    if (of.dimension == TEXTURE_3D)
        whole.slice_end = 1;
    else if (of.depth > 0)
        whole.slice_end = of.depth;
    whole.planes =
        reader->voice == ANNOT_VOICE_VULKAN ? vulkan_planes(of.format) : d3d12_planes(of.format);
    return whole;
}

struct annot__part annot__part_of(const annot_reader *reader, uint64_t object, uint64_t packed)
{
    const uint32_t mips = packed >> 8 & 0xFF, slices = packed >> 32 & 0xFFFF;
    const struct annot__part whole = whole_of(reader, object);
    struct annot__part part = {
        .mip = packed & 0xFF, .slice = packed >> 16 & 0xFFFF, .planes = (uint32_t)(packed >> 48)};
    if (packed == 0)
        return whole;
    part.mip_end = mips == ALL_MIPS ? UINT32_MAX : part.mip + mips;
    part.slice_end = slices == ALL_SLICES ? UINT32_MAX : part.slice + slices;
    if (whole.planes == 1)
        part.planes &= 1;
    annot_resource of;
    if (annot_reader_resource_of(reader, object, &of) && is_of_bytes(reader, &of) &&
        packed != ANNOT_PART_UNKNOWN) {
        const uint32_t first = (uint32_t)packed, size = (uint32_t)(packed >> 32);
        part = (struct annot__part){
            first, size < UINT32_MAX - first ? first + size : UINT32_MAX, 0, 1, 1, false};
    }
    struct annot__part both;
    if (annot__part_meets(part, whole, &both))
        return both;
    part.is_unknown = true; /* the object lacks the part, or the dump calls it unknown */
    return part;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t earlier(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

bool annot__part_meets(struct annot__part a, struct annot__part b, struct annot__part *both)
{
    *both = (struct annot__part){later(a.mip, b.mip),     earlier(a.mip_end, b.mip_end),
                                 later(a.slice, b.slice), earlier(a.slice_end, b.slice_end),
                                 a.planes & b.planes,     false};
    return both->mip < both->mip_end && both->slice < both->slice_end && both->planes != 0;
}

uint32_t annot__part_without(struct annot__part of, struct annot__part inner,
                             struct annot__part rest[ANNOT__PART_RESTS])
{
    struct annot__part sides[ANNOT__PART_RESTS] = {of, inner, inner, inner, inner};
    uint32_t count = 0;
    sides[0].planes &= ~inner.planes;
    sides[1].slice = of.slice;
    sides[1].slice_end = inner.slice;
    sides[2].slice = inner.slice_end;
    sides[2].slice_end = of.slice_end;
    sides[3].mip = of.mip;
    sides[3].mip_end = inner.mip;
    sides[4].mip = inner.mip_end;
    sides[4].mip_end = of.mip_end;
    for (uint32_t i = 1; i < 3; i++) {
        sides[i].mip = of.mip;
        sides[i].mip_end = of.mip_end;
    }
    for (uint32_t i = 0; i < ANNOT__PART_RESTS; i++)
        if (sides[i].planes != 0 && sides[i].mip < sides[i].mip_end &&
            sides[i].slice < sides[i].slice_end)
            rest[count++] = sides[i];
    return count;
}

/* ---- in words ---- */

static void put(char *text, size_t size, const char *noun, uint32_t first, uint32_t end)
{
    const size_t used = strlen(text);
    const char *comma = used > 0 ? ", " : "";
    if (end == UINT32_MAX)
        snprintf(text + used, size - used, "%s%ss from %u on", comma, noun, first);
    else if (end - first == 1)
        snprintf(text + used, size - used, "%s%s %u", comma, noun, first);
    else
        snprintf(text + used, size - used, "%s%ss %u to %u", comma, noun, first, end - 1);
}

static void put_planes(char *text, size_t size, uint32_t planes, bool is_vulkan)
{
    static const char *const aspects[] = {"color", "depth", "stencil"};
    for (uint32_t i = 0; i < 16; i++) {
        const size_t used = strlen(text);
        if (!(planes >> i & 1))
            continue;
        if (is_vulkan && i < 3)
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", aspects[i]);
        else
            put(text, size, is_vulkan ? "aspect" : "plane", i, i + 1);
    }
}

bool annot__part_text(const annot_reader *reader, uint64_t object, struct annot__part part,
                      char *text, size_t size)
{
    const bool is_vulkan = reader->voice == ANNOT_VOICE_VULKAN;
    const struct annot__part whole = whole_of(reader, object);
    *text = 0;
    if (part.is_unknown) {
        snprintf(text, size, "some subresources");
        return true;
    }
    annot_resource of;
    if (annot_reader_resource_of(reader, object, &of) && is_of_bytes(reader, &of)) {
        if (part.mip != whole.mip || part.mip_end != whole.mip_end)
            snprintf(text, size,
                     part.mip_end == UINT32_MAX ? "bytes from %llu on" : "bytes %llu to %llu",
                     4ull * part.mip, 4ull * part.mip_end - 1);
        return *text != 0;
    }
    if (part.mip != whole.mip || part.mip_end != whole.mip_end)
        put(text, size, "mip", part.mip, part.mip_end);
    if (part.slice != whole.slice || part.slice_end != whole.slice_end)
        put(text, size, is_vulkan ? "layer" : "slice", part.slice, part.slice_end);
    if (part.planes != whole.planes)
        put_planes(text, size, part.planes, is_vulkan);
    return *text != 0;
}
