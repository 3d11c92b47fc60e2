#include "claim.h"

#include "watchdog.h"

#include <unistd.h>

enum { MADE_ALARM = 1, MADE_LOSS = 2, IS_WRITING = 4, IS_LIVE = 8 };

/* The number of this process's threads that are writing. */
static _Atomic uint32_t writers;
static _Atomic long writers_process;

/* Counts losses, from 1. A thread waits once for each loss. */
static _Atomic uint32_t losses = 1;
static _Atomic uint64_t longest_wait;

#if defined(__ELF__)
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define THREAD_LOCAL _Thread_local
#endif
static THREAD_LOCAL struct {
    uint32_t writes;     /* number of dumps that the thread is writing */
    uint32_t calls;      /* number of calls of the runtime that the thread is in */
    uint32_t waited_for; /* the count of losses when the thread last waited in vain */
} own;

static uintptr_t this_thread(void)
{
    return (uintptr_t)&own;
}

/* Whether this process made the claim: the child of a fork has none of the threads that write. */
static bool is_own_process(long process)
{
    return process == (long)getpid();
}

void crash_claim_open(struct crash_claim *claim, uint64_t wait)
{
    atomic_init(&claim->state, 0);
    atomic_init(&claim->writer, 0);
    claim->wait = wait;
    claim->process = (long)getpid();
    if (atomic_load(&longest_wait) < wait)
        atomic_store(&longest_wait, wait);
}

/* ---- waiting ---- */

/* Waits until none of the bits is set. False: some bit is still set. Waits by polling, because the
 * caller may be a signal handler. */
static bool wait_for(const _Atomic uint32_t *word, uint32_t bits, uint64_t wait)
{
    int cancel;
    if (!(atomic_load_explicit(word, memory_order_acquire) & bits))
        return true;
    if (own.writes || own.calls || own.waited_for == atomic_load(&losses))
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    const uint64_t since = crash_clock_now();
    bool is_over = false;
    for (uint64_t pauses = wait / 1000000u; !is_over && pauses > 0; pauses--) {
        if (crash_clock_now() - since >= wait)
            break;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        is_over = !(atomic_load_explicit(word, memory_order_acquire) & bits);
    }
    if (!is_over)
        own.waited_for = atomic_load(&losses);
    pthread_setcancelstate(cancel, NULL);
    return is_over;
}

bool crash_claim_wait_all(void)
{
    return !is_own_process(atomic_load(&writers_process)) ||
           wait_for(&writers, UINT32_MAX, atomic_load(&longest_wait));
}

/* ---- writing ---- */

static void begin(struct crash_claim *claim)
{
    long process = atomic_load(&writers_process);
    if (process != claim->process &&
        atomic_compare_exchange_strong(&writers_process, &process, claim->process))
        atomic_store(&writers, 0); /* these were the parent's threads */
    atomic_fetch_add(&writers, 1);
    atomic_store(&claim->writer, this_thread());
    own.writes++;
}

/* Tries to claim a dump of this cause, after the dumps of other causes. */
static bool try_take(struct crash_claim *claim, enum crash_cause cause, uint32_t state)
{
    static const uint32_t marks[] = {MADE_ALARM, MADE_LOSS, IS_LIVE};
    return atomic_compare_exchange_strong(&claim->state, &state, state | marks[cause] | IS_WRITING);
}

bool crash_claim_take(struct crash_claim *claim, enum crash_cause cause)
{
    if (!is_own_process(claim->process))
        return false;
    for (;;) {
        const uint32_t state = atomic_load_explicit(&claim->state, memory_order_acquire);
        if (state & IS_WRITING &&
            (cause != CRASH_LOSS || !wait_for(&claim->state, IS_WRITING, claim->wait)))
            return false;
        if (state & IS_WRITING)
            continue;
        if (state & MADE_LOSS || (cause == CRASH_ALARM && state & MADE_ALARM))
            return false;
        if (try_take(claim, cause, state))
            break;
    }
    if (cause == CRASH_LOSS)
        atomic_fetch_add(&losses, 1);
    begin(claim);
    return true;
}

void crash_claim_finish(struct crash_claim *claim)
{
    own.writes--;
    atomic_store(&claim->writer, 0);
    atomic_fetch_and_explicit(&claim->state, ~(uint32_t)(IS_WRITING | IS_LIVE),
                              memory_order_release);
    atomic_fetch_sub(&writers, 1);
}

bool crash_claim_take_over(struct crash_claim *claim, bool is_alone)
{
    if (!is_own_process(claim->process) ||
        (atomic_load(&claim->state) & (IS_WRITING | IS_LIVE)) != IS_WRITING)
        return false;
    const bool is_own = atomic_load(&claim->writer) == this_thread();
    if (!is_alone && !is_own)
        return false;
    if (!is_own) {
        atomic_store(&claim->writer, this_thread());
        own.writes++;
    }
    return true;
}

bool crash_claim_end_alarm(struct crash_claim *claim)
{
    uint32_t state = MADE_ALARM;
    if (!is_own_process(claim->process) ||
        !atomic_compare_exchange_strong(&claim->state, &state, IS_WRITING))
        return false;
    begin(claim);
    return true;
}

bool crash_claim_is_taken(const struct crash_claim *claim)
{
    return atomic_load_explicit(&claim->state, memory_order_relaxed) != 0;
}

bool crash_claim_is_over(struct crash_claim *claim)
{
    if (!(atomic_load_explicit(&claim->state, memory_order_acquire) & MADE_LOSS))
        return false;
    wait_for(&claim->state, IS_WRITING, is_own_process(claim->process) ? claim->wait : 0);
    return true;
}

void crash_claim_enter(void)
{
    own.calls++;
}

void crash_claim_leave(void)
{
    own.calls--;
}
