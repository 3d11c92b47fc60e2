#include "run.h"

#include "os.h"
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the processes ---- */

struct slot {
    struct os_process *process;
    struct planned *planned;
    uint64_t started;
};

static struct os_process *start(const struct run_options *o, const char *what, const char *which)
{
    char *const argv[] = {(char *)(uintptr_t)o->program, (char *)"--runtime",
                          (char *)(uintptr_t)o->runtime, (char *)(uintptr_t)what,
                          (char *)(uintptr_t)which,      NULL};
    return os_process_start(argv);
}

static char *copy(const char *text, size_t size)
{
    char *to = malloc(size + 1);
    if (to) {
        memcpy(to, text, size);
        to[size] = '\0';
    }
    return to;
}

/* The start of the line with the verdict; NULL when the process ended without one. */
static const char *find_verdict(const char *output)
{
    static const char mark[] = "conformance-verdict: ";
    const char *found = NULL;
    for (const char *line = output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, mark, sizeof mark - 1) == 0)
            found = line;
    }
    return found;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A case has passed when its process says so and then also leaves in peace: a sanitizer may still find something. */
static void judge(struct planned *planned, const struct os_process *process)
{
    const char *output = os_process_output(process);
    const char *verdict = find_verdict(output);
    char how[128], reason[256] = "";
    int code = 0;
    planned->verdict = FAILED;
    if (os_process_crashed(process, &code, how, sizeof how))
        snprintf(reason, sizeof reason, "the process crashed: %s", how);
    else if (!verdict)
        snprintf(reason, sizeof reason, "the process left in the middle with exit code %d", code);
    else if (code == 0 && starts(verdict, VERDICT_PASSED))
        planned->verdict = PASSED;
    else if (code == 0 && starts(verdict, VERDICT_SKIPPED))
        planned->verdict = SKIPPED;
    else if (!starts(verdict, VERDICT_FAILED))
        snprintf(reason, sizeof reason, "the process ended with exit code %d", code);
    if (planned->verdict == SKIPPED) {
        const char *why = verdict + strlen(VERDICT_SKIPPED);
        planned->reason = copy(why, strcspn(why, "\n"));
    } else if (reason[0]) {
        planned->reason = copy(reason, strlen(reason));
    }
    planned->output =
        copy(output, verdict && !reason[0] ? (size_t)(verdict - output) : strlen(output));
}

static void judge_late(struct planned *planned, struct os_process *process, unsigned timeout_ms)
{
    char reason[128];
    os_process_kill(process);
    snprintf(reason, sizeof reason, "no end after %g seconds: killed", timeout_ms / 1000.0);
    planned->verdict = FAILED;
    planned->reason = copy(reason, strlen(reason));
    planned->output = copy(os_process_output(process), strlen(os_process_output(process)));
}

static void fill(struct slot *slot, const struct run_options *o, struct planned *planned)
{
    *slot = (struct slot){start(o, RUN_CASE_OPTION, planned->name), planned, os_clock()};
    if (slot->process)
        return;
    static const char reason[] = "its process can't be started";
    planned->verdict = FAILED;
    planned->reason = copy(reason, sizeof reason - 1);
}

static void wait_any(const struct slot *slots, unsigned count)
{
    struct os_process *running[64];
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        if (slots[i].process)
            running[n++] = slots[i].process;
    if (n > 0)
        os_process_wait(running, n, 100);
}

static void empty(struct slot *slot, const struct run_options *o)
{
    if (!slot->process)
        return;
    const uint64_t took = os_clock() - slot->started;
    const bool late = took / 1000000u >= o->timeout_ms;
    if (!os_process_ended(slot->process) && !late)
        return;
    slot->planned->seconds = (double)took / 1e9;
    if (os_process_ended(slot->process))
        judge(slot->planned, slot->process);
    else
        judge_late(slot->planned, slot->process, o->timeout_ms);
    os_process_done(slot->process);
    slot->process = NULL;
}

bool run_plan(const struct run_options *o, struct plan *plan)
{
    struct slot slots[64] = {{0}};
    const unsigned count = o->jobs > 64 ? 64 : o->jobs;
    size_t next = 0, told = 0;
    while (told < plan->count) {
        for (unsigned i = 0; i < count; i++) {
            while (next < plan->count && plan->cases[next].verdict != VERDICT_OF_NOTHING)
                next++;
            if (!slots[i].process && next < plan->count)
                fill(&slots[i], o, &plan->cases[next++]);
        }
        wait_any(slots, count);
        for (unsigned i = 0; i < count; i++)
            empty(&slots[i], o);
        for (; told < plan->count && plan->cases[told].verdict != VERDICT_OF_NOTHING; told++) {
            struct planned *planned = &plan->cases[told];
            o->done(o->user, planned, told + 1);
        }
    }
    return true;
}

const char *run_probe(const struct run_options *o)
{
    static char reason[512];
    struct planned planned = {.name = "probe"};
    struct os_process *process = start(o, RUN_PROBE_OPTION, NULL);
    const uint64_t started = os_clock();
    if (!process)
        return "this program can't start itself again";
    while (!os_process_ended(process) && (os_clock() - started) / 1000000u < o->timeout_ms)
        os_process_wait(&process, 1, 100);
    if (os_process_ended(process))
        judge(&planned, process);
    else
        judge_late(&planned, process, o->timeout_ms);
    if (planned.verdict != PASSED)
        snprintf(reason, sizeof reason, "%s%s",
                 planned.verdict == SKIPPED ? "" : "the first device: ",
                 planned.reason ? planned.reason : "failed");
    os_process_done(process);
    free(planned.reason);
    free(planned.output);
    return planned.verdict == PASSED ? NULL : reason;
}

/* ---- inside the processes ---- */

/* The user's own settings are none of the suite's business. */
static void forget_settings(void)
{
    static const char *const variables[] = {"EMU_DRIVER", "EMU_DUMP", "EMU_ORDER", "EMU_SEED",
                                            "EMU_WARP_LOG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        os_set_environment(variables[i], NULL);
    os_set_environment("ANNOT_CONFIG", NULL);
    os_set_environment("XDG_CONFIG_HOME", "/nowhere");
}

_Noreturn void run_one(const struct planned *planned)
{
    forget_settings();
    const char *missing = runtime_lacks(planned->test->needs);
    const unsigned drivers = planned->test->drivers;
    if (missing)
        case_skip(missing);
    if (!planned->driver && drivers && !(drivers & REFERENCE))
        case_skip("needs a choice of drivers: the runtime exports no emu_configure");
    if (planned->driver && !the_runtime.driver_annotation(planned->driver))
        case_skip("the runtime has no driver of that name");
    case_run(planned->test, planned->row, planned->driver);
}

_Noreturn void run_the_probe(void)
{
    forget_settings();
    const char *reason = runtime_probe();
    if (reason)
        case_skip(reason);
    puts(VERDICT_PASSED);
    exit(0);
}
