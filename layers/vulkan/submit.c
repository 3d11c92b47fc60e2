/* Submissions. Each batch of vkQueueSubmit is one submission for libannot. Two things are added to
 * what the application submits:
 *
 *   - the queue's own timeline, which the last batch sets to the last serial: a signal waits for
 *     all earlier work of the queue. If structures behind a batch count its semaphores, the layer
 * adds a last batch for this;
 *   - in front of a command buffer that is already in flight, a small command buffer of the layer,
 * which distinguishes the two executions.
 *
 * Vulkan requires the application to keep other threads away from a queue while it submits. */
#include "calls.h"

#include <utlist.h>

struct vkl_seam {
    VkCommandBuffer buffer;
    uint64_t serial; /* serial of the last submission with this command buffer */
    struct vkl_seam *prev, *next;
};

/* ---- queues ---- */

static void queue_destroy(struct vkl_queue *queue)
{
    struct vkl_device *device = queue->device;
    struct vkl_seam *seam, *next;
    DL_FOREACH_SAFE(queue->seams, seam, next)
    free(seam);
    if (queue->seam_pool)
        device->next.DestroyCommandPool(device->handle, queue->seam_pool, NULL);
    if (queue->timeline)
        device->next.DestroySemaphore(device->handle, queue->timeline, NULL);
    annot_context_destroy(queue->crash.context);
    annot_object_destroy(queue->object);
    free(queue);
}

static bool timeline_create(struct vkl_queue *queue)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    struct vkl_device *device = queue->device;
    return device->has_timeline && device->next.CreateSemaphore(device->handle, &info, NULL,
                                                                &queue->timeline) == VK_SUCCESS;
}

static struct vkl_queue *queue_create(struct vkl_device *device, VkQueue handle, uint32_t family)
{
    const VkQueueFlags flags = vkl_family_flags(device, family);
    const annot_object_desc desc = {
        .kind = VK_OBJECT_TYPE_QUEUE,
        .list_type = vkl_list_type(flags),
        .type = ANNOT_OBJECT_QUEUE,
        .kind_name = "VkQueue",
    };
    struct vkl_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return NULL;
    queue->handle = handle;
    queue->device = device;
    queue->family = family;
    queue->flags = flags;
    queue->crash.tracker = device->crash.tracker;
    if (annot_object_create(device->crash.annot, &desc, &queue->object) != ANNOT_OK ||
        annot_context_create(queue->object, &queue->crash.context) != ANNOT_OK) {
        queue_destroy(queue);
        return NULL;
    }
    queue->crash.has_counter = timeline_create(queue);
    if (!queue->crash.has_counter)
        queue->timeline = VK_NULL_HANDLE;
    queue->waiter.id = annot_object_id(queue->object);
    queue->waiter.queue = &queue->crash;
    crash_waits_add(&device->crash.waits, &queue->waiter);
    return queue;
}

void vkl_queue_add(struct vkl_device *device, VkQueue handle, uint32_t family)
{
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_relaxed);
    while (queue && queue->handle != handle)
        queue = queue->next;
    if (!queue && (queue = queue_create(device, handle, family))) {
        queue->next = atomic_load_explicit(&device->queues, memory_order_relaxed);
        atomic_store_explicit(&device->queues, queue, memory_order_release);
    }
    pthread_rwlock_unlock(&device->objects);
}

void vkl_queues_finish(struct vkl_device *device)
{
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_relaxed);
    while (queue) {
        struct vkl_queue *next = queue->next;
        queue_destroy(queue);
        queue = next;
    }
}

/* ---- the layer's command buffers ---- */

static VkCommandBuffer seam_allocate(struct vkl_queue *queue)
{
    struct vkl_device *device = queue->device;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = queue->family,
    };
    if (!queue->seam_pool && device->next.CreateCommandPool(device->handle, &pool, NULL,
                                                            &queue->seam_pool) != VK_SUCCESS) {
        queue->seam_pool = VK_NULL_HANDLE;
        return NULL;
    }
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = queue->seam_pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VkCommandBuffer buffer;
    if (device->next.AllocateCommandBuffers(device->handle, &info, &buffer) != VK_SUCCESS)
        return NULL;
    if (device->set_loader_data && device->set_loader_data(device->handle, buffer) != VK_SUCCESS)
        return NULL;
    return buffer;
}

/* Takes the oldest complete seam, or a new one, and moves the seam to the end of the queue's
 * list. */
static struct vkl_seam *seam_take(struct vkl_queue *queue, uint64_t serial)
{
    struct vkl_seam *seam = queue->seams;
    if (seam && seam->serial <= crash_queue_done(&queue->crash)) {
        DL_DELETE(queue->seams, seam);
    } else {
        seam = calloc(1, sizeof *seam);
        if (!seam || !(seam->buffer = seam_allocate(queue))) {
            free(seam);
            return NULL;
        }
    }
    seam->serial = serial;
    DL_APPEND(queue->seams, seam);
    return seam;
}

/* Records a prologue; *out NULL: no word has to be written. False: a word can't be recorded. */
static bool prologue_record(struct vkl_queue *queue, uint64_t serial,
                            const annot_prologue *prologue, VkCommandBuffer *out)
{
    struct vkl_device *device = queue->device;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    *out = NULL;
    if (prologue->entered == ANNOT_WORDS_NONE)
        return true;
    const struct vkl_seam *seam = seam_take(queue, serial);
    if (!seam || device->next.BeginCommandBuffer(seam->buffer, &begin) != VK_SUCCESS)
        return false;
    annot_vk_write_prologue(&device->words, seam->buffer, prologue);
    if (device->next.EndCommandBuffer(seam->buffer) != VK_SUCCESS)
        return false;
    *out = seam->buffer;
    return true;
}

/* ---- the plan of one call ---- */

struct plan {
    struct vkl_queue *queue;
    uint64_t first, last; /* serials; first > last: no serial */
    annot_context **lists;
    annot_prologue *prologues;
    VkCommandBuffer *seams; /* the command buffers with the prologues */
};

static void plan_waits(struct vkl_queue *queue, uint64_t serial, bool waits)
{
    _Atomic uint8_t *byte = &queue->waits[serial % VKL_WAITS / 8];
    const uint8_t bit = (uint8_t)(1u << serial % 8);
    if (waits)
        atomic_fetch_or_explicit(byte, bit, memory_order_relaxed);
    else if (serial <= crash_queue_done(&queue->crash) + VKL_WAITS) /* else another's bit */
        atomic_fetch_and_explicit(byte, (uint8_t)~bit, memory_order_relaxed);
}

/* Notes a batch, and fills in plan->seams. If a seam can't be made, the submission has no seams,
 * and executions that are in flight twice are unknown. */
static uint64_t plan_lists(struct plan *plan, uint32_t count, bool can_have_seams)
{
    struct vkl_queue *queue = plan->queue;
    annot_tracker *tracker = queue->device->crash.tracker;
    uint64_t serial = 0;
    bool has_seams = can_have_seams;
    if (can_have_seams)
        serial = annot_tracker_submit_apart(tracker, queue->crash.context, plan->lists, count,
                                            plan->prologues);
    for (uint32_t i = 0; i < count && has_seams; i++)
        has_seams = prologue_record(queue, serial, &plan->prologues[i], &plan->seams[i]);
    if (has_seams)
        return serial;
    if (can_have_seams)
        annot_tracker_withdraw(tracker, queue->crash.context, serial);
    for (uint32_t i = 0; i < count; i++)
        plan->seams[i] = NULL;
    return annot_tracker_submit(tracker, queue->crash.context, plan->lists, count, NULL);
}

/* Plans a batch, whose lists are in plan->lists. */
static uint64_t plan_batch(struct plan *plan, uint32_t count, bool waits, bool can_have_seams)
{
    struct vkl_queue *queue = plan->queue;
    const uint64_t serial = plan_lists(plan, count, can_have_seams);
    plan_waits(queue, serial, waits);
    crash_queue_submit(&queue->crash, serial);
    if (plan->first == 0)
        plan->first = serial;
    plan->last = serial;
    return serial;
}

static void plan_withdraw(struct plan *plan)
{
    if (plan->first)
        crash_waits_withdraw(&plan->queue->device->crash.waits, &plan->queue->waiter, plan->first);
    for (uint64_t serial = plan->last; plan->first && serial >= plan->first; serial--) {
        annot_tracker_withdraw(plan->queue->device->crash.tracker, plan->queue->crash.context,
                               serial);
        atomic_store_explicit(&plan->queue->crash.submitted, serial - 1, memory_order_release);
    }
}

/* Returns the command buffer's index in the plan's lists; UINT32_MAX: it is unknown. */
static uint32_t plan_list(struct plan *plan, uint32_t count, VkCommandBuffer buffer)
{
    struct vkl_cmd *cmd = vkl_cmd_of(buffer);
    if (!cmd)
        return UINT32_MAX;
    plan->lists[count] = cmd->stream.outer;
    vkl_stamps_submit(cmd);
    cmd->is_repeated |= cmd->queue != NULL;
    if (cmd->queue != plan->queue)
        cmd->first_serial =
            atomic_load_explicit(&plan->queue->crash.submitted, memory_order_relaxed) + 1;
    cmd->queue = plan->queue;
    cmd->serial = atomic_load_explicit(&plan->queue->crash.submitted, memory_order_relaxed) + 1;
    return count;
}

enum { STACK_ROOM = 4096 };

/* The memory of one call, allocated in one piece. */
struct room {
    char *at;
    size_t left;
    void *heap; /* NULL: the stack is enough */
    _Alignas(16) char stack[STACK_ROOM];
};

static void *take(struct room *room, size_t count, size_t size)
{
    const size_t bytes = (count * size + 15) & ~(size_t)15;
    void *taken = room->at;
    if (bytes > room->left)
        return NULL; /* impossible, because the room was measured */
    room->at += bytes;
    room->left -= bytes;
    return taken;
}

/* The sizes of the application's arrays in all. */
struct extent {
    uint32_t batches;
    size_t buffers;
    uint32_t signals; /* signals of the last batch */
};

/* Takes room for the batches and one more batch, for the last batch's signals and one more signal,
 * and for the plan's lists. False: out of memory. */
static bool plan_open(struct plan *plan, struct room *room, const struct extent *of,
                      size_t info_size, size_t buffer_size, size_t signal_size)
{
    const size_t buffers = of->buffers;
    const size_t size = (of->batches + (size_t)1) * info_size +
                        (of->signals + (size_t)1) * signal_size +
                        buffers * (buffer_size * 2 + sizeof(uint32_t) + sizeof *plan->lists +
                                   sizeof *plan->prologues + sizeof *plan->seams) +
                        ((size_t)of->batches * 2 + 13) * 16;
    room->heap = size > sizeof room->stack ? malloc(size) : NULL;
    room->at = room->heap ? room->heap : room->stack;
    room->left = size;
    if (size > sizeof room->stack && !room->heap)
        return false;
    plan->lists = take(room, buffers, sizeof *plan->lists);
    plan->prologues = take(room, buffers, sizeof *plan->prologues);
    plan->seams = take(room, buffers, sizeof *plan->seams);
    return true;
}

/* Ends the plan: withdraws a submission that the driver refused. */
static void plan_close(struct plan *plan, struct room *room, VkResult result)
{
    if (result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST)
        plan_withdraw(plan);
    free(room->heap);
}

/* ---- vkQueueSubmit ---- */

static void note_timelines(struct plan *plan, const VkSubmitInfo *info, uint64_t serial)
{
    const VkTimelineSemaphoreSubmitInfo *values =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    for (uint32_t i = 0; values && i < info->waitSemaphoreCount; i++)
        if (i < values->waitSemaphoreValueCount)
            vkl_semaphore_submitted(plan->queue, true, info->pWaitSemaphores[i],
                                    values->pWaitSemaphoreValues[i], serial);
    for (uint32_t i = 0; values && i < info->signalSemaphoreCount; i++)
        if (i < values->signalSemaphoreValueCount)
            vkl_semaphore_submitted(plan->queue, false, info->pSignalSemaphores[i],
                                    values->pSignalSemaphoreValues[i], serial);
}

static void make_batch(struct plan *plan, const VkSubmitInfo *from, VkSubmitInfo *to,
                       struct room *room)
{
    VkCommandBuffer *buffers = take(room, (size_t)from->commandBufferCount * 2, sizeof *buffers);
    uint32_t *indices = take(room, from->commandBufferCount, sizeof *indices);
    uint32_t count = 0, out = 0;
    for (uint32_t i = 0; i < from->commandBufferCount; i++) {
        indices[i] = plan_list(plan, count, from->pCommandBuffers[i]);
        count += indices[i] != UINT32_MAX;
    }
    const bool is_counted =
        vkl_in_chain(from->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO) != NULL;
    const uint64_t serial = plan_batch(plan, count, from->waitSemaphoreCount > 0, !is_counted);
    note_timelines(plan, from, serial);
    *to = *from;
    if (is_counted)
        return;
    for (uint32_t i = 0; i < from->commandBufferCount; i++) {
        if (indices[i] != UINT32_MAX && plan->seams[indices[i]])
            buffers[out++] = plan->seams[indices[i]];
        buffers[out++] = from->pCommandBuffers[i];
    }
    to->commandBufferCount = out;
    to->pCommandBuffers = buffers;
}

/* Gets the values of a batch's timelines; `values` NULL: the batch has no values. False: another
 * structure may count its semaphores, too. */
static bool only_values(const VkSubmitInfo *info, const VkTimelineSemaphoreSubmitInfo **values)
{
    const VkBaseInStructure *next = info->pNext;
    *values = NULL;
    if (!next)
        return true;
    *values = (const VkTimelineSemaphoreSubmitInfo *)(const void *)next;
    return next->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO && !next->pNext;
}

/* Makes the batch also set the queue's timeline; `with` becomes its pNext. */
static bool add_signal(const struct plan *plan, VkSubmitInfo *batch,
                       VkTimelineSemaphoreSubmitInfo *with, struct room *room)
{
    const VkTimelineSemaphoreSubmitInfo *old;
    const uint32_t count = batch->signalSemaphoreCount;
    if (!only_values(batch, &old) || (old && old->signalSemaphoreValueCount > count))
        return false;
    VkSemaphore *signals = take(room, count + (size_t)1, sizeof *signals);
    uint64_t *values = take(room, count + (size_t)1, sizeof *values);
    if (count > 0)
        memcpy(signals, batch->pSignalSemaphores, count * sizeof *signals);
    memset(values, 0, count * sizeof *values); /* the value of a binary semaphore is ignored */
    if (old && old->signalSemaphoreValueCount > 0)
        memcpy(values, old->pSignalSemaphoreValues,
               old->signalSemaphoreValueCount * sizeof *values);
    signals[count] = plan->queue->timeline;
    values[count] = plan->last;
    if (old)
        *with = *old;
    with->sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    with->signalSemaphoreValueCount = count + 1;
    with->pSignalSemaphoreValues = values;
    batch->pNext = with;
    batch->signalSemaphoreCount = count + 1;
    batch->pSignalSemaphores = signals;
    return true;
}

static VkResult submit(struct vkl_queue *queue, uint32_t count, const VkSubmitInfo *infos,
                       VkFence fence)
{
    struct vkl_device *device = queue->device;
    struct extent extent = {count, 0, infos[count - 1].signalSemaphoreCount};
    for (uint32_t i = 0; i < count; i++)
        extent.buffers += infos[i].commandBufferCount;
    struct room room;
    struct plan plan = {.queue = queue, .first = 0};
    if (!plan_open(&plan, &room, &extent, sizeof *infos, sizeof(VkCommandBuffer),
                   sizeof(VkSemaphore) + sizeof(uint64_t)))
        return device->next.QueueSubmit(queue->handle, count, infos, fence);
    VkSubmitInfo *ours = take(&room, (size_t)count + 1, sizeof *ours);
    for (uint32_t i = 0; i < count; i++)
        make_batch(&plan, &infos[i], &ours[i], &room);
    const VkTimelineSemaphoreSubmitInfo value = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &plan.last,
    };
    ours[count] = (VkSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &value,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &queue->timeline,
    };
    VkTimelineSemaphoreSubmitInfo with = {.pNext = NULL};
    if (queue->timeline && !add_signal(&plan, &ours[count - 1], &with, &room))
        count++;
    vkl_fence_submitted(queue, fence, plan.last);
    VkResult result = device->next.QueueSubmit(queue->handle, count, ours, fence);
    plan_close(&plan, &room, result);
    return result;
}

/* ---- vkQueueSubmit2 ---- */

static void make_batch2(struct plan *plan, const VkSubmitInfo2 *from, VkSubmitInfo2 *to,
                        struct room *room)
{
    VkCommandBufferSubmitInfo *buffers =
        take(room, (size_t)from->commandBufferInfoCount * 2, sizeof *buffers);
    uint32_t *indices = take(room, from->commandBufferInfoCount, sizeof *indices);
    uint32_t count = 0, out = 0;
    for (uint32_t i = 0; i < from->commandBufferInfoCount; i++) {
        indices[i] = plan_list(plan, count, from->pCommandBufferInfos[i].commandBuffer);
        count += indices[i] != UINT32_MAX;
    }
    const uint64_t serial = plan_batch(plan, count, from->waitSemaphoreInfoCount > 0, true);
    for (uint32_t i = 0; i < from->waitSemaphoreInfoCount; i++)
        vkl_semaphore_submitted(plan->queue, true, from->pWaitSemaphoreInfos[i].semaphore,
                                from->pWaitSemaphoreInfos[i].value, serial);
    for (uint32_t i = 0; i < from->signalSemaphoreInfoCount; i++)
        vkl_semaphore_submitted(plan->queue, false, from->pSignalSemaphoreInfos[i].semaphore,
                                from->pSignalSemaphoreInfos[i].value, serial);
    for (uint32_t i = 0; i < from->commandBufferInfoCount; i++) {
        if (indices[i] != UINT32_MAX && plan->seams[indices[i]]) {
            buffers[out] = from->pCommandBufferInfos[i]; /* to keep the batch's device mask */
            buffers[out].pNext = NULL;
            buffers[out++].commandBuffer = plan->seams[indices[i]];
        }
        buffers[out++] = from->pCommandBufferInfos[i];
    }
    *to = *from;
    to->commandBufferInfoCount = out;
    to->pCommandBufferInfos = buffers;
}

/* Makes the batch also set the queue's timeline. */
static void add_signal2(const struct plan *plan, VkSubmitInfo2 *batch, struct room *room)
{
    const uint32_t count = batch->signalSemaphoreInfoCount;
    VkSemaphoreSubmitInfo *signals = take(room, count + (size_t)1, sizeof *signals);
    if (count > 0)
        memcpy(signals, batch->pSignalSemaphoreInfos, count * sizeof *signals);
    signals[count] = (VkSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = plan->queue->timeline,
        .value = plan->last,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    batch->signalSemaphoreInfoCount = count + 1;
    batch->pSignalSemaphoreInfos = signals;
}

static VkResult submit2(struct vkl_queue *queue, uint32_t count, const VkSubmitInfo2 *infos,
                        VkFence fence)
{
    struct vkl_device *device = queue->device;
    struct extent extent = {count, 0, infos[count - 1].signalSemaphoreInfoCount};
    for (uint32_t i = 0; i < count; i++)
        extent.buffers += infos[i].commandBufferInfoCount;
    struct room room;
    struct plan plan = {.queue = queue, .first = 0};
    if (!plan_open(&plan, &room, &extent, sizeof *infos, sizeof(VkCommandBufferSubmitInfo),
                   sizeof(VkSemaphoreSubmitInfo)))
        return device->next.QueueSubmit2(queue->handle, count, infos, fence);
    VkSubmitInfo2 *ours = take(&room, count, sizeof *ours);
    for (uint32_t i = 0; i < count; i++)
        make_batch2(&plan, &infos[i], &ours[i], &room);
    if (queue->timeline)
        add_signal2(&plan, &ours[count - 1], &room);
    vkl_fence_submitted(queue, fence, plan.last);
    VkResult result = device->next.QueueSubmit2(queue->handle, count, ours, fence);
    plan_close(&plan, &room, result);
    return result;
}

/* ---- the calls ---- */

/* Both versions do the same with their own structures. First checks for completed submissions,
 * because these are not in flight twice. */
#define SUBMIT(name, info, make)                                                                   \
    static VKAPI_ATTR VkResult VKAPI_CALL vkl_##name(VkQueue handle, uint32_t count,               \
                                                     const info *infos, VkFence fence)             \
    {                                                                                              \
        struct vkl_device *device;                                                                 \
        struct vkl_queue *queue = vkl_queue_of(handle, &device);                                   \
        if (queue && count > 0) {                                                                  \
            vkl_device_poll(device);                                                               \
            return vkl_check(device, make(queue, count, infos, fence), "vk" #name);                \
        }                                                                                          \
        if (queue)                                                                                 \
            vkl_fence_submitted(queue, fence, crash_queue_submitted(&queue->crash));               \
        return vkl_check(device, device->next.name(handle, count, infos, fence), "vk" #name);      \
    }
SUBMIT(QueueSubmit, VkSubmitInfo, submit)
SUBMIT(QueueSubmit2, VkSubmitInfo2, submit2)

const struct vkl_call vkl_submit_calls[] = {VKL_SUBMIT_CALLS(VKL_CALL){.name = NULL}};
