/* Names the resources that an operation is bound to: buffers and textures with size and format, and
 * barriers. */
#include "report/bound.h"

#include "base/sized.h"

#include <stdio.h>

/* ---- for programs ---- */

bool annot_reader_resource_of_sized(const annot_reader *reader, uint64_t object,
                                    annot_resource *out, size_t out_size)
{
    const uint32_t found = annot__index_find(&reader->resource_index, object);
    if (found == ANNOT__NONE)
        return false;
    const struct annot__dump_RESOURCE *of = &reader->resources[found];
    const annot_resource whole = {.width = of->width,
                                  .dimension = of->dimension,
                                  .format = of->format,
                                  .height = of->height,
                                  .depth = of->depth,
                                  .mips = of->mips,
                                  .samples = of->samples};
    annot__give(out, out_size, &whole, sizeof whole);
    return true;
}

/* DXGI_FORMAT, from 0. */
static const char *const formats[] = {"UNKNOWN",
                                      "R32G32B32A32_TYPELESS",
                                      "R32G32B32A32_FLOAT",
                                      "R32G32B32A32_UINT",
                                      "R32G32B32A32_SINT",
                                      "R32G32B32_TYPELESS",
                                      "R32G32B32_FLOAT",
                                      "R32G32B32_UINT",
                                      "R32G32B32_SINT",
                                      "R16G16B16A16_TYPELESS",
                                      "R16G16B16A16_FLOAT",
                                      "R16G16B16A16_UNORM",
                                      "R16G16B16A16_UINT",
                                      "R16G16B16A16_SNORM",
                                      "R16G16B16A16_SINT",
                                      "R32G32_TYPELESS",
                                      "R32G32_FLOAT",
                                      "R32G32_UINT",
                                      "R32G32_SINT",
                                      "R32G8X24_TYPELESS",
                                      "D32_FLOAT_S8X24_UINT",
                                      "R32_FLOAT_X8X24_TYPELESS",
                                      "X32_TYPELESS_G8X24_UINT",
                                      "R10G10B10A2_TYPELESS",
                                      "R10G10B10A2_UNORM",
                                      "R10G10B10A2_UINT",
                                      "R11G11B10_FLOAT",
                                      "R8G8B8A8_TYPELESS",
                                      "R8G8B8A8_UNORM",
                                      "R8G8B8A8_UNORM_SRGB",
                                      "R8G8B8A8_UINT",
                                      "R8G8B8A8_SNORM",
                                      "R8G8B8A8_SINT",
                                      "R16G16_TYPELESS",
                                      "R16G16_FLOAT",
                                      "R16G16_UNORM",
                                      "R16G16_UINT",
                                      "R16G16_SNORM",
                                      "R16G16_SINT",
                                      "R32_TYPELESS",
                                      "D32_FLOAT",
                                      "R32_FLOAT",
                                      "R32_UINT",
                                      "R32_SINT",
                                      "R24G8_TYPELESS",
                                      "D24_UNORM_S8_UINT",
                                      "R24_UNORM_X8_TYPELESS",
                                      "X24_TYPELESS_G8_UINT",
                                      "R8G8_TYPELESS",
                                      "R8G8_UNORM",
                                      "R8G8_UINT",
                                      "R8G8_SNORM",
                                      "R8G8_SINT",
                                      "R16_TYPELESS",
                                      "R16_FLOAT",
                                      "D16_UNORM",
                                      "R16_UNORM",
                                      "R16_UINT",
                                      "R16_SNORM",
                                      "R16_SINT",
                                      "R8_TYPELESS",
                                      "R8_UNORM",
                                      "R8_UINT",
                                      "R8_SNORM",
                                      "R8_SINT",
                                      "A8_UNORM",
                                      "R1_UNORM",
                                      "R9G9B9E5_SHAREDEXP",
                                      "R8G8_B8G8_UNORM",
                                      "G8R8_G8B8_UNORM",
                                      "BC1_TYPELESS",
                                      "BC1_UNORM",
                                      "BC1_UNORM_SRGB",
                                      "BC2_TYPELESS",
                                      "BC2_UNORM",
                                      "BC2_UNORM_SRGB",
                                      "BC3_TYPELESS",
                                      "BC3_UNORM",
                                      "BC3_UNORM_SRGB",
                                      "BC4_TYPELESS",
                                      "BC4_UNORM",
                                      "BC4_SNORM",
                                      "BC5_TYPELESS",
                                      "BC5_UNORM",
                                      "BC5_SNORM",
                                      "B5G6R5_UNORM",
                                      "B5G5R5A1_UNORM",
                                      "B8G8R8A8_UNORM",
                                      "B8G8R8X8_UNORM",
                                      "R10G10B10_XR_BIAS_A2_UNORM",
                                      "B8G8R8A8_TYPELESS",
                                      "B8G8R8A8_UNORM_SRGB",
                                      "B8G8R8X8_TYPELESS",
                                      "B8G8R8X8_UNORM_SRGB",
                                      "BC6H_TYPELESS",
                                      "BC6H_UF16",
                                      "BC6H_SF16",
                                      "BC7_TYPELESS",
                                      "BC7_UNORM",
                                      "BC7_UNORM_SRGB"};

const char *annot_dxgi_format_text(uint32_t format)
{
    return format < sizeof formats / sizeof formats[0] ? formats[format] : NULL;
}

/* ---- in words ---- */

enum { BUFFER = 1, TEXTURE_3D = 4 };

static void put_format(const annot_resource *resource, bool is_d3d12, char *text, size_t size)
{
    const char *name = is_d3d12 ? annot_dxgi_format_text(resource->format) : NULL;
    if (name)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "format %u", resource->format);
}

bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size)
{
    annot_resource of;
    char format[40], samples[32] = "", depth[24] = "";
    if (!annot_reader_resource_of(reader, object, &of))
        return false;
    if (of.dimension == BUFFER) {
        snprintf(text, size, "buffer, %llu bytes", (unsigned long long)of.width);
        return true;
    }
    put_format(&of, annot__voice_of(reader) != ANNOT__VOICE_VULKAN, format, sizeof format);
    if (of.depth > 1)
        snprintf(depth, sizeof depth, of.dimension == TEXTURE_3D ? " x %u" : ", %u slices",
                 of.depth);
    if (of.samples > 1)
        snprintf(samples, sizeof samples, ", %u samples", of.samples);
    snprintf(text, size, "%llu x %u%s, %s%s", (unsigned long long)of.width, of.height, depth,
             format, samples);
    return true;
}

/* D3D12_RESOURCE_STATES. */
static const struct {
    uint32_t bit;
    const char *name;
} states[] = {{0x1, "VERTEX_AND_CONSTANT_BUFFER"},
              {0x2, "INDEX_BUFFER"},
              {0x4, "RENDER_TARGET"},
              {0x8, "UNORDERED_ACCESS"},
              {0x10, "DEPTH_WRITE"},
              {0x20, "DEPTH_READ"},
              {0x40, "NON_PIXEL_SHADER_RESOURCE"},
              {0x80, "PIXEL_SHADER_RESOURCE"},
              {0x100, "STREAM_OUT"},
              {0x200, "INDIRECT_ARGUMENT"},
              {0x400, "COPY_DEST"},
              {0x800, "COPY_SOURCE"},
              {0x1000, "RESOLVE_DEST"},
              {0x2000, "RESOLVE_SOURCE"},
              {0x400000, "RAYTRACING_ACCELERATION_STRUCTURE"}};

size_t annot__states_text(uint32_t of, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof states / sizeof states[0] && used < size; i++)
        if (of & states[i].bit) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " | " : "",
                                     states[i].name);
            of &= ~states[i].bit;
        }
    if ((of != 0 || used == 0) && used < size)
        used += (size_t)snprintf(text + used, size - used, of ? "%s0x%x" : "%sCOMMON",
                                 used > 0 ? " | " : "", of);
    return used < size ? used : size - 1;
}

bool annot__state_before(const annot_reader *reader, const annot_reader_operation *operation,
                         uint64_t object, uint32_t *state)
{
    const struct annot__range *noted = &reader->streams[operation->stream].noted;
    annot_reader_operation barrier;
    uint32_t at = noted->first + noted->count;
    for (uint32_t looked = 0; at > noted->first && looked < ANNOT__BARRIERS_LOOKED; looked++) {
        at--;
        if (reader->operations[at].number >= operation->number ||
            reader->operations[at].kind != ANNOT__RESOURCE_BARRIER ||
            !annot__operation_read(reader, at, &barrier))
            continue;
        for (uint32_t i = barrier.object_count; i-- > 0;)
            if (barrier.objects[i].object == object && 2 * i + 1 < barrier.argument_count) {
                *state = (uint32_t)barrier.arguments[2 * i + 1];
                return true;
            }
    }
    return false;
}
