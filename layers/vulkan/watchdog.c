/* The crash watchdog's view of the GPU: the queues' completed submissions, and the words of what
 * is in flight. It takes no lock that the application's threads hold around a call of the driver,
 * and makes no call that can wait. */
#include "vulkan_layer.h"

static bool waits(const struct vkl_queue *queue, uint64_t serial)
{
    const uint32_t byte =
        atomic_load_explicit(&queue->waits[serial % VKL_WAITS / 8], memory_order_relaxed);
    return byte >> serial % 8 & 1u;
}

static void look_around(void *user, struct crash_look *look)
{
    struct vkl_device *device = user;
    vkl_device_poll(device);
    const struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next) {
        /* one that waits for a semaphore may do so for a signal that is due tomorrow */
        const bool is_due = !waits(queue, crash_queue_done(&queue->crash) + 1);
        crash_queue_look(&queue->crash, is_due, look);
    }
    crash_look_rows(look, device->crash.tracker, device->crash.watched, CRASH_ROWS);
}

static void hung(void *user, uint64_t ns)
{
    char reason[96];
    crash_hung_reason(reason, sizeof reason, ns);
    const struct vkl_crash crash = {
        .error = ANNOT_DEVICE_ERROR_HUNG, .reason = reason, .is_lost = false};
    vkl_dump(user, &crash);
}

bool vkl_watchdog_look(struct vkl_device *device, uint64_t now)
{
    const bool is_first = !crash_device_has_dump(&device->crash);
    return crash_watchdog_look(&device->crash.watchdog, now) && is_first;
}

void vkl_watchdog_start(struct vkl_device *device)
{
    crash_device_watch(&device->crash, look_around, hung, device);
}
