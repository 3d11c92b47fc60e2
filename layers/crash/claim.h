/* Who writes a device's dump, and who waits for it [ANN-LEAVE-01].
 *
 * The thread that first notices the loss writes the dump. Every other thread that notices it waits
 * for the file before its call returns, so a program that exits then leaves the dump. A thread
 * waits once, and as long as the settings say. exit, quick_exit, abort and signals that end the
 * process wait, too. The writer never waits for itself. A thread inside a call of the runtime does
 * not wait, and neither does the child of a fork.
 *
 * An alarm has a dump of its own, so a later loss still gets one.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum crash_cause {
    CRASH_ALARM, /* the work makes no progress, but it may still finish */
    CRASH_LOSS   /* the device is gone */
};

struct crash_claim {
    _Atomic uint32_t state;   /* which dumps exist, and whether a thread writes one now */
    _Atomic uintptr_t writer; /* the thread that writes now */
    uint64_t wait;            /* ns at most */
    long process;             /* whose device it is */
};

/* `wait`: the longest time that a thread waits for another's dump, ns. */
void crash_claim_open(struct crash_claim *claim, uint64_t wait);

/* True: the calling thread must write this dump and then call crash_claim_finish. False: the dump
 * exists, perhaps after a wait for another thread, or it is impossible. For a loss it also waits
 * for an alarm's dump, and may then return true. */
bool crash_claim_take(struct crash_claim *claim, enum crash_cause cause);
void crash_claim_finish(struct crash_claim *claim);

/* For the end of a process. True: a dump is half written, because its thread is gone or is the
 * caller. The caller must write the dump again without waiting, and finish. */
bool crash_claim_take_over(struct crash_claim *claim, bool is_alone);

/* Notes that the work of an alarm has finished; a later alarm may have a dump. True: the alarm's
 * dump is the newest, and the caller may change it until crash_claim_finish. */
bool crash_claim_end_alarm(struct crash_claim *claim);

/* Whether a dump exists, or a thread writes one. */
bool crash_claim_is_taken(const struct crash_claim *claim);
/* Whether the device's loss has a dump; waits if another thread writes it. */
bool crash_claim_is_over(struct crash_claim *claim);
/* For a thread that doesn't know the device: waits until no thread of the process writes a dump.
 * False means that one still does. */
bool crash_claim_wait_all(void);
/* Whether the calling thread writes a dump now. */
bool crash_claim_is_writer(void);

/* Mark the begin and end of a call of the runtime. The thread doesn't wait for dumps in between,
 * because the runtime may call the program. */
void crash_claim_enter(void);
void crash_claim_leave(void);
