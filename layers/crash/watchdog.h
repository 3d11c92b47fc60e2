/* Finds work without progress: the GPU has work that it could execute, and for the time limit
 * nothing changed in this work. Idle queues and slow work don't count.
 *
 * The watchdog's thread makes no call that can wait. It takes no lock that the application's
 * threads hold around a call of the driver. */
#pragma once

#include <annot/evidence.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A clock for tests. */
struct crash_clock {
    uint64_t (*now)(void *user); /* time in ns, which never goes back */
    void *user;
};

/* The layer's view of the GPU. */
struct crash_look {
    uint64_t
        fingerprint; /* from crash_look_mix; the number stays equal while there is no progress */
    bool is_pending; /* the GPU has work that doesn't wait for the application */
    /* Which queues must note their place, because this check belongs to an alarm. */
    enum { CRASH_MARKS_NOTHING, CRASH_MARKS_DUE, CRASH_MARKS_BUSY } marks;
    bool is_alarmed; /* whether the work that an alarm noted is still unfinished */
};

void crash_look_mix(struct crash_look *look, uint64_t value);
/* Adds the executions in flight to `rows`; an execution that has started is pending. If another
 * thread keeps the tracker locked, the function adds nothing. Returns the number of rows. */
uint32_t crash_look_rows(struct crash_look *look, annot_tracker *tracker, annot_progress *rows,
                         uint32_t capacity);
/* Writes a dump's reason: "the GPU has work and made no progress for 30.0 s". */
void crash_hung_reason(char *reason, size_t size, uint64_t ns);

struct crash_watchdog {
    uint64_t timeout; /* the timeout in ns; 0: nothing is watched */
    void *user;
    void (*look)(void *user, struct crash_look *look);
    void (*hung)(void *user, uint64_t ns); /* called each time that the limit has passed */
    /* Called once when the work that an alarm noted is done; may be NULL. `ns` is the time since
     * the last progress of this work. */
    void (*finished)(void *user, uint64_t ns);
    /* The following members belong to the watchdog. */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_running;
    bool must_end, looks_last; /* guarded by the lock */
    bool has_ended;            /* whether the end of the process ended the watchdog */
    atomic_bool is_over;       /* the thread has ended */
    bool has_looked;           /* false: `fingerprint` and `since` have no meaning */
    uint64_t fingerprint, since;
    bool has_alarm; /* whether `hung` was called and the work is still unfinished */
    uint64_t alarmed_since;
    long process; /* the process that owns the thread */
};

/* Sets the clock before any watchdog starts; NULL means the system's clock. With a test's clock,
 * watchdogs start no thread, and the test calls crash_watchdog_look. */
void crash_clock_set(const struct crash_clock *clock);
uint64_t crash_clock_now(void);

/* Checks the work once at `now`. True: the limit had passed, and `hung` was called. */
bool crash_watchdog_look(struct crash_watchdog *watchdog, uint64_t now);

/* Starts the watchdog. Set the first four members of `watchdog` before. */
void crash_watchdog_start(struct crash_watchdog *watchdog);
/* Ends the watchdog's thread, and waits for it at most `wait` ns. False: the thread still runs.
 * Don't call this function in `look` or `hung`. */
bool crash_watchdog_stop(struct crash_watchdog *watchdog, uint64_t wait);
/* Stops the watchdog when the process ends, after one more check. Another thread makes the check,
 * because exit may have destroyed the calling thread's data. Call it once. */
void crash_watchdog_end(struct crash_watchdog *watchdog, uint64_t wait);
