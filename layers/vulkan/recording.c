/* From begin to end of a command buffer: its secondaries and its render passes. stream.c has the
 * recorded labels. */
#include "calls.h"

/* Ends the inner stream, maybe in the middle of `open` labels, which are opened again afterwards.
 */
static void inner_cut(struct vkl_cmd *cmd, uint32_t open)
{
    const uint32_t room = sizeof cmd->cut_bundles / sizeof *cmd->cut_bundles;
    vkl_inner_flush(cmd);
    if (open == 0)
        return;
    if (cmd->cut_count < room)
        cmd->cut_bundles[cmd->cut_count] = cmd->bundle_count;
    if (cmd->cut_count <= room)
        cmd->cut_count++;
}

/* ---- begin and end ---- */

/* Releases the inner stream's arena. Before, the recording could open the stream again. */
static void arenas_rest(struct vkl_cmd *cmd)
{
    cmd->arena->is_busy = false;
    if (cmd->inner_arena)
        cmd->inner_arena->is_busy = false;
}

/* Ends a submission. Only the application knows that the submission is done. */
static void leave_submission(struct vkl_cmd *cmd)
{
    struct vkl_queue *queue = cmd->queue;
    cmd->queue = NULL;
    cmd->is_repeated = false;
    if (!queue || cmd->serial <= crash_queue_done(&queue->crash))
        return;
    vkl_device_poll(cmd->device);
    if (cmd->serial > crash_queue_done(&queue->crash))
        atomic_store_explicit(&queue->blind, cmd->serial, memory_order_release);
}

void vkl_recording_drop(struct vkl_cmd *cmd)
{
    leave_submission(cmd);
    if (cmd->stream.is_recording)
        arenas_rest(cmd);
    crash_stream_drop(&cmd->stream, &cmd->device->crash.counts);
    vkl_stamps_drop(cmd);
    vkl_arena_leave(cmd->arena);
    vkl_arena_leave(cmd->inner_arena);
    cmd->arena = cmd->inner_arena = NULL;
}

static bool has_checkpoints(const struct vkl_device *device)
{
    return device->evidence == VKL_EVIDENCE_CHECKPOINTS;
}

/* Whether vkCmdFillBuffer is possible: transfer queues have it since Vulkan 1.1; protected memory
 * does not allow it. */
static bool can_mark(const struct vkl_pool *pool)
{
    const struct vkl_device *device = pool->device;
    const VkQueueFlags flags = vkl_family_flags(device, pool->family);
    const VkQueueFlags enough =
        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
        (device->instance->api_version >= VK_API_VERSION_1_1 ? VK_QUEUE_TRANSFER_BIT : 0);
    return has_checkpoints(device) ||
           (device->evidence != VKL_EVIDENCE_TIMELINE && !pool->is_protected && (flags & enough));
}

static void recording_begin(struct vkl_cmd *cmd, const VkCommandBufferBeginInfo *info)
{
    struct vkl_device *device = cmd->device;
    vkl_recording_drop(cmd);
    cmd->owed_ends = cmd->bundle_count = cmd->cut_count = cmd->straddled_count = 0;
    cmd->last_started = 0;
    cmd->has_pass_scope = cmd->is_suspended = cmd->is_lost = false;
    cmd->check_count = 0;
    cmd->has_operation = false;
    vkl_bound_forget(cmd, VKL_BOUND | VKL_PASS);
    cmd->recording = atomic_fetch_add_explicit(&device->recordings, 1, memory_order_relaxed) + 1;
    cmd->in_pass =
        cmd->is_secondary && (info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    vkl_stamps_begin(cmd, info->flags);
    if (cmd->in_pass && info->pInheritanceInfo)
        vkl_bound_inherit(cmd, info->pInheritanceInfo);
    cmd->arena = vkl_arena_take(cmd->pool);
    if (!cmd->arena)
        return;
    crash_stream_open(&cmd->stream, cmd->arena->annot);
    if (can_mark(cmd->pool) &&
        (!cmd->in_pass || device->evidence == VKL_EVIDENCE_MARKERS || has_checkpoints(device)))
        crash_stream_mark(&cmd->stream); /* also without words: bundles have rows then */
    cmd->stream.is_marked |= cmd->stream.is_recording && has_checkpoints(device);
    if (cmd->stream.is_marked)
        vkl_mark_entered(cmd);
}

/* Ends the pass's labels: those of the inner stream, the layer's, and those that ended inside. */
static void labels_end(struct vkl_cmd *cmd)
{
    const uint32_t open = cmd->stream.inner_depth;
    cmd->stream.inner_depth = 0;
    inner_cut(cmd, open);
    if (cmd->has_pass_scope)
        vkl_label_end(cmd);
    cmd->has_pass_scope = false;
    for (; cmd->owed_ends > 0; cmd->owed_ends--)
        vkl_label_end(cmd);
}

static void recording_end(struct vkl_cmd *cmd)
{
    crash_stream_count(&cmd->stream, &cmd->device->crash.counts);
    if (!cmd->stream.is_recording)
        return;
    vkl_operation_flush(cmd);
    if (cmd->is_suspended) {
        /* The pass continues in another command buffer, and no word may be written behind it. But
         * the layer's label around the pass ends here, as do labels that ended inside; otherwise
         * the ends of other labels would close them. */
        cmd->stream.is_marked = false;
        labels_end(cmd);
    }
    vkl_inner_flush(cmd);
    if (cmd->stream.is_marked)
        vkl_mark_left(cmd);
    crash_stream_close(&cmd->stream);
    arenas_rest(cmd);
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_BeginCommandBuffer(VkCommandBuffer handle,
                                                             const VkCommandBufferBeginInfo *info)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.BeginCommandBuffer(handle, info);
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (result == VK_SUCCESS && cmd)
        recording_begin(cmd, info);
    return vkl_check(device, result, "vkBeginCommandBuffer");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_EndCommandBuffer(VkCommandBuffer handle)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (cmd)
        recording_end(cmd);
    return vkl_check(device, device->next.EndCommandBuffer(handle), "vkEndCommandBuffer");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_ResetCommandBuffer(VkCommandBuffer handle,
                                                             VkCommandBufferResetFlags flags)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (cmd) {
        vkl_device_poll(device);
        vkl_recording_drop(cmd);
    }
    return vkl_check(device, device->next.ResetCommandBuffer(handle, flags),
                     "vkResetCommandBuffer");
}

/* ---- secondary command buffers ---- */

static VKAPI_ATTR void VKAPI_CALL vkl_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
                                                         const VkCommandBuffer *secondaries)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    if (cmd && cmd->stream.is_recording) {
        vkl_operation_flush(cmd);
        vkl_bound_forget(cmd, VKL_BOUND);
        inner_cut(cmd, cmd->stream.inner_depth);
        for (uint32_t i = 0; i < count; i++) {
            struct vkl_cmd *secondary = vkl_cmd_of(secondaries[i]);
            if (!secondary)
                continue;
            vkl_bundle_execute(cmd, secondary->stream.outer);
            vkl_stamps_execute(cmd, secondaries[i]);
        }
    }
    device->next.CmdExecuteCommands(handle, count, secondaries);
}

/* ---- render passes ---- */

/* Begins a pass. If the pass can't have marks, it gets a label as a place for its contents. */
static void pass_begin(struct vkl_cmd *cmd, bool is_suspending, const char *call)
{
    if (!cmd || !cmd->stream.is_recording || cmd->is_suspended)
        return;
    const enum vkl_evidence evidence = cmd->device->evidence;
    const bool is_blind = cmd->stream.is_marked && !cmd->is_lost &&
                          (evidence == VKL_EVIDENCE_BARRIER || evidence == VKL_EVIDENCE_FILL);
    if (is_blind && cmd->is_secondary)
        vkl_mark_lost(cmd); /* a bundle can't have a mark inside */
    else if (is_blind &&
             (cmd->stream.depth == 0 || cmd->device->settings.level != CRASH_LEVEL_LOW) &&
             cmd->stream.inner_depth == 0) {
        vkl_label_begin(cmd, call, NULL);
        cmd->has_pass_scope = true;
    }
    cmd->in_pass = is_blind;
    cmd->is_suspended = is_suspending;
}

/* Opens labels again that began inside a pass and continue. The present place can have marks. */
static void reopen(struct vkl_cmd *cmd, const uint64_t *ids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char payload[512];
        annot_marker_info info = {0};
        annot_lookup found = i < VKL_OPEN_MAX
                                 ? annot_device_lookup(cmd->device->crash.annot, ids[i], &info,
                                                       payload, sizeof payload)
                                 : ANNOT_LOOKUP_EXPIRED;
        const bool is_whole = found == ANNOT_LOOKUP_LIVE && info.size <= sizeof payload;
        vkl_label_begin_payload(cmd, is_whole ? info.metadata : 1, is_whole ? payload : "(label)",
                                is_whole ? info.size : sizeof "(label)");
        if (i + 1 < count) /* the next label has begun, too */
            vkl_straddle(cmd, true, false);
    }
}

static void pass_end(struct vkl_cmd *cmd)
{
    if (!cmd || !cmd->stream.is_recording || !cmd->in_pass || cmd->is_suspended)
        return;
    uint64_t ids[VKL_OPEN_MAX];
    const uint32_t open = cmd->stream.inner_depth;
    vkl_operation_flush(cmd);
    const bool is_low = cmd->device->settings.level == CRASH_LEVEL_LOW;
    cmd->in_pass = false;
    if (!cmd->has_pass_scope && cmd->owed_ends == 0 && is_low && cmd->stream.depth > 0)
        return; /* everything goes on inside of an outer label */
    memcpy(ids, cmd->inner_ids, sizeof ids);
    if (open > 0)
        vkl_straddle(cmd, true, false);
    labels_end(cmd);
    reopen(cmd, ids, open);
}

#define BEGIN(name, parameters, arguments)                                                         \
    static VKAPI_ATTR void VKAPI_CALL vkl_Cmd##name parameters                                     \
    {                                                                                              \
        struct vkl_cmd *cmd = vkl_cmd_of(handle);                                                  \
        pass_begin(cmd, false, "vkCmd" #name);                                                     \
        vkl_bound_pass(cmd, info);                                                                 \
        vkl_device_of(vkl_key(handle))->next.Cmd##name arguments;                                  \
    }
#define END(name, parameters, arguments)                                                           \
    static VKAPI_ATTR void VKAPI_CALL vkl_Cmd##name parameters                                     \
    {                                                                                              \
        vkl_device_of(vkl_key(handle))->next.Cmd##name arguments;                                  \
        pass_end(vkl_cmd_of(handle));                                                              \
        vkl_bound_pass_end(vkl_cmd_of(handle));                                                    \
    }
BEGIN(BeginRenderPass,
      (VkCommandBuffer handle, const VkRenderPassBeginInfo *info, VkSubpassContents contents),
      (handle, info, contents))
BEGIN(BeginRenderPass2,
      (VkCommandBuffer handle, const VkRenderPassBeginInfo *info, const VkSubpassBeginInfo *begin),
      (handle, info, begin))
END(EndRenderPass, (VkCommandBuffer handle), (handle))
END(EndRenderPass2, (VkCommandBuffer handle, const VkSubpassEndInfo *end), (handle, end))
END(EndRendering, (VkCommandBuffer handle), (handle))
END(EndRendering2EXT, (VkCommandBuffer handle, const void *info), (handle, info))
END(EndRendering2KHR, (VkCommandBuffer handle, const void *info), (handle, info))

/* Nothing may be recorded between a suspended pass and the pass that resumes it. */
static VKAPI_ATTR void VKAPI_CALL vkl_CmdBeginRendering(VkCommandBuffer handle,
                                                        const VkRenderingInfo *info)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    struct vkl_cmd *cmd = vkl_cmd_of(handle);
    const bool is_suspending = info->flags & VK_RENDERING_SUSPENDING_BIT;
    if (cmd && cmd->is_suspended)
        cmd->is_suspended = is_suspending;
    else
        pass_begin(cmd, is_suspending, "vkCmdBeginRendering");
    vkl_bound_rendering(cmd, info);
    device->next.CmdBeginRendering(handle, info);
}

const struct vkl_call vkl_recording_calls[] = {VKL_RECORDING_CALLS(VKL_CALL){.name = NULL}};
