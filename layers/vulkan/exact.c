/* Commands that do work. From level "labels" on each one becomes the command buffer's last
 * operation; at level "exact" it also has its own label. At level "low" the application calls the
 * driver's own functions. */
#include "calls.h"

enum { GRAPHICS, COMPUTE, RAY_TRACING };

#define NUMBERS(...)                                                                               \
    .argument_count = sizeof((int64_t[]){__VA_ARGS__}) / 8, .arguments = {__VA_ARGS__}
#define OBJECT(role, type, object)                                                                 \
    {                                                                                              \
        ANNOT_BOUND_##role, 0, VK_OBJECT_TYPE_##type, (uint64_t)(object), 0                        \
    }
#define IMAGE(role, image, layout)                                                                 \
    {                                                                                              \
        ANNOT_BOUND_##role, (uint32_t)(layout) + 1, VK_OBJECT_TYPE_IMAGE, (uint64_t)(image), 0     \
    }
#define PIPELINE(point)             OBJECT(PIPELINE, PIPELINE, cmd->pipelines[point])
#define ONE(...)                    .object_count = 1, .objects = {__VA_ARGS__}
#define TWO(...)                    .object_count = 2, .objects = {__VA_ARGS__}
#define THREE(...)                  .object_count = 3, .objects = {__VA_ARGS__}
#define FOUR(...)                   .object_count = 4, .objects = {__VA_ARGS__}
#define INDICES                     OBJECT(INDICES, BUFFER, cmd->indices)
#define BUFFERS(f, t)               TWO(OBJECT(SOURCE, BUFFER, f), OBJECT(DESTINATION, BUFFER, t))
#define IMAGES(f, g, t, u)          TWO(IMAGE(SOURCE, f, g), IMAGE(DESTINATION, t, u))
#define IMAGES_OF(i)                IMAGES((i)->srcImage, (i)->srcImageLayout, (i)->dstImage, (i)->dstImageLayout)
#define INDIRECT_KIND(n, s)         .kind = VKL_OP_INDIRECT, NUMBERS((int64_t)(n), (int64_t)(s))
#define ARGUMENTS_OF(point, o)      PIPELINE(point), OBJECT(ARGUMENTS, BUFFER, o)
#define INDIRECT_OF(point, n, o, s) INDIRECT_KIND(n, s), TWO(ARGUMENTS_OF(point, o))
#define MESHES                      .targets = VKL_ALL_TARGETS
#define DRAWS                       MESHES, .reads_vertices = true

/* The targets of a clear: colors by their numbers, and depth. */
static uint32_t cleared(uint32_t count, const VkClearAttachment *of)
{
    enum { DEPTH = VKL_TARGETS - 1 };
    uint32_t targets = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!(of[i].aspectMask & VK_IMAGE_ASPECT_COLOR_BIT))
            targets |= 1u << DEPTH;
        else if (of[i].colorAttachment < DEPTH)
            targets |= 1u << of[i].colorAttachment;
    return targets;
}

/* Arguments of a command in the order of D3D12's call, because reports of this kind of operation
 * expect this order. */
#define OF_Draw .kind = VKL_OP_DRAW, DRAWS, NUMBERS(n, i, v, f), ONE(PIPELINE(GRAPHICS))
#define OF_DrawIndexed                                                                             \
    .kind = VKL_OP_DRAW_INDEXED, DRAWS, NUMBERS(n, i, x, v, f), TWO(PIPELINE(GRAPHICS), INDICES)
#define OF_DrawIndirect        DRAWS, INDIRECT_OF(GRAPHICS, n, o, s)
#define OF_DrawIndexedIndirect DRAWS, INDIRECT_KIND(n, s), THREE(ARGUMENTS_OF(GRAPHICS, o), INDICES)
#define OF_DrawIndirectCount                                                                       \
    DRAWS, INDIRECT_KIND(n, s), THREE(ARGUMENTS_OF(GRAPHICS, o), OBJECT(COUNTS, BUFFER, c))
#define OF_DrawIndexedIndirectCount                                                                \
    DRAWS, INDIRECT_KIND(n, s), FOUR(ARGUMENTS_OF(GRAPHICS, o), OBJECT(COUNTS, BUFFER, c), INDICES)
#define OF_DrawMeshTasksEXT .kind = VKL_OP_MESH, MESHES, NUMBERS(x, y, z), ONE(PIPELINE(GRAPHICS))
#define OF_Dispatch         .kind = VKL_OP_DISPATCH, NUMBERS(x, y, z), ONE(PIPELINE(COMPUTE))
#define OF_DispatchBase     .kind = VKL_OP_DISPATCH, NUMBERS(x, y, z), ONE(PIPELINE(COMPUTE))
#define OF_DispatchIndirect INDIRECT_OF(COMPUTE, 1, o, s)
#define OF_CopyBuffer                                                                              \
    .kind = VKL_OP_COPY_BUFFER,                                                                    \
    NUMBERS(n ? (int64_t)r->dstOffset : 0, n ? (int64_t)r->srcOffset : 0,                          \
            n ? (int64_t)r->size : 0),                                                             \
    BUFFERS(f, t)
#define OF_CopyBuffer2                                                                             \
    .kind = VKL_OP_COPY_BUFFER,                                                                    \
    NUMBERS(i->regionCount ? (int64_t)i->pRegions->dstOffset : 0,                                  \
            i->regionCount ? (int64_t)i->pRegions->srcOffset : 0,                                  \
            i->regionCount ? (int64_t)i->pRegions->size : 0),                                      \
    BUFFERS(i->srcBuffer, i->dstBuffer)
#define OF_CopyImage  .kind = VKL_OP_COPY_TEXTURE, IMAGES(f, g, t, u)
#define OF_CopyImage2 .kind = VKL_OP_COPY_TEXTURE, IMAGES_OF(i)
#define OF_BlitImage  .kind = VKL_OP_COPY_TEXTURE, IMAGES(f, g, t, u)
#define OF_BlitImage2 .kind = VKL_OP_COPY_TEXTURE, IMAGES_OF(i)
#define OF_CopyBufferToImage                                                                       \
    .kind = VKL_OP_COPY_TEXTURE, TWO(OBJECT(SOURCE, BUFFER, f), IMAGE(DESTINATION, t, u))
#define OF_CopyBufferToImage2                                                                      \
    .kind = VKL_OP_COPY_TEXTURE,                                                                   \
    TWO(OBJECT(SOURCE, BUFFER, i->srcBuffer), IMAGE(DESTINATION, i->dstImage, i->dstImageLayout))
#define OF_CopyImageToBuffer                                                                       \
    .kind = VKL_OP_COPY_TEXTURE, TWO(IMAGE(SOURCE, f, g), OBJECT(DESTINATION, BUFFER, t))
#define OF_CopyImageToBuffer2                                                                      \
    .kind = VKL_OP_COPY_TEXTURE,                                                                   \
    TWO(IMAGE(SOURCE, i->srcImage, i->srcImageLayout), OBJECT(DESTINATION, BUFFER, i->dstBuffer))
#define OF_UpdateBuffer           .kind = VKL_OP_WRITE, ONE(OBJECT(DESTINATION, BUFFER, t))
#define OF_FillBuffer             .kind = VKL_OP_FILL, ONE(OBJECT(DESTINATION, BUFFER, t))
#define OF_ClearColorImage        .kind = VKL_OP_CLEAR, ONE(IMAGE(DESTINATION, t, u))
#define OF_ClearDepthStencilImage .kind = VKL_OP_CLEAR_DEPTH, ONE(IMAGE(DESTINATION, t, u))
#define OF_ClearAttachments       .kind = VKL_OP_CLEAR, .targets = cleared(n, a)
#define OF_ResolveImage           .kind = VKL_OP_RESOLVE, IMAGES(f, g, t, u)
#define OF_ResolveImage2          .kind = VKL_OP_RESOLVE, IMAGES_OF(i)
#define OF_CopyQueryPoolResults   .kind = VKL_OP_QUERY, ONE(OBJECT(DESTINATION, BUFFER, t))
/* The number of builds, and the first build's geometries and structures. */
#define OF_BuildAccelerationStructuresKHR                                                          \
    .kind = VKL_OP_BUILD, NUMBERS(n, n ? i->geometryCount : 0),                                    \
    TWO(OBJECT(SOURCE, ACCELERATION_STRUCTURE_KHR, n ? i->srcAccelerationStructure : 0),           \
        OBJECT(DESTINATION, ACCELERATION_STRUCTURE_KHR, n ? i->dstAccelerationStructure : 0))
#define OF_TraceRaysKHR .kind = VKL_OP_RAYS, NUMBERS(x, y, z), ONE(PIPELINE(RAY_TRACING))

#define OF_WaitEvents   .kind = ANNOT_KIND_WAIT, NUMBERS(n)
#define OF_WaitEvents2  .kind = ANNOT_KIND_WAIT, NUMBERS(n)
/* The numbers of the first draw: vertices, instances, first vertex, first instance. */
#define OF_DrawMultiEXT                                                                            \
    .kind = VKL_OP_DRAW, DRAWS, NUMBERS(n ? v->vertexCount : 0, i, n ? v->firstVertex : 0, f),     \
    ONE(PIPELINE(GRAPHICS))
#define OF_DrawMultiIndexedEXT                                                                     \
    .kind = VKL_OP_DRAW_INDEXED, DRAWS,                                                            \
    NUMBERS(n ? v->indexCount : 0, i, n ? v->firstIndex : 0,                                       \
            o        ? *o                                                                          \
            : n != 0 ? v->vertexOffset                                                             \
                     : 0,                                                                          \
            f),                                                                                    \
    TWO(PIPELINE(GRAPHICS), INDICES)
#define OF_DrawIndirectByteCountEXT                                                                \
    DRAWS, INDIRECT_KIND(1, o), TWO(PIPELINE(GRAPHICS), OBJECT(COUNTS, BUFFER, c))
#define OF_DrawMeshTasksIndirectEXT MESHES, INDIRECT_OF(GRAPHICS, n, o, s)
#define OF_DrawMeshTasksIndirectCountEXT                                                           \
    MESHES, INDIRECT_KIND(n, s), THREE(ARGUMENTS_OF(GRAPHICS, o), OBJECT(COUNTS, BUFFER, c))
/* The address is an offset in the whole memory. */
#define OF_TraceRaysIndirectKHR                   INDIRECT_KIND(1, a), ONE(PIPELINE(RAY_TRACING))
#define OF_TraceRaysIndirect2KHR                  INDIRECT_KIND(1, a), ONE(PIPELINE(RAY_TRACING))
#define OF_BuildAccelerationStructuresIndirectKHR OF_BuildAccelerationStructuresKHR
#define OF_CopyAccelerationStructureKHR                                                            \
    .kind = VKL_OP_COPY_STRUCTURE, TWO(OBJECT(SOURCE, ACCELERATION_STRUCTURE_KHR, i->src),         \
                                       OBJECT(DESTINATION, ACCELERATION_STRUCTURE_KHR, i->dst))
#define OF_DecodeVideoKHR                                                                          \
    .kind = VKL_OP_DECODE,                                                                         \
    NUMBERS((int64_t)i->srcBufferOffset, (int64_t)i->srcBufferRange, i->referenceSlotCount),       \
    ONE(OBJECT(SOURCE, BUFFER, i->srcBuffer))

#define COMMAND_THEN(name, parameters, passed, behind)                                             \
    static VKAPI_ATTR void VKAPI_CALL vkl_Cmd##name parameters                                     \
    {                                                                                              \
        struct vkl_cmd *cmd = vkl_cmd_of(b);                                                       \
        const struct vkl_device *device = cmd ? cmd->device : vkl_device_of(vkl_key(b));           \
        const bool is_exact = cmd && device->settings.level == CRASH_LEVEL_EXACT;                  \
        if (is_exact)                                                                              \
            vkl_label_begin(cmd, "vkCmd" #name, NULL);                                             \
        if (cmd) {                                                                                 \
            cmd->operation = (struct vkl_operation){OF_##name};                                    \
            cmd->has_operation = true;                                                             \
            cmd->stream.unnoted++;                                                                 \
        }                                                                                          \
        device->next.Cmd##name passed;                                                             \
        if (is_exact)                                                                              \
            vkl_label_end(cmd);                                                                    \
        behind                                                                                     \
    }
#define COMMAND(name, other, parameters, passed) COMMAND_THEN(name, parameters, passed, )
#define WAIT(name, other, parameters, passed)                                                      \
    COMMAND_THEN(name, parameters, passed, vkl_bound_##name passed;)
VKL_WORKS(COMMAND)
VKL_WAITING(WAIT)

#define COMMAND_CALL(name, other, ...) VKL_CALL(Cmd##name, other)
const struct vkl_call vkl_command_calls[] = {VKL_COMMANDS(COMMAND_CALL){.name = NULL}};
