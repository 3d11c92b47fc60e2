/* Labels that begin inside a render pass and end behind it, or begin before and end inside, and
 * bundles that end in the middle of a label. The GPU's words are wrong about these labels. */
#include "vulkan_layer.h"

struct vkl_cmd *vkl_cmd_of_object(const struct vkl_device *device, uint64_t object)
{
    struct vkl_cmd *cmd = device->commands;
    while (cmd && annot_object_id(cmd->object) != object)
        cmd = cmd->hh.next;
    return cmd;
}

bool vkl_bundle_is_cut(void *device, uint64_t list, uint32_t bundle)
{
    const struct vkl_cmd *cmd = vkl_cmd_of_object(device, list);
    if (!cmd)
        return true; /* nothing is known of the bundle, so it may be cut */
    const uint32_t room = sizeof cmd->cut_bundles / sizeof *cmd->cut_bundles;
    for (uint32_t i = 0; i < cmd->cut_count && i < room; i++)
        if (cmd->cut_bundles[i] == bundle)
            return true;
    return cmd->cut_count > room;
}

enum { STRADDLED_ROOM = sizeof((struct vkl_cmd *)0)->straddled / sizeof(struct vkl_straddled) };

void vkl_straddle(struct vkl_cmd *cmd, bool begins, bool ends)
{
    const uint32_t count = cmd->straddled_count;
    struct vkl_straddled *last = count > 0 ? &cmd->straddled[count - 1] : NULL;
    if (count > STRADDLED_ROOM)
        return;
    if (!last || last->started != cmd->last_started) {
        if (cmd->straddled_count++ == STRADDLED_ROOM)
            return;
        last = &cmd->straddled[count];
        *last = (struct vkl_straddled){.started = cmd->last_started};
    }
    last->begins |= begins;
    last->ends |= ends;
}

struct vkl_straddled vkl_straddled_of(const struct vkl_cmd *cmd, uint64_t started)
{
    for (uint32_t i = 0; i < cmd->straddled_count && i < STRADDLED_ROOM; i++)
        if (cmd->straddled[i].started == started)
            return cmd->straddled[i];
    const bool is_any = cmd->straddled_count > STRADDLED_ROOM;
    return (struct vkl_straddled){started, is_any, is_any};
}

void vkl_row_temper(const struct vkl_device *device, annot_progress *row)
{
    const struct vkl_cmd *cmd = vkl_cmd_of_object(device, row->object);
    if (row->state == ANNOT_PROGRESS_NOT_STARTED || row->state == ANNOT_PROGRESS_FINISHED)
        return;
    const struct vkl_queue *queue = cmd ? cmd->queue : NULL; /* another thread may clear it */
    const bool is_gone =
        row->bundle == 0 && (!queue || row->queue != annot_object_id(queue->object) ||
                             cmd->first_serial > row->submission);
    const bool is_open =
        cmd && cmd->is_suspended && !cmd->stream.is_recording &&
        (row->started == cmd->last_started || !(row->inside & ANNOT_INSIDE_STARTED));
    if (is_gone || is_open) {
        row->state = ANNOT_PROGRESS_UNKNOWN;
        row->inside = ANNOT_INSIDE_NOT_TRACKED;
        row->started = row->completed = 0;
    }
    if (is_gone || is_open || !cmd)
        return;
    const struct vkl_straddled straddled = vkl_straddled_of(cmd, row->started);
    if (straddled.begins) {
        row->inside &= ANNOT_INSIDE_COMPLETED;
        row->started = 0;
    }
    if (straddled.ends) {
        row->inside &= ANNOT_INSIDE_STARTED;
        row->completed = 0;
    }
}
