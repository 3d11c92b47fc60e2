/* Waits: what a fence had at any moment since a wait began ends the wait, whatever comes after, and
 * a fence that nobody has any more holds nobody up. For notifications, queues, blocked threads, of
 * one fence and of several. */
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
    RIG(false, 0, 0);
    AT_END(fence_ended) struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    const uint64_t value = 10;
    struct blocked blocked;
    block_on(&blocked, &fence, &value, 1, false);
    cr_assert(emu_kmd_fence_set(fence, 10));
    cr_assert(emu_kmd_fence_set(fence, 0));
    expect_end(&blocked);
}

Test(kmd_waits, a_thread_that_waits_for_all_keeps_what_each_fence_had, .timeout = 60)
{
    RIG(false, 0, 0);
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
    RIG(false, 0, 0);
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
    RIG(true, 0, 0);
    AT_END(fence_ended) struct emu_kmd_fence *one = emu_kmd_fence_create(r.kmd, 0);
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
    cr_assert_null(one->waiters, "nothing is left of them");
}

/* Whichever of two fences are there already. */
Test(kmd_waits, what_is_reached_at_the_start_is_told_once_and_leaves_nothing_behind)
{
    RIG(true, 0, 0);
    struct emu_kmd_fence *const fences[2] = {emu_kmd_fence_create(r.kmd, 0),
                                             emu_kmd_fence_create(r.kmd, 5)};
    for (int any = 0; any < 2; any++)
        for (uint64_t first = 0; first < 2; first++)
            for (uint64_t second = 5; second < 7; second++) {
                const uint64_t values[2] = {first, second};
                const struct emu_kmd_goal goal = {fences, values, 2, any};
                const bool is_reached = any ? first == 0 || second == 5 : first == 0 && second == 5;
                atomic_uint told = 0;
                cr_assert(emu_kmd_notify(&goal, note, &told));
                cr_expect_eq(told, is_reached);
                cr_expect_eq(emu_kmd_wait_for(&goal), is_reached ? EMU_KMD_REACHED : EMU_KMD_NEVER);
                cr_expect(!is_reached || (!fences[0]->waiters && !fences[1]->waiters));
                emu_kmd_fence_abandon(fences[0]);
                cr_expect_eq(told, any || second == 5, "the other one is missing");
                emu_kmd_fence_abandon(fences[1]);
                cr_expect_eq(told, 1, "and at the latest when nobody can reach it any more");
            }
    const uint64_t later[2] = {1, 6};
    atomic_uint once = 0;
    cr_assert(emu_kmd_notify(&(struct emu_kmd_goal){fences, later, 2, true}, note, &once));
    cr_assert(emu_kmd_fence_set(fences[0], 1));
    cr_expect(once == 1 && !fences[1]->waiters, "the other one has forgotten it");
    const struct emu_kmd_goal many = {fences, NULL, SIZE_MAX / sizeof(struct emu_kmd_waiter) + 1,
                                      false};
    atomic_uint told = 0;
    cr_expect_not(emu_kmd_notify(&many, note, &told));
    cr_expect_eq(emu_kmd_wait_for(&many), EMU_KMD_NO_MEMORY);
    for (int i = 0; i < 2; i++)
        emu_kmd_fence_destroy(fences[i]);
}

/* ---- callbacks ---- */

struct caller {
    struct rig rig;
    struct emu_kmd_fence *fence;
    bool waited, stepped;
    uint64_t time;
};

/* A callback may ask for these, and gets no answer that it would wait for. */
static void call_everything(struct caller *c)
{
    const uint64_t before = emu__kmd_now(c->rig.kmd);
    c->waited = fence_wait(c->fence, UINT64_MAX);
    c->stepped = emu_kmd_step(c->rig.kmd);
    emu_kmd_advance(c->rig.kmd, 1000000);
    emu_kmd_remove(c->rig.kmd, EMU_KMD_ASKED);
    c->time = emu__kmd_now(c->rig.kmd) - before;
    cr_assert(emu_kmd_fence_set(c->fence, 8));
}

static void on_completed(void *user, void *queue, uint64_t tag)
{
    rig_completed(user, queue, tag);
    call_everything(user);
}

static void on_removed(void *user, const struct emu_kmd_removal *removal)
{
    struct caller *c = user;
    rig_removed(user, removal);
    cr_assert(emu_kmd_is_removed(c->rig.kmd), "at once");
    call_everything(user);
}

Test(kmd_waits, a_callback_waits_for_nothing, .timeout = 60)
{
    for (int seeded = 0; seeded < 2; seeded++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        struct caller c = {.rig.gpu = gpu, .waited = true, .stepped = true};
        c.rig.kmd =
            KMD(gpu, &c, .seeded = seeded, .removed = on_removed, .completed = on_completed);
        struct emu_kmd_queue *queue = emu_kmd_queue_create(c.rig.kmd, NULL);
        struct buffer empty = buffer_create(gpu);
        c.fence = emu_kmd_fence_create(c.rig.kmd, 0);
        cr_assert(submit(queue, &empty, 1) && emu_kmd_signal(queue, c.fence, 9));
        cr_assert(fence_wait(c.fence, 9));
        cr_expect_eqs(c.rig.completed, 1, c.rig.removals, 0);
        cr_expect(!c.waited && !c.stepped && (!seeded || c.time == 0));
        c.waited = c.stepped = true;
        emu_kmd_remove(c.rig.kmd, EMU_KMD_ASKED);
        cr_expect_eqs(c.rig.removals, 1, emu_kmd_fence_value(c.fence), UINT64_MAX);
        cr_expect(!c.waited && !c.stepped && (!seeded || c.time == 0));
        cr_expect_not(emu_kmd_fence_set(c.fence, 1));
        cr_expect_eq(emu_kmd_fence_value(c.fence), UINT64_MAX, "as it was");
        emu_kmd_queue_destroy(queue);
        emu_kmd_fence_destroy(c.fence);
        emu_kmd_destroy(c.rig.kmd);
    }
}

/* The driver may write new packets to a buffer's memory as soon as it hears that the work ended. */
struct reader {
    struct rig rig;
    uint64_t word;
    bool named;
};

static void read_packets(void *user, void *queue, uint64_t tag)
{
    struct reader *reader = user;
    rig_completed(user, queue, tag);
    reader->named = emu_kmd_names(reader->rig.kmd, reader->word, reader->word);
}

Test(kmd_waits, packets_of_work_that_ended_are_not_read, .timeout = 60)
{
    for (int seeded = 0; seeded < 2; seeded++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        struct reader c = {.rig.gpu = gpu, .word = allocate(gpu, 4).address, .named = true};
        c.rig.kmd = KMD(gpu, &c, .seeded = seeded, .completed = read_packets);
        struct emu_kmd_queue *queue = emu_kmd_queue_create(c.rig.kmd, NULL);
        struct emu_kmd_fence *fence = emu_kmd_fence_create(c.rig.kmd, 0);
        struct buffer write = buffer_create(gpu);
        put_write(&write, c.word, 1);
        cr_assert(emu_kmd_wait(queue, fence, 1) && submit(queue, &write, 1));
        cr_expect(emu_kmd_names(c.rig.kmd, c.word, c.word), "it waits");
        cr_assert(emu_kmd_signal(queue, fence, 2) && emu_kmd_fence_set(fence, 1));
        cr_assert(fence_wait(fence, 2));
        cr_expect_eqs(c.rig.completed, 1, c.named, false);
        emu_kmd_queue_destroy(queue);
        emu_kmd_fence_destroy(fence);
        emu_kmd_destroy(c.rig.kmd);
    }
}

/* Nobody has to be told of anything. */
Test(kmd_waits, a_kernel_without_callbacks_works)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct emu_kmd *kmd = KMD(gpu, NULL, .seeded = true);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(kmd, NULL);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(kmd, 0);
    struct buffer empty = buffer_create(gpu);
    const D3DDDICB_SUBMITCOMMAND command = {
        .Commands = empty.memory.address, .BroadcastContextCount = 1, .RenderCBSequence = 1};
    cr_assert(emu_kmd_submit_command(queue, empty.memory.address, 0, 1, &command, NULL, 0));
    cr_assert(emu_kmd_signal(queue, fence, 1) && fence_wait(fence, 1));
    emu_gpu_script_hang(gpu, EMU_GPU_HANG_AT_SUBMISSION, 1, EMU_GPU_HANG_LOSES);
    const emu_gpu_memory progress = allocate(gpu, sizeof(struct emu_queue_progress));
    PUT(&empty, EMU_PACKET_QUEUE, queue, progress.address, 0, 1);
    cr_assert(submit(queue, &empty, 2));
    emu_kmd_run_until_idle(kmd);
    cr_expect(emu_kmd_is_removed(kmd));
    cr_expect_eq(kmd->blob->error, EMU_KMD_LOST);
    cr_expect_not(emu_kmd_submit_command(queue, empty.memory.address, 0, 3, &command, NULL, 0));
    emu_kmd_queue_destroy(queue);
    emu_kmd_fence_destroy(fence);
    emu_kmd_destroy(kmd);
}

/* "A GPU-side wait is where the GPU waits until the specified fence reaches or exceeds the
 * specified value" [ID3D12CommandQueue::Wait]: a value that the fence has at the call, or at any
 * time after it, ends the wait for good, wherever it stands in the queue. */
Test(kmd_waits, a_queue_sees_a_fence_from_the_call_on_wherever_its_wait_stands)
{
    RIG(true, 0, 0);
    AT_END(fence_ended)
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 10),
                         *gate = emu_kmd_fence_create(r.kmd, 0),
                         *done = emu_kmd_fence_create(r.kmd, 0);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    for (uint64_t round = 0; round < 4; round++) { /* at the call; later; behind a signal; never */
        cr_assert(emu_kmd_fence_set(fence, round == 0 ? 10 : 9));
        cr_assert(emu_kmd_wait(queue, gate, round + 1));
        cr_assert(round != 2 || emu_kmd_signal(queue, fence, 0));
        cr_assert(emu_kmd_wait(queue, fence, 10) && emu_kmd_signal(queue, done, round + 1));
        cr_assert(emu_kmd_fence_set(fence, round % 3 == 0 ? 9 : 10) && emu_kmd_fence_set(fence, 0));
        emu_kmd_run_until_idle(r.kmd);
        cr_expect_eq(emu_kmd_fence_value(done), round, "the gate is closed");
        cr_assert(emu_kmd_fence_set(gate, round + 1));
        emu_kmd_run_until_idle(r.kmd);
        cr_expect_eq(emu_kmd_fence_value(done), round < 3 ? round + 1 : 3);
    }
    cr_assert(emu_kmd_fence_set(fence, 11));
    emu_kmd_run_until_idle(r.kmd);
    cr_expect_eq(emu_kmd_fence_value(done), 4);
}

/* Each queue waits for a value that the other one's next signal takes back. */
Test(kmd_waits, two_queues_that_reuse_a_fence_do_not_wait_for_each_other_for_ever)
{
    RIG(true, 0, 0);
    AT_END(fence_ended)
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0),
                         *back = emu_kmd_fence_create(r.kmd, 0);
    AT_END(queue_ended)
    struct emu_kmd_queue *one = emu_kmd_queue_create(r.kmd, NULL),
                         *two = emu_kmd_queue_create(r.kmd, NULL);
    struct buffer work = buffer_create(r.gpu);
    put_bare(&work, EMU_PACKET_BARRIER);
    cr_assert(submit(two, &work, 1) && emu_kmd_wait(two, back, 1) && emu_kmd_wait(two, fence, 2));
    cr_assert(emu_kmd_signal(one, fence, 2) && emu_kmd_signal(one, fence, 1));
    cr_assert(emu_kmd_signal(one, back, 1));
    emu_kmd_run_until_idle(r.kmd);
    cr_expect_eqs(one->count, 0, two->count, 0);
}

/* A wait lasts for signals that queues are still to make: work behind it may need them. */
Test(kmd_waits, a_queue_waits_for_a_fence_that_is_gone_while_another_queue_will_signal_it)
{
    RIG(true, 0, 0);
    AT_END(queue_ended)
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
    emu_kmd_fence_destroy(gate);
    emu_kmd_fence_destroy(done);
}

/* Neither what a queue would signal behind its wait, nor queues that wait for each other. */
Test(kmd_waits, no_signal_that_can_not_come_holds_a_queue_up)
{
    RIG(true, 0, 0);
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

/* Hope is a signal of that fence, by a queue that goes on; not another fence's, and not a wait. */
Test(kmd_waits, a_queue_waits_for_a_fence_that_is_gone_for_its_signals_alone)
{
    for (int will_signal = 0; will_signal < 2; will_signal++) {
        RIG(true, 0, 0);
        AT_END(queue_ended)
        struct emu_kmd_queue *goes_on = emu_kmd_queue_create(r.kmd, NULL),
                             *waits = emu_kmd_queue_create(r.kmd, NULL);
        struct emu_kmd_fence *gone = emu_kmd_fence_create(r.kmd, 0),
                             *first = emu_kmd_fence_create(r.kmd, 0),
                             *other = emu_kmd_fence_create(r.kmd, 0);
        struct buffer work = buffer_create(r.gpu);
        for (int i = 0; i < 3; i++)
            put_bare(&work, EMU_PACKET_BARRIER);
        cr_assert(submit(goes_on, &work, 1));
        cr_assert(emu_kmd_step(r.kmd), "it is at work");
        cr_assert(emu_kmd_signal(goes_on, will_signal ? gone : other, 1));
        cr_assert(emu_kmd_wait(goes_on, gone, 1) && submit(goes_on, &work, 2));
        cr_assert(emu_kmd_wait(waits, first, 1) && emu_kmd_wait(waits, gone, 1));
        emu_kmd_fence_destroy(gone);
        cr_expect_not(emu__kmd_queue_can_run(waits));
        cr_assert(emu_kmd_fence_set(first, 1));
        while (waits->count == 2)
            cr_assert(emu_kmd_step(r.kmd));
        cr_expect_eq(emu__kmd_queue_can_run(waits), !will_signal || goes_on->count < 3);
        emu_kmd_run_until_idle(r.kmd);
        cr_expect_eqs(waits->count, 0, goes_on->count, 0);
        emu_kmd_fence_destroy(first);
        emu_kmd_fence_destroy(other);
    }
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
    RIG(false, 0, 0);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    for (uint64_t seed = 0; seed < ORDERS; seed++)
        run_order(r.kmd, queue, seed);
}
