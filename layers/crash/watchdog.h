/* Finds work without progress: the GPU has work that it could execute, and nothing changed in it
 * for the time limit. Idle queues and slow work don't count.
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
    uint64_t fingerprint; /* stays equal while there is no progress; made by crash_look_mix */
    bool is_pending;      /* the GPU has work that doesn't wait for the application */
    /* Which queues must note their place, because this check belongs to an alarm. */
    enum { CRASH_MARKS_NOTHING, CRASH_MARKS_DUE, CRASH_MARKS_BUSY } marks;
    bool is_alarmed; /* work that an alarm noted is not done */
};

void crash_look_mix(struct crash_look *look, uint64_t value);
/* Adds the executions in flight, in `rows`; one that has started is pending. Adds nothing if the
 * tracker is locked for long, because a thread works there. Returns how many are in `rows`. */
uint32_t crash_look_rows(struct crash_look *look, annot_tracker *tracker, annot_progress *rows,
                         uint32_t capacity);
/* The reason that a dump gives: "the GPU has work and made no progress for 30.0 s". */
void crash_hung_reason(char *reason, size_t size, uint64_t ns);

struct crash_watchdog {
    uint64_t timeout; /* ns; 0: nothing is watched */
    void *user;
    void (*look)(void *user, struct crash_look *look);
    void (*hung)(void *user, uint64_t ns); /* called each time that the limit has passed */
    /* Called once when the work that an alarm noted is done; may be NULL. `ns`: the time since its
     * last progress. */
    void (*finished)(void *user, uint64_t ns);
    /* its own */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_running;
    bool must_end, looks_last; /* the lock guards both */
    bool has_ended;            /* whether the process's end ended it */
    atomic_bool is_over;       /* the thread has ended */
    bool has_looked;           /* false: the next two members have no meaning */
    uint64_t fingerprint, since;
    bool has_alarm; /* `hung` was called, and the work is not done */
    uint64_t alarmed_since;
    long process; /* whose thread it is */
};

/* Sets the clock before any watchdog starts; NULL: the system's. A test's clock starts no thread;
 * the test calls the check. */
void crash_clock_set(const struct crash_clock *clock);
uint64_t crash_clock_now(void);

/* Checks once at `now`; true: the limit had passed, and `hung` was called. */
bool crash_watchdog_look(struct crash_watchdog *watchdog, uint64_t now);

/* Starts the watchdog; set its first four members before. */
void crash_watchdog_start(struct crash_watchdog *watchdog);
/* Ends the thread, and waits for it at most `wait` ns. False means that it still runs. Don't call
 * it in `look` or `hung`. */
bool crash_watchdog_stop(struct crash_watchdog *watchdog, uint64_t wait);
/* Stops the watchdog when the process ends, after one more check. Another thread makes the check,
 * because exit may have destroyed the calling thread's data. Call it once. */
void crash_watchdog_end(struct crash_watchdog *watchdog, uint64_t wait);
