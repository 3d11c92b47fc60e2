/* The ends of a process that a dump can meet: while one is written they wait for it. */
#pragma once

#include <stdbool.h>

#ifndef _WIN32
#include <signal.h>
#endif

/* What crash_ending_hold set aside. */
struct crash_ending {
    int cancel;
    bool has_signals; /* else another dump, which is being written too, has them */
#ifndef _WIN32
    sigset_t mask;
#endif
};

/* Around the writing of a dump. Signals that end the process wait for it, on whichever thread they
 * arrive, and do then what they would have done; the writer is not interrupted by them, and is not
 * cancelled. */
void crash_ending_hold(struct crash_ending *ending);
void crash_ending_release(struct crash_ending *ending);

/* From the first call on, exit and quick_exit call this, in front of what was registered before. On
 * Windows the library is told instead, when the other threads are gone. The child of a fork calls
 * `forget` first. */
void crash_ending_register(void (*leave)(void), void (*forget)(void));
