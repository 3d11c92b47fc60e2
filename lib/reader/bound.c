/* Names the resources that an operation is bound to: buffers and textures with size and format, and
 * barriers. */
#include "reader/bound.h"

#include "analysis/ops.h"
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
                                  .samples = of->samples,
                                  .state = of->state};
    return ANNOT__GIVE(out, out_size, whole);
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
    else if (is_d3d12)
        snprintf(text, size, "format %u", resource->format);
    else
        annot__vulkan_format_text(resource->format, text, size);
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

/* ---- states ---- */

/* The last barrier of the object in front of the operation. */
static bool state_of_barriers(const annot_reader *reader, const annot_reader_operation *operation,
                              uint64_t object, struct annot__bound_state *state)
{
    const struct annot__range *noted = &reader->streams[operation->stream].noted;
    annot_reader_operation barrier;
    uint32_t at = noted->first + noted->count;
    for (uint32_t looked = 0; at > noted->first && looked < ANNOT__BARRIERS_LOOKED; looked++) {
        at--;
        if (reader->operations[at].number >= operation->number ||
            !annot__is_barrier(reader->operations[at].kind) ||
            !annot__operation_read(reader, at, &barrier))
            continue;
        for (uint32_t i = barrier.object_count; i-- > 0;)
            if (barrier.objects[i].object == object && 2 * i + 1 < barrier.argument_count) {
                *state = (struct annot__bound_state){barrier.kind, barrier.objects[i].role,
                                                     (uint32_t)barrier.arguments[2 * i + 1]};
                return true;
            }
    }
    return false;
}

bool annot__state_at(const annot_reader *reader, const annot_reader_operation *operation,
                     uint32_t index, struct annot__bound_state *state)
{
    const annot_bound_object *bound = &operation->objects[index];
    if (annot__is_barrier(operation->kind))
        return false;
    *state = (struct annot__bound_state){ANNOT__BARRIER, ANNOT_BOUND_BARRIER, bound->layout - 1};
    return bound->layout != 0 || state_of_barriers(reader, operation, bound->object, state);
}

bool annot__state_created(const annot_reader *reader, uint64_t object,
                          struct annot__bound_state *state)
{
    annot_resource of;
    if (!annot_reader_resource_of(reader, object, &of) || of.state == 0)
        return false;
    *state =
        (struct annot__bound_state){ANNOT__RESOURCE_BARRIER, ANNOT_BOUND_BARRIER, of.state - 1};
    return true;
}

/* Between an operation and the one before it that does work there are only barriers, which have
 * numbers, and what is idle. */
static bool follows(const annot_reader *reader, uint32_t crumbs, uint32_t before, uint32_t number)
{
    if (crumbs == ANNOT__NONE)
        return number - before == 1;
    while (--number > before)
        if (!annot__op_is_idle(annot__op_at(reader, reader->crumbs[crumbs].fields.log, number)))
            return false;
    return true;
}

struct annot__range annot__barriers_before(const annot_reader *reader,
                                           const annot_reader_operation *operation)
{
    enum { MARKERS_LOOKED = 4096 };
    struct annot__range of = {annot__operation_find(reader, operation->stream, operation->number),
                              0};
    if (of.first == ANNOT__NONE)
        return of;
    const uint32_t begin = reader->streams[operation->stream].noted.first;
    uint32_t number = operation->number;
    while (of.first > begin && of.count < ANNOT__BARRIERS_SHOWN) {
        const struct annot__operation *before = &reader->operations[of.first - 1];
        if (!annot__is_barrier(before->kind) || number - before->number > MARKERS_LOOKED ||
            !follows(reader, operation->crumbs, before->number, number))
            break;
        number = before->number;
        of.first--;
        of.count++;
    }
    return of;
}
