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

/* Whether the queue has work that nothing of the application's keeps from being done: its oldest
 * submission waits for no semaphore. One that waits may do so for a signal that is due tomorrow. */
static bool is_due(const struct vkl_queue *queue, uint64_t completed)
{
    return completed < atomic_load_explicit(&queue->submitted, memory_order_acquire) &&
           !waits(queue, completed + 1);
}

static void look_around(void *user, struct crash_look *look)
{
    struct vkl_device *device = user;
    vkl_device_poll(device);
    const struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next) {
        const uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_acquire);
        look->is_pending |= is_due(queue, completed);
        crash_look_mix(look, completed);
    }
    crash_look_rows(look, device->tracker, device->watchdog.rows, VKL_WATCHED_ROWS);
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
    const bool is_first = atomic_load_explicit(&device->dumps, memory_order_relaxed) == 0;
    return crash_watchdog_look(&device->watchdog.crash, now) && is_first;
}

void vkl_watchdog_start(struct vkl_device *device)
{
    struct vkl_watchdog *watchdog = &device->watchdog;
    watchdog->rows = malloc(VKL_WATCHED_ROWS * sizeof *watchdog->rows);
    watchdog->crash.timeout = device->settings.timeout;
    watchdog->crash.user = device;
    watchdog->crash.look = look_around;
    watchdog->crash.hung = hung;
    if (watchdog->rows)
        crash_watchdog_start(&watchdog->crash);
}

void vkl_watchdog_stop(struct vkl_device *device)
{
    crash_watchdog_stop(&device->watchdog.crash);
    free(device->watchdog.rows);
    device->watchdog.rows = NULL;
}
