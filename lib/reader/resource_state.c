/* Names states, layouts and accesses of resources in the words of the dump's API. */
#include "reader/bound.h"

#include "base/search.h"

#include <stdio.h>

/* ---- bits ---- */

enum { BITS = 32, NO_ACCESS = 31 };

/* Words from bit 0 on; an empty word: none has that bit. D3D12_RESOURCE_STATES. */
static const char resource_states[] =
    "VERTEX_AND_CONSTANT_BUFFER\0INDEX_BUFFER\0RENDER_TARGET\0UNORDERED_ACCESS\0DEPTH_WRITE\0"
    "DEPTH_READ\0NON_PIXEL_SHADER_RESOURCE\0PIXEL_SHADER_RESOURCE\0STREAM_OUT\0INDIRECT_ARGUMENT\0"
    "COPY_DEST\0COPY_SOURCE\0RESOLVE_DEST\0RESOLVE_SOURCE\0\0\0VIDEO_DECODE_READ\0"
    "VIDEO_DECODE_WRITE\0VIDEO_PROCESS_READ\0VIDEO_PROCESS_WRITE\0\0VIDEO_ENCODE_READ\0"
    "RAYTRACING_ACCELERATION_STRUCTURE\0VIDEO_ENCODE_WRITE\0SHADING_RATE_SOURCE";

/* D3D12_BARRIER_ACCESS. */
static const char barrier_accesses[] =
    "VERTEX_BUFFER\0CONSTANT_BUFFER\0INDEX_BUFFER\0RENDER_TARGET\0UNORDERED_ACCESS\0"
    "DEPTH_STENCIL_WRITE\0DEPTH_STENCIL_READ\0SHADER_RESOURCE\0STREAM_OUTPUT\0INDIRECT_ARGUMENT\0"
    "COPY_DEST\0COPY_SOURCE\0RESOLVE_DEST\0RESOLVE_SOURCE\0"
    "RAYTRACING_ACCELERATION_STRUCTURE_READ\0RAYTRACING_ACCELERATION_STRUCTURE_WRITE\0"
    "SHADING_RATE_SOURCE\0VIDEO_DECODE_READ\0VIDEO_DECODE_WRITE\0VIDEO_PROCESS_READ\0"
    "VIDEO_PROCESS_WRITE\0VIDEO_ENCODE_READ\0VIDEO_ENCODE_WRITE";

/* VkAccessFlagBits, and behind them what annot.h says of those above 32 bits. */
static const char vulkan_accesses[] =
    "INDIRECT_COMMAND_READ\0INDEX_READ\0VERTEX_ATTRIBUTE_READ\0UNIFORM_READ\0"
    "INPUT_ATTACHMENT_READ\0SHADER_READ\0SHADER_WRITE\0COLOR_ATTACHMENT_READ\0"
    "COLOR_ATTACHMENT_WRITE\0DEPTH_STENCIL_ATTACHMENT_READ\0DEPTH_STENCIL_ATTACHMENT_WRITE\0"
    "TRANSFER_READ\0TRANSFER_WRITE\0HOST_READ\0HOST_WRITE\0MEMORY_READ\0MEMORY_WRITE\0"
    "COMMAND_PREPROCESS_READ\0COMMAND_PREPROCESS_WRITE\0COLOR_ATTACHMENT_READ_NONCOHERENT\0"
    "CONDITIONAL_RENDERING_READ\0ACCELERATION_STRUCTURE_READ\0ACCELERATION_STRUCTURE_WRITE\0"
    "FRAGMENT_SHADING_RATE_ATTACHMENT_READ\0FRAGMENT_DENSITY_MAP_READ\0TRANSFORM_FEEDBACK_WRITE\0"
    "TRANSFORM_FEEDBACK_COUNTER_READ\0TRANSFORM_FEEDBACK_COUNTER_WRITE\0SHADER_SAMPLED_READ\0"
    "SHADER_STORAGE_READ\0SHADER_STORAGE_WRITE\0others";

#define PUT_BITS(of, words, none, text, size) put_bits(of, words, sizeof(words), none, text, size)
static void put_bits(uint32_t of, const char *words, size_t words_size, const char *none,
                     char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t bit = 0; bit < BITS; bit++) {
        const char *word = of >> bit & 1 ? annot__word_at(words, words_size, bit) : NULL;
        if (!word || used >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " | " : "", word);
        of &= ~(1u << bit);
    }
    if (used < size && of != 0)
        snprintf(text + used, size - used, "%s0x%x", used > 0 ? " | " : "", of);
    else if (used == 0)
        snprintf(text, size, "%s", none);
}

/* ---- layouts ---- */

/* D3D12_BARRIER_LAYOUT, from 0. */
static const char barrier_layouts[] =
    "COMMON\0GENERIC_READ\0RENDER_TARGET\0UNORDERED_ACCESS\0DEPTH_STENCIL_WRITE\0"
    "DEPTH_STENCIL_READ\0SHADER_RESOURCE\0COPY_SOURCE\0COPY_DEST\0RESOLVE_SOURCE\0RESOLVE_DEST\0"
    "SHADING_RATE_SOURCE\0VIDEO_DECODE_READ\0VIDEO_DECODE_WRITE\0VIDEO_PROCESS_READ\0"
    "VIDEO_PROCESS_WRITE\0VIDEO_ENCODE_READ\0VIDEO_ENCODE_WRITE\0DIRECT_QUEUE_COMMON\0"
    "DIRECT_QUEUE_GENERIC_READ\0DIRECT_QUEUE_UNORDERED_ACCESS\0DIRECT_QUEUE_SHADER_RESOURCE\0"
    "DIRECT_QUEUE_COPY_SOURCE\0DIRECT_QUEUE_COPY_DEST\0COMPUTE_QUEUE_COMMON\0"
    "COMPUTE_QUEUE_GENERIC_READ\0COMPUTE_QUEUE_UNORDERED_ACCESS\0COMPUTE_QUEUE_SHADER_RESOURCE\0"
    "COMPUTE_QUEUE_COPY_SOURCE\0COMPUTE_QUEUE_COPY_DEST\0VIDEO_QUEUE_COMMON\0"
    "DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE";

static const struct {
    uint32_t layout; /* VkImageLayout */
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
    {1000001002, "PRESENT_SRC_KHR"},
    {1000117000, "DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL"},
    {1000117001, "DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL"},
    {1000241000, "DEPTH_ATTACHMENT_OPTIMAL"},
    {1000241001, "DEPTH_READ_ONLY_OPTIMAL"},
    {1000241002, "STENCIL_ATTACHMENT_OPTIMAL"},
    {1000241003, "STENCIL_READ_ONLY_OPTIMAL"},
    {1000314000, "READ_ONLY_OPTIMAL"},
    {1000314001, "ATTACHMENT_OPTIMAL"},
};

static const char *layout_name(uint32_t layout, bool is_vulkan)
{
    if (is_vulkan) {
        for (size_t i = 0; i < sizeof vulkan_layouts / sizeof vulkan_layouts[0]; i++)
            if (vulkan_layouts[i].layout == layout)
                return vulkan_layouts[i].name;
        return NULL;
    }
    if (layout == UINT32_MAX)
        return "UNDEFINED";
    return ANNOT__WORD_AT(barrier_layouts, layout);
}

/* ---- any of them ---- */

void annot__state_text(const annot_reader *reader, struct annot__bound_state of, char *text,
                       size_t size)
{
    const bool is_vulkan = reader->voice == ANNOT_VOICE_VULKAN;
    if (of.role == ANNOT_BOUND_ACCESS && is_vulkan)
        PUT_BITS(of.value, vulkan_accesses, "NONE", text, size);
    else if (of.role == ANNOT_BOUND_ACCESS && of.value >> NO_ACCESS)
        snprintf(text, size, "NO_ACCESS");
    else if (of.role == ANNOT_BOUND_ACCESS)
        PUT_BITS(of.value, barrier_accesses, "COMMON", text, size);
    else if (is_vulkan || of.kind == ANNOT__BARRIER) {
        const char *name = layout_name(of.value, is_vulkan);
        if (name)
            snprintf(text, size, "%s", name);
        else
            snprintf(text, size, "layout %u", of.value);
    } else
        PUT_BITS(of.value, resource_states, "COMMON", text, size);
}
