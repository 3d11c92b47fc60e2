/*
 * Completed submissions: from the application's fences, timeline semaphores and waits, and from a
 * timeline of the layer's own for each queue where the device has them. libannot learns of a
 * completion before the application does, where that is possible.
 */
#include "calls.h"

#include "array.h"

struct done {
    struct vkl_queue *queue;
    uint64_t serial, value;
};

struct vkl_fence {
    VkFence handle;
    struct done done; /* queue NULL: not submitted */
    UT_hash_handle hh;
};

struct vkl_semaphore {
    VkSemaphore handle; /* a timeline */
    struct done *signals;
    uint32_t count, capacity;
    UT_hash_handle hh;
};

/* ---- what a fence or semaphore stands for ---- */

void vkl_fence_submitted(struct vkl_device *device, VkFence handle, struct vkl_queue *queue,
                         uint64_t serial)
{
    struct vkl_fence *fence = NULL;
    if (!handle)
        return; /* without a fence nobody asks */
    pthread_rwlock_wrlock(&device->objects);
    HASH_FIND(hh, device->fences, &handle, sizeof handle, fence);
    if (!fence && (fence = calloc(1, sizeof *fence))) {
        fence->handle = handle;
        HASH_ADD(hh, device->fences, handle, sizeof fence->handle, fence);
        if (!VKL_IS_ADDED(fence)) {
            free(fence);
            fence = NULL;
        }
    }
    if (fence)
        fence->done = (struct done){queue, serial, 0};
    pthread_rwlock_unlock(&device->objects);
}

static struct done fence_done(struct vkl_device *device, VkFence handle)
{
    struct vkl_fence *fence;
    pthread_rwlock_rdlock(&device->objects);
    HASH_FIND(hh, device->fences, &handle, sizeof handle, fence);
    struct done done = fence ? fence->done : (struct done){NULL, 0, 0};
    pthread_rwlock_unlock(&device->objects);
    return done;
}

static void fence_is_signaled(struct vkl_device *device, VkFence handle)
{
    const struct done done = fence_done(device, handle);
    if (done.queue)
        crash_queue_complete(&done.queue->crash, done.serial);
}

static void fence_forget(struct vkl_device *device, VkFence handle)
{
    struct vkl_fence *fence = NULL;
    pthread_rwlock_wrlock(&device->objects);
    HASH_FIND(hh, device->fences, &handle, sizeof handle, fence);
    if (fence)
        HASH_DEL(device->fences, fence);
    pthread_rwlock_unlock(&device->objects);
    free(fence);
}

void vkl_semaphore_submitted(struct vkl_device *device, VkSemaphore handle, uint64_t value,
                             struct vkl_queue *queue, uint64_t serial)
{
    struct vkl_semaphore *semaphore;
    pthread_rwlock_wrlock(&device->objects);
    HASH_FIND(hh, device->semaphores, &handle, sizeof handle, semaphore);
    if (semaphore && ARRAY_ROOM(semaphore->signals, semaphore->count, semaphore->capacity))
        semaphore->signals[semaphore->count++] = (struct done){queue, serial, value};
    pthread_rwlock_unlock(&device->objects);
}

void vkl_syncs_withdraw(struct vkl_queue *queue, uint64_t first)
{
    struct vkl_device *device = queue->device;
    struct vkl_fence *fence, *other_fence;
    struct vkl_semaphore *semaphore, *other;
    pthread_rwlock_wrlock(&device->objects);
    HASH_ITER(hh, device->fences, fence, other_fence)
    if (fence->done.queue == queue && fence->done.serial >= first)
        fence->done.queue = NULL;
    HASH_ITER(hh, device->semaphores, semaphore, other)
    {
        uint32_t left = 0;
        for (uint32_t i = 0; i < semaphore->count; i++)
            if (semaphore->signals[i].queue != queue || semaphore->signals[i].serial < first)
                semaphore->signals[left++] = semaphore->signals[i];
        semaphore->count = left;
    }
    pthread_rwlock_unlock(&device->objects);
}

/* Takes one signal of at most `value` out of the semaphore. */
static bool take_signal(struct vkl_device *device, VkSemaphore handle, uint64_t value,
                        struct done *done)
{
    struct vkl_semaphore *semaphore;
    bool is_found = false;
    pthread_rwlock_wrlock(&device->objects);
    HASH_FIND(hh, device->semaphores, &handle, sizeof handle, semaphore);
    for (uint32_t i = 0; semaphore && i < semaphore->count && !is_found; i++) {
        if (semaphore->signals[i].value <= value) {
            *done = semaphore->signals[i];
            semaphore->signals[i] = semaphore->signals[--semaphore->count];
            is_found = true;
        }
    }
    pthread_rwlock_unlock(&device->objects);
    return is_found;
}

static void semaphore_has_value(struct vkl_device *device, VkSemaphore handle, uint64_t value)
{
    struct done done;
    while (take_signal(device, handle, value, &done))
        crash_queue_complete(&done.queue->crash, done.serial);
}

static void semaphore_forget(struct vkl_device *device, VkSemaphore handle)
{
    struct vkl_semaphore *semaphore = NULL;
    pthread_rwlock_wrlock(&device->objects);
    HASH_FIND(hh, device->semaphores, &handle, sizeof handle, semaphore);
    if (semaphore)
        HASH_DEL(device->semaphores, semaphore);
    pthread_rwlock_unlock(&device->objects);
    if (semaphore)
        free(semaphore->signals);
    free(semaphore);
}

void vkl_syncs_finish(struct vkl_device *device)
{
    while (device->fences)
        fence_forget(device, device->fences->handle);
    while (device->semaphores)
        semaphore_forget(device, device->semaphores->handle);
}

/* ---- fences ---- */

static VKAPI_ATTR void VKAPI_CALL vkl_DestroyFence(VkDevice handle, VkFence fence,
                                                   const VkAllocationCallbacks *allocator)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    fence_forget(device, fence);
    vkl_name_forget(device, VK_OBJECT_TYPE_FENCE, (uint64_t)(uintptr_t)fence);
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
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO)
            return ((const VkSemaphoreTypeCreateInfo *)(const void *)at)->semaphoreType ==
                   VK_SEMAPHORE_TYPE_TIMELINE;
    return false;
}

static void semaphore_made(struct vkl_device *device, const VkSemaphoreCreateInfo *info,
                           VkSemaphore handle)
{
    struct vkl_semaphore *semaphore = is_timeline(info) ? calloc(1, sizeof *semaphore) : NULL;
    if (!semaphore)
        return;
    semaphore->handle = handle;
    pthread_rwlock_wrlock(&device->objects);
    HASH_ADD(hh, device->semaphores, handle, sizeof semaphore->handle, semaphore);
    pthread_rwlock_unlock(&device->objects);
    if (!VKL_IS_ADDED(semaphore))
        free(semaphore);
}
VKL_CREATE(CreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore, semaphore_made)

static VKAPI_ATTR void VKAPI_CALL vkl_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
                                                       const VkAllocationCallbacks *allocator)
{
    struct vkl_device *device = vkl_device_of(vkl_key(handle));
    semaphore_forget(device, semaphore);
    vkl_name_forget(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)(uintptr_t)semaphore);
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
