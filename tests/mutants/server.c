/* A suite's tests for mutants.py, each in a forked child, with any mutant and without the start of
 * a program. It prints the tests' names, a line each and an empty one, and then answers each line
 *
 *     MUTANT NUMBER:CPU:WALL...    tests by number, with limits in milliseconds
 *
 * with the first test that failed or else the last, its outcome, and what it took: NUMBER OUTCOME
 * CPU WALL.
 */
#define main runner_main
#include "../sanitizer_runner.c"
#undef main

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

static volatile int *mutant;
static int answers; /* the descriptor that they are written to */

static void time_limit(long milliseconds)
{
    const struct itimerval limit = {{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* A signal may be of an earlier child, which was killed. False: the time was up. */
static bool wait_in_time(pid_t child, long wall, int *status, struct rusage *usage)
{
    const double deadline = now() + (double)wall / 1000;
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (wait4(child, status, WNOHANG, usage) != child) {
        const double left = deadline - now();
        if (left <= 0) {
            kill(child, SIGKILL);
            wait4(child, status, 0, usage);
            return false;
        }
        const time_t seconds = (time_t)left;
        sigtimedwait(&ended, NULL,
                     &(struct timespec){seconds, (long)((left - (double)seconds) * 1e9)});
    }
    return true;
}

/* The child is the head of a group, which ends with it. */
static enum outcome attempt(const struct criterion_test *test, void *parameter, long cpu, long wall,
                            double *used)
{
    sigset_t ended;
    struct rusage usage;
    int status = 0;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    const pid_t child = fork();
    if (child < 0)
        exit(2);
    if (child == 0) {
        setpgid(0, 0);
        close(answers); /* a mutant writes to any descriptor */
        sigprocmask(SIG_UNBLOCK, &ended, NULL);
        time_limit(cpu);
        current.suite = find_suite(test->category);
        current.test = test;
        current.parameter = parameter;
        test->test();
        if (current.failed)
            criterion_abort_test();
        child_exit(0);
    }
    setpgid(child, child);
    const bool in_time = wait_in_time(child, wall, &status, &usage);
    kill(-child, SIGKILL); /* what it left */
    *used += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
             (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
    return in_time ? judge(test->data, status) : CRASHED;
}

static enum outcome attempt_all(const struct criterion_test *test, long cpu, long wall,
                                double *used)
{
    enum outcome outcome = PASSED;
    if (test->data->disabled)
        return SKIPPED;
    if (test->data->kind_ != CR_TEST_PARAMETERIZED)
        return attempt(test, NULL, cpu, wall, used);
    struct criterion_test_params all = test->data->param_();
    for (size_t i = 0; i < all.length && outcome == PASSED; i++)
        outcome = attempt(test, (char *)all.params + i * all.size, cpu, wall, used);
    if (all.cleanup)
        all.cleanup(&all);
    return outcome;
}

static void answer(char *line, FILE *out)
{
    char *at;
    long number = -1, cpu, wall;
    double used = 0, start = now();
    enum outcome outcome = PASSED;
    *mutant = (int)strtol(line, &at, 10);
    int length;
    while ((outcome == PASSED || outcome == SKIPPED) &&
           sscanf(at, " %ld:%ld:%ld%n", &number, &cpu, &wall, &length) == 3) {
        at += length;
        used = 0;
        start = now();
        outcome = attempt_all(__start_cr_tst[number], cpu, wall, &used);
    }
    *mutant = 0;
    fprintf(out, "%ld %d %.0f %.0f\n", number, outcome, used, (now() - start) * 1000);
    fflush(out);
}

int main(int argc, char **argv)
{
    if (argc > 1) /* a script starts the program for some of its tests */
        return runner_main(argc, argv);
    char *line = NULL;
    size_t size = 0;
    const struct rlimit none = {0, 0};
    sigset_t ended;
    FILE *out = fdopen(answers = dup(1), "w");
    const int page = open(getenv("MUTANTS_PAGE"), O_RDWR | O_CLOEXEC);
    const int null = open("/dev/null", O_RDWR);
    mutant = mmap(NULL, sizeof *mutant, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (!out || null < 0 || mutant == MAP_FAILED)
        return 2;
    setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ /* whose shadow is larger */
    setrlimit(RLIMIT_DATA, &(struct rlimit){2u << 30, 2u << 30});
#endif
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    dup2(null, 1);
    dup2(null, 2);
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++)
        fprintf(out, "%s/%s\n", *test ? (*test)->category : "", *test ? (*test)->name : "");
    fprintf(out, "\n");
    fflush(out);
    while (getline(&line, &size, stdin) > 0)
        answer(line, out);
    free(line);
    return 0;
}
