#include "watch.h"

#include "os_process.h"

#define TICK 10 /* milliseconds */

/* Counts own ticks, not the clock's: a debugger that stops the process also stops these ticks. */
static void *look(void *user)
{
    struct watch *w = user;
    const uint64_t call_limit = w->call_limit * (1000 / TICK),
                   time_limit = w->time_limit * (1000 / TICK);
    uint64_t seen = 0, still = 0;
    while (!atomic_load(&w->is_over)) {
        for (int i = 0; i < TICK; i++)
            os_sleep_millisecond();
        const uint64_t steps = atomic_load(&w->steps);
        still = steps == seen ? still + 1 : 0;
        seen = steps;
        w->ticks++;
        const bool is_call = call_limit && still > call_limit;
        if (!is_call && !(time_limit && w->ticks > time_limit))
            continue;
        if (!atomic_load(&w->is_over))
            w->late(w->user, atomic_load(&w->call), is_call);
        break;
    }
    return NULL;
}

bool watch_start(struct watch *watch)
{
    atomic_init(&watch->call, 0);
    atomic_init(&watch->steps, 0);
    atomic_init(&watch->is_over, false);
    watch->is_running = false;
    if (!watch->late || (!watch->call_limit && !watch->time_limit))
        return true;
    watch->is_running = pthread_create(&watch->thread, NULL, look, watch) == 0;
    return watch->is_running;
}

void watch_stop(struct watch *watch)
{
    atomic_store(&watch->is_over, true);
    if (watch->is_running)
        pthread_join(watch->thread, NULL);
}
