/* Decides which thread writes a device's dump, and which threads wait for the dump [ANN-LEAVE-01].
 *
 * The thread that first notices the loss writes the dump. Every other thread that notices the loss
 * waits for the file before its call returns. So a program that exits at this point leaves the
 * dump. A thread waits only once, and at most as long as the settings allow. exit, quick_exit,
 * abort and signals that end the process wait, too. The writer never waits for itself. A thread
 * inside a call of the runtime does not wait, and neither does the child of a fork.
 *
 * An alarm has its own dump, so a later loss gets another dump. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum crash_cause {
    CRASH_ALARM, /* the work makes no progress, but may still finish */
    CRASH_LOSS,  /* the device is gone */
    CRASH_LIVE   /* no failure: a dump of the running program, which a later dump may follow */
};

struct crash_claim {
    _Atomic uint32_t state;   /* says which dumps exist, and whether a thread is writing one */
    _Atomic uintptr_t writer; /* the thread that is writing a dump */
    uint64_t wait;            /* limit in ns of a thread's wait for another thread's dump */
    long process;             /* ID of the process that made the device */
};

/* Prepares the claim. `wait` is the limit in ns of a thread's wait for another thread's dump. */
void crash_claim_open(struct crash_claim *claim, uint64_t wait);

/* Claims a dump. True: the calling thread must write this dump and then call crash_claim_finish.
 * False: the dump is impossible, or it exists, perhaps because another thread has just finished it.
 * For a loss, the function also waits for an alarm's dump, and may then return true. */
bool crash_claim_take(struct crash_claim *claim, enum crash_cause cause);
void crash_claim_finish(struct crash_claim *claim);

/* Claims a half-written dump at the end of a process. True: the thread that wrote the dump is gone,
 * or is the caller. The caller must then write the dump again, without waiting, and call
 * crash_claim_finish. */
bool crash_claim_take_over(struct crash_claim *claim, bool is_alone);

/* Notes that the work of an alarm has finished, so that a later alarm can have a dump. True: the
 * alarm's dump is the newest, and the caller may change it until crash_claim_finish. */
bool crash_claim_end_alarm(struct crash_claim *claim);

/* Whether a dump exists, or a thread is writing a dump. */
bool crash_claim_is_taken(const struct crash_claim *claim);
/* Whether the device's loss has a dump. If another thread is writing it, the function waits. */
bool crash_claim_is_over(struct crash_claim *claim);
/* Waits until no thread of the process writes a dump. Threads that don't know the device call it.
 * False: a thread still writes a dump. */
bool crash_claim_wait_all(void);

/* crash_claim_enter and crash_claim_leave mark a call of the runtime. During the call the thread
 * doesn't wait for dumps, because the runtime may call the program. */
void crash_claim_enter(void);
void crash_claim_leave(void);
