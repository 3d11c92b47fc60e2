#include "watch.h"

#include "os_process.h"

#define TICK 10 /* milliseconds */

/* Its own ticks are counted, not the clock: a debugger that stops the process stops them too. */
static void look(void *user)
{
    struct watch *w = user;
    const uint64_t call_limit = w->call_limit * (1000 / TICK),
                   time_limit = w->time_limit * (1000 / TICK);
    uint64_t seen = 0, still = 0, ticks = 0;
    while (!atomic_load(&w->is_over)) {
        for (int i = 0; i < TICK; i++)
            os_sleep_millisecond();
        const uint64_t steps = atomic_load(&w->steps);
        still = steps == seen ? still + 1 : 0;
        seen = steps;
        ticks++;
        const bool is_call = call_limit && still > call_limit;
        if (!is_call && !(time_limit && ticks > time_limit))
            continue;
        if (!atomic_load(&w->is_over))
            w->late(w->user, atomic_load(&w->call), is_call);
        break;
    }
    atomic_store(&w->has_left, true);
}

bool watch_start(struct watch *watch)
{
    atomic_init(&watch->call, 0);
    atomic_init(&watch->steps, 0);
    atomic_init(&watch->is_over, false);
    atomic_init(&watch->has_left, true);
    if (!watch->late || (!watch->call_limit && !watch->time_limit))
        return true;
    atomic_store(&watch->has_left, false);
    if (os_thread_start(look, watch))
        return true;
    atomic_store(&watch->has_left, true);
    return false;
}

void watch_stop(struct watch *watch)
{
    atomic_store(&watch->is_over, true);
    while (!atomic_load(&watch->has_left))
        os_sleep_millisecond();
}
