/* The kernel without threads: the seed decides the order, the clock is virtual, no test sleeps. */
#include "at_end.h"
#include "kmd_rig.h"
#include "kmd/types.h"

#define SECOND 1000000000u

/* ---- order ---- */

/* Three queues race to note who wrote `word` last; what they note is the interleaving. */
static void race(uint64_t seed, uint32_t notes[3 * 20])
{
    RIG(true, seed, 0);
    emu_gpu_memory word = allocate(r.gpu, 4);
    emu_gpu_memory seen = allocate(r.gpu, 3 * 20 * 4);
    struct emu_kmd_queue *queues[3];
    for (uint32_t q = 0; q < 3; q++) {
        queues[q] = emu_kmd_queue_create(r.kmd, NULL);
        struct buffer b = buffer_create(r.gpu);
        for (uint32_t i = 0; i < 20; i++) {
            put_write(&b, word.address, q + 1);
            put_copy(&b, seen.address + (q * 20 + i) * 4, word.address, 4);
        }
        cr_assert(submit(queues[q], &b, 1));
    }
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(r.completed, 3);
    memcpy(notes, seen.cpu, 3 * 20 * 4);
    for (uint32_t q = 0; q < 3; q++)
        emu_kmd_queue_destroy(queues[q]);
}

Test(kmd_seeded, a_seed_repeats_its_order_and_seeds_differ_within_submissions)
{
    uint32_t first[60];
    uint32_t other[60];
    unsigned different = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        race(seed, first);
        race(seed, other);
        cr_assert_eq(memcmp(first, other, sizeof first), 0, "seed %u", (unsigned)seed);
        race(seed + 1, other);
        different += memcmp(first, other, sizeof first) != 0;
    }
    cr_assert_eq(different, 20);
}

Test(kmd_seeded, a_queue_runs_in_order_whatever_the_seed)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        RIG(true, seed, 0);
        emu_gpu_memory word = allocate(r.gpu, 4);
        AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, &word);
        AT_END(queue_ended) struct emu_kmd_queue *noise = emu_kmd_queue_create(r.kmd, NULL);
        for (uint64_t tag = 1; tag <= 10; tag++) {
            struct buffer b = buffer_create(r.gpu);
            put_write(&b, word.address, (uint32_t)tag);
            cr_assert(submit(queue, &b, tag));
            cr_assert(submit(noise, &b, tag));
        }
        emu_kmd_run_until_idle(r.kmd);
        uint64_t last = 0;
        for (size_t i = 0; i < 20; i++)
            if (r.log[i].queue == &word)
                cr_assert_eq(r.log[i].tag, ++last);
        cr_assert_eq(last, 10);
        cr_assert_not(emu_kmd_step(r.kmd));
    }
}

/* ---- fences ---- */

static void count(void *user)
{
    ++*(unsigned *)user;
}

Test(kmd_fence, cpu_values_go_up_and_down_and_notify_once)
{
    RIG(true, 0, 0);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 5);
    unsigned at5 = 0, at7 = 0, at9 = 0;
    cr_assert(fence_notify(fence, 5, count, &at5));
    cr_assert_eq(at5, 1, "reached already");
    cr_assert(fence_notify(fence, 7, count, &at7));
    cr_assert(fence_notify(fence, 9, count, &at9));
    cr_assert(emu_kmd_fence_set(fence, 8));
    cr_assert_eq(at7, 1);
    cr_assert_eq(at9, 0);
    cr_assert(emu_kmd_fence_set(fence, 2));
    cr_assert_eq(emu_kmd_fence_value(fence), 2, "a fence may go backwards");
    cr_assert(emu_kmd_fence_set(fence, 8));
    cr_assert_eq(at7, 1, "once");
    cr_assert(fence_wait(fence, 8));
    cr_assert_not(fence_wait(fence, 9), "nobody will do it");
    cr_assert_eq(at9, 0);
    emu_kmd_fence_destroy(fence);
    cr_assert_eq(at9, 1, "nobody has the fence any more");
}

/* Only from inside of a callback nothing waits: whoever was called back is free again behind it. */
Test(kmd_fence, a_thread_that_told_of_a_fence_waits_for_the_next_one)
{
    RIG(true, 0, 0);
    AT_END(fence_ended) struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    unsigned reached = 0;
    cr_assert(fence_notify(fence, 1, count, &reached));
    cr_assert(emu_kmd_fence_set(fence, 1));
    cr_assert_eq(reached, 1);
    cr_assert(emu_kmd_signal(queue, fence, 2));
    cr_expect(fence_wait(fence, 2));
    cr_expect_eq(emu_kmd_fence_value(fence), 2);
}

/* A wait ends when the fence reaches its value, though it goes back before the queue has its
 * turn. */
Test(kmd_fence, a_queue_remembers_what_its_wait_has_seen)
{
    RIG(true, 0, 0);
    AT_END(fence_ended)
    struct emu_kmd_fence *awaited = emu_kmd_fence_create(r.kmd, 0),
                         *done = emu_kmd_fence_create(r.kmd, 0);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    cr_assert(emu_kmd_wait(queue, awaited, 5));
    cr_assert(emu_kmd_signal(queue, done, 1));
    cr_assert(emu_kmd_wait(queue, awaited, 6));
    cr_assert(emu_kmd_signal(queue, done, 2));
    cr_assert(emu_kmd_fence_set(awaited, 4));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 0);
    cr_assert(emu_kmd_fence_set(awaited, 5));
    cr_assert(emu_kmd_fence_set(awaited, 1));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 1, "the second wait has seen nothing");
    cr_assert(emu_kmd_fence_set(awaited, 6));
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(emu_kmd_fence_value(done), 2);
}

Test(kmd_fence, orders_queues_whatever_the_seed)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        RIG(true, seed, 0);
        emu_gpu_memory words = allocate(r.gpu, 8);
        AT_END(queue_ended) struct emu_kmd_queue *producer = emu_kmd_queue_create(r.kmd, NULL);
        AT_END(queue_ended) struct emu_kmd_queue *consumer = emu_kmd_queue_create(r.kmd, NULL);
        struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
        struct buffer produce = buffer_create(r.gpu);
        put_write(&produce, words.address, 42);
        struct buffer consume = buffer_create(r.gpu);
        put_copy(&consume, words.address + 4, words.address, 4);
        cr_assert(emu_kmd_wait(consumer, fence, 3));
        cr_assert(submit(consumer, &consume, 1));
        cr_assert(submit(producer, &produce, 1));
        cr_assert(emu_kmd_signal(producer, fence, 3));
        emu_kmd_fence_destroy(fence); /* the queues keep what they need */
        emu_kmd_run_until_idle(r.kmd);
        cr_assert_eq(((uint32_t *)words.cpu)[1], 42);
    }
}

Test(kmd_fence, waiting_takes_no_more_steps_than_needed)
{
    RIG(true, 1, 0);
    emu_gpu_memory word = allocate(r.gpu, 4);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    AT_END(fence_ended) struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    struct buffer b = buffer_create(r.gpu);
    put_write(&b, word.address, 1);
    submit(queue, &b, 1);
    emu_kmd_signal(queue, fence, 1);
    submit(queue, &b, 2);
    emu_kmd_signal(queue, fence, 2);
    cr_assert(fence_wait(fence, 1));
    cr_assert_eq(emu_kmd_fence_value(fence), 1);
    cr_assert_eq(r.completed, 1);
    emu_kmd_queue_destroy(queue);
    cr_assert_eq(r.completed, 2, "destroying a queue waits for its work");
}

/* ---- the end of a queue ---- */

/* It waits for its own work, a hang of it included, and for nobody else's. */
Test(kmd_seeded, a_queue_ends_when_its_own_work_is_done)
{
    RIG(true, 2, SECOND);
    struct emu_kmd_queue *busy = emu_kmd_queue_create(r.kmd, &busy),
                         *idle = emu_kmd_queue_create(r.kmd, NULL),
                         *short_one = emu_kmd_queue_create(r.kmd, &short_one);
    struct buffer work = buffer_create(r.gpu), spin = buffer_create(r.gpu);
    for (int i = 0; i < 5; i++)
        put_bare(&work, EMU_PACKET_BARRIER);
    put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    for (uint64_t tag = 1; tag <= 100; tag++)
        cr_assert(submit(busy, &work, tag));
    cr_assert(submit(short_one, &work, 1));
    emu_kmd_queue_destroy(idle);
    cr_expect_eq(r.completed, 0, "which has none");
    while (!short_one->busy)
        cr_assert(emu_kmd_step(r.kmd));
    emu_kmd_queue_destroy(short_one);
    cr_expect(r.completed >= 1 && r.completed < 100, "%zu", (size_t)r.completed);
    bool is_done = false;
    for (size_t i = 0; i < r.completed; i++)
        is_done |= r.log[i].queue == &short_one;
    cr_expect(is_done);
    idle = emu_kmd_queue_create(r.kmd, NULL);
    emu_kmd_queue_destroy(idle); /* the second one: the first is still known */
    emu_kmd_run_until_idle(r.kmd);
    cr_expect_eq(r.completed, 101);
    cr_assert(submit(busy, &spin, 101) && emu_kmd_step(r.kmd));
    emu_kmd_queue_destroy(busy);
    cr_expect_eq(r.removals, 1, "the hang was noticed");
}

/* types.h: the virtual clock stops there, and never goes round. */
Test(kmd_seeded, the_clock_ends_at_four_times_the_longest_timeout)
{
    const uint64_t end = EMU_KMD_TIMEOUT_LIMIT_NS * 4;
    RIG(true, 0, 0);
    emu_kmd_advance(r.kmd, end - 1);
    cr_expect_eq(emu_kmd_time(r.kmd), end - 1);
    for (uint64_t more = 1; more != 0; more *= 2) {
        emu_kmd_advance(r.kmd, more);
        cr_expect_eq(emu_kmd_time(r.kmd), end);
    }
    struct rig other;
    rig_init(&other, true, 0, 0);
    emu_kmd_advance(other.kmd, end + 1);
    cr_expect_eq(emu_kmd_time(other.kmd), end);
    rig_finish(&other);
    rig_init(&other, false, 0, 0);
    emu_kmd_advance(other.kmd, end);
    cr_expect_eq(other.kmd->clock, 0, "there is none without a seed");
    rig_finish(&other);
}

/* ---- timeout ---- */

Test(kmd_tdr, a_spinning_engine_is_removed_when_the_clock_says_so)
{
    RIG(true, 7, 3ull * SECOND);
    AT_END(fence_ended) struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 4);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    r.watched = fence;
    struct buffer b = buffer_create(r.gpu);
    put_bare(&b, EMU_PACKET_BARRIER);
    put_kernel(&b, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    submit(queue, &b, 77);
    emu_kmd_signal(queue, fence, 5);
    cr_assert(emu_kmd_step(r.kmd));
    cr_assert(emu_kmd_step(r.kmd)); /* spins from now on */
    emu_kmd_advance(r.kmd, 3ull * SECOND - 1);
    cr_assert_not(emu_kmd_is_removed(r.kmd));
    emu_kmd_advance(r.kmd, 1);
    cr_assert(emu_kmd_is_removed(r.kmd));
    cr_assert_eq(r.removals, 1);
    cr_assert_eq(r.removal.error, EMU_KMD_HUNG);
    cr_assert_eq(r.removal.fault_address, 0);
    cr_assert_eq(r.removal.guid[7] >> 4, 4, "a version 4 GUID");
    cr_assert_eq(r.removal.guid[8] >> 6, 2);
    cr_assert_geq(r.removal.time, 3ull * SECOND);
    cr_assert_eq(r.fence_at_removal, 4, "the runtime writes its dump before fences jump");
    cr_assert_eq(emu_kmd_fence_value(fence), UINT64_MAX);
    const struct emu_kmd_blob *blob = rig_blob(&r);
    cr_assert_str_eq(blob->magic, "EMUKMD1");
    cr_assert_eq(r.removal.blob_size, sizeof *blob + sizeof blob->queues[0]);
    cr_assert_eq(blob->queue_count, 1);
    cr_assert_eq(blob->queues[0].state, EMU_KMD_BLOB_SPINNING);
    cr_assert_eq(blob->queues[0].tag, 77);
    cr_assert_eq(blob->queues[0].pending, 1);
    cr_assert_eq(blob->queues[0].instruction, b.memory.address + 8);
    cr_assert_eq(blob->queues[0].opcode, EMU_PACKET_DISPATCH);
}

static void create_queues(void *user, const struct emu_kmd_removal *removal)
{
    struct rig *r = user;
    struct emu_kmd_queue *queues[8];
    const size_t room = r->kmd->blob_queues;
    for (int i = 0; i < 8; i++)
        queues[i] = emu_kmd_queue_create(r->kmd, NULL);
    cr_assert_eqs((uintptr_t)removal->blob, (uintptr_t)r->kmd->blob, r->kmd->blob_queues, room);
    rig_removed(user, removal);
    for (int i = 0; i < 8; i++)
        emu_kmd_queue_destroy(queues[i]);
}

/* The blob says of each queue what its engine did, for as many queues as there was room for before;
 * a reader keeps it, whatever is created meanwhile. */
Test(kmd_tdr, the_blob_has_each_queue_as_it_stopped)
{
    for (uint32_t room = 1; room <= 3; room++) {
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        struct rig r = {.gpu = gpu};
        r.kmd = KMD(gpu, &r, .seeded = true, .seed = 4, .removed = create_queues);
        struct emu_kmd_queue *queues[3];
        struct buffer work = buffer_create(gpu), wrong = buffer_create(gpu);
        for (int i = 0; i < 3; i++)
            queues[i] = emu_kmd_queue_create(r.kmd, NULL);
        cr_assert_eq(r.kmd->blob_queues, 3);
        for (int i = 0; i < 200; i++)
            put_bare(&work, EMU_PACKET_BARRIER);
        put_write(&wrong, 65536, 1);
        cr_assert(submit(queues[0], &work, 6));
        cr_assert(emu_kmd_step(r.kmd));
        cr_assert(submit(queues[1], &wrong, 7));
        r.kmd->blob_queues = room;
        if (room == 3)
            emu_kmd_run_until_idle(r.kmd);
        else
            emu_kmd_remove(r.kmd, EMU_KMD_ASKED), r.kmd->blob_queues = 3;
        const struct emu_kmd_blob *blob = rig_blob(&r);
        cr_assert_eqs(r.removals, 1, blob->queue_count, room);
        cr_expect_eqs(blob->queues[0].state, EMU_KMD_BLOB_RUNNING, blob->queues[0].tag, 6);
        if (room == 3) {
            cr_expect_eqs(blob->queues[1].state, EMU_KMD_BLOB_FAULTED, blob->queues[1].tag, 7);
            cr_expect_eqs(blob->queues[2].state, EMU_KMD_BLOB_IDLE, blob->queues[2].pending, 0);
        }
        for (int i = 0; i < 3; i++)
            emu_kmd_queue_destroy(queues[i]);
        emu_kmd_destroy(r.kmd);
    }
}

Test(kmd_tdr, after_removal_nothing_is_accepted_and_everyone_is_woken)
{
    RIG(true, 3, 0);
    AT_END(fence_ended) struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
    AT_END(queue_ended) struct emu_kmd_queue *hung = emu_kmd_queue_create(r.kmd, NULL);
    AT_END(queue_ended) struct emu_kmd_queue *waiting = emu_kmd_queue_create(r.kmd, NULL);
    unsigned reached = 0;
    struct buffer b = buffer_create(r.gpu);
    put_kernel(&b, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    submit(hung, &b, 1);
    emu_kmd_signal(hung, fence, 1);
    emu_kmd_wait(waiting, fence, 1);
    submit(waiting, &b, 2);
    fence_notify(fence, 1, count, &reached);
    cr_assert(fence_wait(fence, 1), "removal lets waits go");
    cr_assert(emu_kmd_is_removed(r.kmd));
    cr_assert_eq(reached, 1);
    cr_assert_eq(r.completed, 0);
    cr_assert_eq(rig_blob(&r)->culprit, 0, "who waits is not the culprit");
    cr_assert_eq(rig_blob(&r)->queues[1].state, EMU_KMD_BLOB_WAITING);
    cr_assert_not(submit(waiting, &b, 3));
    cr_assert_not(emu_kmd_signal(waiting, fence, 3));
    cr_assert_not(emu_kmd_wait(waiting, fence, 3));
    cr_assert_not(emu_kmd_fence_set(fence, 1));
    cr_assert_not(emu_kmd_step(r.kmd));
    AT_END(fence_ended) struct emu_kmd_fence *late = emu_kmd_fence_create(r.kmd, 0);
    cr_assert_eq(emu_kmd_fence_value(late), UINT64_MAX);
    fence_notify(late, 9, count, &reached);
    cr_assert_eq(reached, 2);
    cr_assert_eq(r.removals, 1);
}

Test(kmd_tdr, queues_that_wait_for_each_other_are_idle_not_hung)
{
    RIG(true, 3, 0);
    AT_END(fence_ended) struct emu_kmd_fence *fa = emu_kmd_fence_create(r.kmd, 0);
    AT_END(fence_ended) struct emu_kmd_fence *fb = emu_kmd_fence_create(r.kmd, 0);
    /* whose end abandons what can never run */
    AT_END(queue_ended) struct emu_kmd_queue *a = emu_kmd_queue_create(r.kmd, NULL);
    AT_END(queue_ended) struct emu_kmd_queue *b = emu_kmd_queue_create(r.kmd, NULL);
    emu_kmd_wait(a, fb, 1);
    emu_kmd_signal(a, fa, 1);
    emu_kmd_wait(b, fa, 1);
    emu_kmd_signal(b, fb, 1);
    emu_kmd_run_until_idle(r.kmd);
    emu_kmd_advance(r.kmd, UINT64_MAX);
    cr_assert_not(fence_wait(fa, 1));
    cr_assert_not(emu_kmd_is_removed(r.kmd));
}

Test(kmd_tdr, other_queues_get_differently_far_before_the_timeout)
{
    size_t least = SIZE_MAX, most = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        RIG(true, seed, 0);
        AT_END(queue_ended) struct emu_kmd_queue *hung = emu_kmd_queue_create(r.kmd, NULL);
        AT_END(queue_ended) struct emu_kmd_queue *busy = emu_kmd_queue_create(r.kmd, NULL);
        struct buffer spin = buffer_create(r.gpu);
        put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
        struct buffer work = buffer_create(r.gpu);
        put_bare(&work, EMU_PACKET_BARRIER);
        submit(hung, &spin, 1);
        for (uint64_t tag = 1; tag <= 300; tag++)
            submit(busy, &work, tag);
        emu_kmd_run_until_idle(r.kmd);
        cr_assert(emu_kmd_is_removed(r.kmd));
        least = r.completed < least ? r.completed : least;
        most = r.completed > most ? r.completed : most;
    }
    cr_assert_lt(least, most);
    cr_assert_gt(least, 0);
}

/* ---- faults ---- */

Test(kmd_fault, a_seed_gives_its_guid)
{
    uint8_t guids[3][16];
    for (int i = 0; i < 3; i++) {
        RIG(true, i == 2 ? 6 : 5, 0);
        AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
        emu_kmd_submit(queue, 8, 8, 1);
        emu_kmd_run_until_idle(r.kmd);
        memcpy(guids[i], r.removal.guid, 16);
    }
    cr_assert_eq(memcmp(guids[0], guids[1], 16), 0);
    cr_assert_neq(memcmp(guids[0], guids[2], 16), 0);
}

/* ---- callbacks ---- */

static void set_next(void *user)
{
    cr_assert(emu_kmd_fence_set(user, 10));
    cr_assert_not(fence_wait(user, 11), "it would wait for itself");
}

Test(kmd_fence, a_notification_may_set_fences_and_never_waits)
{
    RIG(true, 0, 0);
    AT_END(fence_ended) struct emu_kmd_fence *first = emu_kmd_fence_create(r.kmd, 0);
    AT_END(fence_ended) struct emu_kmd_fence *second = emu_kmd_fence_create(r.kmd, 0);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    fence_notify(first, 1, set_next, second);
    emu_kmd_signal(queue, first, 1);
    cr_assert(fence_wait(second, 10));
}

Test(kmd_seeded, destruction_abandons_running_work)
{
    struct rig r;
    rig_init(&r, true, 0, 0);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    struct buffer b = buffer_create(r.gpu);
    put_kernel(&b, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    submit(queue, &b, 1);
    emu_kmd_step(r.kmd);
    rig_finish(&r);
    cr_assert_eq(r.removals, 0);
}
