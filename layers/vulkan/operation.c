/* A command buffer's operations between labels: the last command with work of each label, with its
 * numbers, pipeline, buffers and images. Level "labels" has no mark behind each command, so noting
 * more commands would not help. At level "exact" each command has its own label, and all are
 * noted. */
#include "calls.h"

void vkl_operation_note(struct vkl_cmd *cmd)
{
    const struct vkl_operation *of = &cmd->operation;
    struct vkl_bound
        bound[sizeof of->objects / sizeof *of->objects + VKL_TARGETS + VKL_VERTEX_BUFFERS];
    annot_bound_object objects[sizeof bound / sizeof *bound + VKL_TARGETS];
    cmd->has_operation = false;
    if (!cmd->stream.is_recording)
        return;
    vkl_inner_rest(cmd);
    uint32_t count = of->object_count, all;
    memcpy(bound, of->objects, count * sizeof *bound);
    if (of->targets && cmd->device->settings.level == CRASH_LEVEL_EXACT)
        count = vkl_bound_add(cmd, bound, count);
    vkl_objects_find(cmd->device, bound, all = count, objects);
    for (uint32_t i = of->object_count; i < count; i++)
        if (bound[i].part != 0) /* parts go behind all objects */
            objects[all++] = (annot_bound_object){bound[i].part, ANNOT_BOUND_PART, i};
    const annot_operation operation = {.kind = of->kind,
                                       .argument_count = of->argument_count,
                                       .object_count = all,
                                       .arguments = of->arguments,
                                       .objects = objects};
    crash_stream_note(&cmd->stream, &operation);
}

static void set_pipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    const int place = point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR ? 2 : (int)point;
    if (cmd && place >= 0 && place < VKL_BIND_POINTS)
        cmd->pipelines[place] = pipeline;
}

static void set_indices(VkCommandBuffer handle, VkBuffer buffer)
{
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (cmd)
        cmd->indices = buffer;
}

VKL_NOTED(BindPipeline, (VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline),
          (handle, point, pipeline), set_pipeline(handle, point, pipeline))
VKL_NOTED(BindIndexBuffer,
          (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkIndexType type),
          (handle, buffer, offset, type), set_indices(handle, buffer))
VKL_NOTED(BindIndexBuffer2,
          (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
           VkIndexType type),
          (handle, buffer, offset, size, type), set_indices(handle, buffer))

const struct vkl_call vkl_operation_calls[] = {VKL_OPERATION_CALLS(VKL_CALL){.name = NULL}};
