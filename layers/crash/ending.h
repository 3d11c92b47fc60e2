/* Ends of the process (exit, signals): while a dump is written they wait for it. */
#pragma once

#include <stdbool.h>

#ifndef _WIN32
#include <signal.h>
#endif

/* What crash_ending_hold set aside. */
struct crash_ending {
    int cancel;
    bool has_signals; /* whether `mask` belongs to this dump; false: another dump already holds the
                         signals */
#ifndef _WIN32
    sigset_t mask;
#endif
};

/* Called before and after the writing of a dump. In between, signals that end the process wait on
 * any thread, and then take effect. They neither interrupt nor cancel the writer. */
void crash_ending_hold(struct crash_ending *ending);
void crash_ending_release(struct crash_ending *ending);

/* After the first call, exit and quick_exit call `leave` before functions that were registered
 * earlier. On Windows the library gets a notification instead, after the other threads are gone.
 * The child of a fork calls `forget` first. */
void crash_ending_register(void (*leave)(void), void (*forget)(void));
