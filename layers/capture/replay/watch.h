/* A thread that checks a replay's time limits. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct watch {
    /* Limits of a call and of the replay, in seconds; 0: no limit. */
    uint64_t call_limit, time_limit;
    /* Called on the watching thread when a limit has passed. NULL: there are no limits. */
    void (*late)(void *user, uint64_t call, bool is_call);
    void *user;
    _Atomic uint64_t call;  /* number of the call that replay is making */
    _Atomic uint64_t steps; /* grows with each record */
    atomic_bool is_over;    /* whether the replay has ended, so that its data may be gone */
    uint64_t ticks;         /* time so far, which counts for time_limit */
    pthread_t thread;
    bool is_running; /* whether the watching thread runs; false after watch_stop */
};

/* Starts the thread; the caller has set the members above `call`. False: no thread could start. */
bool watch_start(struct watch *watch);
/* Ends the thread, if it is running. */
void watch_stop(struct watch *watch);

static inline void watch_step(struct watch *watch, uint64_t call)
{
    atomic_store_explicit(&watch->call, call, memory_order_relaxed);
    atomic_fetch_add_explicit(&watch->steps, 1, memory_order_relaxed);
}
