/*
 * Finds work that makes no progress, which is neither idle nor slow work: the GPU has work that it
 * could execute, and for as long as the limit nothing about it changed.
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
    bool is_pending;      /* it has work that nothing of the application's keeps from being done */
    /* Whether this look is an alarm's: of queues that are due, or of all that are busy. They note
     * what they are at. */
    enum { CRASH_MARKS_NOTHING, CRASH_MARKS_DUE, CRASH_MARKS_BUSY } marks;
    bool is_alarmed; /* what an alarm's look noted is not done */
};

void crash_look_mix(struct crash_look *look, uint64_t value);
/* The executions in flight, in `rows`: one that has started is pending. Nothing, when the tracker
 * is locked for long: somebody is at work. */
void crash_look_rows(struct crash_look *look, annot_tracker *tracker, annot_progress *rows,
                     uint32_t capacity);
/* The reason that a dump gives: "the GPU has work and made no progress for 30.0 s". */
void crash_hung_reason(char *reason, size_t size, uint64_t ns);

struct crash_watchdog {
    uint64_t timeout; /* ns; 0: nothing is watched */
    void *user;
    void (*look)(void *user, struct crash_look *look);
    void (*hung)(void *user, uint64_t ns); /* called each time the limit is found to be passed */
    /* Called once when the work that an alarm's look noted is done; NULL: nobody asks. `ns` since
     * it made its last progress. */
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
    bool has_alarm; /* somebody was told, and the work is not done */
    uint64_t alarmed_since;
    long process; /* whose thread it is */
};

/* Before any watchdog starts. NULL: the system's clock. With another one no thread is started, and
 * the test looks itself. */
void crash_clock_set(const struct crash_clock *clock);
uint64_t crash_clock_now(void);

/* One look at `now`; true: the limit was passed, and `hung` was told. */
bool crash_watchdog_look(struct crash_watchdog *watchdog, uint64_t now);

/* The first four members are set. */
void crash_watchdog_start(struct crash_watchdog *watchdog);
/* Waits for the thread, `wait` ns at most. False: it goes on. Not from `look` or `hung`. */
bool crash_watchdog_stop(struct crash_watchdog *watchdog, uint64_t wait);
/* The same as the process ends, with one more look, which the thread makes, or one that is started
 * for it: exit has begun with what other layers keep for the thread that calls it. Not twice. */
void crash_watchdog_end(struct crash_watchdog *watchdog, uint64_t wait);
