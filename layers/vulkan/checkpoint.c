/* Evidence by VK_NV_device_diagnostic_checkpoints. For each queue, a lost device reports the last
 * checkpoint that the top of the pipeline reached and the last that its bottom passed. A checkpoint
 * is a number; each recording takes ranges of numbers.
 *
 * Queues start and retire in order, so work before the bottom's checkpoint is finished, and work
 * behind the top's has not started. The layer claims nothing in three cases: a recording is in
 * flight twice on a queue, so that its numbers are set twice; both ends name the last checkpoint of
 * a recording that was submitted before; or a recording in flight is gone. */
#include "vulkan_layer.h"

#include "array.h"

/* A number has a pointer's bits: the range, and the place in the range. */
enum { PLACE_BITS = 6, RANGE = 1 << PLACE_BITS, RANGE_BITS = 8 * sizeof(void *) - PLACE_BITS };

/* ---- recording ---- */

void vkl_checkpoint_set(struct vkl_cmd *cmd, enum vkl_checkpoint what, uint64_t event_id)
{
    const uint32_t range = cmd->check_count / RANGE, place = cmd->check_count % RANGE;
    if ((place == 0 && !ARRAY_ROOM(cmd->ranges, range, cmd->range_capacity)) ||
        !ARRAY_ROOM(cmd->checks, cmd->check_count, cmd->check_capacity)) {
        cmd->is_lost = true; /* the GPU's later places are unknown */
        return;
    }
    if (place == 0)
        cmd->ranges[range] = atomic_fetch_add(&cmd->device->ranges, 1) + 1;
    const uint64_t number = cmd->ranges[range] << PLACE_BITS | place;
    cmd->checks[cmd->check_count++] = (struct vkl_checked){event_id, what};
    if (what != VKL_CHECKPOINT_BUNDLE)
        cmd->device->next.CmdSetCheckpointNV(cmd->handle, (const void *)(uintptr_t)number);
}

/* ---- the checkpoint at one end of the pipeline ---- */

/* The place of a checkpoint among the rows of its queue. */
struct place {
    bool is_known;  /* the driver named a checkpoint, which belongs to at most one row */
    bool is_before; /* the checkpoint belongs to no row in flight, but to work before them */
    uint32_t row;
    uint32_t index; /* index in the recording's checks */
    const struct vkl_cmd *cmd;
};

/* Finds the recording with this number; `index` becomes the checkpoint's place in its checks. */
static const struct vkl_cmd *cmd_of_number(struct vkl_device *device, uint64_t number,
                                           uint32_t *index)
{
    for (const struct vkl_cmd *cmd = device->commands; cmd; cmd = cmd->hh.next)
        for (*index = number % RANGE; *index < cmd->check_count; *index += RANGE)
            if (cmd->ranges[*index / RANGE] == number >> PLACE_BITS)
                return cmd;
    return NULL;
}

static struct place place_of(struct vkl_device *device, const struct vkl_queue *queue,
                             const VkCheckpointDataNV *data, const annot_progress *rows,
                             uint32_t count)
{
    struct place place = {.is_known = true, .is_before = true};
    if (!data)
        return (struct place){.is_known = false};
    const uint64_t number = (uint64_t)(uintptr_t)data->pCheckpointMarker;
    place.cmd = cmd_of_number(device, number, &place.index);
    if (!place.cmd)
        return place;
    const uint64_t object = annot_object_id(place.cmd->object);
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].queue != annot_object_id(queue->object) || rows[i].object != object)
            continue;
        if (!place.is_before)
            return (struct place){.is_known = false};
        place.is_before = false;
        place.row = i;
    }
    return place;
}

/* Returns the place of a bundle in its list's own checks; for a list, the place itself. */
static struct place in_list(struct vkl_device *device, struct place place,
                            const annot_progress *rows)
{
    if (!place.is_known || place.is_before || rows[place.row].bundle == 0)
        return place;
    uint32_t ordinal = rows[place.row].bundle, row = place.row;
    while (row > 0 && rows[row].bundle != 0)
        row--;
    const struct vkl_cmd *list = vkl_cmd_of_object(device, rows[row].object);
    for (uint32_t i = 0; list && i < list->check_count; i++)
        if (list->checks[i].what == VKL_CHECKPOINT_BUNDLE && --ordinal == 0)
            return (struct place){.is_known = true, .row = row, .index = i, .cmd = list};
    return (struct place){.is_known = false};
}

/* ---- rows ---- */

/* Returns the last EventID of one of two kinds, up to and with a place. */
static uint64_t last_event(const struct vkl_cmd *cmd, uint32_t index, enum vkl_checkpoint what)
{
    for (uint32_t i = index + 1; i-- > 0;)
        if (cmd->checks[i].what == what || cmd->checks[i].what == VKL_CHECKPOINT_PASSED)
            return cmd->checks[i].event_id;
    return 0;
}

/* Fills in a row from the places of the last checkpoints. */
static void row_follow(struct vkl_device *device, annot_progress *row, uint32_t index,
                       const struct place *top, const struct place *bottom)
{
    const struct vkl_cmd *cmd = vkl_cmd_of_object(device, row->object);
    if (!cmd || cmd->check_count == 0 || cmd->is_lost) {
        row->state = cmd ? ANNOT_PROGRESS_STARTED : ANNOT_PROGRESS_UNKNOWN;
        return;
    }
    const uint32_t last = cmd->check_count - 1;
    const bool is_bottom = !bottom->is_before && index == bottom->row;
    if (is_bottom && bottom->cmd->checks[bottom->index].what == VKL_CHECKPOINT_LEFT) {
        row->state = ANNOT_PROGRESS_FINISHED;
        return;
    }
    if (is_bottom && bottom->index == last)
        return; /* nothing was set behind the checkpoint */
    const uint32_t reached = index == top->row ? top->index : last;
    row->state = ANNOT_PROGRESS_STARTED;
    row->inside = ANNOT_INSIDE_TRACKED;
    row->started = last_event(cmd, reached, VKL_CHECKPOINT_STARTED);
    if (is_bottom)
        row->completed = last_event(cmd, bottom->index, VKL_CHECKPOINT_COMPLETED);
}

/* Whether an earlier execution of the recording may have left this end of the pipeline here. */
static bool may_be_earlier(const struct place *place)
{
    return !place->is_before && place->index == place->cmd->check_count - 1 &&
           place->cmd->is_repeated;
}

static bool is_same(const struct place *place, const struct place *other)
{
    return !place->is_before && !other->is_before && place->row == other->row &&
           place->index == other->index;
}

static bool is_ahead_of(const struct place *place, const struct place *other)
{
    return !place->is_before && !other->is_before &&
           (place->row > other->row || (place->row == other->row && place->index > other->index));
}

/* Judges lists first; bundles that no checkpoint names inherit from their list. */
static void judge_queue(struct vkl_device *device, const struct vkl_queue *queue,
                        const struct place *top, const struct place *bottom, annot_progress *rows,
                        uint32_t count)
{
    const struct place top_list = in_list(device, *top, rows);
    struct place bottom_list = in_list(device, *bottom, rows);
    if (!top_list.is_known || !bottom_list.is_known ||
        (is_same(&top_list, &bottom_list) && may_be_earlier(&top_list)) ||
        atomic_load_explicit(&queue->blind, memory_order_acquire) > crash_queue_done(&queue->crash))
        return;
    if (is_ahead_of(&bottom_list, &top_list)) /* then the checkpoint is an earlier execution's */
        bottom_list = (struct place){.is_known = true, .is_before = true};
    const bool is_doubtful = may_be_earlier(&bottom_list); /* work up to here may be done, or not */
    for (uint32_t i = 0; i < count; i++) {
        annot_progress *row = &rows[i];
        if (row->queue != annot_object_id(queue->object))
            continue;
        if (is_doubtful && i <= bottom_list.row)
            continue;
        if (row->bundle != 0) {
            if (!top->is_before && i == top->row)
                row_follow(device, row, i, top, bottom_list.is_before ? &bottom_list : bottom);
            continue;
        }
        if (!bottom_list.is_before && i < bottom_list.row)
            row->state = ANNOT_PROGRESS_FINISHED;
        else if (top_list.is_before || i > top_list.row)
            row->state = ANNOT_PROGRESS_NOT_STARTED;
        else
            row_follow(device, row, i, &top_list, &bottom_list);
    }
}

static const VkCheckpointDataNV *at_stage(const VkCheckpointDataNV *data, uint32_t count,
                                          VkPipelineStageFlagBits stage)
{
    for (uint32_t i = 0; i < count; i++)
        if (data[i].stage == stage)
            return &data[i];
    return NULL;
}

static void ask_queue(struct vkl_device *device, const struct vkl_queue *queue,
                      annot_progress *rows, uint32_t row_count)
{
    VkCheckpointDataNV data[64];
    uint32_t count = 64;
    for (uint32_t i = 0; i < count; i++)
        data[i] = (VkCheckpointDataNV){.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV};
    device->next.GetQueueCheckpointDataNV(queue->handle, &count, data);
    const VkCheckpointDataNV *at_top = at_stage(data, count, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
    const VkCheckpointDataNV *at_bottom =
        at_stage(data, count, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
    const struct place top = place_of(device, queue, at_top, rows, row_count);
    struct place bottom = place_of(device, queue, at_bottom, rows, row_count);
    if (!at_bottom && at_top) /* no work was ever done */
        bottom = (struct place){.is_known = true, .is_before = true};
    judge_queue(device, queue, &top, &bottom, rows, row_count);
}

void vkl_checkpoints_judge(struct vkl_device *device, annot_progress *rows, uint32_t count)
{
    const struct timespec until = crash_deadline(1);
    if (!device->next.GetQueueCheckpointDataNV || device->ranges >> RANGE_BITS != 0)
        return; /* or several checkpoints have the same number */
    if (pthread_rwlock_timedrdlock(&device->objects, &until) != 0)
        return; /* a dead or stuck thread has the lock */
    const struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next)
        ask_queue(device, queue, rows, count);
    pthread_rwlock_unlock(&device->objects);
}
