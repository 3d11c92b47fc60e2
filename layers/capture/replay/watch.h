/* Watches from a thread of its own that a replay goes on. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct watch {
    uint64_t call_limit, time_limit; /* seconds; 0: none */
    /* Called on the watching thread when one is over. NULL: no limits. */
    void (*late)(void *user, uint64_t call, bool is_call);
    void *user;
    _Atomic uint64_t call;  /* that is being made */
    _Atomic uint64_t steps; /* counts up with each record */
    atomic_bool is_over;    /* the replay has ended: nothing of it is touched any more */
    pthread_t thread;
    bool is_running; /* the thread, until watch_stop */
};

/* The members above `call` are set. False means that there is no thread to watch with. */
bool watch_start(struct watch *watch);
/* Ends the thread, if there is one. */
void watch_stop(struct watch *watch);

static inline void watch_step(struct watch *watch, uint64_t call)
{
    atomic_store_explicit(&watch->call, call, memory_order_relaxed);
    atomic_fetch_add_explicit(&watch->steps, 1, memory_order_relaxed);
}
