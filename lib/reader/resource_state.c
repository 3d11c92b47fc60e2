/* States, layouts and accesses of resources, as the API that the dump is of names them. */
#include "reader/bound.h"

#include <stdio.h>

/* ---- bits ---- */

enum { BITS = 32, NO_ACCESS = 31 };

/* From bit 0 on; NULL: none has that bit. D3D12_RESOURCE_STATES. */
static const char *const resource_states[BITS] = {"VERTEX_AND_CONSTANT_BUFFER",
                                                  "INDEX_BUFFER",
                                                  "RENDER_TARGET",
                                                  "UNORDERED_ACCESS",
                                                  "DEPTH_WRITE",
                                                  "DEPTH_READ",
                                                  "NON_PIXEL_SHADER_RESOURCE",
                                                  "PIXEL_SHADER_RESOURCE",
                                                  "STREAM_OUT",
                                                  "INDIRECT_ARGUMENT",
                                                  "COPY_DEST",
                                                  "COPY_SOURCE",
                                                  "RESOLVE_DEST",
                                                  "RESOLVE_SOURCE",
                                                  [16] = "VIDEO_DECODE_READ",
                                                  "VIDEO_DECODE_WRITE",
                                                  "VIDEO_PROCESS_READ",
                                                  "VIDEO_PROCESS_WRITE",
                                                  [21] = "VIDEO_ENCODE_READ",
                                                  "RAYTRACING_ACCELERATION_STRUCTURE",
                                                  "VIDEO_ENCODE_WRITE",
                                                  "SHADING_RATE_SOURCE"};

/* D3D12_BARRIER_ACCESS. */
static const char *const barrier_accesses[BITS] = {"VERTEX_BUFFER",
                                                   "CONSTANT_BUFFER",
                                                   "INDEX_BUFFER",
                                                   "RENDER_TARGET",
                                                   "UNORDERED_ACCESS",
                                                   "DEPTH_STENCIL_WRITE",
                                                   "DEPTH_STENCIL_READ",
                                                   "SHADER_RESOURCE",
                                                   "STREAM_OUTPUT",
                                                   "INDIRECT_ARGUMENT",
                                                   "COPY_DEST",
                                                   "COPY_SOURCE",
                                                   "RESOLVE_DEST",
                                                   "RESOLVE_SOURCE",
                                                   "RAYTRACING_ACCELERATION_STRUCTURE_READ",
                                                   "RAYTRACING_ACCELERATION_STRUCTURE_WRITE",
                                                   "SHADING_RATE_SOURCE",
                                                   "VIDEO_DECODE_READ",
                                                   "VIDEO_DECODE_WRITE",
                                                   "VIDEO_PROCESS_READ",
                                                   "VIDEO_PROCESS_WRITE",
                                                   "VIDEO_ENCODE_READ",
                                                   "VIDEO_ENCODE_WRITE"};

/* VkAccessFlagBits, and behind them what annot.h says of those above 32 bits. */
static const char *const vulkan_accesses[BITS] = {"INDIRECT_COMMAND_READ",
                                                  "INDEX_READ",
                                                  "VERTEX_ATTRIBUTE_READ",
                                                  "UNIFORM_READ",
                                                  "INPUT_ATTACHMENT_READ",
                                                  "SHADER_READ",
                                                  "SHADER_WRITE",
                                                  "COLOR_ATTACHMENT_READ",
                                                  "COLOR_ATTACHMENT_WRITE",
                                                  "DEPTH_STENCIL_ATTACHMENT_READ",
                                                  "DEPTH_STENCIL_ATTACHMENT_WRITE",
                                                  "TRANSFER_READ",
                                                  "TRANSFER_WRITE",
                                                  "HOST_READ",
                                                  "HOST_WRITE",
                                                  "MEMORY_READ",
                                                  "MEMORY_WRITE",
                                                  "COMMAND_PREPROCESS_READ",
                                                  "COMMAND_PREPROCESS_WRITE",
                                                  "COLOR_ATTACHMENT_READ_NONCOHERENT",
                                                  "CONDITIONAL_RENDERING_READ",
                                                  "ACCELERATION_STRUCTURE_READ",
                                                  "ACCELERATION_STRUCTURE_WRITE",
                                                  "FRAGMENT_SHADING_RATE_ATTACHMENT_READ",
                                                  "FRAGMENT_DENSITY_MAP_READ",
                                                  "TRANSFORM_FEEDBACK_WRITE",
                                                  "TRANSFORM_FEEDBACK_COUNTER_READ",
                                                  "TRANSFORM_FEEDBACK_COUNTER_WRITE",
                                                  "SHADER_SAMPLED_READ",
                                                  "SHADER_STORAGE_READ",
                                                  "SHADER_STORAGE_WRITE",
                                                  "others"};

static void put_bits(uint32_t of, const char *const *names_of_bits, const char *none, char *text,
                     size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t bit = 0; bit < BITS; bit++) {
        if (!(of >> bit & 1) || !names_of_bits[bit] || used >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " | " : "",
                                 names_of_bits[bit]);
        of &= ~(1u << bit);
    }
    if (used < size && of != 0)
        snprintf(text + used, size - used, "%s0x%x", used > 0 ? " | " : "", of);
    else if (used == 0)
        snprintf(text, size, "%s", none);
}

/* ---- layouts ---- */

/* D3D12_BARRIER_LAYOUT, from 0. */
static const char *const barrier_layouts[] = {
    "COMMON",
    "GENERIC_READ",
    "RENDER_TARGET",
    "UNORDERED_ACCESS",
    "DEPTH_STENCIL_WRITE",
    "DEPTH_STENCIL_READ",
    "SHADER_RESOURCE",
    "COPY_SOURCE",
    "COPY_DEST",
    "RESOLVE_SOURCE",
    "RESOLVE_DEST",
    "SHADING_RATE_SOURCE",
    "VIDEO_DECODE_READ",
    "VIDEO_DECODE_WRITE",
    "VIDEO_PROCESS_READ",
    "VIDEO_PROCESS_WRITE",
    "VIDEO_ENCODE_READ",
    "VIDEO_ENCODE_WRITE",
    "DIRECT_QUEUE_COMMON",
    "DIRECT_QUEUE_GENERIC_READ",
    "DIRECT_QUEUE_UNORDERED_ACCESS",
    "DIRECT_QUEUE_SHADER_RESOURCE",
    "DIRECT_QUEUE_COPY_SOURCE",
    "DIRECT_QUEUE_COPY_DEST",
    "COMPUTE_QUEUE_COMMON",
    "COMPUTE_QUEUE_GENERIC_READ",
    "COMPUTE_QUEUE_UNORDERED_ACCESS",
    "COMPUTE_QUEUE_SHADER_RESOURCE",
    "COMPUTE_QUEUE_COPY_SOURCE",
    "COMPUTE_QUEUE_COPY_DEST",
    "VIDEO_QUEUE_COMMON",
    "DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE",
};

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
    return layout < sizeof barrier_layouts / sizeof barrier_layouts[0] ? barrier_layouts[layout]
                                                                       : NULL;
}

/* ---- any of them ---- */

void annot__state_text(const annot_reader *reader, struct annot__bound_state of, char *text,
                       size_t size)
{
    const bool is_vulkan = reader->voice == ANNOT_VOICE_VULKAN;
    if (of.role == ANNOT_BOUND_ACCESS && is_vulkan)
        put_bits(of.value, vulkan_accesses, "NONE", text, size);
    else if (of.role == ANNOT_BOUND_ACCESS && of.value >> NO_ACCESS)
        snprintf(text, size, "NO_ACCESS");
    else if (of.role == ANNOT_BOUND_ACCESS)
        put_bits(of.value, barrier_accesses, "COMMON", text, size);
    else if (is_vulkan || of.kind == ANNOT__BARRIER) {
        const char *name = layout_name(of.value, is_vulkan);
        if (name)
            snprintf(text, size, "%s", name);
        else
            snprintf(text, size, "layout %u", of.value);
    } else
        put_bits(of.value, resource_states, "COMMON", text, size);
}
