#include "watchdog.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const struct crash_clock *injected;

/* The shortest wait for the end of a thread that only needs a message; a busy machine is slow. */
static const uint64_t shortest_wait = 2000000000u;

static uint64_t system_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void crash_clock_set(const struct crash_clock *clock)
{
    injected = clock;
}

uint64_t crash_clock_now(void)
{
    return injected ? injected->now(injected->user) : system_now();
}

struct timespec crash_deadline(time_t seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    return until;
}

void crash_look_mix(struct crash_look *look, uint64_t value)
{
    const uint64_t hash = (look->fingerprint ^ value) * 0x9e3779b97f4a7c15u;
    look->fingerprint = hash ^ hash >> 32;
}

const annot_wait *crash_told_before(const struct crash_told *told, uint64_t queue,
                                    uint64_t submission)
{
    for (uint32_t i = 0; told && i < told->count; i++)
        if (told->waits[i].queue == queue && told->waits[i].submission <= submission)
            return &told->waits[i];
    return NULL;
}

uint32_t crash_look_rows(struct crash_look *look, annot_tracker *tracker, annot_progress *rows,
                         uint32_t capacity)
{
    uint32_t count = 0, in_flight = 0;
    if (!annot_tracker_copy_rows(tracker, rows, capacity, &count, &in_flight))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        const annot_wait *wait = crash_told_before(look->waits, rows[i].queue, rows[i].submission);
        look->is_pending |= rows[i].state == ANNOT_PROGRESS_STARTED && !(wait && wait->list > 0);
        crash_look_mix(look, rows[i].started);
        crash_look_mix(look, rows[i].completed);
        crash_look_mix(look, (uint64_t)rows[i].state << 32 | rows[i].list);
    }
    return count;
}

void crash_hung_reason(char *reason, size_t size, uint64_t ns)
{
    snprintf(reason, size, "the GPU has work and made no progress for %.1f s", (double)ns / 1e9);
}

/* Makes the queues note their places. False: the queues made progress meanwhile. */
static bool mark(struct crash_watchdog *watchdog)
{
    struct crash_look due = {.fingerprint = 1, .marks = CRASH_MARKS_DUE},
                      busy = {.fingerprint = 1, .marks = CRASH_MARKS_BUSY};
    watchdog->look(watchdog->user, &due);
    if (!due.is_alarmed)
        watchdog->look(watchdog->user, &busy);
    return due.fingerprint == watchdog->fingerprint;
}

/* Ends an alarm. Work that ends after an alarm was slow; other slow work causes no alarm. */
static void finish_alarm(struct crash_watchdog *watchdog, uint64_t now)
{
    const uint64_t took = now - watchdog->alarmed_since;
    watchdog->has_alarm = false;
    if (watchdog->timeout < 2 * took)
        watchdog->timeout = 2 * took;
    if (watchdog->finished)
        watchdog->finished(watchdog->user, took);
}

static struct crash_look look_at(struct crash_watchdog *watchdog, uint64_t now)
{
    struct crash_look look = {.fingerprint = 1};
    watchdog->look(watchdog->user, &look);
    if (watchdog->has_alarm && !look.is_alarmed)
        finish_alarm(watchdog, now);
    return look;
}

bool crash_watchdog_look(struct crash_watchdog *watchdog, uint64_t now)
{
    const struct crash_look look = look_at(watchdog, now);
    if (!watchdog->has_looked || !look.is_pending || look.fingerprint != watchdog->fingerprint) {
        watchdog->has_looked = true;
        watchdog->fingerprint = look.fingerprint;
        watchdog->since = now;
        return false;
    }
    if (now - watchdog->since < watchdog->timeout)
        return false;
    if (!watchdog->has_alarm && mark(watchdog)) {
        watchdog->has_alarm = true;
        watchdog->alarmed_since = watchdog->since;
    }
    watchdog->hung(watchdog->user, now - watchdog->since);
    return true;
}

/* Checks once more, because the work of an alarm may have finished since the last check. */
static void look_last(struct crash_watchdog *watchdog)
{
    look_at(watchdog, crash_clock_now());
}

static void *watch(void *argument)
{
    struct crash_watchdog *watchdog = argument;
    uint64_t interval = watchdog->timeout / 8;
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
        crash_watchdog_look(watchdog, crash_clock_now());
        pthread_mutex_lock(&watchdog->lock);
    }
    const bool looks_last = watchdog->looks_last || watchdog->has_alarm;
    pthread_mutex_unlock(&watchdog->lock);
    if (looks_last)
        look_last(watchdog);
    atomic_store(&watchdog->is_over, true);
    return NULL;
}

#ifdef _WIN32
static bool start_thread(struct crash_watchdog *watchdog)
{
    return pthread_create(&watchdog->thread, NULL, watch, watchdog) == 0;
}
#else
/* Starts the thread. The thread blocks signals that are for the application's threads, but not
 * faults: another layer may use faults to follow its memory. */
static bool start_thread(struct crash_watchdog *watchdog)
{
    sigset_t others, before;
    sigfillset(&others);
    sigdelset(&others, SIGSEGV);
    sigdelset(&others, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    const bool is_running = pthread_create(&watchdog->thread, NULL, watch, watchdog) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_running;
}
#endif

static void begin(struct crash_watchdog *watchdog)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&watchdog->lock, NULL);
    watchdog->process = (long)getpid();
    watchdog->is_running = start_thread(watchdog);
}

void crash_watchdog_start(struct crash_watchdog *watchdog)
{
    if (watchdog->timeout != 0 && !injected)
        begin(watchdog);
}

static bool wait_for_end(struct crash_watchdog *watchdog, uint64_t wait)
{
    const struct timespec some = {0, 1000000};
    const uint64_t since = system_now();
    while (!atomic_load(&watchdog->is_over) && system_now() - since < wait)
        nanosleep(&some, NULL);
    return atomic_load(&watchdog->is_over);
}

bool crash_watchdog_stop(struct crash_watchdog *watchdog, uint64_t wait)
{
    if (injected && watchdog->has_alarm)
        look_last(watchdog);
    if (!watchdog->is_running)
        return true;
    watchdog->is_running = false;
    if (watchdog->process != (long)getpid())
        return true; /* a child of fork has no such thread, and may never get the lock */
    pthread_mutex_lock(&watchdog->lock);
    watchdog->must_end = true;
    pthread_cond_signal(&watchdog->wake);
    pthread_mutex_unlock(&watchdog->lock);
    if (!wait_for_end(watchdog, wait > shortest_wait ? wait : shortest_wait)) {
        pthread_detach(watchdog->thread);
        return false;
    }
    pthread_join(watchdog->thread, NULL);
    pthread_cond_destroy(&watchdog->wake);
    pthread_mutex_destroy(&watchdog->lock);
    return true;
}

void crash_watchdog_end(struct crash_watchdog *watchdog, uint64_t wait)
{
    if (watchdog->has_ended)
        return;
    watchdog->has_ended = true;
    if (injected)
        look_last(watchdog);
    if (watchdog->is_running) {
        pthread_mutex_lock(&watchdog->lock);
        watchdog->looks_last = true;
        pthread_mutex_unlock(&watchdog->lock);
    } else if (!injected) {
        watchdog->must_end = watchdog->looks_last = true;
        begin(watchdog);
    }
    crash_watchdog_stop(watchdog, wait);
}
