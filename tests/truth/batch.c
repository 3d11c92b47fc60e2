#include "batch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 64, SECONDS = 20 /* of one program */ };

struct job {
    pid_t process;
    _Atomic uint64_t *seed; /* that it plays */
};

struct batch *batch_create(void)
{
    struct batch *batch =
        mmap(NULL, sizeof *batch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (batch == MAP_FAILED)
        abort();
    return batch;
}

/* ---- one program ---- */

static bool is_allowed(const struct batch *batch, const char *kind)
{
    for (unsigned i = 0; i < batch->allowed_count; i++)
        if (strcmp(batch->allowed[i], kind) == 0)
            return true;
    return false;
}

static void add_failure(struct batch *batch, uint64_t seed, const struct complaint *complaint)
{
    const uint32_t index = batch->failure_count++;
    if (index >= FAILURES_MAX)
        return;
    batch->failures[index].seed = seed;
    memcpy(batch->failures[index].kind, complaint->kind, sizeof complaint->kind);
    memcpy(batch->failures[index].text, complaint->text, sizeof complaint->text);
}

static void add_verdict(struct batch *batch, uint64_t seed, const struct verdict *verdict)
{
    bool is_failed = false;
    for (uint32_t i = 0; i < verdict->count && i < COMPLAINTS_MAX; i++) {
        const struct complaint *complaint = &verdict->complaints[i];
        bool is_new = !is_allowed(batch, complaint->kind);
        for (uint32_t k = 0; k < i; k++)
            is_new = is_new && strcmp(verdict->complaints[k].kind, complaint->kind) != 0;
        if (is_new)
            add_failure(batch, seed, complaint);
        is_failed = is_failed || is_new;
    }
    batch->failed += is_failed;
    batch->passed += !is_failed;
    batch->allowed_programs += !is_failed && verdict->count > 0;
}

const char *const batch_drivers[DRIVERS_MAX] = {"reference", "reorder", "legacy",
                                                "warp",      LESS,      "hostile"};

static void count_named(struct batch *batch, const struct witnesses *w,
                        const struct verdict *verdict)
{
    unsigned width = 0, driver = 0;
    while (1u << width < w->in_flight)
        width++;
    while (strcmp(batch_drivers[driver], w->driver) != 0)
        driver++;
    batch->named[width][w->dred][driver][verdict->went_on][verdict->named]++;
}

/* ---- processes ---- */

static _Noreturn void work(struct batch *batch, _Atomic uint64_t *current)
{
    struct program program;
    struct verdict verdict;
    for (;;) {
        const uint64_t at = batch->next++;
        if (at >= batch->count)
            _exit(0);
        *current = batch->first + at;
        alarm(SECONDS);
        program_generate(&program, batch->first + at);
        judge_here(&program, batch->folder, NULL, &verdict);
        alarm(0);
        add_verdict(batch, batch->first + at, &verdict);
        count_named(batch, &program.witnesses, &verdict);
    }
}

static void start(struct batch *batch, struct job *job)
{
    fflush(NULL);
    job->process = fork();
    if (job->process < 0)
        abort();
    if (job->process == 0)
        work(batch, job->seed);
}

/* A process that dies has taken its program with it: another one goes on with the next. */
static void note_death(struct batch *batch, const struct job *job, int status)
{
    struct verdict verdict = {.count = 0};
    if (WIFSIGNALED(status))
        complain(&verdict, WTERMSIG(status) == SIGALRM ? "hang" : "crash", "signal %d",
                 WTERMSIG(status));
    else
        complain(&verdict, "exit", "status %d", WEXITSTATUS(status));
    add_verdict(batch, *job->seed, &verdict);
}

void batch_run(struct batch *batch, unsigned jobs)
{
    struct job job[JOBS_MAX];
    unsigned running = 0;
    _Atomic uint64_t *seeds = mmap(NULL, JOBS_MAX * sizeof *seeds, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seeds == MAP_FAILED)
        abort();
    for (; running < jobs && running < JOBS_MAX; running++) {
        job[running].seed = &seeds[running];
        start(batch, &job[running]);
    }
    const unsigned all = running;
    while (running > 0) {
        int status;
        const pid_t process = wait(&status);
        for (unsigned i = 0; i < all; i++) {
            if (job[i].process != process)
                continue;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
                running--;
            } else {
                note_death(batch, &job[i], status);
                start(batch, &job[i]);
            }
            break;
        }
    }
    munmap(seeds, JOBS_MAX * sizeof *seeds);
}
