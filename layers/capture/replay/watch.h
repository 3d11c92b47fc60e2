/* A thread that watches the progress of a replay. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct watch {
    uint64_t call_limit, time_limit; /* limits in seconds; 0: no limit */
    /* Called on the watching thread when a time limit has passed. NULL: there are no limits. */
    void (*late)(void *user, uint64_t call, bool is_call);
    void *user;
    _Atomic uint64_t call;  /* number of the call that is being made */
    _Atomic uint64_t steps; /* grows with each record */
    atomic_bool is_over;    /* the replay has ended, so the thread must not use the replay's data */
    pthread_t thread;
    bool is_running; /* true while the thread runs, until watch_stop */
};

/* Starts the thread. Set the members above `call` before. False: the thread can't start. */
bool watch_start(struct watch *watch);
/* Ends the thread, if there is one. */
void watch_stop(struct watch *watch);

static inline void watch_step(struct watch *watch, uint64_t call)
{
    atomic_store_explicit(&watch->call, call, memory_order_relaxed);
    atomic_fetch_add_explicit(&watch->steps, 1, memory_order_relaxed);
}
