/* The words of an API's numbers: formats, states, accesses and layouts as vulkan_core.h and
 * DirectX-Headers' d3d12.h and dxgiformat.h name them, operations and roles, shaders, and the
 * sentences of each API [ANN-OP-01, ANN-RPT-01]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include "reader/bound.h"
#include "report/report.h"

#include <annot/dump.h>
#include <annot/shader.h>

#include <inttypes.h>

TestSuite(report_words, .fini = guarded_expect_nothing_left);

/* The word with this number among words that blanks separate; NULL: there are not so many. */
static const char *word_at(const char *words, uint32_t number)
{
    static char word[80];
    for (; number > 0 && *words; number--)
        words += strcspn(words, " ") + (words[strcspn(words, " ")] == ' ');
    if (!*words)
        return NULL;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
    return word;
}

/* ---- formats ---- */

/* VkFormat without its prefix, from 0. */
static const char vulkan_formats[] =
    "UNDEFINED R4G4_UNORM_PACK8 R4G4B4A4_UNORM_PACK16 B4G4R4A4_UNORM_PACK16 "
    "R5G6B5_UNORM_PACK16 B5G6R5_UNORM_PACK16 R5G5B5A1_UNORM_PACK16 B5G5R5A1_UNORM_PACK16 "
    "A1R5G5B5_UNORM_PACK16 R8_UNORM R8_SNORM R8_USCALED R8_SSCALED R8_UINT R8_SINT R8_SRGB "
    "R8G8_UNORM R8G8_SNORM R8G8_USCALED R8G8_SSCALED R8G8_UINT R8G8_SINT R8G8_SRGB "
    "R8G8B8_UNORM R8G8B8_SNORM R8G8B8_USCALED R8G8B8_SSCALED R8G8B8_UINT R8G8B8_SINT "
    "R8G8B8_SRGB B8G8R8_UNORM B8G8R8_SNORM B8G8R8_USCALED B8G8R8_SSCALED B8G8R8_UINT "
    "B8G8R8_SINT B8G8R8_SRGB R8G8B8A8_UNORM R8G8B8A8_SNORM R8G8B8A8_USCALED R8G8B8A8_SSCALED "
    "R8G8B8A8_UINT R8G8B8A8_SINT R8G8B8A8_SRGB B8G8R8A8_UNORM B8G8R8A8_SNORM B8G8R8A8_USCALED "
    "B8G8R8A8_SSCALED B8G8R8A8_UINT B8G8R8A8_SINT B8G8R8A8_SRGB A8B8G8R8_UNORM_PACK32 "
    "A8B8G8R8_SNORM_PACK32 A8B8G8R8_USCALED_PACK32 A8B8G8R8_SSCALED_PACK32 "
    "A8B8G8R8_UINT_PACK32 A8B8G8R8_SINT_PACK32 A8B8G8R8_SRGB_PACK32 A2R10G10B10_UNORM_PACK32 "
    "A2R10G10B10_SNORM_PACK32 A2R10G10B10_USCALED_PACK32 A2R10G10B10_SSCALED_PACK32 "
    "A2R10G10B10_UINT_PACK32 A2R10G10B10_SINT_PACK32 A2B10G10R10_UNORM_PACK32 "
    "A2B10G10R10_SNORM_PACK32 A2B10G10R10_USCALED_PACK32 A2B10G10R10_SSCALED_PACK32 "
    "A2B10G10R10_UINT_PACK32 A2B10G10R10_SINT_PACK32 R16_UNORM R16_SNORM R16_USCALED "
    "R16_SSCALED R16_UINT R16_SINT R16_SFLOAT R16G16_UNORM R16G16_SNORM R16G16_USCALED "
    "R16G16_SSCALED R16G16_UINT R16G16_SINT R16G16_SFLOAT R16G16B16_UNORM R16G16B16_SNORM "
    "R16G16B16_USCALED R16G16B16_SSCALED R16G16B16_UINT R16G16B16_SINT R16G16B16_SFLOAT "
    "R16G16B16A16_UNORM R16G16B16A16_SNORM R16G16B16A16_USCALED R16G16B16A16_SSCALED "
    "R16G16B16A16_UINT R16G16B16A16_SINT R16G16B16A16_SFLOAT R32_UINT R32_SINT R32_SFLOAT "
    "R32G32_UINT R32G32_SINT R32G32_SFLOAT R32G32B32_UINT R32G32B32_SINT R32G32B32_SFLOAT "
    "R32G32B32A32_UINT R32G32B32A32_SINT R32G32B32A32_SFLOAT R64_UINT R64_SINT R64_SFLOAT "
    "R64G64_UINT R64G64_SINT R64G64_SFLOAT R64G64B64_UINT R64G64B64_SINT R64G64B64_SFLOAT "
    "R64G64B64A64_UINT R64G64B64A64_SINT R64G64B64A64_SFLOAT B10G11R11_UFLOAT_PACK32 "
    "E5B9G9R9_UFLOAT_PACK32 D16_UNORM X8_D24_UNORM_PACK32 D32_SFLOAT S8_UINT "
    "D16_UNORM_S8_UINT D24_UNORM_S8_UINT D32_SFLOAT_S8_UINT BC1_RGB_UNORM_BLOCK "
    "BC1_RGB_SRGB_BLOCK BC1_RGBA_UNORM_BLOCK BC1_RGBA_SRGB_BLOCK BC2_UNORM_BLOCK "
    "BC2_SRGB_BLOCK BC3_UNORM_BLOCK BC3_SRGB_BLOCK BC4_UNORM_BLOCK BC4_SNORM_BLOCK "
    "BC5_UNORM_BLOCK BC5_SNORM_BLOCK BC6H_UFLOAT_BLOCK BC6H_SFLOAT_BLOCK BC7_UNORM_BLOCK "
    "BC7_SRGB_BLOCK";

/* DXGI_FORMAT without its prefix, from 0. */
static const char dxgi_formats[] =
    "UNKNOWN R32G32B32A32_TYPELESS R32G32B32A32_FLOAT R32G32B32A32_UINT R32G32B32A32_SINT "
    "R32G32B32_TYPELESS R32G32B32_FLOAT R32G32B32_UINT R32G32B32_SINT R16G16B16A16_TYPELESS "
    "R16G16B16A16_FLOAT R16G16B16A16_UNORM R16G16B16A16_UINT R16G16B16A16_SNORM "
    "R16G16B16A16_SINT R32G32_TYPELESS R32G32_FLOAT R32G32_UINT R32G32_SINT R32G8X24_TYPELESS "
    "D32_FLOAT_S8X24_UINT R32_FLOAT_X8X24_TYPELESS X32_TYPELESS_G8X24_UINT "
    "R10G10B10A2_TYPELESS R10G10B10A2_UNORM R10G10B10A2_UINT R11G11B10_FLOAT "
    "R8G8B8A8_TYPELESS R8G8B8A8_UNORM R8G8B8A8_UNORM_SRGB R8G8B8A8_UINT R8G8B8A8_SNORM "
    "R8G8B8A8_SINT R16G16_TYPELESS R16G16_FLOAT R16G16_UNORM R16G16_UINT R16G16_SNORM "
    "R16G16_SINT R32_TYPELESS D32_FLOAT R32_FLOAT R32_UINT R32_SINT R24G8_TYPELESS "
    "D24_UNORM_S8_UINT R24_UNORM_X8_TYPELESS X24_TYPELESS_G8_UINT R8G8_TYPELESS R8G8_UNORM "
    "R8G8_UINT R8G8_SNORM R8G8_SINT R16_TYPELESS R16_FLOAT D16_UNORM R16_UNORM R16_UINT "
    "R16_SNORM R16_SINT R8_TYPELESS R8_UNORM R8_UINT R8_SNORM R8_SINT A8_UNORM R1_UNORM "
    "R9G9B9E5_SHAREDEXP R8G8_B8G8_UNORM G8R8_G8B8_UNORM BC1_TYPELESS BC1_UNORM BC1_UNORM_SRGB "
    "BC2_TYPELESS BC2_UNORM BC2_UNORM_SRGB BC3_TYPELESS BC3_UNORM BC3_UNORM_SRGB BC4_TYPELESS "
    "BC4_UNORM BC4_SNORM BC5_TYPELESS BC5_UNORM BC5_SNORM B5G6R5_UNORM B5G5R5A1_UNORM "
    "B8G8R8A8_UNORM B8G8R8X8_UNORM R10G10B10_XR_BIAS_A2_UNORM B8G8R8A8_TYPELESS "
    "B8G8R8A8_UNORM_SRGB B8G8R8X8_TYPELESS B8G8R8X8_UNORM_SRGB BC6H_TYPELESS BC6H_UF16 "
    "BC6H_SF16 BC7_TYPELESS BC7_UNORM BC7_UNORM_SRGB";

Test(report_words, each_format_has_its_apis_name)
{
    char text[64], other[64];
    for (uint32_t i = 0; i < 150; i++) {
        const char *name = word_at(vulkan_formats, i);
        snprintf(other, sizeof other, "format %u", i);
        annot__vulkan_format_text(i, text, sizeof text);
        cr_expect_str_eq(text, name ? name : other, "%u: %s", i, text);
        name = word_at(dxgi_formats, i);
        if (name)
            cr_expect_str_eq(annot_dxgi_format_text(i), name, "%u", i);
        else
            cr_expect_null(annot_dxgi_format_text(i), "%u", i);
    }
    annot__vulkan_format_text(1000156000, text, sizeof text);
    cr_expect_str_eq(text, "format 1000156000");
    cr_expect_null(annot_dxgi_format_text(UINT32_MAX));
}

/* ---- dumps of an API ---- */

/* With this resource, object 41; created in no state that is said. */
static annot_reader *open_of(bool is_vulkan, const struct annot__dump_RESOURCE *resource)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_add_with(&dump, KIND, is_vulkan ? "VkQueue" : "queue", is_vulkan ? 7 : 5, .kind = 4);
    dump_add(&dump, OBJECT, .id = 21, .kind = 4, .type = ANNOT_OBJECT_QUEUE);
    dump_object(&dump, 41, 0, "Target");
    if (resource)
        dump_put_RESOURCE(&dump, resource, NULL, 0);
    dump_queue(&dump, 21, 0, 0);
    dump_finish(&dump);
    static struct dump kept; /* the reader reads from it */
    dump_free(&kept);
    kept = dump;
    return dump_open(&kept, ANNOT_OK);
}

static void expect_state(const annot_reader *reader, uint32_t kind, uint32_t role, uint32_t value,
                         const char *expected)
{
    char text[1024];
    annot__state_text(reader, (struct annot__bound_state){kind, role, value}, text, sizeof text);
    cr_expect_str_eq(text, expected, "%#x: %s", value, text);
}

/* From bit 0 on; "-": none has it. */
static const char state_bits[] =
    "VERTEX_AND_CONSTANT_BUFFER INDEX_BUFFER RENDER_TARGET UNORDERED_ACCESS DEPTH_WRITE "
    "DEPTH_READ NON_PIXEL_SHADER_RESOURCE PIXEL_SHADER_RESOURCE STREAM_OUT INDIRECT_ARGUMENT "
    "COPY_DEST COPY_SOURCE RESOLVE_DEST RESOLVE_SOURCE - - VIDEO_DECODE_READ VIDEO_DECODE_WRITE "
    "VIDEO_PROCESS_READ VIDEO_PROCESS_WRITE - VIDEO_ENCODE_READ "
    "RAYTRACING_ACCELERATION_STRUCTURE VIDEO_ENCODE_WRITE SHADING_RATE_SOURCE";
static const char access_bits[] =
    "VERTEX_BUFFER CONSTANT_BUFFER INDEX_BUFFER RENDER_TARGET UNORDERED_ACCESS "
    "DEPTH_STENCIL_WRITE DEPTH_STENCIL_READ SHADER_RESOURCE STREAM_OUTPUT INDIRECT_ARGUMENT "
    "COPY_DEST COPY_SOURCE RESOLVE_DEST RESOLVE_SOURCE RAYTRACING_ACCELERATION_STRUCTURE_READ "
    "RAYTRACING_ACCELERATION_STRUCTURE_WRITE SHADING_RATE_SOURCE VIDEO_DECODE_READ "
    "VIDEO_DECODE_WRITE VIDEO_PROCESS_READ VIDEO_PROCESS_WRITE VIDEO_ENCODE_READ "
    "VIDEO_ENCODE_WRITE";
static const char vulkan_access_bits[] =
    "INDIRECT_COMMAND_READ INDEX_READ VERTEX_ATTRIBUTE_READ UNIFORM_READ "
    "INPUT_ATTACHMENT_READ SHADER_READ SHADER_WRITE COLOR_ATTACHMENT_READ "
    "COLOR_ATTACHMENT_WRITE DEPTH_STENCIL_ATTACHMENT_READ DEPTH_STENCIL_ATTACHMENT_WRITE "
    "TRANSFER_READ TRANSFER_WRITE HOST_READ HOST_WRITE MEMORY_READ MEMORY_WRITE "
    "COMMAND_PREPROCESS_READ COMMAND_PREPROCESS_WRITE COLOR_ATTACHMENT_READ_NONCOHERENT "
    "CONDITIONAL_RENDERING_READ ACCELERATION_STRUCTURE_READ ACCELERATION_STRUCTURE_WRITE "
    "FRAGMENT_SHADING_RATE_ATTACHMENT_READ FRAGMENT_DENSITY_MAP_READ TRANSFORM_FEEDBACK_WRITE "
    "TRANSFORM_FEEDBACK_COUNTER_READ TRANSFORM_FEEDBACK_COUNTER_WRITE SHADER_SAMPLED_READ "
    "SHADER_STORAGE_READ SHADER_STORAGE_WRITE others";

static void expect_bits(const annot_reader *reader, uint32_t kind, uint32_t role, const char *words,
                        const char *none)
{
    char text[1024], all[1024] = "";
    uint32_t known = 0;
    expect_state(reader, kind, role, 0, none);
    for (uint32_t bit = 0; bit < 32; bit++) {
        const char *word = word_at(words, bit);
        snprintf(text, sizeof text, "0x%x", 1u << bit);
        const bool is_known = word && strcmp(word, "-") != 0;
        if (!is_known && bit == 31)
            continue; /* no bit, but D3D12's NO_ACCESS */
        expect_state(reader, kind, role, 1u << bit, is_known ? word : text);
        if (!is_known)
            continue;
        known |= 1u << bit;
        sprintf(all + strlen(all), "%s%s", *all ? " | " : "", word);
        expect_state(reader, kind, role, known, all);
    }
    if (!(known & 0x20000000)) {
        strcat(all, " | 0x20000000");
        expect_state(reader, kind, role, known | 0x20000000, all);
    }
    /* cut, and nothing is written behind it */
    for (size_t size = 1; size < 60; size++) {
        memset(text, 'w', sizeof text);
        annot__state_text(reader, (struct annot__bound_state){kind, role, known}, text, size);
        cr_expect_eq(strlen(text), size - 1);
        cr_expect(strncmp(text, all, size - 1) == 0 && text[size] == 'w', "%zu: %s", size, text);
    }
}

Test(report_words, each_state_and_access_has_its_apis_name)
{
    for (int is_vulkan = 0; is_vulkan < 2; is_vulkan++) {
        AT_END(at_end_close) annot_reader *reader = open_of(is_vulkan, NULL);
        expect_bits(reader, ANNOT__BARRIER, ANNOT_BOUND_ACCESS,
                    is_vulkan ? vulkan_access_bits : access_bits, is_vulkan ? "NONE" : "COMMON");
        if (!is_vulkan)
            expect_bits(reader, ANNOT__RESOURCE_BARRIER, ANNOT_BOUND_BARRIER, state_bits, "COMMON");
        if (!is_vulkan)
            expect_state(reader, ANNOT__BARRIER, ANNOT_BOUND_ACCESS, 0x80000000, "NO_ACCESS");
    }
}

/* D3D12_BARRIER_LAYOUT from 0; vulkan_core.h's VkImageLayout of version 1.3. */
static const char layouts[] =
    "COMMON GENERIC_READ RENDER_TARGET UNORDERED_ACCESS DEPTH_STENCIL_WRITE "
    "DEPTH_STENCIL_READ SHADER_RESOURCE COPY_SOURCE COPY_DEST RESOLVE_SOURCE RESOLVE_DEST "
    "SHADING_RATE_SOURCE VIDEO_DECODE_READ VIDEO_DECODE_WRITE VIDEO_PROCESS_READ "
    "VIDEO_PROCESS_WRITE VIDEO_ENCODE_READ VIDEO_ENCODE_WRITE DIRECT_QUEUE_COMMON "
    "DIRECT_QUEUE_GENERIC_READ DIRECT_QUEUE_UNORDERED_ACCESS DIRECT_QUEUE_SHADER_RESOURCE "
    "DIRECT_QUEUE_COPY_SOURCE DIRECT_QUEUE_COPY_DEST COMPUTE_QUEUE_COMMON "
    "COMPUTE_QUEUE_GENERIC_READ COMPUTE_QUEUE_UNORDERED_ACCESS COMPUTE_QUEUE_SHADER_RESOURCE "
    "COMPUTE_QUEUE_COPY_SOURCE COMPUTE_QUEUE_COPY_DEST VIDEO_QUEUE_COMMON";
static const struct {
    uint32_t layout;
    const char *name;
} vulkan_layouts[] = {
    {0, "UNDEFINED"},
    {1, "GENERAL"},
    {2, "COLOR_ATTACHMENT_OPTIMAL"},
    {3, "DEPTH_STENCIL_ATTACHMENT_OPTIMAL"},
    {4, "DEPTH_STENCIL_READ_ONLY_OPTIMAL"},
    {5, "SHADER_READ_ONLY_OPTIMAL"},
    {6, "TRANSFER_SRC_OPTIMAL"},
    {7, "TRANSFER_DST_OPTIMAL"},
    {8, "PREINITIALIZED"},
    {1000117000, "DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL"},
    {1000117001, "DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL"},
    {1000241000, "DEPTH_ATTACHMENT_OPTIMAL"},
    {1000241001, "DEPTH_READ_ONLY_OPTIMAL"},
    {1000241002, "STENCIL_ATTACHMENT_OPTIMAL"},
    {1000241003, "STENCIL_READ_ONLY_OPTIMAL"},
    {1000314000, "READ_ONLY_OPTIMAL"},
    {1000314001, "ATTACHMENT_OPTIMAL"},
    {1000001002, "PRESENT_SRC_KHR"},
};

Test(report_words, each_layout_has_its_apis_name)
{
    AT_END(at_end_close) annot_reader *reader = open_of(false, NULL);
    for (uint32_t i = 0; word_at(layouts, i); i++)
        expect_state(reader, ANNOT__BARRIER, ANNOT_BOUND_BARRIER, i, word_at(layouts, i));
    expect_state(reader, ANNOT__BARRIER, ANNOT_BOUND_BARRIER, UINT32_MAX, "UNDEFINED");
    expect_state(reader, ANNOT__BARRIER, ANNOT_BOUND_BARRIER, 77, "layout 77");
    annot_reader_close(reader);
    reader = open_of(true, NULL);
    for (size_t i = 0; i < sizeof vulkan_layouts / sizeof vulkan_layouts[0]; i++)
        for (uint32_t kind = 0; kind < 2; kind++)
            expect_state(reader, kind ? ANNOT__BARRIER : ANNOT__RESOURCE_BARRIER,
                         ANNOT_BOUND_BARRIER, vulkan_layouts[i].layout, vulkan_layouts[i].name);
    expect_state(reader, ANNOT__BARRIER, ANNOT_BOUND_BARRIER, 9, "layout 9");
}

/* ---- resources ---- */

Test(report_words, a_resource_is_its_size_format_slices_and_samples)
{
    static const struct {
        struct annot__dump_RESOURCE resource;
        const char *d3d12; /* of Vulkan with Vulkan's format in its place */
    } rows[] = {
        {{.dimension = 1, .width = 4096}, "buffer, 4096 bytes"},
        {{.dimension = 3, .width = 64, .height = 32, .depth = 1, .samples = 1, .format = 28},
         "64 x 32, R8G8B8A8_UNORM"},
        {{.dimension = 3, .width = 64, .height = 32, .depth = 2, .samples = 2, .format = 40},
         "64 x 32, 2 slices, D32_FLOAT, 2 samples"},
        {{.dimension = 4, .width = 64, .height = 32, .depth = 2, .samples = 0, .format = 200},
         "64 x 32 x 2, format 200"},
        {{.dimension = 2, .width = UINT64_MAX, .height = 1, .depth = 0, .format = 999},
         "18446744073709551615 x 1, format 999"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int is_vulkan = 0; is_vulkan < 2; is_vulkan++) {
            char text[256], expected[256];
            struct annot__dump_RESOURCE resource = rows[i].resource;
            resource.object = 41;
            AT_END(at_end_close) annot_reader *reader = open_of(is_vulkan, &resource);
            cr_expect_not(annot__resource_text(reader, 21, text, sizeof text));
            cr_assert(annot__resource_text(reader, 41, text, sizeof text));
            snprintf(expected, sizeof expected, "%s", rows[i].d3d12);
            const char *format = word_at(vulkan_formats, resource.format);
            char *at = resource.dimension > 1 && is_vulkan && format
                           ? strstr(expected, word_at(dxgi_formats, resource.format))
                           : NULL;
            if (at) {
                char behind[64];
                strcpy(behind, at + strlen(word_at(dxgi_formats, resource.format)));
                sprintf(at, "%s%s", word_at(vulkan_formats, resource.format), behind);
            }
            cr_expect_str_eq(text, expected, "%zu: %s", i, text);
        }
}

static void expect_part(bool is_vulkan, const struct annot__dump_RESOURCE *resource,
                        uint64_t packed, const char *expected)
{
    char text[128];
    AT_END(at_end_close) annot_reader *reader = open_of(is_vulkan, resource);
    const struct annot__part part = annot__part_of(reader, 41, packed);
    cr_expect_eq(annot__part_text(reader, 41, part, text, sizeof text), *expected != 0);
    cr_expect_str_eq(text, expected, "%#llx of format %u: %s", (unsigned long long)packed,
                     resource->format, text);
}

/* annot.h's ANNOT_PART and ANNOT_PART_OF_BUFFER, as d3d12.h and vulkan_core.h count subresources: a
 * depth and stencil format has two planes, a 3D texture one slice. "" is the whole resource. */
Test(report_words, a_part_is_its_mips_slices_and_planes_or_its_bytes)
{
    enum { BYTES = 1, FLAT = 3, VOLUME = 4, REST = 65535 };
    const uint64_t most = 4 * (uint64_t)UINT32_MAX;
    const struct {
        bool is_vulkan;
        uint32_t dimension, format, depth, mips;
        uint64_t width, part;
        const char *text;
    } rows[] = {
        {0, FLAT, 28, 6, 4, 64, 0, ""},
        {0, FLAT, 28, 6, 4, 64, ANNOT_PART(1, 0, 4, 0, 6), ""},
        {0, FLAT, 28, 6, 4, 64, ANNOT_PART(1, 1, 255, 2, REST), "mips 1 to 3, slices 2 to 5"},
        {0, FLAT, 28, 6, 4, 64, ANNOT_PART(2, 0, 4, 0, 6), "some subresources"},
        {0, FLAT, 28, 6, 4, 64, ANNOT_PART_UNKNOWN, "some subresources"},
        /* how many it has is not known */
        {0, FLAT, 28, 0, 0, 64, ANNOT_PART(1, 1, 255, 5, 1), "mips from 1 on, slice 5"},
        {0, FLAT, 28, 0, 0, 64, ANNOT_PART(1, 0, 255, 0, REST), ""},
        /* a box of a volume has no slices of its own */
        {0, VOLUME, 28, 8, 2, 64, ANNOT_PART(1, 1, 1, 0, 1), "mip 1"},
        {0, VOLUME, 28, 8, 2, 64, ANNOT_PART(1, 0, 2, 0, 1), ""},
        {0, VOLUME, 28, 8, 2, 64, ANNOT_PART(1, 0, 2, 1, 1), "some subresources"},
        {0, BYTES, 0, 1, 1, 64, ANNOT_PART(1, 0, 1, 0, 1), ""},
        {1, BYTES, 0, 1, 1, 4098, 0, ""},
        {1, BYTES, 0, 1, 1, 4096, ANNOT_PART_OF_BUFFER(16, 32), "bytes 16 to 47"},
        {1, BYTES, 0, 1, 1, 4096, ANNOT_PART_OF_BUFFER(16, most), "bytes 16 to 4095"},
        {1, BYTES, 0, 1, 1, 4098, ANNOT_PART_OF_BUFFER(4096, 4), "bytes 4096 to 4099"},
        {1, BYTES, 0, 1, 1, 4096, ANNOT_PART_OF_BUFFER(4096, 4), "some subresources"},
        {1, BYTES, 0, 1, 1, 4096, ANNOT_PART_UNKNOWN, "some subresources"},
        {1, BYTES, 0, 1, 1, most - 4, ANNOT_PART_OF_BUFFER(16, most), "bytes 16 to 17179869175"},
        {1, BYTES, 0, 1, 1, most + 1, ANNOT_PART_OF_BUFFER(16, most), "bytes from 16 on"},
        /* layers and aspects */
        {1, FLAT, 37, 6, 4, 64, ANNOT_PART(1, 1, 2, 1, 1), "mips 1 to 2, layer 1"},
        {1, FLAT, 129, 6, 4, 64, ANNOT_PART(2, 0, 4, 0, 6), "depth"},
        {1, FLAT, 129, 6, 4, 64, ANNOT_PART(4, 0, 1, 0, 6), "mip 0, stencil"},
        {1, FLAT, 129, 6, 4, 64, ANNOT_PART(6, 0, 4, 0, 6), ""},
        {1, FLAT, 1000156003, 6, 4, 64, ANNOT_PART(0x30, 0, 4, 0, 6), "aspect 4, aspect 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_part(rows[i].is_vulkan,
                    &(struct annot__dump_RESOURCE){.object = 41,
                                                   .dimension = rows[i].dimension,
                                                   .format = rows[i].format,
                                                   .width = rows[i].width,
                                                   .height = 32,
                                                   .depth = rows[i].depth,
                                                   .mips = rows[i].mips},
                    rows[i].part, rows[i].text);
    /* formats with one plane, and each plane of the others */
    static const struct {
        bool is_vulkan;
        uint32_t first, last, plane;
        const char *text;
    } formats[] = {
        {0, 1, 18, 1, ""},
        {0, 19, 22, 1, "plane 0"},
        {0, 23, 43, 1, ""},
        {0, 44, 47, 2, "plane 1"},
        {0, 48, 99, 1, ""},
        {0, 100, 114, 1, "plane 0"},
        {0, 115, 129, 1, ""},
        {0, 130, 132, 2, "plane 1"},
        {0, 133, 191, 1, ""},
        {1, 1, 123, 1, ""},
        {1, 124, 126, 2, ""},
        {1, 127, 127, 4, ""},
        {1, 128, 130, 4, "stencil"},
        {1, 131, 184, 1, ""},
        {1, 1000156000, 1000156000, 1, "color"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (uint32_t format = formats[i].first; format <= formats[i].last; format++)
            expect_part(formats[i].is_vulkan,
                        &(struct annot__dump_RESOURCE){.object = 41,
                                                       .dimension = FLAT,
                                                       .format = format,
                                                       .width = 64,
                                                       .depth = 1,
                                                       .mips = 1},
                        ANNOT_PART(formats[i].plane, 0, 1, 0, 1), formats[i].text);
}

/* ---- operations, roles, shaders ---- */

Test(report_words, an_operation_has_its_arguments_with_a_word_where_they_need_one)
{
    static const struct {
        annot_reader_operation operation;
        const char *text;
    } rows[] = {
        {{.kind = 6}, "Dispatch"},
        {{.kind = 6, .argument_count = 3, .arguments = {128, 1, -7}}, "Dispatch(128, 1, -7)"},
        {{.kind = 3, .argument_count = 4, .arguments = {3, 1, 0, 9}}, "DrawInstanced(3, 1, 0, 9)"},
        {{.kind = 5, .argument_count = 4, .arguments = {1, 2, 3, 4}},
         "ExecuteIndirect(at most 1, offset 2, count's offset 3, 4)"},
        {{.kind = 7, .argument_count = 4, .arguments = {1, 2, 3, 4}},
         "CopyBufferRegion(to 1, from 2, bytes 3, 4)"},
        {{.kind = 16, .argument_count = 2, .arguments = {1, 2}}, "ExecuteBundle(number 1, 2)"},
        {{.kind = 15, .argument_count = 2, .arguments = {4, 8}}, "ResourceBarrier"},
        {{.kind = 9999, .argument_count = 1, .arguments = {5}}, "operation(5)"},
        {{.kind = 6, .argument_count = 99, .arguments = {1, 2, 3, 4, 5, 6, 7, 8}},
         "Dispatch(1, 2, 3, 4, 5, 6, 7, 8)"},
        {{.kind = 6, .argument_count = 1, .arguments = {INT64_MIN}},
         "Dispatch(-9223372036854775808)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *expected = rows[i].text;
        for (size_t size = 1; size < 80; size++) {
            char text[90];
            memset(text, 'w', sizeof text);
            const size_t length = annot_reader_operation_text(&rows[i].operation, text, size);
            cr_expect_eq(length, strlen(text));
            cr_expect_eq(length, strlen(expected) < size ? strlen(expected) : size - 1, "%s", text);
            cr_expect(strncmp(text, expected, length) == 0 && text[size] == 'w', "%zu bytes: %s",
                      size, text);
        }
    }
    char none = 'w';
    cr_expect_eq(annot_reader_operation_text(&rows[0].operation, &none, 0), 0);
    cr_expect_eq(none, 'w');
}

Test(report_words, roles_and_states_of_operations_have_a_word_each)
{
    static const char roles[] = "object pipeline target depth indices arguments counts destination "
                                "source bundle barrier access vertices";
    for (uint32_t i = 0; i < 13; i++)
        cr_expect_str_eq(annot_bound_role_text(i), word_at(roles, i));
    cr_expect_str_eq(annot_bound_role_text(13), "object");
    cr_expect_str_eq(annot_bound_role_text(UINT32_MAX), "object");
    cr_expect_str_eq(annot_operation_state_text(ANNOT_OPERATION_UNKNOWN), "unknown");
    cr_expect_str_eq(annot_operation_state_text(ANNOT_OPERATION_DONE), "done");
    cr_expect_str_eq(annot_operation_state_text(ANNOT_OPERATION_NOT_DONE), "not done");
    cr_expect_str_eq(annot_operation_state_text(ANNOT_OPERATION_STOPPED), "not done");
    cr_expect_str_eq(annot_operation_state_text((annot_operation_state)4), "unknown");
}

/* Its hash of the code, else the container's checksum, else the one that the library made. */
Test(report_words, a_shader_has_each_field_of_its_record_and_the_best_of_its_hashes)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_NONE, 0);
    annot_reader_shader shader;
    char hash[64];
    for (uint64_t i = 0; i < 3; i++) {
        dump_object(&dump, 300 + i, 0, "PSO");
        for (uint32_t k = 0; k < 2; k++)
            dump_add_with(&dump, SHADER, "blur", 4, .object = 300 + i,
                          .xxh3 = 0x1122334455667700 + i, .digest_low = 0xa7a6a5a4a3a2a1a0,
                          .digest_high = 0xafaeadacabaaa9a8, .hash_low = 0xb7b6b5b4b3b2b1b0,
                          .hash_high = 0xbfbebdbcbbbab9b8, .form = 1 + k, .stage = 2 + k,
                          .flags = (uint32_t)i, .name_size = 4 + k);
    }
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_shader_count(reader), 6);
    static const char *const hashes[] = {"1122334455667700", "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
                                         "b0b1b2b3b4b5b6b7b8b9babbbcbdbebf"};
    for (uint64_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 2; k++) {
            memset(&shader, 0x77, sizeof shader);
            cr_assert(annot_reader_shader_of(reader, 300 + i, k, &shader));
            cr_expect_eq(shader.object, 300 + i);
            cr_expect_eq(shader.xxh3, 0x1122334455667700 + i);
            cr_expect_eq(shader.form, 1 + k);
            cr_expect_eq(shader.stage, 2 + k);
            cr_expect_eq(shader.flags, i);
            cr_expect_eq(shader.is_name_cut, k == 1);
            cr_expect_eq(shader.debug_name.size, 4);
            for (size_t byte = 0; byte < 16; byte++) {
                cr_expect_eq(shader.digest[byte], 0xa0 + byte);
                cr_expect_eq(shader.hash[byte], 0xb0 + byte);
            }
            for (size_t size = 0; size < 40; size++) {
                memset(hash, 'w', sizeof hash);
                cr_expect_eq(annot_reader_shader_hash(&shader, hash, size), strlen(hashes[i]));
                cr_expect(size == 0 ||
                              (strlen(hash) ==
                                   (strlen(hashes[i]) < size ? strlen(hashes[i]) : size - 1) &&
                               strncmp(hash, hashes[i], strlen(hash)) == 0),
                          "%zu: %s", size, hash);
                cr_expect_eq(hash[size], 'w');
            }
            memset(&shader, 0x77, sizeof shader);
            cr_expect(annot_reader_shader_at(reader, 2 * i + k, &shader));
            cr_expect_eq(shader.object, 300 + i);
        }
    cr_expect_not(annot_reader_shader_of(reader, 300, 2, &shader));
    cr_expect_not(annot_reader_shader_of(reader, 299, 0, &shader));
    cr_expect_not(annot_reader_shader_of(reader, 303, 0, &shader));
    cr_expect_not(annot_reader_shader_at(reader, 6, &shader));
}

/* ---- sentences ---- */

/* Each API has its own words for one thing, in sentences of all kinds. */
Test(report_words, sentences_are_in_the_words_of_the_api)
{
    static const struct {
        annot_voice voice;
        const char *list, *scopes, *bundle, *evidence, *silence;
    } rows[] = {
        {ANNOT_VOICE_D3D12, "list", "BeginEvent / EndEvent", "bundle",
         "the marker that the driver names was not retained", "the driver returned no report"},
        {ANNOT_VOICE_LAYER, "list", "BeginEvent / EndEvent", "bundle",
         "the marker that the layer names was not retained", "the layer has no words"},
        {ANNOT_VOICE_FILE, "list", "BeginEvent / EndEvent", "bundle",
         "the marker that the file names was not retained", "the file does not tell"},
        {ANNOT_VOICE_VULKAN, "command buffer",
         "vkCmdBeginDebugUtilsLabelEXT / vkCmdEndDebugUtilsLabelEXT", "secondary",
         "the label that the layer names was not retained", "the layer has no marks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        annot_reader reader = {.voice = rows[i].voice};
        annot_finding finding;
        char nested[64];
        reader.findings.of[ANNOT__FINDING_SLOT_RECORD_ORPHAN].count = 1;
        snprintf(nested, sizeof nested, "records whose %s or queue is lost are not shown",
                 rows[i].list);
        cr_expect_eq(annot_reader_voice(&reader), rows[i].voice);
        cr_expect_str_eq(annot__words_of(&reader)->list, rows[i].list);
        cr_expect_str_eq(annot__words_of(&reader)->scope_calls, rows[i].scopes);
        cr_expect_str_eq(annot__words_of(&reader)->bundle, rows[i].bundle);
        cr_expect_str_eq(annot_evidence_text(&reader, ANNOT_EVIDENCE_DROPPED), rows[i].evidence);
        cr_expect_str_eq(annot_evidence_text(&reader, ANNOT_EVIDENCE_NO_REPORT), rows[i].silence);
        cr_expect(annot_reader_finding(&reader, 0, &finding));
        cr_expect_str_eq(finding.text, nested);
    }
}
