/*
 * Finds work that makes no progress: the GPU has work that it could execute, and nothing about it
 * changed for as long as the limit. Idle queues and slow work don't count.
 *
 * The thread takes no lock that the application's threads hold around a call of the driver, and
 * makes no call that can wait.
 */
#pragma once

#include <annot/evidence.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A clock for tests. */
struct crash_clock {
    uint64_t (*now)(void *user); /* ns, never goes back */
    void *user;
};

/* The layer's view of the GPU. */
struct crash_look {
    uint64_t fingerprint; /* equal as long as there was no progress: crash_look_mix */
    bool is_pending;      /* it has work that waits for nothing of the application's */
    /* Whether this check belongs to an alarm: of queues that are due, or of all busy ones. They
     * note their place. */
    enum { CRASH_MARKS_NOTHING, CRASH_MARKS_DUE, CRASH_MARKS_BUSY } marks;
    bool is_alarmed; /* what an alarm's look noted is not done */
};

void crash_look_mix(struct crash_look *look, uint64_t value);
/* Adds the executions in flight, in `rows`; one that has started is pending. Adds nothing if the
 * tracker is locked for long, because a thread works there. */
void crash_look_rows(struct crash_look *look, annot_tracker *tracker, annot_progress *rows,
                     uint32_t capacity);
/* The reason that a dump gives: "the GPU has work and made no progress for 30.0 s". */
void crash_hung_reason(char *reason, size_t size, uint64_t ns);

struct crash_watchdog {
    uint64_t timeout; /* ns; 0: nothing is watched */
    void *user;
    void (*look)(void *user, struct crash_look *look);
    void (*hung)(void *user, uint64_t ns); /* called each time the limit has passed */
    /* Called once when the work that an alarm noted is done; may be NULL. `ns`: since its last
     * progress. */
    void (*finished)(void *user, uint64_t ns);
    /* its own */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_running;
    bool must_end, looks_last; /* under the lock */
    bool has_ended;            /* with the process */
    atomic_bool is_over;       /* the thread has ended */
    bool has_looked;           /* without a look the next two mean nothing */
    uint64_t fingerprint, since;
    bool has_alarm; /* `hung` was called, and the work is not done */
    uint64_t alarmed_since;
    long process; /* whose thread it is */
};

/* Sets the clock before any watchdog starts. NULL: the system's. With another clock no thread is
 * started, and the test calls the check itself. */
void crash_clock_set(const struct crash_clock *clock);
uint64_t crash_clock_now(void);

/* Checks once at `now`; true: the limit had passed, and `hung` was called. */
bool crash_watchdog_look(struct crash_watchdog *watchdog, uint64_t now);

/* The first four members are set. */
void crash_watchdog_start(struct crash_watchdog *watchdog);
/* Waits for the thread, `wait` ns at most. False means that it goes on. Not from `look` or `hung`.
 */
bool crash_watchdog_stop(struct crash_watchdog *watchdog, uint64_t wait);
/* The same as the process ends, with one more look, which the thread makes, or one that is started
 * for it: exit has begun with what other layers keep for the thread that calls it. Not twice. */
void crash_watchdog_end(struct crash_watchdog *watchdog, uint64_t wait);
