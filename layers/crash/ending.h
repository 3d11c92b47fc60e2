/* Ends of the process (exit, signals): while a dump is written they wait for it. */
#pragma once

#include <stdbool.h>

#ifndef _WIN32
#include <signal.h>
#endif

/* What crash_ending_hold set aside. */
struct crash_ending {
    int cancel;
    bool has_signals; /* whether `mask` is ours: else another dump, which is being written, set the
                         signals aside */
#ifndef _WIN32
    sigset_t mask;
#endif
};

/* Called before and after the writing of a dump. In between, signals that end the process wait for
 * it on any thread, and then do what they would have done. They neither interrupt nor cancel the
 * writer. */
void crash_ending_hold(struct crash_ending *ending);
void crash_ending_release(struct crash_ending *ending);

/* From the first call on, exit and quick_exit call `leave` before what was registered earlier. On
 * Windows the library is told instead, after the other threads are gone. The child of a fork calls
 * `forget` first. */
void crash_ending_register(void (*leave)(void), void (*forget)(void));
