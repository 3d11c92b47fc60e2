/* Delays the end of the process, by exit or a signal, while a dump is being written. Tells the
 * command that started the program which files the layer leaves. */
#pragma once

#include <stdbool.h>

#ifndef _WIN32
#include <signal.h>
#endif

/* What crash_ending_hold has changed; crash_ending_release changes it back. */
struct crash_ending {
    int cancel;
    bool has_signals; /* true: this dump blocked the signals, and `mask` is valid; false: another
                         dump blocked the signals */
#ifndef _WIN32
    sigset_t mask;
#endif
};

/* Call crash_ending_hold before a dump is written, and crash_ending_release after that. In between,
 * signals that would end the process are blocked on all threads; they take effect later. */
void crash_ending_hold(struct crash_ending *ending);
void crash_ending_release(struct crash_ending *ending);

/* Makes exit and quick_exit call `leave` before functions that were registered earlier; only the
 * first call counts. On Windows the library is notified instead, after the other threads are gone.
 * A child process of fork first calls `forget`. */
void crash_ending_register(void (*leave)(void), void (*forget)(void));

/* Finds the file in which the command reads which files to show. Call this function on a thread
 * that may read the environment. Windows has no such file. */
void crash_tell_prepare(void);
/* Adds the path of a dump, or of a file for annot recover. Allocates nothing. */
void crash_tell(const char *path);
