/* The mock driver's recording of command buffers. */
#include "mock.h"

#include <sched.h>

struct mock_pool {
    struct mock_cmd *commands;
    void *key;
};

static VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device,
                                                  const VkCommandPoolCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkCommandPool *out)
{
    (void)info, (void)allocator;
    struct mock_pool *pool = calloc(1, sizeof *pool);
    pool->key = device;
    mock.live++;
    *out = (VkCommandPool)pool;
    return VK_SUCCESS;
}

static void free_command(struct mock_cmd *cmd)
{
    free(cmd->ops);
    free(cmd);
}

static VKAPI_ATTR void VKAPI_CALL destroy_pool(VkDevice device, VkCommandPool handle,
                                               const VkAllocationCallbacks *allocator)
{
    (void)device, (void)allocator;
    struct mock_pool *pool = (struct mock_pool *)handle;
    if (!pool)
        return;
    while (pool->commands) {
        struct mock_cmd *cmd = pool->commands;
        pool->commands = cmd->next;
        free_command(cmd);
    }
    mock.live--;
    free(pool);
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_pool(VkDevice device, VkCommandPool handle,
                                                 VkCommandPoolResetFlags flags)
{
    (void)device, (void)flags;
    for (struct mock_cmd *cmd = ((struct mock_pool *)handle)->commands; cmd; cmd = cmd->next)
        cmd->count = 0;
    return mock_result("vkResetCommandPool");
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_commands(VkDevice device,
                                                        const VkCommandBufferAllocateInfo *info,
                                                        VkCommandBuffer *out)
{
    struct mock_pool *pool = (struct mock_pool *)info->commandPool;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        if (mock.next_command) {
            out[i] = mock.next_command;
            mock.next_command = VK_NULL_HANDLE;
            continue;
        }
        struct mock_cmd *cmd = calloc(1, sizeof *cmd);
        mock.commands++;
        cmd->key = device;
        cmd->next = pool->commands;
        pool->commands = cmd;
        out[i] = (VkCommandBuffer)cmd;
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL free_commands(VkDevice device, VkCommandPool handle,
                                                uint32_t count, const VkCommandBuffer *buffers)
{
    (void)device;
    for (uint32_t i = 0; i < count; i++) {
        struct mock_cmd **at = &((struct mock_pool *)handle)->commands;
        while (*at && *at != (struct mock_cmd *)buffers[i])
            at = &(*at)->next;
        if (!*at)
            continue;
        struct mock_cmd *cmd = *at;
        *at = cmd->next;
        free_command(cmd);
    }
}

static struct mock_op *add(VkCommandBuffer handle, enum mock_op_kind kind, uint64_t value)
{
    struct mock_cmd *cmd = (struct mock_cmd *)handle;
    if (cmd->count == cmd->capacity) {
        cmd->capacity = cmd->capacity ? cmd->capacity * 2 : 16;
        cmd->ops = realloc(cmd->ops, cmd->capacity * sizeof *cmd->ops);
    }
    struct mock_op *op = &cmd->ops[cmd->count++];
    *op = (struct mock_op){.kind = kind, .value = value};
    return op;
}

static VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer handle,
                                            const VkCommandBufferBeginInfo *info)
{
    struct mock_cmd *cmd = (struct mock_cmd *)handle;
    cmd->count = 0;
    cmd->passes = info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT ? 1 : 0;
    return mock_result("vkBeginCommandBuffer");
}

static VKAPI_ATTR VkResult VKAPI_CALL end(VkCommandBuffer handle)
{
    (void)handle;
    return mock_result("vkEndCommandBuffer");
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_command(VkCommandBuffer handle,
                                                    VkCommandBufferResetFlags flags)
{
    (void)flags;
    ((struct mock_cmd *)handle)->count = 0;
    return mock_result("vkResetCommandBuffer");
}

static void only_outside_passes(VkCommandBuffer handle)
{
    mock.misplaced += ((struct mock_cmd *)handle)->passes > 0;
}

static VKAPI_ATTR void VKAPI_CALL fill(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset,
                                       VkDeviceSize size, uint32_t value)
{
    (void)size;
    only_outside_passes(handle);
    mock.fills++;
    add(handle, MOCK_FILL, value)->at = ((struct mock_buffer *)buffer)->memory->bytes + offset;
}

static VKAPI_ATTR void VKAPI_CALL
pipeline_barrier(VkCommandBuffer handle, VkPipelineStageFlags from, VkPipelineStageFlags to,
                 VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                 uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                 const VkImageMemoryBarrier *images)
{
    (void)to, (void)flags, (void)memory, (void)buffer_count, (void)buffers, (void)image_count;
    (void)images, (void)memory_count;
    only_outside_passes(handle);
    mock.barriers++;
    if (from & VK_PIPELINE_STAGE_ALL_COMMANDS_BIT)
        add(handle, MOCK_BARRIER, 0);
}

static VKAPI_ATTR void VKAPI_CALL write_marker(VkCommandBuffer handle,
                                               VkPipelineStageFlagBits stage, VkBuffer buffer,
                                               VkDeviceSize offset, uint32_t value)
{
    mock.markers++;
    add(handle, stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT ? MOCK_TOP : MOCK_BOTTOM, value)->at =
        ((struct mock_buffer *)buffer)->memory->bytes + offset;
}

/* ---- time stamps ---- */

struct mock_queries {
    uint32_t count;
    uint32_t available[];
};

static VKAPI_ATTR VkResult VKAPI_CALL create_queries(VkDevice device,
                                                     const VkQueryPoolCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkQueryPool *out)
{
    (void)device, (void)allocator;
    struct mock_queries *pool = calloc(1, sizeof *pool + info->queryCount * sizeof(uint32_t));
    pool->count = info->queryCount;
    mock.live++;
    *out = (VkQueryPool)pool;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_queries(VkDevice device, VkQueryPool pool,
                                                  const VkAllocationCallbacks *allocator)
{
    (void)device, (void)allocator;
    mock.live -= pool != VK_NULL_HANDLE;
    free((void *)pool);
}

static VKAPI_ATTR void VKAPI_CALL reset_queries(VkDevice device, VkQueryPool pool, uint32_t first,
                                                uint32_t count)
{
    (void)device;
    memset(&((struct mock_queries *)pool)->available[first], 0, count * sizeof(uint32_t));
}

static VKAPI_ATTR void VKAPI_CALL write_stamp(VkCommandBuffer handle, VkPipelineStageFlagBits stage,
                                              VkQueryPool pool, uint32_t query)
{
    mock.stamps++;
    add(handle, stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT ? MOCK_TOP : MOCK_BOTTOM, 1)->at =
        (char *)&((struct mock_queries *)pool)->available[query];
}

static VKAPI_ATTR VkResult VKAPI_CALL get_queries(VkDevice device, VkQueryPool pool, uint32_t first,
                                                  uint32_t count, size_t size, void *data,
                                                  VkDeviceSize stride, VkQueryResultFlags flags)
{
    (void)device, (void)size, (void)flags;
    const VkResult result = mock_result("vkGetQueryPoolResults");
    while (mock.query_blocks)
        sched_yield();
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < count; i++)
        ((uint64_t *)(void *)((char *)data + i * stride))[1] =
            __atomic_load_n(&((struct mock_queries *)pool)->available[first + i], __ATOMIC_ACQUIRE);
    return count > 0 ? VK_NOT_READY : result;
}

static VKAPI_ATTR void VKAPI_CALL set_checkpoint(VkCommandBuffer handle, const void *marker)
{
    mock.checkpoints++;
    add(handle, MOCK_CHECKPOINT, (uint64_t)(uintptr_t)marker);
}

static VKAPI_ATTR void VKAPI_CALL get_checkpoints(VkQueue handle, uint32_t *count,
                                                  VkCheckpointDataNV *data)
{
    const struct mock_queue *queue = (struct mock_queue *)handle;
    uint32_t found = 0;
    if (queue->has_top) {
        data[found].stage = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
        data[found++].pCheckpointMarker = (void *)(uintptr_t)queue->top;
    }
    if (queue->has_bottom) {
        data[found].stage = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
        data[found++].pCheckpointMarker = (void *)(uintptr_t)queue->bottom;
    }
    *count = found;
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer handle, uint32_t x, uint32_t y,
                                           uint32_t z)
{
    (void)y, (void)z;
    add(handle, MOCK_WORK, x);
}

/* Commands that do little. */
#define COMMAND(name, parameters, ...)                                                             \
    static VKAPI_ATTR void VKAPI_CALL name parameters                                              \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
COMMAND(bind_pipeline, (VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline),
        (void)handle, (void)point, (void)pipeline)
COMMAND(bind_vertices,
        (VkCommandBuffer handle, uint32_t first, uint32_t count, const VkBuffer *buffers,
         const VkDeviceSize *offsets),
        (void)handle, (void)first, (void)count, (void)buffers, (void)offsets)
COMMAND(next_subpass, (VkCommandBuffer handle, VkSubpassContents contents), (void)handle,
        (void)contents)
COMMAND(bind_indices,
        (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkIndexType type),
        (void)handle, (void)buffer, (void)offset, (void)type)
COMMAND(bind_indices2,
        (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
         VkIndexType type),
        (void)handle, (void)buffer, (void)offset, (void)size, (void)type)

/* Work by its number of indices and the vertex that they count from. */
static VKAPI_ATTR void VKAPI_CALL draw_indexed(VkCommandBuffer handle, uint32_t indices,
                                               uint32_t instances, uint32_t first, int32_t base,
                                               uint32_t instance)
{
    (void)instances, (void)first, (void)instance;
    add(handle, MOCK_WORK, indices + (uint32_t)base);
}

static VKAPI_ATTR void VKAPI_CALL draw(VkCommandBuffer handle, uint32_t vertices,
                                       uint32_t instances, uint32_t first, uint32_t instance)
{
    draw_indexed(handle, vertices, instances, 0, (int32_t)first, instance);
}

/* Work that never hangs. */
static VKAPI_ATTR void VKAPI_CALL work(VkCommandBuffer handle)
{
    add(handle, MOCK_WORK, MOCK_NO_HANG);
}

COMMAND(pipeline_barrier2, (VkCommandBuffer handle, const VkDependencyInfo *info), (void)info,
        only_outside_passes(handle))

/* Work by the offset of its arguments. */
static VKAPI_ATTR void VKAPI_CALL draw_count(VkCommandBuffer handle, VkBuffer buffer,
                                             VkDeviceSize offset, VkBuffer counts,
                                             VkDeviceSize counts_offset, uint32_t most,
                                             uint32_t stride)
{
    (void)buffer, (void)counts, (void)counts_offset, (void)most, (void)stride;
    add(handle, MOCK_WORK, (uint32_t)offset);
}

COMMAND(dispatch_indirect, (VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset),
        (void)buffer, dispatch(handle, (uint32_t)offset, 0, 0))

/* A command of a later Vulkan: `x` of integers and floating-point numbers, in registers and on the
 * stack, all of which have to come as they were passed. */
static VKAPI_ATTR void VKAPI_CALL later(VkCommandBuffer handle, uint64_t number, float a, double b,
                                        uint64_t c, uint32_t d, uint64_t e, uint8_t f, float g,
                                        uint64_t h)
{
    const bool is_right = a == 0.5f && b == -2.25 && c == UINT64_MAX && d == 7 && e == 1 &&
                          f == 9 && g == 1e9f && h == 0x123456789ABCDEF0;
    dispatch(handle, is_right ? (uint32_t)number : 0, 0, 0);
}

static VKAPI_ATTR void VKAPI_CALL later_count(VkCommandBuffer handle, VkBuffer arguments,
                                              VkDeviceSize offset, VkBuffer counts,
                                              VkDeviceSize counts_offset, uint32_t most,
                                              uint32_t stride)
{
    const bool is_right = offset == UINT64_MAX && counts == (VkBuffer)UINT64_MAX &&
                          counts_offset == 1 && most == 9 && stride == 3;
    dispatch(handle, is_right ? (uint32_t)(uint64_t)arguments : 0, 0, 0);
}

static VKAPI_ATTR void VKAPI_CALL later_state(VkCommandBuffer handle)
{
    (void)handle;
}

static VKAPI_ATTR void VKAPI_CALL wait_events(VkCommandBuffer handle, uint32_t count,
                                              const VkEvent *events, const VkDependencyInfo *info)
{
    (void)events, (void)info;
    dispatch(handle, count, 0, 0);
}

static VKAPI_ATTR void VKAPI_CALL draw_multi(VkCommandBuffer handle, uint32_t count,
                                             const VkMultiDrawInfoEXT *draws, uint32_t instances,
                                             uint32_t first, uint32_t stride)
{
    (void)count, (void)instances, (void)first, (void)stride;
    dispatch(handle, draws->vertexCount, 0, 0);
}

static VKAPI_ATTR void VKAPI_CALL execute(VkCommandBuffer handle, uint32_t count,
                                          const VkCommandBuffer *commands)
{
    for (uint32_t i = 0; i < count; i++)
        add(handle, MOCK_EXECUTE, 0)->cmd = (struct mock_cmd *)commands[i];
}

static VKAPI_ATTR void VKAPI_CALL begin_pass(VkCommandBuffer handle,
                                             const VkRenderPassBeginInfo *info,
                                             VkSubpassContents contents)
{
    (void)info, (void)contents;
    ((struct mock_cmd *)handle)->passes++;
}

COMMAND(begin_pass2,
        (VkCommandBuffer handle, const VkRenderPassBeginInfo *info,
         const VkSubpassBeginInfo *subpass),
        (void)subpass, begin_pass(handle, info, VK_SUBPASS_CONTENTS_INLINE))

static VKAPI_ATTR void VKAPI_CALL end_pass(VkCommandBuffer handle)
{
    ((struct mock_cmd *)handle)->passes--;
}

COMMAND(end_pass2, (VkCommandBuffer handle, const VkSubpassEndInfo *info), (void)info,
        end_pass(handle))

static VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer handle,
                                                  const VkRenderingInfo *info)
{
    struct mock_cmd *cmd = (struct mock_cmd *)handle;
    cmd->passes += info->flags & VK_RENDERING_RESUMING_BIT ? 0 : 1;
    cmd->is_suspending = info->flags & VK_RENDERING_SUSPENDING_BIT;
}

static VKAPI_ATTR void VKAPI_CALL end_rendering(VkCommandBuffer handle)
{
    struct mock_cmd *cmd = (struct mock_cmd *)handle;
    cmd->passes -= cmd->is_suspending ? 0 : 1;
}

static VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer handle,
                                              const VkDebugUtilsLabelEXT *label)
{
    (void)label;
    mock.labels++;
    add(handle, MOCK_LABEL, 0);
}

static VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer handle)
{
    mock.labels++;
    add(handle, MOCK_LABEL, 0);
}

static VKAPI_ATTR void VKAPI_CALL insert_label(VkCommandBuffer handle,
                                               const VkDebugUtilsLabelEXT *label)
{
    (void)label;
    add(handle, MOCK_LABEL, 0);
}

const struct mock_call mock_command_calls[] = {
    CALL(CreateCommandPool, create_pool),
    CALL(DestroyCommandPool, destroy_pool),
    CALL(ResetCommandPool, reset_pool),
    CALL(AllocateCommandBuffers, allocate_commands),
    CALL(FreeCommandBuffers, free_commands),
    CALL(BeginCommandBuffer, begin),
    CALL(EndCommandBuffer, end),
    CALL(ResetCommandBuffer, reset_command),
    CALL(CmdFillBuffer, fill),
    CALL(CmdPipelineBarrier, pipeline_barrier),
    CALL(CmdDispatch, dispatch),
    CALL(CmdDispatchIndirect, dispatch_indirect),
    CALL(CmdLaterEXT, later),
    CALL(CmdSetSampleMaskEXT, later_state),
    CALL(CmdBindShadersEXT, later_state),
    CALL(CmdFillMemoryKHR, later),
    CALL(CmdDrawMeshTasksNV, later),
    CALL(CmdDrawMeshTasksIndirectCountNV, later_count),
    CALL(CmdWaitEvents2, wait_events),
    CALL(CmdDrawMultiEXT, draw_multi),
    CALL(CmdBindPipeline, bind_pipeline),
    CALL(CmdBindIndexBuffer, bind_indices),
    CALL(CmdBindIndexBuffer2, bind_indices2),
    CALL(CmdBindVertexBuffers, bind_vertices),
    CALL(CmdNextSubpass, next_subpass),
    CALL(CmdPipelineBarrier2, pipeline_barrier2),
    CALL(CmdDrawIndexed, draw_indexed),
    CALL(CmdDraw, draw),
    CALL(CmdDrawIndirect, work),
    CALL(CmdCopyImage, work),
    CALL(CmdClearColorImage, work),
    CALL(CmdClearAttachments, work),
    CALL(CmdDrawIndexedIndirectCount, draw_count),
    CALL(CmdExecuteCommands, execute),
    CALL(CmdBeginRenderPass, begin_pass),
    CALL(CmdBeginRenderPass2, begin_pass2),
    CALL(CmdEndRenderPass, end_pass),
    CALL(CmdEndRenderPass2, end_pass2),
    CALL(CmdBeginRendering, begin_rendering),
    CALL(CmdEndRendering, end_rendering),
    CALL(CmdEndRendering2KHR, end_rendering),
    CALL(CmdBeginDebugUtilsLabelEXT, begin_label),
    CALL(CmdEndDebugUtilsLabelEXT, end_label),
    CALL(CmdInsertDebugUtilsLabelEXT, insert_label),
    CALL_IF(CmdWriteBufferMarkerAMD, write_marker, has_markers),
    CALL(CreateQueryPool, create_queries),
    CALL(DestroyQueryPool, destroy_queries),
    CALL(GetQueryPoolResults, get_queries),
    CALL(CmdWriteTimestamp, write_stamp),
    CALL_IF(ResetQueryPool, reset_queries, has_stamps),
    CALL_IF(CmdSetCheckpointNV, set_checkpoint, has_checkpoints),
    CALL_IF(GetQueueCheckpointDataNV, get_checkpoints, has_checkpoints),
    {NULL, NULL, NULL},
};
