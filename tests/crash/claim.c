/* Who writes the dump of a loss, and who waits for it [ANN-LEAVE-01]. */
#include "asserts.h"

#include "claim.h"
#include "ending.h"
#include "watchdog.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t second = 1000000000u;
static struct crash_claim claim;
static _Atomic uint64_t clock_ns, clock_step;
static _Atomic unsigned looks; /* of those who wait, at the clock */

static uint64_t clock_now(void *user)
{
    (void)user;
    atomic_fetch_add(&looks, 1);
    return atomic_fetch_add(&clock_ns, clock_step);
}

static void prepare(void)
{
    static const struct crash_clock clock = {clock_now, NULL};
    crash_clock_set(&clock);
    crash_claim_open(&claim, 2 * second);
}

TestSuite(claim, .init = prepare, .timeout = 60);

static void await_looks(unsigned count)
{
    while (atomic_load(&looks) < count)
        sched_yield();
}

/* A thread that meets the loss while another one writes. */
struct other {
    pthread_t thread;
    bool is_writer;
    atomic_bool is_back;
    bool was_whole; /* as it came back */
};
static atomic_bool is_whole; /* the file */

static void *meet(void *argument)
{
    struct other *other = argument;
    other->is_writer = crash_claim_take(&claim, CRASH_LOSS);
    other->was_whole = atomic_load(&is_whole);
    atomic_store(&other->is_back, true);
    if (other->is_writer)
        crash_claim_finish(&claim);
    return NULL;
}

static void finish(void)
{
    atomic_store(&is_whole, true);
    crash_claim_finish(&claim);
}

Test(claim, the_second_who_meets_a_loss_waits_for_the_file)
{
    struct other others[3] = {0};
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(pthread_create(&others[i].thread, NULL, meet, &others[i]), 0);
    await_looks(9);
    for (size_t i = 0; i < 3; i++)
        cr_expect(!atomic_load(&others[i].is_back));
    finish();
    for (size_t i = 0; i < 3; i++) {
        pthread_join(others[i].thread, NULL);
        cr_expect(others[i].was_whole && !others[i].is_writer);
    }
}

Test(claim, a_thread_waits_once_and_not_longer_than_it_is_set)
{
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    clock_step = second / 4;
    struct other other = {0};
    cr_assert_eq(pthread_create(&other.thread, NULL, meet, &other), 0);
    pthread_join(other.thread, NULL);
    cr_expect(!other.is_writer && !other.was_whole);
    cr_expect(clock_ns >= 2 * second && clock_ns <= 3 * second, "%d ms", (int)(clock_ns / 1000000));
    finish();
}

static void *meet_twice(void *argument)
{
    struct other *other = argument;
    meet(other);
    atomic_store(&looks, 0);
    return meet(other);
}

Test(claim, a_thread_that_has_waited_in_vain_does_not_wait_again)
{
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    clock_step = second;
    struct other other = {0};
    cr_assert_eq(pthread_create(&other.thread, NULL, meet_twice, &other), 0);
    pthread_join(other.thread, NULL);
    cr_expect(looks == 0 && !other.is_writer);
    finish();
}

Test(claim, nobody_waits_before_or_behind_the_writing)
{
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    finish();
    cr_expect(!crash_claim_take(&claim, CRASH_LOSS));
    cr_expect(crash_claim_is_over(&claim));
    cr_expect(crash_claim_wait_all());
    cr_expect_eq(looks, 0);
}

/* The driver or the runtime calls the program's callback, and that calls us. */
Test(claim, the_writer_and_who_is_in_a_call_do_not_wait)
{
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    cr_expect(!crash_claim_take(&claim, CRASH_LOSS));
    cr_expect(crash_claim_is_over(&claim));
    cr_expect(!crash_claim_wait_all());
    cr_expect_eq(looks, 0);
    finish();
}

static void *meet_in_a_call(void *argument)
{
    crash_claim_enter();
    meet(argument);
    crash_claim_leave();
    return NULL;
}

Test(claim, a_thread_in_a_call_of_the_runtime_s_does_not_wait)
{
    struct other other = {0};
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    cr_assert_eq(pthread_create(&other.thread, NULL, meet_in_a_call, &other), 0);
    pthread_join(other.thread, NULL);
    cr_expect(looks == 0 && !other.is_writer);
    finish();
}

Test(claim, a_loss_has_its_dump_behind_an_alarm_s)
{
    struct other other = {0};
    cr_assert(crash_claim_take(&claim, CRASH_ALARM));
    cr_assert_eq(pthread_create(&other.thread, NULL, meet, &other), 0);
    await_looks(3);
    cr_expect(!atomic_load(&other.is_back));
    finish();
    pthread_join(other.thread, NULL);
    cr_expect(other.is_writer);
    cr_expect(!crash_claim_take(&claim, CRASH_ALARM));
    cr_expect(!crash_claim_take(&claim, CRASH_LOSS));
}

Test(claim, an_alarm_has_one_dump_until_its_work_is_done)
{
    cr_assert(crash_claim_take(&claim, CRASH_ALARM));
    cr_expect(!crash_claim_take(&claim, CRASH_ALARM));
    crash_claim_finish(&claim);
    cr_expect(!crash_claim_take(&claim, CRASH_ALARM));
    cr_expect(crash_claim_end_alarm(&claim));
    crash_claim_finish(&claim);
    cr_expect(crash_claim_take(&claim, CRASH_ALARM));
    crash_claim_finish(&claim);
    cr_expect(crash_claim_take(&claim, CRASH_LOSS));
    crash_claim_finish(&claim);
    cr_expect(!crash_claim_end_alarm(&claim), "the last dump is the loss's");
}

/* The dump of a running program: only a loss waits for it, and nobody writes it again. */
Test(claim, a_live_dump_counts_as_none)
{
    struct other other = {0};
    cr_assert(crash_claim_take(&claim, CRASH_LIVE));
    cr_expect(!crash_claim_take(&claim, CRASH_LIVE) && !crash_claim_take(&claim, CRASH_ALARM));
    cr_expect(!crash_claim_take_over(&claim, false) && !crash_claim_take_over(&claim, true));
    cr_assert_eq(pthread_create(&other.thread, NULL, meet, &other), 0);
    await_looks(3);
    cr_expect(!atomic_load(&other.is_back));
    crash_claim_finish(&claim);
    pthread_join(other.thread, NULL);
    cr_expect(other.is_writer && !crash_claim_take(&claim, CRASH_LIVE),
              "a lost device has its dump");
}

Test(claim, a_cancelled_thread_ends_behind_its_wait)
{
    struct other other = {0};
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    cr_assert_eq(pthread_create(&other.thread, NULL, meet, &other), 0);
    await_looks(2);
    pthread_cancel(other.thread);
    await_looks(6);
    cr_expect(!atomic_load(&other.is_back));
    finish();
    pthread_join(other.thread, NULL);
    cr_expect(other.was_whole);
}

/* ---- ends of a process, each in a child that another thread writes in ---- */

static int said[2];

static void *write_it(void *unused)
{
    struct crash_ending ending;
    (void)unused;
    crash_claim_take(&claim, CRASH_LOSS);
    crash_ending_hold(&ending);
    atomic_store(&is_whole, true); /* it is being written */
    await_looks(4);
    if (write(said[1], "w", 1) != 1)
        _exit(99);
    crash_claim_finish(&claim);
    crash_ending_release(&ending);
    return NULL;
}

static void leave(void)
{
    crash_claim_wait_all();
}

/* A handler of the program's, behind ours: it takes as long as another thread needs to meet the
 * loss. */
static void write_late(void)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_detach(writer);
    while (!atomic_load(&is_whole))
        sched_yield();
}

/* The status of a child that ends so; *left: it left the whole file. */
static int status_of(void (*end)(void), bool *left)
{
    char byte;
    int status = 0;
    cr_assert_eq(pipe(said), 0);
    const pid_t child = fork();
    if (child == 0) {
        pthread_t writer;
        signal(SIGABRT, SIG_DFL); /* Criterion has handlers of its own */
        signal(SIGSEGV, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        crash_claim_open(&claim, 2 * second);
        crash_ending_register(leave, NULL);
        pthread_create(&writer, NULL, write_it, NULL);
        pthread_detach(writer);
        while (!atomic_load(&is_whole))
            sched_yield();
        end();
        _exit(98);
    }
    close(said[1]);
    *left = read(said[0], &byte, 1) == 1;
    close(said[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static void by_exit(void)
{
    exit(3);
}

static void by_quick_exit(void)
{
    quick_exit(3);
}

static void by_terminate(void)
{
    raise(SIGTERM);
}

static void by_fault(void)
{
    *(volatile int *)8 = 1;
}

Test(claim, exit_abort_and_signals_meet_the_writer)
{
    static const struct {
        const char *name;
        void (*end)(void);
        int code, signal;
    } ends[] = {
        {"exit", by_exit, 3, 0},           {"quick_exit", by_quick_exit, 3, 0},
        {"abort", abort, 0, SIGABRT},      {"SIGTERM", by_terminate, 0, SIGTERM},
        {"a fault", by_fault, 0, SIGSEGV},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        bool left;
        const int status = status_of(ends[i].end, &left);
        cr_expect(left, "%s", ends[i].name);
        cr_expect_eq(WIFSIGNALED(status) ? WTERMSIG(status) : 0, ends[i].signal, "%s",
                     ends[i].name);
        cr_expect_eq(WIFEXITED(status) ? WEXITSTATUS(status) : 0, ends[i].code, "%s", ends[i].name);
    }
}

Test(claim, a_loss_that_comes_while_exit_is_on_its_way_is_met)
{
    char byte;
    int status = 0;
    cr_assert_eq(pipe(said), 0);
    const pid_t child = fork();
    if (child == 0) {
        crash_claim_open(&claim, 2 * second);
        atexit(write_late);
        crash_ending_register(leave, NULL);
        exit(3);
    }
    close(said[1]);
    cr_expect_eq(read(said[0], &byte, 1), 1);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void mark(void)
{
    atomic_store(&is_whole, true);
}

static void tell_mark(void)
{
    _exit(atomic_load(&is_whole) ? 3 : 4);
}

/* What other layers have registered takes away what the watchdog calls. */
Test(claim, exit_comes_to_us_before_what_was_registered_before)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        atexit(tell_mark);
        crash_ending_register(mark, NULL);
        exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void handle(int number)
{
    _exit(number == SIGABRT ? 55 : 56);
}

static void by_own_handler(void)
{
    abort();
}

Test(claim, the_program_s_own_handler_is_called_behind_the_file)
{
    bool left;
    signal(SIGABRT, handle);
    cr_assert_eq(pipe(said), 0);
    const pid_t child = fork();
    if (child == 0) {
        pthread_t writer;
        crash_claim_open(&claim, 2 * second);
        pthread_create(&writer, NULL, write_it, NULL);
        pthread_detach(writer);
        while (!atomic_load(&is_whole))
            sched_yield();
        by_own_handler();
    }
    char byte;
    int status = 0;
    close(said[1]);
    left = read(said[0], &byte, 1) == 1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(left && WIFEXITED(status) && WEXITSTATUS(status) == 55);
}

Test(claim, signals_are_the_program_s_again_behind_the_file)
{
    struct crash_ending ending;
    struct sigaction before, after;
    sigset_t mask_before, mask_after;
    sigaction(SIGTERM, NULL, &before);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    crash_ending_hold(&ending);
    sigaction(SIGTERM, NULL, &after);
    cr_expect(after.sa_handler != before.sa_handler);
    crash_ending_release(&ending);
    sigaction(SIGTERM, NULL, &after);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    cr_expect(after.sa_handler == before.sa_handler);
    for (int number = 1; number < 32; number++)
        cr_expect_eq(sigismember(&mask_before, number), sigismember(&mask_after, number));
}

/* A handler in front of ours, whose owner has it set as long as this lasts: the other layer, or a
 * program's library. */
static void in_front(bool is_set)
{
    static struct sigaction behind;
    struct sigaction own = {.sa_handler = handle};
    sigaction(SIGTERM, is_set ? &own : &behind, is_set ? &behind : NULL);
}

static void count(int number)
{
    (void)number;
    atomic_fetch_add(&looks, 1);
}

Test(claim, handlers_that_come_and_go_in_any_order_lead_to_the_program_s)
{
    struct crash_ending ending;
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(30); /* they might lead to each other for ever */
        signal(SIGTERM, count);
        for (unsigned i = 0; i < 2; i++) {
            crash_ending_hold(&ending);
            if (i == 0)
                in_front(true);
            crash_ending_release(&ending);
            in_front(false); /* ours, also where it has gone */
            raise(SIGTERM);
            in_front(false);
        }
        if (looks != 2)
            _exit(97);
        signal(SIGTERM, SIG_DFL);
        for (unsigned i = 0; i < 3; i++) {
            crash_ending_hold(&ending);
            in_front(true);
            crash_ending_release(&ending);
            if (i == 1)
                crash_ending_hold(&ending);
            in_front(false);
            if (i == 1)
                crash_ending_release(&ending);
        }
        raise(SIGTERM);
        _exit(98);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status 0x%x", (unsigned)status);
}

/* The thread that writes is the parent's. */
Test(claim, a_child_of_fork_waits_for_nothing_and_writes_nothing)
{
    for (unsigned is_writing = 0; is_writing < 2; is_writing++) {
        int status = 0;
        if (is_writing)
            cr_assert(crash_claim_take(&claim, CRASH_LOSS));
        const pid_t child = fork();
        if (child == 0) {
            const bool takes = crash_claim_take(&claim, CRASH_LOSS);
            crash_claim_is_over(&claim);
            _exit(takes || !crash_claim_wait_all() || looks != 0 ||
                  crash_claim_take_over(&claim, true));
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    finish();
}

/* ---- the process's end killed the writer, or the writer ends the process ---- */

static void *take_and_go(void *unused)
{
    (void)unused;
    crash_claim_take(&claim, CRASH_LOSS);
    return NULL;
}

Test(claim, who_is_alone_takes_over_what_is_half_written)
{
    pthread_t writer;
    cr_expect(!crash_claim_take_over(&claim, true), "nobody writes");
    cr_assert_eq(pthread_create(&writer, NULL, take_and_go, NULL), 0);
    pthread_join(writer, NULL);
    cr_expect(!crash_claim_take_over(&claim, false), "it may still be at it");
    cr_expect(crash_claim_take_over(&claim, true));
    crash_claim_finish(&claim);
    cr_expect(!crash_claim_take_over(&claim, true), "it is whole");
    cr_expect_eq(looks, 0);
}

Test(claim, a_writer_that_ends_the_process_takes_over_from_itself)
{
    cr_assert(crash_claim_take(&claim, CRASH_LOSS));
    cr_expect(crash_claim_take_over(&claim, false));
    crash_claim_finish(&claim);
}
