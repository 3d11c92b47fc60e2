/* The end of the process, by exit or a signal, waits while a dump is written. */
#pragma once

#include <stdbool.h>

#ifndef _WIN32
#include <signal.h>
#endif

/* The state that crash_ending_hold changed, for crash_ending_release. */
struct crash_ending {
    int cancel;
    bool has_signals; /* whether this dump blocked the signals, so `mask` is valid; false: another
                         dump blocked them */
#ifndef _WIN32
    sigset_t mask;
#endif
};

/* Call these functions before and after a dump is written. In between, signals that end the process
 * wait, on all threads, and take effect later. */
void crash_ending_hold(struct crash_ending *ending);
void crash_ending_release(struct crash_ending *ending);

/* Makes exit and quick_exit call `leave` before functions that were registered earlier; only the
 * first call counts. On Windows the library is notified instead, after the other threads are gone.
 * A child of a fork first calls `forget`. */
void crash_ending_register(void (*leave)(void), void (*forget)(void));
