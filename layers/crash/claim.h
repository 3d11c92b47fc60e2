/*
 * Who writes a device's dump, and who waits for it [ANN-LEAVE-01].
 *
 * The thread that meets the loss first writes. Every other thread that learns of it waits for the
 * file before its call returns, so that a program which leaves then leaves the dump: once, and for
 * as long as the settings say. So do exit, quick_exit, abort and signals that end the process. The
 * writer never waits for itself, nor does a thread that calls from within a call of the runtime's.
 * The child of a fork has nothing to wait for.
 *
 * A dump for an alarm is another one: the loss still gets its own.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum crash_cause {
    CRASH_ALARM, /* the work makes no progress; it may end well */
    CRASH_LOSS   /* the device is gone */
};

struct crash_claim {
    _Atomic uint32_t state;   /* who has written, and whether somebody writes now */
    _Atomic uintptr_t writer; /* a thread, while it writes */
    uint64_t wait;            /* ns at most */
    long process;             /* whose device it is */
};

/* `wait`: ns that a thread waits for another one's dump at most. */
void crash_claim_open(struct crash_claim *claim, uint64_t wait);

/* True: the calling thread writes this dump, and calls crash_claim_finish behind it. False: there
 * is one, or there can be none; another thread's was waited for. For the loss it waits for an
 * alarm's dump too, and may write then. */
bool crash_claim_take(struct crash_claim *claim, enum crash_cause cause);
void crash_claim_finish(struct crash_claim *claim);

/* For a process's end. True: a thread that writes no more, because it is gone or is the caller, has
 * left its dump half written; the caller writes anew, waits for nothing, and finishes. */
bool crash_claim_take_over(struct crash_claim *claim, bool is_alone);

/* The work behind the alarm was done after all: another alarm may have a dump. True: the alarm's is
 * the last one, and the caller may change it, until crash_claim_finish. */
bool crash_claim_end_alarm(struct crash_claim *claim);

/* There is a dump, or somebody writes it. */
bool crash_claim_is_taken(const struct crash_claim *claim);
/* The device's loss has one; another thread's was waited for. */
bool crash_claim_is_over(struct crash_claim *claim);
/* Waits until nobody writes a dump in this process, as a thread does that can't name the device.
 * Returns whether nobody does. */
bool crash_claim_wait_all(void);
/* Whether the calling thread writes a dump now. */
bool crash_claim_is_writer(void);

/* While a thread calls the runtime, and the runtime may call the program: it doesn't wait. */
void crash_claim_enter(void);
void crash_claim_leave(void);
