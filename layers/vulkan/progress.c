/* How far queues have come, as their timelines say. */
#include "vulkan_layer.h"

static void poll_queue(struct vkl_queue *queue)
{
    struct vkl_device *device = queue->device;
    uint64_t value = 0;
    if (!queue->timeline || !crash_queue_is_busy(&queue->crash))
        return;
    if (device->next.GetSemaphoreCounterValue(device->handle, queue->timeline, &value) ==
        VK_SUCCESS)
        crash_queue_complete(&queue->crash, value);
}

void vkl_device_poll(struct vkl_device *device)
{
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next)
        poll_queue(queue);
}
