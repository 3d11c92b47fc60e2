/* The GPU's writes, for each kind of evidence:
 *
 *     checkpoints   vkCmdSetCheckpointNV: the driver keeps the last checkpoint that each end of the
 *                   pipeline reached
 *     markers, barrier, fill
 *                   words of annot/vulkan.h
 *     timeline      nothing
 *
 * A fill can't be recorded in a render pass, the two extensions' commands can. */
#include "vulkan_layer.h"

const char *vkl_evidence_text(enum vkl_evidence evidence)
{
    static const char *const texts[] = {
        "VK_NV_device_diagnostic_checkpoints", "VK_AMD_buffer_marker",
        "vkCmdFillBuffer after a barrier; no marks inside render passes",
        "vkCmdFillBuffer without a barrier: shows which work started, not which work finished",
        "completed submissions only"};
    return texts[evidence];
}

bool vkl_mark_is_possible(const struct vkl_cmd *cmd)
{
    return !cmd->stream.is_marked || !cmd->in_pass;
}

/* ---- words ---- */

static void write_started(const struct vkl_cmd *cmd, uint32_t value)
{
    annot_vk_write_started(&cmd->device->words, cmd->handle, cmd->stream.words, value);
}

static void write_completed(const struct vkl_cmd *cmd, uint32_t value)
{
    annot_vk_write_completed(&cmd->device->words, cmd->handle, cmd->stream.words, value);
}

/* ---- marks ---- */

/* Whether words are written. False: a checkpoint was set instead. */
static inline bool takes_words(struct vkl_cmd *cmd, enum vkl_checkpoint what, uint64_t event_id)
{
    if (cmd->device->evidence == VKL_EVIDENCE_CHECKPOINTS) {
        vkl_checkpoint_set(cmd, what, event_id);
        return false;
    }
    annot_vk_barrier(&cmd->device->words, cmd->handle);
    return true;
}

static inline bool follows(const struct vkl_cmd *cmd)
{
    return cmd->stream.is_marked && !cmd->is_lost;
}

void vkl_mark_entered(struct vkl_cmd *cmd)
{
    if (takes_words(cmd, VKL_CHECKPOINT_ENTERED, 0))
        write_started(cmd, ANNOT_WORD_ENTERED);
}

void vkl_mark_left(struct vkl_cmd *cmd)
{
    if (takes_words(cmd, VKL_CHECKPOINT_LEFT, 0))
        write_completed(cmd, ANNOT_WORD_LEFT);
}

void vkl_mark_started(struct vkl_cmd *cmd, uint64_t event_id)
{
    if (follows(cmd) && takes_words(cmd, VKL_CHECKPOINT_STARTED, event_id))
        write_started(cmd, (uint32_t)event_id);
}

void vkl_mark_completed(struct vkl_cmd *cmd, uint64_t event_id)
{
    if (follows(cmd) && cmd->device->evidence != VKL_EVIDENCE_FILL &&
        takes_words(cmd, VKL_CHECKPOINT_COMPLETED, event_id))
        write_completed(cmd, (uint32_t)event_id);
}

void vkl_mark_passed(struct vkl_cmd *cmd, uint64_t event_id)
{
    if (!follows(cmd) || !takes_words(cmd, VKL_CHECKPOINT_PASSED, event_id))
        return;
    write_started(cmd, (uint32_t)event_id);
    write_completed(cmd, (uint32_t)event_id);
}

void vkl_mark_lost(struct vkl_cmd *cmd)
{
    annot_vk_barrier(&cmd->device->words, cmd->handle);
    write_started(cmd, ANNOT_VK_WORD_LOST);
    write_completed(cmd, ANNOT_VK_WORD_LOST);
    cmd->is_lost = true;
}
