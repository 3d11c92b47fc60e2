/* Runs Criterion's tests under a sanitizer, each in a forked child, in place of Criterion's own
 * runner. That one ends before the first test under ThreadSanitizer ("Could not initialize
 * inheritable arena"), counts a test as passed whose leaks LeakSanitizer reports when the worker
 * has sent its result, and runs no test without a worker: --debug waits for a debugger. Here
 * whatever makes the child exit with another code than the test announced is a failure: a failed
 * assertion, a report of a sanitizer, a leak.
 *
 * The tests are found where Criterion's macros put them; the functions below take the place of
 * those that the assertions call in libcriterion. Theories are not known here. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>

#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_ASSERTION 97
#define EXIT_SKIPPED   98
#define TIMEOUT_FACTOR 10.0 /* sanitizers are slow */

extern struct criterion_test *__start_cr_tst[] __attribute__((weak));
extern struct criterion_test *__stop_cr_tst[] __attribute__((weak));
extern struct criterion_suite *__start_cr_sts[] __attribute__((weak));
extern struct criterion_suite *__stop_cr_sts[] __attribute__((weak));

/* The test that the child runs, and how its assertions went. */
static struct {
    const struct criterion_suite *suite;
    const struct criterion_test *test;
    void *parameter;
    bool failed;
} current;

/* ---- in the child: what Criterion's macros call ---- */

static void child_exit(int code)
{
    fflush(NULL);
    exit(code); /* not _exit: LeakSanitizer looks around at exit and changes the code */
}

void criterion_internal_test_setup(void)
{
    if (current.suite && current.suite->data->init)
        current.suite->data->init();
    if (current.test->data->init)
        current.test->data->init();
}

void criterion_internal_test_main(void (*function)(void))
{
    if (current.parameter)
        ((void (*)(void *))(uintptr_t)function)(current.parameter);
    else
        function();
}

void criterion_internal_test_teardown(void)
{
    if (current.test->data->fini)
        current.test->data->fini();
    if (current.suite && current.suite->data->fini)
        current.suite->data->fini();
}

static void report_failure(const char *file, size_t line, const char *what, const char *message)
{
    current.failed = true;
    fprintf(stderr, "%s:%zu: %s%s%s\n", file, line, what ? what : "assertion failed",
            message && *message ? ": " : "", message ? message : "");
}

void criterion_send_assert(struct criterion_assert_stats *stats)
{
    if (!stats->passed)
        report_failure(stats->file, stats->line, NULL, stats->message);
}

void cri_assert_node_send(const char *file, size_t line, struct cri_assert_node *tree)
{
    if (!tree->pass)
        report_failure(file, line, tree->repr, tree->message);
}

void cri_asserts_passed_incr(void)
{
}

void criterion_continue_test(void)
{
}

/* A failed test is not asked for leaks: what it didn't get to free is no news. */
void criterion_abort_test(void)
{
    fflush(NULL);
    _exit(EXIT_ASSERTION);
}

void criterion_skip_test(const char *format, ...)
{
    (void)format;
    fflush(NULL);
    _exit(EXIT_SKIPPED);
}

void criterion_test_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    criterion_abort_test();
}

/* Criterion's allocator lives in its runner. */
void *cr_malloc(size_t size)
{
    return malloc(size);
}

void *cr_calloc(size_t count, size_t size)
{
    return calloc(count, size);
}

void *cr_realloc(void *memory, size_t size)
{
    return realloc(memory, size);
}

void cr_free(void *memory)
{
    free(memory);
}

/* ---- in the parent ---- */

enum outcome { PASSED, FAILED, CRASHED, SKIPPED };

static struct {
    unsigned count[4];
    FILE *tap;
} results;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* False: it had to be killed. */
static bool wait_for_child(pid_t child, double seconds, int *status)
{
    const double deadline = now() + seconds;
    const struct timespec pause = {0, 1000000};
    for (;;) {
        if (waitpid(child, status, seconds > 0 ? WNOHANG : 0) == child)
            return true;
        if (seconds > 0 && now() > deadline) {
            kill(child, SIGKILL);
            waitpid(child, status, 0);
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

static enum outcome judge(const struct criterion_test_extra_data *expected, int status)
{
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == EXIT_SKIPPED)
        return SKIPPED;
    if (expected->signal)
        return WIFSIGNALED(status) && WTERMSIG(status) == expected->signal ? PASSED : FAILED;
    if (code < 0)
        return CRASHED;
    return code == expected->exit_code ? PASSED : FAILED;
}

static void run_once(const struct criterion_suite *suite, const struct criterion_test *test,
                     void *parameter)
{
    static const char *const verdict[] = {"ok", "not ok", "not ok", "ok"};
    const struct criterion_test_extra_data *data = test->data;
    enum outcome outcome = SKIPPED;
    const double start = now();
    int status = 0;

    if (!data->disabled && !(suite && suite->data->disabled)) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            current.suite = suite;
            current.test = test;
            current.parameter = parameter;
            test->test();
            if (current.failed)
                criterion_abort_test();
            child_exit(0);
        }
        double timeout = data->timeout > 0 ? data->timeout : suite ? suite->data->timeout : 0;
        if (child < 0 || !wait_for_child(child, timeout * TIMEOUT_FACTOR, &status))
            outcome = CRASHED;
        else
            outcome = judge(data, status);
    }
    results.count[outcome]++;
    if (outcome == FAILED || outcome == CRASHED)
        fprintf(stderr, "[FAIL] %s::%s: wait status 0x%x (%.2fs)\n", test->category, test->name,
                (unsigned)status, now() - start);
    if (results.tap)
        fprintf(results.tap, "%s - %s::%s %s\n", verdict[outcome], test->category, test->name,
                outcome == SKIPPED ? "# SKIP" : "");
}

static const struct criterion_suite *find_suite(const char *name)
{
    for (struct criterion_suite **suite = __start_cr_sts; suite < __stop_cr_sts; suite++)
        if (*suite && strcmp((*suite)->name, name) == 0)
            return *suite;
    return NULL;
}

static void run_test(const struct criterion_test *test)
{
    const struct criterion_suite *suite = find_suite(test->category);
    if (test->data->kind_ != CR_TEST_PARAMETERIZED) {
        run_once(suite, test, NULL);
        return;
    }
    struct criterion_test_params all = test->data->param_();
    for (size_t i = 0; i < all.length; i++)
        run_once(suite, test, (char *)all.params + i * all.size);
    if (all.cleanup)
        all.cleanup(&all);
}

/* As Criterion's own does, for scripts. */
static int list_tests(void)
{
    for (struct criterion_suite **suite = __start_cr_sts; suite < __stop_cr_sts; suite++) {
        if (*suite)
            printf("%s:\n", (*suite)->name);
        for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
            if (*suite && *test && strcmp((*test)->category, (*suite)->name) == 0)
                printf("|-- %s\n", (*test)->name);
    }
    return 0;
}

/* The value of --NAME=VALUE, or of --NAME VALUE, where *i goes on; NULL: it is another option. */
static const char *value_of(const char *name, char **argv, int *i)
{
    const size_t length = strlen(name);
    if (strncmp(argv[*i], name, length) != 0)
        return NULL;
    return argv[*i][length] == '=' ? argv[*i] + length + 1 : argv[*i][length] ? NULL : argv[++*i];
}

int main(int argc, char **argv)
{
    const char *filter = "*", *value;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            return list_tests();
        if ((value = value_of("--tap", argv, &i))) {
            results.tap = fopen(value, "w");
        } else if ((value = value_of("--filter", argv, &i))) {
            filter = value;
        } else if (strncmp(argv[i], "-j", 2) != 0) { /* one at a time */
            fprintf(stderr, "usage: %s [--list] [--filter=SUITE/TEST] [--tap=FILE]\n", argv[0]);
            return 2;
        }
    }
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
        if (*test && fnmatch(filter, (*test)->data->identifier_, FNM_EXTMATCH) == 0)
            run_test(*test);

    const unsigned failing = results.count[FAILED] + results.count[CRASHED];
    const unsigned tested = results.count[PASSED] + failing;
    if (results.tap) {
        fprintf(results.tap, "1..%u\n", tested + results.count[SKIPPED]);
        fclose(results.tap);
    }
    fprintf(stderr, "[====] Synthesis: Tested: %u | Passing: %u | Failing: %u | Crashing: %u\n",
            tested, results.count[PASSED], failing, results.count[CRASHED]);
    return failing != 0;
}
