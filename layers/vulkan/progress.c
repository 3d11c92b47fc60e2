/* The queues' progress, from the values of their timelines. */
#include "vulkan_layer.h"

/* Reads a queue's timeline. False: the device is lost. */
static bool poll_queue(struct vkl_queue *queue)
{
    struct vkl_device *device = queue->device;
    uint64_t value = 0;
    if (!queue->timeline || !crash_queue_is_busy(&queue->crash))
        return true;
    const VkResult result =
        device->next.GetSemaphoreCounterValue(device->handle, queue->timeline, &value);
    if (result == VK_SUCCESS)
        crash_queue_complete(&queue->crash, value);
    return result != VK_ERROR_DEVICE_LOST;
}

bool vkl_device_poll(struct vkl_device *device)
{
    bool is_there = true;
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next)
        is_there &= poll_queue(queue);
    return is_there;
}
