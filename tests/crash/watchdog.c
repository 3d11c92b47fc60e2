/* Crash layers call this a hang: pending work, and nothing that changes for as long as the limit
 * [ANN-VK-03, ANN-D3D]. */
#include "asserts.h"

#include "watchdog.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

struct gpu {
    bool is_pending;
    uint64_t progress;
    unsigned hangs, finished;
    uint64_t work, alarmed, took;
    uint64_t told; /* ns */
    pthread_t ending;
};

static void look(void *user, struct crash_look *look)
{
    const struct gpu *gpu = user;
    look->is_pending = gpu->is_pending;
    crash_look_mix(look, gpu->progress);
}

static void hung(void *user, uint64_t ns)
{
    struct gpu *gpu = user;
    gpu->hangs++;
    gpu->told = ns;
}

static struct crash_watchdog watch(struct gpu *gpu)
{
    return (struct crash_watchdog){
        .timeout = (uint64_t)10 * SECOND, .user = gpu, .look = look, .hung = hung};
}

static bool look_at(struct crash_watchdog *watchdog, unsigned seconds)
{
    return crash_watchdog_look(watchdog, (uint64_t)seconds * SECOND);
}

/* Whatever the fingerprint of that look is: one progress of these has the one of a zeroed
 * structure. */
Test(watchdog, time_before_the_first_look_does_not_count)
{
    for (uint64_t progress = 0; progress < 1000; progress++) {
        struct gpu gpu = {.is_pending = true, .progress = progress};
        struct crash_watchdog watchdog = watch(&gpu);
        cr_assert(!look_at(&watchdog, 40000), "progress %d", (int)progress);
        cr_assert(!look_at(&watchdog, 40009), "progress %d", (int)progress);
        cr_assert(look_at(&watchdog, 40010), "progress %d", (int)progress);
        cr_assert_eq(gpu.told, (uint64_t)10 * SECOND);
    }
}

/* Whatever time has passed: it waits for input, or for a fence that is due tomorrow. */
Test(watchdog, idleness_is_no_hang)
{
    struct gpu gpu = {.progress = 7};
    struct crash_watchdog watchdog = watch(&gpu);
    cr_assert(!look_at(&watchdog, 1));
    cr_assert(!look_at(&watchdog, 100000));
    cr_assert_eq(gpu.hangs, 0);
}

Test(watchdog, time_before_there_was_work_does_not_count)
{
    struct gpu gpu = {.progress = 7};
    struct crash_watchdog watchdog = watch(&gpu);
    look_at(&watchdog, 1);
    look_at(&watchdog, 50);
    gpu.is_pending = true;
    cr_assert(!look_at(&watchdog, 51));
    cr_assert(!look_at(&watchdog, 59));
    cr_assert(look_at(&watchdog, 60));
}

static void finished(void *user, uint64_t ns)
{
    struct gpu *gpu = user;
    gpu->finished++;
    gpu->took = ns;
}

static void look_at_alarm(void *user, struct crash_look *look)
{
    struct gpu *gpu = user;
    if (look->marks)
        gpu->alarmed = gpu->work;
    look->is_pending = true;
    look->is_alarmed = gpu->alarmed >= gpu->work;
    crash_look_mix(look, gpu->progress);
}

/* What an alarm was for is done, once, whatever else goes on [ANN-LEAVE-02]; what takes as long the
 * next time is no alarm. */
Test(watchdog, work_that_is_done_after_an_alarm_is_slow)
{
    struct gpu gpu = {.work = 1};
    struct crash_watchdog watchdog = watch(&gpu);
    watchdog.look = look_at_alarm;
    watchdog.finished = finished;
    cr_assert(!look_at(&watchdog, 5) && look_at(&watchdog, 15));
    gpu.progress++; /* of another queue */
    cr_assert(!look_at(&watchdog, 16));
    cr_assert_eq(gpu.finished, 0);
    gpu.work++;
    gpu.progress++;
    cr_assert(!look_at(&watchdog, 17));
    cr_assert_eqs(gpu.finished, 1, gpu.took, (uint64_t)12 * SECOND);
    cr_assert(!look_at(&watchdog, 40), "23 s of the 24 that it waits now");
    cr_assert(look_at(&watchdog, 41));
    cr_assert_eqs(gpu.hangs, 2, gpu.finished, 1);
}

static uint64_t second_20(void *user)
{
    (void)user;
    return (uint64_t)20 * SECOND;
}

/* A program may end right behind its fence, before the next look [ANN-LEAVE-02]. */
Test(watchdog, work_of_an_alarm_that_finished_before_the_end_is_slow)
{
    static const struct crash_clock clock = {second_20, NULL};
    for (unsigned has_thread = 0; has_thread < 2; has_thread++) {
        struct gpu gpu = {.work = 1};
        struct crash_watchdog watchdog = watch(&gpu);
        watchdog.look = look_at_alarm;
        watchdog.finished = finished;
        cr_assert(!look_at(&watchdog, 5) && look_at(&watchdog, 15));
        gpu.work++;
        if (!has_thread)
            crash_clock_set(&clock);
        crash_watchdog_start(&watchdog);
        crash_watchdog_stop(&watchdog, 0);
        cr_expect_eq(gpu.finished, 1, "thread %u", has_thread);
        if (!has_thread)
            cr_expect_eq(gpu.took, (uint64_t)15 * SECOND);
        crash_clock_set(NULL);
    }
}

Test(watchdog, order_of_values_counts)
{
    struct crash_look one = {.fingerprint = 1}, other = {.fingerprint = 1};
    crash_look_mix(&one, 1);
    crash_look_mix(&one, 2);
    crash_look_mix(&other, 2);
    crash_look_mix(&other, 1);
    cr_assert(one.fingerprint != other.fingerprint);
}

static uint64_t no_time(void *user)
{
    (void)user;
    return 5;
}

Test(watchdog, has_no_thread_with_another_clock_and_none_without_a_limit)
{
    static const struct crash_clock clock = {no_time, NULL};
    struct gpu gpu = {.is_pending = true};
    struct crash_watchdog watchdog = watch(&gpu);
    watchdog.timeout = 0;
    crash_watchdog_start(&watchdog);
    cr_assert(!watchdog.is_running);
    crash_clock_set(&clock);
    watchdog.timeout = SECOND;
    crash_watchdog_start(&watchdog);
    cr_assert(!watchdog.is_running);
    cr_assert_eq(crash_clock_now(), 5);
    crash_watchdog_stop(&watchdog, 0);
    crash_clock_set(NULL);
}

Test(watchdog, its_thread_looks_and_ends)
{
    struct gpu gpu = {.is_pending = false};
    struct crash_watchdog watchdog = watch(&gpu);
    crash_watchdog_start(&watchdog);
    cr_assert(watchdog.is_running);
    crash_watchdog_stop(&watchdog, 0);
    cr_assert(!watchdog.is_running);
    crash_watchdog_stop(&watchdog, 0);
}

/* Memory of which another layer wants to know when it is read: the first look that does so meets a
 * fault, behind which it is there. */
static char *guarded;
static size_t page;

static void unguard(int number)
{
    (void)number;
    mprotect(guarded, page, PROT_READ);
}

static void look_at_guarded(void *user, struct crash_look *look)
{
    struct gpu *gpu = user;
    crash_look_mix(look, (uint64_t) * (volatile char *)guarded);
    gpu->work++;
}

Test(watchdog, memory_that_another_layer_guards_can_be_looked_at)
{
    struct gpu gpu = {0};
    struct crash_watchdog watchdog = watch(&gpu);
    watchdog.look = look_at_guarded;
    page = (size_t)sysconf(_SC_PAGESIZE);
    guarded = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(guarded != MAP_FAILED);
    signal(SIGSEGV, unguard);
    crash_watchdog_start(&watchdog);
    crash_watchdog_end(&watchdog, (uint64_t)10 * SECOND);
    cr_expect_eq(gpu.work, 1);
}

static void look_elsewhere(void *user, struct crash_look *look)
{
    struct gpu *gpu = user;
    (void)look;
    gpu->work++;
    cr_expect(!pthread_equal(gpu->ending, pthread_self()));
}

/* Other layers keep things for each thread, and exit has begun with those of its own. */
Test(watchdog, the_process_s_end_looks_once_more_on_another_thread)
{
    for (unsigned is_limited = 0; is_limited < 2; is_limited++) {
        struct gpu gpu = {.ending = pthread_self()};
        struct crash_watchdog watchdog = watch(&gpu);
        watchdog.timeout = is_limited ? (uint64_t)1000 * SECOND : 0;
        watchdog.look = look_elsewhere;
        crash_watchdog_start(&watchdog);
        crash_watchdog_end(&watchdog, (uint64_t)10 * SECOND);
        cr_expect_eq(gpu.work, 1);
        crash_watchdog_end(&watchdog, (uint64_t)10 * SECOND);
        cr_expect_eq(gpu.work, 1, "not twice");
    }
}
