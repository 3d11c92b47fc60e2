/* How far queues have come: what the application was told, and what their timelines say. */
#include "vulkan_layer.h"

bool vkl_queue_is_busy(const struct vkl_queue *queue)
{
    return atomic_load_explicit(&queue->completed, memory_order_acquire) <
           atomic_load_explicit(&queue->submitted, memory_order_acquire);
}

void vkl_queue_completed(struct vkl_queue *queue, uint64_t serial)
{
    uint64_t now = atomic_load_explicit(&queue->completed, memory_order_relaxed);
    do {
        if (serial <= now || serial > atomic_load_explicit(&queue->submitted, memory_order_acquire))
            return; /* old news; or what a lost device says */
    } while (!atomic_compare_exchange_weak_explicit(&queue->completed, &now, serial,
                                                    memory_order_release, memory_order_relaxed));
    annot_tracker_completed(queue->device->tracker, queue->context, serial);
}

static void poll_queue(struct vkl_queue *queue)
{
    struct vkl_device *device = queue->device;
    uint64_t value = 0;
    if (!queue->timeline || atomic_load_explicit(&queue->completed, memory_order_relaxed) ==
                                atomic_load_explicit(&queue->submitted, memory_order_relaxed))
        return;
    if (device->next.GetSemaphoreCounterValue(device->handle, queue->timeline, &value) ==
        VK_SUCCESS)
        vkl_queue_completed(queue, value);
}

void vkl_device_poll(struct vkl_device *device)
{
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next)
        poll_queue(queue);
}
