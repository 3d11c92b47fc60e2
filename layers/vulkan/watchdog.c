/*
 * Finds work that makes no progress, which is neither idle nor slow work: a dump is written when
 * the GPU has work that it could execute, and for as long as the limit no submission was completed
 * and no label reached.
 *
 * The thread takes no lock that the application's threads hold around a call of the driver, and
 * makes no call that can wait.
 */
#include "vulkan_layer.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

/* ---- time ---- */

static const struct vkl_clock *injected;

static uint64_t system_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void vkl_clock_set(const struct vkl_clock *clock)
{
    injected = clock;
}

uint64_t vkl_clock_now(void)
{
    return injected ? injected->now(injected->user) : system_now();
}

/* ---- progress ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

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

struct look {
    uint64_t fingerprint;
    bool is_pending;
};

static struct look look_around(struct vkl_device *device)
{
    struct look look = {1, false};
    uint32_t count = 0, in_flight = 0;
    vkl_device_poll(device);
    const struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next) {
        const uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_acquire);
        look.is_pending |= is_due(queue, completed);
        look.fingerprint = mix(look.fingerprint, completed);
    }
    if (!annot_tracker_copy_rows(device->tracker, device->watchdog.rows, VKL_WATCHED_ROWS, &count,
                                 &in_flight))
        return look; /* locked for that long: somebody is at work */
    for (uint32_t i = 0; i < count; i++) {
        const annot_progress *row = &device->watchdog.rows[i];
        look.is_pending |= row->state == ANNOT_PROGRESS_STARTED;
        look.fingerprint = mix(mix(mix(look.fingerprint, row->started), row->completed),
                               (uint64_t)row->state << 32 | row->list);
    }
    return look;
}

bool vkl_watchdog_look(struct vkl_device *device, uint64_t now)
{
    struct vkl_watchdog *watchdog = &device->watchdog;
    const struct look look = look_around(device);
    if (!look.is_pending || look.fingerprint != watchdog->fingerprint) {
        watchdog->fingerprint = look.fingerprint;
        watchdog->since = now;
        return false;
    }
    if (now - watchdog->since < device->settings.timeout ||
        atomic_load_explicit(&device->dumps, memory_order_relaxed) > 0)
        return false;
    char reason[96];
    snprintf(reason, sizeof reason, "the GPU has work and made no progress for %.1f s",
             (double)(now - watchdog->since) / 1e9);
    const struct vkl_crash crash = {
        .error = ANNOT_DEVICE_ERROR_HUNG, .reason = reason, .is_lost = false};
    vkl_dump(device, &crash);
    return true;
}

/* ---- the thread ---- */

static void *watch(void *argument)
{
    struct vkl_device *device = argument;
    struct vkl_watchdog *watchdog = &device->watchdog;
    uint64_t interval = device->settings.timeout / 8;
    if (interval > 500000000u)
        interval = 500000000u;
    pthread_mutex_lock(&watchdog->lock);
    while (!watchdog->must_end) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        const uint64_t ns = (uint64_t)until.tv_nsec + interval;
        until.tv_sec += (time_t)(ns / 1000000000u);
        until.tv_nsec = (long)(ns % 1000000000u);
        pthread_cond_timedwait(&watchdog->wake, &watchdog->lock, &until);
        if (watchdog->must_end)
            break;
        pthread_mutex_unlock(&watchdog->lock);
        vkl_watchdog_look(device, vkl_clock_now());
        pthread_mutex_lock(&watchdog->lock);
    }
    pthread_mutex_unlock(&watchdog->lock);
    return NULL;
}

void vkl_watchdog_start(struct vkl_device *device)
{
    struct vkl_watchdog *watchdog = &device->watchdog;
    watchdog->rows = malloc(VKL_WATCHED_ROWS * sizeof *watchdog->rows);
    if (device->settings.timeout == 0 || injected || !watchdog->rows)
        return;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&watchdog->lock, NULL);
    /* The application's signals are for its own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watchdog->is_running = pthread_create(&watchdog->thread, NULL, watch, device) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void vkl_watchdog_stop(struct vkl_device *device)
{
    struct vkl_watchdog *watchdog = &device->watchdog;
    if (watchdog->is_running) {
        pthread_mutex_lock(&watchdog->lock);
        watchdog->must_end = true;
        pthread_cond_signal(&watchdog->wake);
        pthread_mutex_unlock(&watchdog->lock);
        pthread_join(watchdog->thread, NULL);
        pthread_cond_destroy(&watchdog->wake);
        pthread_mutex_destroy(&watchdog->lock);
    }
    free(watchdog->rows);
    watchdog->rows = NULL;
}
