/* Finds completed submissions from the layer's timeline of each queue. Without it, the
 * application's fences, timeline semaphores and waits tell. If possible, libannot learns of a
 * completion before the application does. */
#include "calls.h"

/* ---- fences, and timeline semaphores by their annot_object_id ---- */

/* Returns an ID that no object has. */
static uint64_t fence_id(VkFence handle)
{
    return ~(uint64_t)handle;
}

/* Returns 0 if the semaphore is no timeline, or unknown. */
static uint64_t timeline_id(struct vkl_device *device, VkSemaphore handle)
{
    uint64_t id;
    return vkl_note_get(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)handle, &id, 1) ? id : 0;
}

void vkl_fence_submitted(struct vkl_queue *queue, VkFence handle, uint64_t serial)
{
    if (handle && !queue->crash.has_counter) /* else nothing asks for the serial */
        crash_call_note(&queue->device->crash.waits, &queue->waiter, false, fence_id(handle), 1,
                        serial, serial, 0);
}

void vkl_semaphore_submitted(struct vkl_queue *queue, bool is_wait, VkSemaphore semaphore,
                             uint64_t value, uint64_t serial)
{
    crash_call_note(&queue->device->crash.waits, &queue->waiter, is_wait,
                    timeline_id(queue->device, semaphore), value, serial - is_wait, serial, 0);
}

static void note(struct vkl_device *device, VkSemaphore handle, enum crash_fence_note what,
                 uint64_t value)
{
    crash_fence_note(&device->crash.waits, timeline_id(device, handle), what, value);
}

/* On a lost device, waits may return VK_SUCCESS, too. So for queues with a timeline of the layer,
 * only this timeline tells what is complete. */
static void reached(struct vkl_device *device, uint64_t id, uint64_t value)
{
    vkl_device_poll(device);
    crash_fence_reached(&device->crash.waits, id, value);
}

static void is_idle(struct vkl_queue *queue, uint64_t submitted)
{
    if (queue->crash.has_counter)
        vkl_device_poll(queue->device);
    else
        crash_queue_complete(&queue->crash, submitted);
}

VKL_IF_DONE(GetFenceStatus, (VkDevice handle, VkFence fence), (handle, fence),
            reached(device, fence_id(fence), 1))

static VKAPI_ATTR VkResult VKAPI_CALL vkl_WaitForFences(VkDevice handle, uint32_t count,
                                                        const VkFence *fences, VkBool32 all,
                                                        uint64_t timeout)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.WaitForFences(handle, count, fences, all, timeout);
    if (result == VK_SUCCESS && (all || count == 1))
        for (uint32_t i = 0; i < count; i++)
            reached(device, fence_id(fences[i]), 1);
    else if (result == VK_SUCCESS)
        vkl_device_poll(device); /* another call for each would be needed to find the reached one */
    return vkl_check(device, result, "vkWaitForFences");
}

/* ---- semaphores ---- */

static void semaphore_made(struct vkl_device *device, const VkSemaphoreCreateInfo *info,
                           VkSemaphore handle)
{
    const VkSemaphoreTypeCreateInfo *type =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkExportSemaphoreCreateInfo *others =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    if (!type || type->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE)
        return;
    uint64_t id = 0;
    id = vkl_note_set(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)handle, &id, 1);
    vkl_note_set(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)handle, &id, 1);
    note(device, handle, others && others->handleTypes ? CRASH_FENCE_SHARED : CRASH_FENCE_MADE,
         type->initialValue);
}
VKL_CREATE(CreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore, semaphore_made)

VKL_IF_DONE(GetSemaphoreCounterValue, (VkDevice handle, VkSemaphore semaphore, uint64_t *value),
            (handle, semaphore, value), reached(device, timeline_id(device, semaphore), *value))
VKL_IF_DONE(SignalSemaphore, (VkDevice handle, const VkSemaphoreSignalInfo *info), (handle, info),
            note(device, info->semaphore, CRASH_FENCE_SET, info->value))
/* Others may signal the semaphore. */
VKL_IF_DONE(ImportSemaphoreFdKHR, (VkDevice handle, const VkImportSemaphoreFdInfoKHR *info),
            (handle, info), note(device, info->semaphore, CRASH_FENCE_SHARED, 0))

/* Only submissions have serials, so the layer doesn't know when these signals come. */
static void lend(struct vkl_device *device, uint32_t count, const VkBindSparseInfo *infos)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < infos[i].signalSemaphoreCount; k++)
            note(device, infos[i].pSignalSemaphores[k], CRASH_FENCE_LENT, 0);
}
VKL_IF_DONE(QueueBindSparse,
            (VkQueue handle, uint32_t count, const VkBindSparseInfo *infos, VkFence fence),
            (handle, count, infos, fence), lend(device, count, infos))

static VKAPI_ATTR VkResult VKAPI_CALL vkl_WaitSemaphores(VkDevice handle,
                                                         const VkSemaphoreWaitInfo *info,
                                                         uint64_t timeout)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    const bool is_all = !(info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) || info->semaphoreCount == 1;
    const uint32_t awaited = is_all && timeout > 0 ? info->semaphoreCount : 0;
    for (uint32_t i = 0; i < awaited; i++)
        note(device, info->pSemaphores[i], CRASH_FENCE_AWAITED, info->pValues[i]);
    VkResult result = device->next.WaitSemaphores(handle, info, timeout);
    for (uint32_t i = 0; i < awaited && result == VK_SUCCESS; i++)
        note(device, info->pSemaphores[i], CRASH_FENCE_AWAITED, 0);
    if (result == VK_SUCCESS && is_all)
        for (uint32_t i = 0; i < info->semaphoreCount; i++)
            reached(device, timeline_id(device, info->pSemaphores[i]), info->pValues[i]);
    else if (result == VK_SUCCESS)
        vkl_device_poll(device);
    return vkl_check(device, result, "vkWaitSemaphores");
}

/* ---- other calls that fail on a lost device ---- */

#define CHECKED(name, other, parameters, arguments)                                                \
    VKL_IF_DONE(name, parameters, arguments, (void)device)
VKL_CHECKED_CALLS(CHECKED)

static VKAPI_ATTR VkResult VKAPI_CALL vkl_QueueWaitIdle(VkQueue handle)
{
    struct vkl_device *device;
    struct vkl_queue *queue = vkl_queue_of(handle, &device);
    const uint64_t submitted = queue ? crash_queue_submitted(&queue->crash) : 0;
    VkResult result = device->next.QueueWaitIdle(handle);
    if (result == VK_SUCCESS && queue)
        is_idle(queue, submitted);
    return vkl_check(device, result, "vkQueueWaitIdle");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_DeviceWaitIdle(VkDevice handle)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.DeviceWaitIdle(handle);
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; result == VK_SUCCESS && queue; queue = queue->next)
        is_idle(queue, crash_queue_submitted(&queue->crash));
    return vkl_check(device, result, "vkDeviceWaitIdle");
}

const struct vkl_call vkl_sync_calls[] = {VKL_SYNC_CALLS(VKL_CALL)
                                              VKL_CHECKED_CALLS(VKL_CALL_OF){.name = NULL}};
