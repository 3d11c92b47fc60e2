/* The kernel with a worker per queue: run these under ThreadSanitizer too. Timeouts are short but
 * real. */
#include "at_end.h"
#include "kmd_rig.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define MS 1000000u

enum { QUEUES = 6, ROUNDS = 60 };

struct stress {
    struct rig rig;
    struct emu_kmd_queue *queues[QUEUES];
    struct emu_kmd_fence *fences[QUEUES];
    struct buffer buffers[QUEUES];
    emu_gpu_memory words;
    atomic_bool stop;
    atomic_uint notified;
};

static void note(void *user)
{
    atomic_fetch_add((atomic_uint *)user, 1);
}

/* Each round passes a token around: queue q waits for queue q-1, adds, and signals. */
static void *feed(void *argument)
{
    struct stress *s = argument;
    for (uint64_t round = 1; round <= ROUNDS; round++)
        for (size_t q = 0; q < QUEUES; q++) {
            if (q || round > 1)
                cr_assert(emu_kmd_wait(s->queues[q], s->fences[(q + QUEUES - 1) % QUEUES],
                                       q ? round : round - 1));
            cr_assert(submit(s->queues[q], &s->buffers[q], round));
            cr_assert(emu_kmd_signal(s->queues[q], s->fences[q], round));
            cr_assert(fence_notify(s->fences[q], round, note, &s->notified));
        }
    return NULL;
}

static void *allocate_and_free(void *argument)
{
    struct stress *s = argument;
    while (!atomic_load(&s->stop)) {
        emu_gpu_memory memory;
        if (emu_gpu_allocate(s->rig.gpu, 4096, 0, &memory))
            emu_gpu_free(s->rig.gpu, memory.address);
        (void)emu_kmd_fence_value(s->fences[0]);
    }
    return NULL;
}

Test(kmd_threads, queues_pass_a_token_around)
{
    AT_END(at_end_free) struct stress *s = calloc(1, sizeof *s);
    rig_init(&s->rig, false, 0, 0);
    s->words = allocate(s->rig.gpu, 8);
    ((uint32_t *)s->words.cpu)[1] = 1;
    for (size_t q = 0; q < QUEUES; q++) {
        s->queues[q] = emu_kmd_queue_create(s->rig.kmd, &s->queues[q]);
        s->fences[q] = emu_kmd_fence_create(s->rig.kmd, 0);
        s->buffers[q] = buffer_create(s->rig.gpu);
        for (int i = 0; i < 10; i++)
            put_kernel(&s->buffers[q], EMU_KERNEL_ADD, s->words.address, s->words.address + 4, 0,
                       1);
    }
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, feed, s);
    pthread_create(&threads[1], NULL, allocate_and_free, s);
    pthread_join(threads[0], NULL);
    cr_assert(fence_wait(s->fences[QUEUES - 1], ROUNDS));
    cr_assert_eq(*(uint32_t *)s->words.cpu, QUEUES * ROUNDS * 10);
    atomic_store(&s->stop, true);
    pthread_join(threads[1], NULL);
    for (size_t q = 0; q < QUEUES; q++)
        emu_kmd_queue_destroy(s->queues[q]);
    cr_assert_eq(s->rig.completed, QUEUES * ROUNDS);
    cr_assert_eq(s->notified, QUEUES * ROUNDS);
    for (size_t q = 0; q < QUEUES; q++)
        emu_kmd_fence_destroy(s->fences[q]);
    rig_finish(&s->rig);
}

struct wait {
    struct emu_kmd_fence *fence;
    uint64_t value;
};

static void *wait_for(void *argument)
{
    struct wait *w = argument;
    cr_assert(fence_wait(w->fence, w->value));
    return NULL;
}

/* Another thread's work while the runtime is told of a removal. */
struct question {
    struct emu_kmd *kmd;
    void (*ask)(struct question *question);
    struct emu_kmd_queue *queue;
    pthread_t thread;
    atomic_bool is_asked, is_answered;
    bool was_early;
};

static void *ask(void *argument)
{
    struct question *question = argument;
    atomic_store(&question->is_asked, true);
    question->ask(question);
    atomic_store(&question->is_answered, true);
    return NULL;
}

static void be_asked(void *user, const struct emu_kmd_removal *removal)
{
    (void)removal;
    struct question *question = user;
    pthread_create(&question->thread, NULL, ask, question);
    while (!atomic_load(&question->is_asked))
        sched_yield();
    for (int i = 0; i < 1000; i++)
        sched_yield();
    question->was_early = atomic_load(&question->is_answered);
}

/* An error removes the device, or the application. */
static void ask_during_a_removal(struct question *question, bool is_error)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    question->kmd = KMD(gpu, question, .removed = be_asked);
    question->queue = emu_kmd_queue_create(question->kmd, NULL);
    if (is_error) {
        struct emu_kmd_queue *queue = emu_kmd_queue_create(question->kmd, NULL);
        struct buffer bad = buffer_create(gpu);
        put_kernel(&bad, EMU_KERNEL_TOUCH, 0, 0, 0xBAD0000, 0x70);
        cr_assert(submit(queue, &bad, 1));
        emu_kmd_queue_destroy(queue);
    } else {
        emu_kmd_remove(question->kmd, EMU_KMD_ASKED);
    }
    cr_assert(emu_kmd_is_removed(question->kmd));
    pthread_join(question->thread, NULL);
    cr_assert_not(question->was_early);
    cr_assert(question->is_answered);
    emu_kmd_destroy(question->kmd);
}

static void is_removed(struct question *question)
{
    cr_assert(emu_kmd_is_removed(question->kmd));
}

/* A program that learns of the removal finds everything in its end state: fences, dumps, reasons.
 */
Test(kmd_threads, whoever_asks_during_a_removal_learns_of_it_when_it_is_over, .timeout = 60)
{
    ask_during_a_removal(&(struct question){.ask = is_removed}, false);
}

static void remove_again(struct question *question)
{
    emu_kmd_remove(question->kmd, EMU_KMD_ASKED);
}

/* kmd.h: who removes a device that an error is removing already waits for that. */
Test(kmd_threads, whoever_removes_during_a_removal_comes_back_when_it_is_over, .timeout = 60)
{
    ask_during_a_removal(&(struct question){.ask = remove_again}, true);
}

static void make_queue(struct question *question)
{
    cr_assert(emu_kmd_queue_create(question->kmd, NULL));
}

static void destroy_queue(struct question *question)
{
    emu_kmd_queue_destroy(question->queue);
}

/* The removal looks at all queues for the runtime's dump: none comes or goes meanwhile. */
Test(kmd_threads, queues_are_made_and_destroyed_when_a_removal_is_over, .timeout = 60)
{
    ask_during_a_removal(&(struct question){.ask = make_queue}, true);
    ask_during_a_removal(&(struct question){.ask = destroy_queue}, true);
    ask_during_a_removal(&(struct question){.ask = destroy_queue}, false);
}

/* One queue hangs, others are busy, blocked or idle, CPU threads wait: all of them come back. */
Test(kmd_threads, a_hang_removes_the_device_under_everyone)
{
    static struct rig r;
    rig_init(&r, false, 0, 50 * MS);
    struct emu_kmd_queue *queues[4];
    for (size_t q = 0; q < 4; q++)
        queues[q] = emu_kmd_queue_create(r.kmd, NULL);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    r.watched = fence;
    struct buffer spin = buffer_create(r.gpu);
    put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    emu_gpu_memory big = allocate(r.gpu, 1 << 20);
    struct buffer work = buffer_create(r.gpu);
    put_kernel(&work, EMU_KERNEL_FILL, big.address, 0, 1, 1 << 18);
    cr_assert(submit(queues[0], &spin, 1));
    cr_assert(emu_kmd_signal(queues[0], fence, 1));
    cr_assert(emu_kmd_wait(queues[1], fence, 1));
    cr_assert(submit(queues[1], &work, 1));
    pthread_t threads[4];
    struct wait wait = {fence, 1};
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, wait_for, &wait);
    for (uint64_t tag = 1; submit(queues[2], &work, tag) && tag < 100000; tag++)
        if (tag % 64 == 0) { /* keeps busy until the removal, without an endless backlog */
            AT_END(fence_ended) struct emu_kmd_fence *done = emu_kmd_fence_create(r.kmd, 0);
            if (emu_kmd_signal(queues[2], done, 1))
                fence_wait(done, 1);
        }
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    cr_assert(emu_kmd_is_removed(r.kmd));
    cr_assert_eq(r.removals, 1);
    cr_assert_eq(r.removal.error, EMU_KMD_HUNG);
    cr_assert_eq(r.fence_at_removal, 0);
    cr_assert_eq(rig_blob(&r)->culprit, 0);
    cr_assert_eq(rig_blob(&r)->queue_count, 4);
    for (size_t q = 0; q < 4; q++)
        emu_kmd_queue_destroy(queues[q]);
    emu_kmd_fence_destroy(fence);
    rig_finish(&r);
}

/* Every queue faults at about the same time; one removal. */
Test(kmd_threads, many_faults_are_one_removal)
{
    for (int round = 0; round < 20; round++) {
        static struct rig r;
        rig_init(&r, false, 0, 0);
        struct buffer bad = buffer_create(r.gpu);
        put_kernel(&bad, EMU_KERNEL_TOUCH, 0, 0, 0xBAD0000, 0x70);
        struct emu_kmd_queue *queues[4];
        for (size_t q = 0; q < 4; q++)
            queues[q] = emu_kmd_queue_create(r.kmd, NULL);
        for (size_t q = 0; q < 4; q++)
            (void)submit(queues[q], &bad, 1);
        for (size_t q = 0; q < 4; q++)
            emu_kmd_queue_destroy(queues[q]);
        cr_assert_eq(r.removals, 1);
        cr_assert_eq(r.removal.error, EMU_KMD_PAGE_FAULT);
        cr_assert_eq(r.removal.fault_address, 0x700BAD0000);
        rig_finish(&r);
    }
}

Test(kmd_threads, memory_freed_under_running_engines_faults_and_harms_nobody)
{
    static struct rig r;
    rig_init(&r, false, 0, 0);
    struct emu_kmd_queue *queues[3];
    for (size_t q = 0; q < 3; q++) {
        queues[q] = emu_kmd_queue_create(r.kmd, NULL);
        emu_gpu_memory target = allocate(r.gpu, 16 << 20);
        struct buffer work = buffer_create(r.gpu);
        for (int i = 0; i < 500; i++)
            put_kernel(&work, EMU_KERNEL_FILL, target.address, 0, 1, 4 << 20);
        (void)submit(queues[q], &work, 1);
        emu_gpu_free(r.gpu, target.address);
    }
    for (size_t q = 0; q < 3; q++)
        emu_kmd_queue_destroy(queues[q]);
    cr_assert_eq(r.removal.error, EMU_KMD_PAGE_FAULT);
    rig_finish(&r);
}

Test(kmd_threads, destruction_abandons_hung_blocked_and_idle_queues)
{
    static struct rig r;
    rig_init(&r, false, 0, 0);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    struct buffer spin = buffer_create(r.gpu);
    put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    struct emu_kmd_queue *queues[3];
    for (size_t q = 0; q < 3; q++)
        queues[q] = emu_kmd_queue_create(r.kmd, NULL);
    emu_kmd_wait(queues[0], fence, 1);
    emu_kmd_queue_destroy(queues[0]); /* nobody is going to signal: returns */
    submit(queues[1], &spin, 1);
    emu_kmd_fence_destroy(fence);
    rig_finish(&r); /* within the 2 s of the timeout */
    cr_assert_eq(r.removals, 0);
}

/* A time stamp says when the engine came to it; and others go on while one engine hangs. */
Test(kmd_threads, an_engine_reads_the_clock_itself_and_holds_nobody_up, .timeout = 60)
{
    static struct rig r;
    rig_init(&r, false, 0, UINT64_MAX);
    struct emu_kmd_queue *hung = emu_kmd_queue_create(r.kmd, NULL),
                         *works = emu_kmd_queue_create(r.kmd, NULL);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    struct buffer spin = buffer_create(r.gpu), work = buffer_create(r.gpu);
    const emu_gpu_memory memory = allocate(r.gpu, 1 << 20);
    const uint64_t *times = memory.cpu, before = emu_kmd_time(r.kmd);
    put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    PUT(&work, EMU_PACKET_TIMESTAMP, timestamp, memory.address);
    put_kernel(&work, EMU_KERNEL_FILL, memory.address + 16, 0, 1, (1 << 18) - 4);
    PUT(&work, EMU_PACKET_TIMESTAMP, timestamp, memory.address + 8);
    cr_assert(submit(hung, &spin, 1));
    for (uint64_t round = 1; round <= 20; round++) {
        cr_assert(submit(works, &work, round) && emu_kmd_signal(works, fence, round));
        cr_assert(fence_wait(fence, round));
    }
    cr_expect(before <= times[0] && times[0] < times[1] && times[1] <= emu_kmd_time(r.kmd));
    cr_expect_eqs(r.removals, 0, emu_kmd_fence_value(fence), 20);
    emu_kmd_queue_destroy(works);
    emu_kmd_remove(r.kmd, EMU_KMD_ASKED);
    emu_kmd_queue_destroy(hung);
    emu_kmd_fence_destroy(fence);
    rig_finish(&r);
}

struct late {
    struct emu_kmd_queue *queue;
    struct emu_kmd_fence *fence;
    atomic_bool is_inside, may_go_on;
};

static void complete_late(void *user, void *queue, uint64_t tag)
{
    struct late *late = user;
    (void)queue, (void)tag;
    atomic_store(&late->is_inside, true);
    while (!atomic_load(&late->may_go_on))
        sched_yield();
    cr_assert(emu_kmd_fence_set(late->fence, 1));
}

static void *destroy(void *queue)
{
    emu_kmd_queue_destroy(queue);
    return NULL;
}

/* A queue is destroyed when its work is done: a callback that is under way may let it go on. */
Test(kmd_threads, a_queue_that_a_callback_may_let_go_is_not_abandoned, .timeout = 60)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct late late = {.queue = NULL};
    struct emu_kmd *kmd = KMD(gpu, &late, .completed = complete_late);
    struct emu_kmd_queue *first = emu_kmd_queue_create(kmd, NULL);
    struct emu_kmd_fence *done = emu_kmd_fence_create(kmd, 0);
    struct buffer empty = buffer_create(gpu);
    pthread_t thread;
    late.queue = emu_kmd_queue_create(kmd, NULL);
    late.fence = emu_kmd_fence_create(kmd, 0);
    cr_assert(submit(first, &empty, 1));
    while (!atomic_load(&late.is_inside))
        sched_yield();
    cr_assert(emu_kmd_wait(late.queue, late.fence, 1) && emu_kmd_signal(late.queue, done, 1));
    pthread_create(&thread, NULL, destroy, late.queue);
    for (int i = 0; i < 1000; i++)
        sched_yield();
    atomic_store(&late.may_go_on, true);
    pthread_join(thread, NULL);
    cr_expect_eq(emu_kmd_fence_value(done), 1);
    emu_kmd_queue_destroy(first);
    emu_kmd_fence_destroy(late.fence);
    emu_kmd_fence_destroy(done);
    emu_kmd_destroy(kmd);
}

struct slow {
    atomic_bool is_inside, was_inside;
    atomic_uint removals;
};

static void complete_slowly(void *user, void *queue, uint64_t tag)
{
    struct slow *slow = user;
    (void)queue, (void)tag;
    atomic_store(&slow->is_inside, true);
    nanosleep(&(struct timespec){.tv_nsec = 400 * (long)MS}, NULL);
    atomic_store(&slow->is_inside, false);
}

static void note_removal(void *user, const struct emu_kmd_removal *removal)
{
    struct slow *slow = user;
    (void)removal;
    atomic_store(&slow->was_inside, atomic_load(&slow->is_inside));
    atomic_fetch_add(&slow->removals, 1);
}

/* A crash report is made when nothing moves any more: no engine runs, and no completion is being
 * told. */
Test(kmd_threads, a_removal_waits_for_engines_and_their_callbacks)
{
    struct slow slow = {.removals = 0};
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct emu_kmd *kmd = KMD(gpu, &slow, .tdr_timeout_ns = 50 * MS, .removed = note_removal,
                              .completed = complete_slowly);
    struct emu_kmd_queue *busy = emu_kmd_queue_create(kmd, NULL);
    struct emu_kmd_queue *hung = emu_kmd_queue_create(kmd, NULL);
    struct buffer done = buffer_create(gpu), spins = buffer_create(gpu);
    put_bare(&done, EMU_PACKET_BARRIER);
    put_kernel(&spins, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    submit(hung, &spins, 2);
    submit(busy, &done, 1);
    for (int ms = 0; ms < 20000 && !atomic_load(&slow.removals); ms++)
        nanosleep(&(struct timespec){.tv_nsec = (long)MS}, NULL);
    cr_assert_eq(slow.removals, 1);
    cr_expect_not(slow.was_inside);
    emu_kmd_queue_destroy(busy);
    emu_kmd_queue_destroy(hung);
    emu_kmd_destroy(kmd);
}
