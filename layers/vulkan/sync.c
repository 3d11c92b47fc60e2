/* Completed submissions: from the application's fences, timeline semaphores and waits, and from a
 * timeline of the layer's own for each queue where the device has them. libannot learns of a
 * completion before the application does, where that is possible. */
#include "calls.h"

#include "array.h"

struct done {
    struct vkl_queue *queue;
    uint64_t serial, value;
};

/* A fence, or a timeline semaphore. */
struct vkl_sync {
    uint64_t handle;
    struct done *signals; /* a fence has one at most */
    uint32_t count, capacity;
    UT_hash_handle hh;
};

/* ---- what a fence or semaphore stands for ---- */

/* Under device->objects, as the next one. */
static struct vkl_sync *sync_find(struct vkl_sync *in, uint64_t handle)
{
    struct vkl_sync *sync;
    HASH_FIND(hh, in, &handle, sizeof handle, sync);
    return sync;
}

/* NULL: out of memory. */
static struct vkl_sync *sync_add(struct vkl_sync **in, uint64_t handle)
{
    struct vkl_sync *sync = calloc(1, sizeof *sync);
    if (!sync)
        return NULL;
    sync->handle = handle;
    HASH_ADD(hh, *in, handle, sizeof sync->handle, sync);
    if (VKL_IS_ADDED(sync))
        return sync;
    free(sync);
    return NULL;
}

static void add_signal(struct vkl_sync *sync, struct done done)
{
    if (sync && ARRAY_ROOM(sync->signals, sync->count, sync->capacity))
        sync->signals[sync->count++] = done;
}

void vkl_fence_submitted(struct vkl_device *device, VkFence handle, struct vkl_queue *queue,
                         uint64_t serial)
{
    const uint64_t key = (uint64_t)handle;
    if (!handle)
        return; /* without a fence nobody asks */
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_sync *fence = sync_find(device->fences, key);
    if (!fence)
        fence = sync_add(&device->fences, key);
    else
        fence->count = 0;
    add_signal(fence, (struct done){queue, serial, 0});
    pthread_rwlock_unlock(&device->objects);
}

void vkl_semaphore_submitted(struct vkl_device *device, VkSemaphore handle, uint64_t value,
                             struct vkl_queue *queue, uint64_t serial)
{
    pthread_rwlock_wrlock(&device->objects);
    add_signal(sync_find(device->semaphores, (uint64_t)handle),
               (struct done){queue, serial, value});
    pthread_rwlock_unlock(&device->objects);
}

static void withdraw(struct vkl_sync *sync, const struct vkl_queue *queue, uint64_t first)
{
    for (; sync; sync = sync->hh.next) {
        uint32_t left = 0;
        for (uint32_t i = 0; i < sync->count; i++)
            if (sync->signals[i].queue != queue || sync->signals[i].serial < first)
                sync->signals[left++] = sync->signals[i];
        sync->count = left;
    }
}

void vkl_syncs_withdraw(struct vkl_queue *queue, uint64_t first)
{
    struct vkl_device *device = queue->device;
    pthread_rwlock_wrlock(&device->objects);
    withdraw(device->fences, queue, first);
    withdraw(device->semaphores, queue, first);
    pthread_rwlock_unlock(&device->objects);
}

/* Takes one signal of at most `value` out. */
static bool take_signal(struct vkl_device *device, struct vkl_sync *const *in, uint64_t handle,
                        uint64_t value, struct done *done)
{
    bool is_found = false;
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_sync *sync = sync_find(*in, handle);
    for (uint32_t i = 0; sync && i < sync->count && !is_found; i++) {
        if (sync->signals[i].value <= value) {
            *done = sync->signals[i];
            sync->signals[i] = sync->signals[--sync->count];
            is_found = true;
        }
    }
    pthread_rwlock_unlock(&device->objects);
    return is_found;
}

static void complete(struct vkl_device *device, struct vkl_sync *const *in, uint64_t handle,
                     uint64_t value)
{
    struct done done;
    while (take_signal(device, in, handle, value, &done))
        crash_queue_complete(&done.queue->crash, done.serial);
}

static void fence_is_signaled(struct vkl_device *device, VkFence handle)
{
    complete(device, &device->fences, (uint64_t)handle, 0);
}

static void semaphore_has_value(struct vkl_device *device, VkSemaphore handle, uint64_t value)
{
    complete(device, &device->semaphores, (uint64_t)handle, value);
}

static void forget(struct vkl_device *device, struct vkl_sync **in, uint64_t handle)
{
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_sync *sync = sync_find(*in, handle);
    if (sync)
        HASH_DEL(*in, sync);
    pthread_rwlock_unlock(&device->objects);
    if (sync)
        free(sync->signals);
    free(sync);
}

void vkl_syncs_finish(struct vkl_device *device)
{
    while (device->fences)
        forget(device, &device->fences, device->fences->handle);
    while (device->semaphores)
        forget(device, &device->semaphores, device->semaphores->handle);
}

/* ---- fences ---- */

static VKAPI_ATTR void VKAPI_CALL vkl_DestroyFence(VkDevice handle, VkFence fence,
                                                   const VkAllocationCallbacks *allocator)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    forget(device, &device->fences, (uint64_t)fence);
    vkl_name_forget(device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence);
    device->next.DestroyFence(handle, fence, allocator);
}

VKL_CHECKED(ResetFences, (VkDevice handle, uint32_t count, const VkFence *fences),
            (handle, count, fences))

static VKAPI_ATTR VkResult VKAPI_CALL vkl_GetFenceStatus(VkDevice handle, VkFence fence)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.GetFenceStatus(handle, fence);
    if (result == VK_SUCCESS)
        fence_is_signaled(device, fence);
    return vkl_check(device, result, "vkGetFenceStatus");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_WaitForFences(VkDevice handle, uint32_t count,
                                                        const VkFence *fences, VkBool32 all,
                                                        uint64_t timeout)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.WaitForFences(handle, count, fences, all, timeout);
    if (result == VK_SUCCESS && (all || count == 1))
        for (uint32_t i = 0; i < count; i++)
            fence_is_signaled(device, fences[i]);
    else if (result == VK_SUCCESS)
        vkl_device_poll(device); /* which of them it was takes a call for each */
    return vkl_check(device, result, "vkWaitForFences");
}

/* ---- semaphores ---- */

static bool is_timeline(const VkSemaphoreCreateInfo *info)
{
    const VkSemaphoreTypeCreateInfo *type =
        vkl_in_chain(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    return type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
}

static void semaphore_made(struct vkl_device *device, const VkSemaphoreCreateInfo *info,
                           VkSemaphore handle)
{
    if (!is_timeline(info))
        return;
    pthread_rwlock_wrlock(&device->objects);
    sync_add(&device->semaphores, (uint64_t)handle);
    pthread_rwlock_unlock(&device->objects);
}
VKL_CREATE(CreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore, semaphore_made)

static VKAPI_ATTR void VKAPI_CALL vkl_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
                                                       const VkAllocationCallbacks *allocator)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    forget(device, &device->semaphores, (uint64_t)semaphore);
    vkl_name_forget(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)semaphore);
    device->next.DestroySemaphore(handle, semaphore, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_GetSemaphoreCounterValue(VkDevice handle,
                                                                   VkSemaphore semaphore,
                                                                   uint64_t *value)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.GetSemaphoreCounterValue(handle, semaphore, value);
    if (result == VK_SUCCESS)
        semaphore_has_value(device, semaphore, *value);
    return vkl_check(device, result, "vkGetSemaphoreCounterValue");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_WaitSemaphores(VkDevice handle,
                                                         const VkSemaphoreWaitInfo *info,
                                                         uint64_t timeout)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.WaitSemaphores(handle, info, timeout);
    const bool is_all = !(info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) || info->semaphoreCount == 1;
    if (result == VK_SUCCESS && is_all)
        for (uint32_t i = 0; i < info->semaphoreCount; i++)
            semaphore_has_value(device, info->pSemaphores[i], info->pValues[i]);
    else if (result == VK_SUCCESS)
        vkl_device_poll(device);
    return vkl_check(device, result, "vkWaitSemaphores");
}

/* ---- other calls that a lost device fails ---- */

VKL_CHECKED(SignalSemaphore, (VkDevice handle, const VkSemaphoreSignalInfo *info), (handle, info))
VKL_CHECKED(GetEventStatus, (VkDevice handle, VkEvent event), (handle, event))
VKL_CHECKED(GetQueryPoolResults,
            (VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count, size_t size,
             void *data, VkDeviceSize stride, VkQueryResultFlags flags),
            (handle, pool, first, count, size, data, stride, flags))
VKL_CHECKED(AcquireNextImageKHR,
            (VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,
             VkFence fence, uint32_t *index),
            (handle, swapchain, timeout, semaphore, fence, index))
VKL_CHECKED(AcquireNextImage2KHR,
            (VkDevice handle, const VkAcquireNextImageInfoKHR *info, uint32_t *index),
            (handle, info, index))

VKL_CHECKED(WaitForPresentKHR,
            (VkDevice handle, VkSwapchainKHR swapchain, uint64_t present, uint64_t timeout),
            (handle, swapchain, present, timeout))
VKL_CHECKED(GetSwapchainStatusKHR, (VkDevice handle, VkSwapchainKHR swapchain), (handle, swapchain))
VKL_CHECKED(GetSwapchainCounterEXT,
            (VkDevice handle, VkSwapchainKHR swapchain, VkSurfaceCounterFlagBitsEXT which,
             uint64_t *value),
            (handle, swapchain, which, value))
VKL_CHECKED(GetRefreshCycleDurationGOOGLE,
            (VkDevice handle, VkSwapchainKHR swapchain, VkRefreshCycleDurationGOOGLE *duration),
            (handle, swapchain, duration))
VKL_CHECKED(GetPastPresentationTimingGOOGLE,
            (VkDevice handle, VkSwapchainKHR swapchain, uint32_t *count,
             VkPastPresentationTimingGOOGLE *timings),
            (handle, swapchain, count, timings))

static VKAPI_ATTR VkResult VKAPI_CALL vkl_QueueWaitIdle(VkQueue handle)
{
    struct vkl_device *device;
    struct vkl_queue *queue = vkl_queue_of(handle, &device);
    const uint64_t submitted = queue ? crash_queue_submitted(&queue->crash) : 0;
    VkResult result = device->next.QueueWaitIdle(handle);
    if (result == VK_SUCCESS && queue)
        crash_queue_complete(&queue->crash, submitted);
    return vkl_check(device, result, "vkQueueWaitIdle");
}

static VKAPI_ATTR VkResult VKAPI_CALL vkl_DeviceWaitIdle(VkDevice handle)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    VkResult result = device->next.DeviceWaitIdle(handle);
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; result == VK_SUCCESS && queue; queue = queue->next)
        crash_queue_complete(&queue->crash, crash_queue_submitted(&queue->crash));
    return vkl_check(device, result, "vkDeviceWaitIdle");
}

const struct vkl_call vkl_sync_calls[] = {
    VKL_CALL(DestroyFence),
    VKL_CALL(ResetFences),
    VKL_CALL(GetFenceStatus),
    VKL_CALL(WaitForFences),
    VKL_CALL(CreateSemaphore),
    VKL_CALL(DestroySemaphore),
    VKL_CALL(GetSemaphoreCounterValue),
    VKL_CALL_AS(GetSemaphoreCounterValue, GetSemaphoreCounterValueKHR),
    VKL_CALL(WaitSemaphores),
    VKL_CALL_AS(WaitSemaphores, WaitSemaphoresKHR),
    VKL_CALL(SignalSemaphore),
    VKL_CALL_AS(SignalSemaphore, SignalSemaphoreKHR),
    VKL_CALL(GetEventStatus),
    VKL_CALL(GetQueryPoolResults),
    VKL_CALL(AcquireNextImageKHR),
    VKL_CALL(AcquireNextImage2KHR),
    VKL_CALL(WaitForPresentKHR),
    VKL_CALL(GetSwapchainStatusKHR),
    VKL_CALL(GetSwapchainCounterEXT),
    VKL_CALL(GetRefreshCycleDurationGOOGLE),
    VKL_CALL(GetPastPresentationTimingGOOGLE),
    VKL_CALL(QueueWaitIdle),
    VKL_CALL(DeviceWaitIdle),
    {NULL, NULL, false},
};
