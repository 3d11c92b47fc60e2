/* Finds completed submissions from the application's fences, timeline semaphores and waits. If the
 * device has timelines, the layer also has one for each queue. If possible, libannot learns of a
 * completion before the application does. */
#include "calls.h"

#include "array.h"
#include "hashed.h"

struct done {
    struct vkl_queue *queue;
    uint64_t serial, value;
};

/* A fence, or a timeline semaphore. */
struct vkl_sync {
    uint64_t handle;
    struct done *signals; /* a fence has at most one signal */
    uint32_t count, capacity;
    UT_hash_handle hh;
};

/* ---- the submissions of a fence or semaphore ---- */

/* Finds a fence or semaphore. device->objects is locked, as for the next function. */
static struct vkl_sync *sync_find(struct vkl_sync *in, uint64_t handle)
{
    struct vkl_sync *sync;
    HASH_FIND(hh, in, &handle, sizeof handle, sync);
    return sync;
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
        return; /* without a fence nothing asks for the serial */
    pthread_rwlock_wrlock(&device->objects);
    struct vkl_sync *fence;
    TABLE_FIND_OR_ADD(device->fences, handle, key, fence);
    if (fence)
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

/* Takes out one signal of at most `value`. */
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

void vkl_sync_forget(struct vkl_device *device, VkObjectType type, uint64_t handle)
{
    if (type == VK_OBJECT_TYPE_FENCE)
        forget(device, &device->fences, handle);
    else if (type == VK_OBJECT_TYPE_SEMAPHORE)
        forget(device, &device->semaphores, handle);
}

void vkl_syncs_finish(struct vkl_device *device)
{
    while (device->fences)
        forget(device, &device->fences, device->fences->handle);
    while (device->semaphores)
        forget(device, &device->semaphores, device->semaphores->handle);
}

/* ---- fences ---- */

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
        vkl_device_poll(device); /* another call for each would be needed to find the reached one */
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
    const uint64_t key = (uint64_t)handle;
    struct vkl_sync *semaphore;
    if (!is_timeline(info))
        return;
    pthread_rwlock_wrlock(&device->objects);
    TABLE_FIND_OR_ADD(device->semaphores, handle, key, semaphore);
    pthread_rwlock_unlock(&device->objects);
}
VKL_CREATE(CreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore, semaphore_made)

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

/* ---- other calls that fail on a lost device ---- */

#define CHECKED(name, other, parameters, arguments)                                                \
    static VKAPI_ATTR VkResult VKAPI_CALL vkl_##name parameters                                    \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(handle));                                \
        return vkl_check(device, device->next.name arguments, "vk" #name);                         \
    }
VKL_CHECKED_CALLS(CHECKED)

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

const struct vkl_call vkl_sync_calls[] = {VKL_SYNC_CALLS(VKL_CALL)
                                              VKL_CHECKED_CALLS(VKL_CALL_OF){.name = NULL}};
