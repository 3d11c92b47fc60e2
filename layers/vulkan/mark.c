/*
 * The writes that the GPU is given, for each kind of evidence:
 *
 *     checkpoints   vkCmdSetCheckpointNV: the driver keeps the last one that each end of the
 *                   pipeline reached
 *     markers       vkCmdWriteBufferMarkerAMD at the top of the pipe for `started`,
 *                   at its bottom for `completed`
 *     barrier       vkCmdFillBuffer behind a barrier, for both: nothing later has begun,
 *                   everything earlier is done
 *     fill          vkCmdFillBuffer alone: the front end got here. What came before may still be
 *                   running, so nothing is ever called complete
 *     timeline      nothing
 *
 * A fill can't be recorded in a render pass, the two extensions' commands can.
 */
#include "vulkan_layer.h"

const char *vkl_evidence_text(enum vkl_evidence evidence)
{
    static const char *const texts[] = {
        "VK_NV_device_diagnostic_checkpoints", "VK_AMD_buffer_marker",
        "vkCmdFillBuffer behind a barrier; none inside render passes",
        "vkCmdFillBuffer without a barrier: says what started, never what finished",
        "completed submissions only"};
    return texts[evidence];
}

bool vkl_mark_is_possible(const struct vkl_cmd *cmd)
{
    return !cmd->is_marked || !cmd->in_pass;
}

/* ---- words ---- */

/* Everything before is done, and its memory written, when the fills behind it begin. */
static void barrier(const struct vkl_device *device, VkCommandBuffer buffer)
{
    const VkMemoryBarrier all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    if (device->evidence == VKL_EVIDENCE_BARRIER)
        device->next.CmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                        VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &all, 0, NULL, 0,
                                        NULL);
}

static void write_word(const struct vkl_device *device, VkCommandBuffer buffer,
                       VkPipelineStageFlagBits stage, uint64_t offset, uint32_t value)
{
    if (device->evidence == VKL_EVIDENCE_MARKERS)
        device->next.CmdWriteBufferMarkerAMD(buffer, stage, device->words.buffer, offset, value);
    else
        device->next.CmdFillBuffer(buffer, device->words.buffer, offset, sizeof value, value);
}

static void write_started(const struct vkl_cmd *cmd, uint32_t value)
{
    write_word(cmd->device, cmd->handle, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, cmd->words.started,
               value);
}

/* Without a barrier nothing would be known to be completed. */
static void write_completed(const struct vkl_cmd *cmd, uint32_t value)
{
    if (cmd->device->evidence != VKL_EVIDENCE_FILL)
        write_word(cmd->device, cmd->handle, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                   cmd->words.completed, value);
}

static void prologue_word(struct vkl_device *device, VkCommandBuffer buffer,
                          VkPipelineStageFlagBits stage, uint64_t offset, uint32_t value)
{
    barrier(device, buffer);
    write_word(device, buffer, stage, offset, value);
}

void vkl_mark_prologue(struct vkl_device *device, VkCommandBuffer buffer,
                       const annot_prologue *prologue)
{
    const VkPipelineStageFlagBits top = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                  bottom = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
    prologue_word(device, buffer, top, prologue->entered, ANNOT_WORD_ENTERED);
    prologue_word(device, buffer, top, prologue->restarted, 0);
    prologue_word(device, buffer, top, prologue->entered, ANNOT_WORD_LEFT);
    if (device->evidence == VKL_EVIDENCE_FILL)
        return;
    prologue_word(device, buffer, bottom, prologue->claimed, ANNOT_WORD_ENTERED);
    prologue_word(device, buffer, bottom, prologue->cleared, 0);
    prologue_word(device, buffer, bottom, prologue->claimed, ANNOT_WORD_LEFT);
}

/* ---- marks ---- */

void vkl_mark_entered(struct vkl_cmd *cmd)
{
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS) {
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_ENTERED, 0);
        return;
    }
    barrier(cmd->device, cmd->handle);
    write_started(cmd, ANNOT_WORD_ENTERED);
}

void vkl_mark_left(struct vkl_cmd *cmd)
{
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS) {
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_LEFT, 0);
        return;
    }
    barrier(cmd->device, cmd->handle);
    write_completed(cmd, ANNOT_WORD_LEFT);
}

void vkl_mark_started(struct vkl_cmd *cmd, uint64_t event_id)
{
    if (!cmd->is_marked || cmd->is_lost)
        return;
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS) {
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_STARTED, event_id);
        return;
    }
    barrier(cmd->device, cmd->handle);
    write_started(cmd, (uint32_t)event_id);
}

void vkl_mark_completed(struct vkl_cmd *cmd, uint64_t event_id)
{
    if (!cmd->is_marked || cmd->is_lost)
        return;
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS) {
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_COMPLETED, event_id);
        return;
    }
    if (cmd->device->evidence == VKL_EVIDENCE_FILL)
        return;
    barrier(cmd->device, cmd->handle);
    write_completed(cmd, (uint32_t)event_id);
}

void vkl_mark_passed(struct vkl_cmd *cmd, uint64_t event_id)
{
    if (!cmd->is_marked || cmd->is_lost)
        return;
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS) {
        vkl_checkpoint_set(cmd, VKL_CHECKPOINT_PASSED, event_id);
        return;
    }
    barrier(cmd->device, cmd->handle);
    write_started(cmd, (uint32_t)event_id);
    write_completed(cmd, (uint32_t)event_id);
}

/* A value that is neither an EventID nor one of the tracker's: it makes the recording's labels
 * unknown. */
enum { WORD_LOST = 3 };

void vkl_mark_lost(struct vkl_cmd *cmd)
{
    barrier(cmd->device, cmd->handle);
    write_started(cmd, WORD_LOST);
    write_completed(cmd, WORD_LOST);
    cmd->is_lost = true;
}
