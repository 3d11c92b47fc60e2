/*
 * Waits: what a fence had at any moment since a wait began ends the wait, whatever comes after, and
 * a fence that nobody has any more holds nobody up. For notifications, queues, blocked threads, of
 * one fence and of several.
 */
#include "at_end.h"
#include "kmd/types.h"
#include "kmd_rig.h"

#include <pthread.h>
#include <sched.h>

static void note(void *user)
{
    atomic_fetch_add((atomic_uint *)user, 1);
}

static bool is_waiting(struct emu_kmd_fence *fence)
{
    pthread_mutex_lock(&fence->kmd->lock);
    const bool waits = fence->waiters != NULL;
    pthread_mutex_unlock(&fence->kmd->lock);
    return waits;
}

struct blocked {
    struct emu_kmd_goal goal;
    enum emu_kmd_waited waited;
    pthread_t thread;
};

static void *block(void *argument)
{
    struct blocked *blocked = argument;
    blocked->waited = emu_kmd_wait_for(&blocked->goal);
    return NULL;
}

static void block_on(struct blocked *blocked, struct emu_kmd_fence *const *fences,
                     const uint64_t *values, size_t count, bool any)
{
    *blocked = (struct blocked){.goal = {fences, values, count, any}, .waited = EMU_KMD_NEVER};
    cr_assert_eq(pthread_create(&blocked->thread, NULL, block, blocked), 0);
    while (!is_waiting(fences[count - 1])) /* the last one that it waits for */
        sched_yield();
}

static void expect_end(struct blocked *blocked)
{
    pthread_join(blocked->thread, NULL);
    cr_expect_eq(blocked->waited, EMU_KMD_REACHED);
}

Test(kmd_waits, a_thread_goes_on_when_the_fence_was_there_though_it_went_back, .timeout = 60)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, false, 0, 0);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    const uint64_t value = 10;
    struct blocked blocked;
    block_on(&blocked, &fence, &value, 1, false);
    cr_assert(emu_kmd_fence_set(fence, 10));
    cr_assert(emu_kmd_fence_set(fence, 0));
    expect_end(&blocked);
    emu_kmd_fence_destroy(fence);
}

Test(kmd_waits, a_thread_that_waits_for_all_keeps_what_each_fence_had, .timeout = 60)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, false, 0, 0);
    struct emu_kmd_fence *fences[3];
    const uint64_t values[3] = {1, 2, 3};
    struct blocked blocked;
    for (int i = 0; i < 3; i++)
        fences[i] = emu_kmd_fence_create(r.kmd, 0);
    block_on(&blocked, fences, values, 3, false);
    for (int i = 2; i >= 0; i--) {
        cr_assert(emu_kmd_fence_set(fences[i], 3));
        cr_assert(emu_kmd_fence_set(fences[i], 0));
    }
    expect_end(&blocked);
    for (int i = 0; i < 3; i++)
        emu_kmd_fence_destroy(fences[i]);
}

Test(kmd_waits, a_thread_whose_fence_is_gone_goes_on, .timeout = 60)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, false, 0, 0);
    for (int any = 0; any < 2; any++) {
        struct emu_kmd_fence *fences[2] = {emu_kmd_fence_create(r.kmd, 0),
                                           emu_kmd_fence_create(r.kmd, 0)};
        const uint64_t values[2] = {1, UINT64_MAX};
        struct blocked blocked;
        block_on(&blocked, fences, values, 2, any);
        emu_kmd_fence_destroy(fences[1]);
        if (!any)
            cr_assert(emu_kmd_fence_set(fences[0], 1));
        expect_end(&blocked);
        emu_kmd_fence_destroy(fences[0]);
    }
}

Test(kmd_waits, a_wait_for_any_takes_one_of_them_twice)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, true, 0, 0);
    struct emu_kmd_fence *one = emu_kmd_fence_create(r.kmd, 0);
    struct emu_kmd_fence *const fences[4] = {one, one, one, one};
    const uint64_t values[4] = {3, 1, 1, 2};
    atomic_uint any = 0, all = 0;
    cr_assert(emu_kmd_notify(&(struct emu_kmd_goal){fences, values, 4, true}, note, &any));
    cr_assert(emu_kmd_notify(&(struct emu_kmd_goal){fences, values, 4, false}, note, &all));
    cr_assert(emu_kmd_fence_set(one, 1));
    cr_assert_eq(any, 1);
    cr_assert_eq(all, 0);
    cr_assert(emu_kmd_fence_set(one, 3));
    cr_assert_eq(any, 1);
    cr_assert_eq(all, 1);
    emu_kmd_fence_destroy(one);
}

/* A wait begins when the queue comes to it, not when it is queued: an own signal in front of it
 * counts. */
Test(kmd_waits, a_queue_sees_a_fence_from_when_it_comes_to_the_wait)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, true, 0, 0);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 10),
                         *done = emu_kmd_fence_create(r.kmd, 0);
    cr_assert(emu_kmd_wait(queue, fence, 10));
    cr_assert(emu_kmd_fence_set(fence, 0)); /* the queue was idle: it has seen the 10 */
    cr_assert(emu_kmd_signal(queue, done, 1));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 1);
    cr_assert(emu_kmd_fence_set(fence, 10));
    cr_assert(emu_kmd_signal(queue, fence, 0));
    cr_assert(emu_kmd_wait(queue, fence, 10));
    cr_assert(emu_kmd_signal(queue, done, 2));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 1, "its own signal came first");
    cr_assert(emu_kmd_fence_set(fence, 10));
    cr_assert(emu_kmd_fence_set(fence, 0));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 2);
    emu_kmd_queue_destroy(queue);
    emu_kmd_fence_destroy(fence);
    emu_kmd_fence_destroy(done);
}

/* A wait lasts for signals that queues are still to make: work behind it may need them. */
Test(kmd_waits, a_queue_waits_for_a_fence_that_is_gone_while_another_queue_will_signal_it)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, true, 0, 0);
    struct emu_kmd_queue *signals = emu_kmd_queue_create(r.kmd, NULL),
                         *waits = emu_kmd_queue_create(r.kmd, NULL);
    struct emu_kmd_fence *gate = emu_kmd_fence_create(r.kmd, 0),
                         *gone = emu_kmd_fence_create(r.kmd, 0),
                         *done = emu_kmd_fence_create(r.kmd, 0);
    cr_assert(emu_kmd_wait(signals, gate, 1));
    cr_assert(emu_kmd_signal(signals, gone, 1));
    cr_assert(emu_kmd_wait(waits, gone, UINT64_MAX));
    cr_assert(emu_kmd_signal(waits, done, 1));
    cr_assert(emu_kmd_wait(waits, gone, 1));
    cr_assert(emu_kmd_signal(waits, done, 2));
    emu_kmd_fence_destroy(gone);
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 0, "the signal is to come");
    cr_assert(emu_kmd_fence_set(gate, 1));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 2, "nobody will signal it again");
    emu_kmd_queue_destroy(signals);
    emu_kmd_queue_destroy(waits);
    emu_kmd_fence_destroy(gate);
    emu_kmd_fence_destroy(done);
}

/* Neither what a queue would signal behind its wait, nor queues that wait for each other. */
Test(kmd_waits, no_signal_that_can_not_come_holds_a_queue_up)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, true, 0, 0);
    struct emu_kmd_queue *queues[3];
    struct emu_kmd_fence *gone[3], *done = emu_kmd_fence_create(r.kmd, 0);
    for (unsigned i = 0; i < 3; i++) {
        queues[i] = emu_kmd_queue_create(r.kmd, NULL);
        gone[i] = emu_kmd_fence_create(r.kmd, 0);
    }
    for (unsigned i = 0; i < 3; i++) { /* 0 and 1 for each other, 2 for itself */
        cr_assert(emu_kmd_wait(queues[i], gone[i], 1));
        cr_assert(emu_kmd_signal(queues[i], gone[i < 2 ? 1 - i : i], 1));
    }
    emu_kmd_run_until_idle(r.kmd);
    for (unsigned i = 0; i < 3; i++)
        emu_kmd_fence_destroy(gone[i]);
    for (unsigned i = 0; i < 3; i++) {
        cr_assert(emu_kmd_signal(queues[i], done, i + 1));
        cr_assert(fence_wait(done, i + 1));
    }
    for (unsigned i = 0; i < 3; i++)
        emu_kmd_queue_destroy(queues[i]);
    emu_kmd_fence_destroy(done);
}

/* ---- random orders ---- */

enum { FENCES = 3, STEPS = 12, ORDERS = 10000 };

/* Waits of each kind for fences that go up and back and are abandoned, in an order that the seed
 * makes. At its end each fence has reached all values or is gone: all of them have to end. */
struct order {
    uint64_t random;
    struct emu_kmd_fence *fences[FENCES], *done;
    struct emu_kmd_queue *queue;
    uint64_t queue_waits;
    unsigned notifications;
    atomic_uint notified;
};

static unsigned below(struct order *o, unsigned limit)
{
    return (unsigned)(emu__kmd_random(&o->random) % limit);
}

static void fill(struct order *o, uint64_t values[FENCES])
{
    for (unsigned i = 0; i < FENCES; i++)
        values[i] = 1 + below(o, 9);
}

static void ask(struct order *o)
{
    uint64_t values[FENCES];
    fill(o, values);
    const struct emu_kmd_goal goal = {o->fences, values, FENCES, below(o, 2) != 0};
    cr_assert(emu_kmd_notify(&goal, note, &o->notified));
    o->notifications++;
}

static void take_step(struct order *o)
{
    const unsigned at = below(o, FENCES);
    switch (below(o, 5)) {
    case 0:
        cr_assert(emu_kmd_wait(o->queue, o->fences[at], 1 + below(o, 9)));
        cr_assert(emu_kmd_signal(o->queue, o->done, ++o->queue_waits));
        break;
    case 1:
        ask(o);
        break;
    case 2:
        cr_assert(emu_kmd_fence_set(o->fences[at], below(o, 10)));
        break;
    case 3:
        cr_assert(emu_kmd_fence_set(o->fences[at], 9));
        cr_assert(emu_kmd_fence_set(o->fences[at], 0));
        break;
    default:
        cr_assert(emu_kmd_signal(o->queue, o->fences[at], below(o, 10)));
        break;
    }
}

static void run_order(struct emu_kmd *kmd, struct emu_kmd_queue *queue, uint64_t seed)
{
    struct order o = {.random = seed, .queue = queue};
    struct blocked thread;
    uint64_t values[FENCES];
    o.done = emu_kmd_fence_create(kmd, 0);
    for (unsigned i = 0; i < FENCES; i++)
        o.fences[i] = emu_kmd_fence_create(kmd, 0);
    fill(&o, values);
    block_on(&thread, o.fences, values, FENCES, below(&o, 2) != 0);
    for (unsigned i = 0; i < STEPS; i++)
        take_step(&o);
    for (unsigned i = 0; i < FENCES; i++) {
        if (below(&o, 2)) { /* reached, and back at once */
            cr_assert(emu_kmd_fence_set(o.fences[i], 9));
            cr_assert(emu_kmd_fence_set(o.fences[i], 0));
        }
        emu_kmd_fence_abandon(o.fences[i]);
    }
    expect_end(&thread);
    cr_assert(emu_kmd_signal(queue, o.done, ++o.queue_waits)); /* what it signals has been told */
    cr_assert(fence_wait(o.done, o.queue_waits));
    cr_assert_eq(o.notified, o.notifications, "order %u", (unsigned)seed);
    for (unsigned i = 0; i < FENCES; i++)
        emu_kmd_fence_destroy(o.fences[i]);
    emu_kmd_fence_destroy(o.done);
}

Test(kmd_waits, end_in_every_order, .timeout = 120)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, false, 0, 0);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    for (uint64_t seed = 0; seed < ORDERS; seed++)
        run_order(r.kmd, queue, seed);
    emu_kmd_queue_destroy(queue);
}
