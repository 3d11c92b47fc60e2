/* Submissions, and what the mock driver's GPU does with them. */
#include "vulkan_play.h"

/* ---- what the GPU did ---- */

/* In front of the application's operations and behind them there is one for all of ours. */
static void add_execution(struct mock_queue *queue, struct mock_queued *item, int queue_index)
{
    struct vulkan_state *state = vulkan_state;
    const int made = state->made_next++;
    const struct buffer *buffer = &state->buffers[state->made[made].buffer];
    struct execution *execution = truth_execution(&state->truth, queue_index);
    (void)queue;
    execution->serial = state->made[made].serial;
    execution->list = state->made[made].list;
    truth_op(execution, FLAT_WRITE);
    for (int i = 0; i < buffer->count; i++)
        *truth_op(execution, FLAT_WORK) = buffer->ops[i];
    truth_op(execution, FLAT_WRITE)->completed = 0;
    state->buffer_of =
        grow(state->buffer_of, (size_t)state->truth.count * sizeof *state->buffer_of);
    state->buffer_of[execution->index] = state->made[made].buffer;
    item->user = (void *)(uintptr_t)state->truth.count;
    for (int i = 0; i < execution->count && item->count == 0; i++) { /* there is nothing to do */
        execution->ops[i].is_reached = execution->ops[i].is_passed = true;
        execution->reached = 1;
    }
    if (state->seam)
        state->seam->user = item->user;
    state->seam = NULL;
}

static void queued(struct mock_queue *queue, struct mock_queued *item)
{
    struct vulkan_state *state = vulkan_state;
    bool is_ours =
        state->made_next == state->made_count ||
        (VkCommandBuffer)item->cmd != state->buffers[state->made[state->made_next].buffer].handle;
    if (is_ours)
        state->seam = item;
    else
        add_execution(queue, item, (VkQueue)queue == state->app.queues[0] ? 0 : 1);
}

/* The application's operations are those that the mock driver has of it, in the same order. */
static int count_tags(const struct mock_queued *item, uint32_t to)
{
    int tags = 0;
    for (uint32_t i = 0; i < to; i++)
        tags += item->ops[i].kind == MOCK_WORK || item->ops[i].kind == MOCK_LABEL;
    return tags;
}

static void stepped(const struct mock_queued *item, const struct mock_op *op, bool is_done)
{
    struct vulkan_state *state = vulkan_state;
    const bool is_tag = op->kind == MOCK_WORK || op->kind == MOCK_LABEL;
    if (!item->user)
        return;
    struct execution *execution = &state->truth.executions[(uintptr_t)item->user - 1];
    const bool is_ours =
        (VkCommandBuffer)item->cmd != state->buffers[state->buffer_of[execution->index]].handle;
    struct flat *last = &execution->ops[execution->count - 1];
    execution->ops[0].is_reached = true;
    execution->reached = 1;
    if (is_ours)
        return;
    const uint32_t at = (uint32_t)(op - item->ops);
    struct flat *tag = &execution->ops[count_tags(item, at + 1)];
    if (!is_done && !is_tag) /* what stands in front of the next one */
        tag[1].is_reached |= tag + 1 < last;
    else if (!is_done)
        tag->is_reached = tag->is_begun = true;
    else if (is_tag)
        tag->is_done = true;
    if (is_tag)
        tag->is_passed |= item->back > at;
    last->is_reached |= item->front == item->count;
    last->is_passed |= item->back == item->count;
}

static bool may_step(void)
{
    return vulkan_state->steps > 0 && vulkan_state->steps-- > 0;
}

static bool is_ahead(void)
{
    return vulkan_state->is_ahead;
}

/* -1 to 3 */
static int early(void)
{
    return vulkan_state->early.state == 0 ? -1 : (int)pick(&vulkan_state->early, 5) - 1;
}

void vulkan_watch(void)
{
    mock.early = early;
    mock.queued = queued;
    mock.stepped = stepped;
    mock.may_step = may_step;
    mock.is_ahead = is_ahead;
}

/* ---- submissions ---- */

enum { BATCHES = 2, PER_BATCH = 3 };

struct batch {
    VkCommandBuffer buffers[PER_BATCH];
    int indices[PER_BATCH];
    uint32_t count;
};

/* A suspended pass is resumed by the next command buffer of the batch, and nothing else resumes. */
static bool is_paired(const struct vulkan_state *state, const struct batch *batch)
{
    bool is_open = false;
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct buffer *buffer = &state->buffers[batch->indices[i]];
        if (buffer->is_resumed != is_open)
            return false;
        is_open = buffer->is_over;
    }
    return !is_open;
}

static bool is_in(const struct batch *batch, int index)
{
    for (uint32_t i = 0; i < batch->count; i++)
        if (batch->indices[i] == index)
            return true;
    return false;
}

static void choose(const struct vulkan_state *state, const struct op *op, uint64_t r,
                   const struct batch *earlier, struct batch *batch)
{
    *batch = (struct batch){.count = 0};
    for (uint32_t i = 0; i < 1 + r % PER_BATCH; i++) {
        const int queues = (int)state->program->setup.queues,
                  there = (BUFFERS - SECONDARIES + queues - 1 - (int)op->a) / queues,
                  index = (int)op->a + queues * (int)((r >> 4 * (i + 1)) % 16 % (uint32_t)there);
        const struct buffer *buffer = &state->buffers[index];
        const bool is_pending =
            vulkan_is_pending(state, index) || is_in(batch, index) || is_in(earlier, index);
        bool is_busy = false; /* a secondary that is in flight elsewhere */
        for (int k = 0; k < BUFFERS; k++)
            is_busy |= buffer->executes[k] && !state->buffers[k].is_simultaneous &&
                       vulkan_is_pending(state, k);
        if (!buffer->is_recorded || buffer->is_recording || buffer->queue != op->a || is_busy ||
            (is_pending && !buffer->is_simultaneous))
            continue;
        batch->indices[batch->count] = index;
        batch->buffers[batch->count++] = buffer->handle;
    }
    if (!is_paired(state, batch))
        batch->count = 0;
}

static uint64_t last_serial(const struct vulkan_state *state, uint32_t queue)
{
    struct vkl_device *device;
    const struct vkl_queue *of = vkl_queue_of(state->app.queues[queue], &device);
    return atomic_load(&of->crash.submitted);
}

static void note(struct vulkan_state *state, const struct op *op, const struct batch *batches,
                 uint32_t count)
{
    uint64_t serial = last_serial(state, op->a);
    state->made_count = state->made_next = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct item *item = truth_item(&state->truth, (int)op->a, ITEM_SUBMISSION);
        item->serial = ++serial;
        item->first = state->truth.count + state->made_count;
        item->count = (int)batches[i].count;
        for (uint32_t k = 0; k < batches[i].count; k++) {
            state->made[state->made_count].serial = serial;
            state->made[state->made_count].list = k;
            state->made[state->made_count++].buffer = batches[i].indices[k];
        }
    }
}

static void say_call(const struct op *op, const struct batch *batches, uint32_t count)
{
    static const char *const ways[] = {"QueueSubmit", "QueueSubmit2", "QueueSubmit of a group",
                                       "QueueSubmit that fails"};
    for (uint32_t i = 0; i < count; i++) {
        char text[64] = "";
        for (uint32_t k = 0; k < batches[i].count; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%sbuffers[%d]",
                     k ? ", " : "", batches[i].indices[k]);
        say("submit(&app, %u, %u, (VkCommandBuffer[]){%s}, %u); /* %s */", op->a, batches[i].count,
            text, op->b, i ? "of the same call" : ways[op->b]);
    }
}

static void submit(struct vulkan_state *state, const struct op *op, const struct batch *batches,
                   uint32_t count)
{
    VkDeviceGroupSubmitInfo groups[BATCHES];
    VkSubmitInfo infos[BATCHES];
    for (uint32_t i = 0; i < count; i++) {
        groups[i] = (VkDeviceGroupSubmitInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                              .commandBufferCount = batches[i].count};
        infos[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                  .pNext = op->b == VULKAN_COUNTED ? &groups[i] : NULL,
                                  .commandBufferCount = batches[i].count,
                                  .pCommandBuffers = batches[i].buffers};
    }
    state->app.vk.QueueSubmit(state->app.queues[op->a], count, infos, VK_NULL_HANDLE);
}

static void submit2(struct vulkan_state *state, const struct op *op, const struct batch *batches,
                    uint32_t count)
{
    VkCommandBufferSubmitInfo buffers[BATCHES][PER_BATCH];
    VkSubmitInfo2 infos[BATCHES];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < batches[i].count; k++)
            buffers[i][k] =
                (VkCommandBufferSubmitInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                            .commandBuffer = batches[i].buffers[k],
                                            .deviceMask = 1};
        infos[i] = (VkSubmitInfo2){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                   .commandBufferInfoCount = batches[i].count,
                                   .pCommandBufferInfos = buffers[i]};
    }
    state->app.vk.QueueSubmit2(state->app.queues[op->a], count, infos, VK_NULL_HANDLE);
}

void vulkan_submit(struct vulkan_state *state, const struct op *op)
{
    const struct batch none = {.count = 0};
    struct batch batches[BATCHES];
    uint32_t count = 1;
    choose(state, op, op->r, &none, &batches[0]);
    choose(state, op, op->r >> 20, &batches[0], &batches[1]);
    if (batches[0].count == 0)
        return;
    count += batches[1].count > 0 && op->r >> 63;
    say_call(op, batches, count);
    state->steps = 0;
    if (op->b == VULKAN_REFUSED) {
        mock.fails_by = "vkQueueSubmit";
        submit(state, op, batches, count);
        mock.fails_by = NULL;
        return;
    }
    note(state, op, batches, count);
    if (op->b == VULKAN_SUBMIT_2)
        submit2(state, op, batches, count);
    else
        submit(state, op, batches, count);
}
