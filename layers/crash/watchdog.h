/* Finds work without progress: the GPU has work that it could execute, but nothing has changed in
 * this work for the time limit. Idle queues and slow work don't count.
 *
 * The watchdog's thread makes no call that can wait. It takes no lock that the application's
 * threads hold around a call of the driver. */
#pragma once

#include <annot/dump.h>
#include <annot/evidence.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A clock for tests. */
struct crash_clock {
    uint64_t (*now)(void *user); /* returns monotonic time in ns */
    void *user;
};

/* Returns the time of day in `seconds`, the limit of a wait for a lock. A dead or stuck thread may
 * have the lock. */
struct timespec crash_deadline(time_t seconds);

enum { CRASH_WAITS_TOLD = 32 };
/* The waits of queues, and then of the CPU, at one moment. */
struct crash_told {
    annot_wait waits[CRASH_WAITS_TOLD];
    uint64_t orders[CRASH_WAITS_TOLD];
    uint32_t count;
    bool has_circle; /* some queues wait only for each other, so they wait for ever */
};

/* Returns the queue's wait before or in the submission, or NULL. */
const annot_wait *crash_told_before(const struct crash_told *told, uint64_t queue,
                                    uint64_t submission);

/* What the watchdog sees of the GPU's work at one check; the layer fills it in. */
struct crash_look {
    /* Hash of all progress of the device, from crash_look_mix; it only changes with progress. */
    uint64_t fingerprint;
    bool is_pending; /* whether the GPU has work that waits for nothing from the application */
    /* Says which queues must note their place for an alarm; the alarm causes this check. */
    enum { CRASH_MARKS_NOTHING, CRASH_MARKS_DUE, CRASH_MARKS_BUSY } marks;
    bool is_alarmed;                /* whether the work that caused an alarm is unfinished */
    const struct crash_told *waits; /* the waits of the queues; NULL: none */
};

void crash_look_mix(struct crash_look *look, uint64_t value);
/* Adds the executions in flight to `rows`; one that has started makes `look` pending. Does nothing
 * if another thread holds the tracker's lock. Returns the number of rows. */
uint32_t crash_look_rows(struct crash_look *look, annot_tracker *tracker, annot_progress *rows,
                         uint32_t capacity);
/* Writes the reason for a dump: "the GPU has work and made no progress for 30.0 s". */
void crash_hung_reason(char *reason, size_t size, uint64_t ns);

struct crash_watchdog {
    uint64_t timeout; /* time in ns without progress before an alarm; 0: no watchdog */
    void *user;
    void (*look)(void *user, struct crash_look *look);
    void (*hung)(void *user, uint64_t ns); /* called when the time limit has passed */
    /* Called once when the work that an alarm noted is finished. `ns` is the time from this work's
     * last progress. May be NULL. */
    void (*finished)(void *user, uint64_t ns);
    /* Only the watchdog uses the members from here on. */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_running;
    bool must_end, looks_last; /* guarded by the lock */
    bool has_ended;            /* whether the watchdog ended with the process */
    atomic_bool is_over;       /* the thread has ended */
    bool has_looked;           /* whether `fingerprint` and `since` are set */
    uint64_t fingerprint, since;
    bool has_alarm; /* whether `hung` was called, and its work is still unfinished */
    uint64_t alarmed_since;
    long process; /* the process in which the thread runs */
};

/* Sets the clock before any watchdog starts; NULL means the system's clock. With a test's clock,
 * watchdogs start no thread; the test calls crash_watchdog_look. */
void crash_clock_set(const struct crash_clock *clock);
uint64_t crash_clock_now(void);

/* Checks the work once, at the time `now`. True: the limit had passed, and `hung` was called. */
bool crash_watchdog_look(struct crash_watchdog *watchdog, uint64_t now);

/* Starts the watchdog; the caller has set the first four members of `watchdog`. */
void crash_watchdog_start(struct crash_watchdog *watchdog);
/* Ends the watchdog's thread, and waits at most `wait` ns for its end. False: the thread still
 * runs. Don't call the function in `look` or `hung`. */
bool crash_watchdog_stop(struct crash_watchdog *watchdog, uint64_t wait);
/* Ends the watchdog when the process ends, after one more check. Another thread makes this check,
 * because exit may have destroyed the calling thread's data. Call this function once. */
void crash_watchdog_end(struct crash_watchdog *watchdog, uint64_t wait);
