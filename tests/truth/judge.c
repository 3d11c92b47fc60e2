#include "judge.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20 }; /* of one program; it takes milliseconds */

static void copy_file(const char *from, const char *to)
{
    char buffer[65536];
    size_t size;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    while (in && out && (size = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, size, out);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
}

void judge_here(const struct program *program, const char *folder, const char *keep,
                struct verdict *verdict)
{
    struct outcome *outcome = calloc(1, sizeof *outcome);
    if (!outcome)
        abort();
    *verdict = (struct verdict){.count = 0};
    run_program(program, folder, outcome);
    if (!truth_find_places(&outcome->truth))
        complain(verdict, "counters", "the counters contradict each other");
    check_outcome(program, outcome, folder, verdict);
    if (keep && outcome->dump[0])
        copy_file(outcome->dump, keep);
    run_finish(outcome);
    free(outcome);
}

void judge_apart(const struct program *program, const char *folder, struct verdict *verdict)
{
    struct verdict *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    if (shared == MAP_FAILED)
        abort();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        judge_here(program, folder, NULL, shared);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    *verdict = *shared;
    munmap(shared, sizeof *shared);
    if (WIFSIGNALED(status))
        complain(verdict, WTERMSIG(status) == SIGALRM ? "hang" : "crash", "signal %d",
                 WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        complain(verdict, "exit", "status %d", WEXITSTATUS(status));
}

bool verdict_has(const struct verdict *verdict, const char *kind)
{
    for (uint32_t i = 0; i < verdict->count && i < COMPLAINTS_MAX; i++)
        if (strcmp(verdict->complaints[i].kind, kind) == 0)
            return true;
    return false;
}
