#include "gate.h"

#ifdef _WIN32

void emu_lock(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
}

void emu_unlock(pthread_mutex_t *mutex)
{
    pthread_mutex_unlock(mutex);
}

void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    if (until)
        pthread_cond_timedwait(condition, mutex, until);
    else
        pthread_cond_wait(condition, mutex);
}

void emu_gate_follow_forks(void (*in_child)(void))
{
    (void)in_child; /* there is no fork */
}

#else

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { STRIPES = 64, PAUSES = 1000 /* of 100 microseconds each */ };

/* How many threads are inside. Each thread counts in its own cache line, if there are enough. */
static struct stripe {
    _Alignas(64) atomic_uint inside;
} stripes[STRIPES];
static atomic_uint forks; /* number of running forks: the gate is closed */
static atomic_uint next_stripe;
static bool is_torn; /* in a child: threads were inside the gate when the parent forked */
static bool is_quiet;
static void (*_Atomic hook)(void);

/* A thread finds its stripe without a call, which would cost more than the rest of the gate. The
 * few bytes fit into the system's reserve for libraries that are loaded late. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    unsigned depth; /* number of mutexes that this thread holds */
    struct stripe *own;
} lane;

static void pause_briefly(void)
{
    const struct timespec some = {0, 100000};
    nanosleep(&some, NULL);
}

static __attribute__((noinline)) struct stripe *choose_stripe(void)
{
    const unsigned next = atomic_fetch_add_explicit(&next_stripe, 1, memory_order_relaxed);
    return lane.own = &stripes[next % STRIPES];
}

static __attribute__((noinline)) void wait_for_forks(struct stripe *own)
{
    do {
        atomic_fetch_sub(&own->inside, 1);
        pause_briefly();
        atomic_fetch_add(&own->inside, 1);
    } while (atomic_load(&forks));
}

static inline void pass_in(void)
{
    struct stripe *own = lane.own ? lane.own : choose_stripe();
    atomic_fetch_add(&own->inside, 1);
    if (atomic_load(&forks))
        wait_for_forks(own);
}

static inline void pass_out(void)
{
    atomic_fetch_sub_explicit(&lane.own->inside, 1, memory_order_release);
}

static __attribute__((noinline)) void lock_torn(pthread_mutex_t *mutex)
{
    for (int i = 0; i < PAUSES && pthread_mutex_trylock(mutex) != 0; i++)
        pause_briefly();
}

void emu_lock(pthread_mutex_t *mutex)
{
    if (lane.depth++ == 0)
        pass_in();
    if (is_torn)
        lock_torn(mutex);
    else
        pthread_mutex_lock(mutex);
}

void emu_unlock(pthread_mutex_t *mutex)
{
    assert(lane.depth > 0);
    pthread_mutex_unlock(mutex);
    if (--lane.depth == 0)
        pass_out();
}

void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    pass_out();
    if (until)
        pthread_cond_timedwait(condition, mutex, until);
    else
        pthread_cond_wait(condition, mutex);
    pass_in();
}

/* ---- fork ---- */

static unsigned count_inside(void)
{
    unsigned count = 0;
    for (int i = 0; i < STRIPES; i++)
        count += atomic_load(&stripes[i].inside);
    return count;
}

static void before_fork(void)
{
    const unsigned mine = lane.depth > 0;
    atomic_fetch_add(&forks, 1);
    is_quiet = count_inside() == mine;
    for (int i = 0; i < PAUSES && !is_quiet; i++) {
        pause_briefly();
        is_quiet = count_inside() == mine;
    }
}

static void after_fork(void)
{
    atomic_fetch_sub(&forks, 1);
}

static void enter_child(void)
{
    is_torn |= !is_quiet || lane.depth > 0;
    for (int i = 0; i < STRIPES; i++)
        atomic_store(&stripes[i].inside, 0);
    if (lane.depth > 0)
        atomic_store(&lane.own->inside, 1);
    atomic_store(&forks, 0);
    void (*const in_child)(void) = atomic_load(&hook);
    in_child();
}

void emu_gate_follow_forks(void (*in_child)(void))
{
    static atomic_bool are_followed;
    atomic_store(&hook, in_child);
    if (!atomic_exchange(&are_followed, true) &&
        pthread_atfork(before_fork, after_fork, enter_child) != 0)
        atomic_store(&are_followed, false);
}

#endif
