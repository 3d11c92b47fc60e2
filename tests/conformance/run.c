#include "run.h"

#include "channel.h"
#include "os.h"
#include "runtime.h"
#include "spy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the processes ---- */

enum { JOBS_MAX = 64, CHANNEL_READS_MAX = 64 };

struct slot {
    struct os_process *process;
    struct planned *cases[RUN_TOGETHER_MAX];
    unsigned count, at; /* `at`: the one that runs */
    struct verdict_reader reader;
    uint64_t started, step_started; /* of the case that runs */
};

enum { FIXED_ARGUMENTS = 10 };

/* `what` RUN_CASE_OPTION: the slot's cases. */
static bool start(struct slot *slot, const struct run_options *o, const char *what)
{
    char channel[OS_CHANNEL_MAX], token[TOKEN_SIZE];
    char *argv[FIXED_ARGUMENTS + 2 * RUN_TOGETHER_MAX] = {(char *)(uintptr_t)o->program,
                                                          (char *)RUN_CHANNEL_OPTION,
                                                          channel,
                                                          (char *)RUN_TOKEN_OPTION,
                                                          token,
                                                          (char *)"--runtime",
                                                          (char *)(uintptr_t)o->subject.runtime};
    char **next = argv + 7;
    uint64_t number;
    if (o->subject.driver) {
        *next++ = (char *)RUN_DRIVER_OPTION;
        *next++ = (char *)(uintptr_t)o->subject.driver;
    }
    if (strcmp(what, RUN_CASE_OPTION) != 0)
        *next++ = (char *)(uintptr_t)what;
    else
        for (unsigned i = 0; i < slot->count; i++) {
            *next++ = (char *)(uintptr_t)what;
            *next++ = slot->cases[i]->name;
        }
    *next = NULL;
    if (!os_random(&number))
        return false;
    snprintf(token, sizeof token, "%016llx", (unsigned long long)number);
    slot->at = 0;
    slot->started = slot->step_started = os_clock();
    verdict_reader_init(&slot->reader, token);
    slot->process = os_process_start(argv, channel);
    return slot->process != NULL;
}

/* Reads what has come; each step has the whole timeout. */
static void read_channel(struct slot *slot)
{
    const enum step step = slot->reader.step;
    const unsigned before = slot->reader.before;
    char bytes[1024];
    for (int i = 0; i < CHANNEL_READS_MAX; i++) {
        const size_t got = os_process_channel(slot->process, bytes, sizeof bytes);
        if (got == 0)
            break;
        verdict_read(&slot->reader, bytes, got);
    }
    if (slot->reader.step != step || slot->reader.before != before)
        slot->step_started = os_clock();
}

static bool is_late(const struct slot *slot, const struct run_options *o)
{
    return (os_clock() - slot->step_started) / 1000000u >= o->timeout_ms;
}

/* ---- verdicts ---- */

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *to = malloc(size);
    if (to)
        memcpy(to, text, size);
    return to;
}

static const char *during(enum step step)
{
    static const char *const steps[] = {" while it loaded the runtime", "",
                                        " while it unloaded the runtime"};
    return steps[step];
}

/* The fault of a process, whatever its verdict; an empty string: none. */
static void find_fault(const struct slot *slot, const struct run_options *o, char *reason,
                       size_t size)
{
    const char *step = during(slot->reader.step);
    char how[128];
    int code = 0;
    reason[0] = '\0';
    if (!os_process_ended(slot->process))
        snprintf(reason, size, "it did not end after %g seconds%s, and was killed",
                 o->timeout_ms / 1000.0, step);
    else if (os_process_crashed(slot->process, &code, how, sizeof how))
        snprintf(reason, size, "the process crashed%s: %s", step, how);
    else if (slot->reader.verdict == VERDICT_OF_NOTHING)
        snprintf(reason, size, "the process exited before the case ended%s with exit code %d", step,
                 code);
    else if (slot->reader.contradicted)
        snprintf(reason, size, "the case gave two verdicts");
    else if (slot->reader.verdict != FAILED && code != 0)
        snprintf(reason, size, "the process ended%s with exit code %d", step, code);
}

/* Those that have passed and left the process to the next one. */
static void take_passed(struct slot *slot)
{
    for (; slot->at < slot->reader.before && slot->at + 1 < slot->count; slot->at++) {
        struct planned *planned = slot->cases[slot->at];
        planned->verdict = PASSED;
        planned->seconds = (double)(slot->step_started - slot->started) / 1e9;
        slot->started = slot->step_started;
    }
}

/* A case has passed when its process says so and then also leaves in peace: a sanitizer may still
 * find something. Beside others that is the last one's; what fails there may be theirs. */
static void judge(struct slot *slot, const struct run_options *o)
{
    struct planned *planned = slot->cases[slot->at];
    char reason[256];
    find_fault(slot, o, reason, sizeof reason);
    os_process_kill(slot->process);
    for (unsigned i = slot->at + 1; i < slot->count; i++)
        slot->cases[i]->is_started = false;
    const enum verdict verdict = reason[0] ? FAILED : slot->reader.verdict;
    if (verdict == FAILED && slot->count > 1) {
        planned->is_alone = true;
        planned->is_started = false;
        return;
    }
    planned->seconds = (double)(os_clock() - slot->started) / 1e9;
    planned->verdict = verdict;
    if (reason[0])
        planned->reason = copy(reason);
    else if (slot->reader.reason[0])
        planned->reason = copy(slot->reader.reason);
    if (planned->verdict == FAILED)
        planned->output = copy(os_process_output(slot->process));
}

/* true: the slot is free. */
static bool empty(struct slot *slot, const struct run_options *o)
{
    if (!slot->process)
        return true;
    const bool ended = os_process_ended(slot->process); /* first: what it said before is there */
    read_channel(slot);
    take_passed(slot);
    if (!ended && !is_late(slot, o))
        return false;
    judge(slot, o);
    os_process_done(slot->process);
    slot->process = NULL;
    return true;
}

/* ---- a plan ---- */

/* The first case that waits, and those behind it that may share its process. */
static void choose(struct slot *slot, const struct run_options *o, struct plan *plan, size_t from)
{
    const unsigned most = o->together < RUN_TOGETHER_MAX ? o->together : RUN_TOGETHER_MAX;
    slot->count = 0;
    for (size_t i = from; i < plan->count && slot->count < most; i++) {
        struct planned *planned = &plan->cases[i];
        if (planned->verdict != VERDICT_OF_NOTHING || planned->is_started)
            continue;
        const bool may_share = plan_may_share(planned);
        if (slot->count > 0 && !may_share)
            break;
        planned->is_started = true;
        slot->cases[slot->count++] = planned;
        if (!may_share)
            break;
    }
}

static void fill(struct slot *slot, const struct run_options *o, struct plan *plan, size_t from)
{
    choose(slot, o, plan, from);
    if (slot->count == 0 || start(slot, o, RUN_CASE_OPTION))
        return;
    for (unsigned i = 1; i < slot->count; i++)
        slot->cases[i]->is_started = false;
    slot->cases[0]->verdict = FAILED;
    slot->cases[0]->reason = copy("its process can't be started");
}

static void wait_any(const struct slot *slots, unsigned count)
{
    struct os_process *running[JOBS_MAX];
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        if (slots[i].process)
            running[n++] = slots[i].process;
    if (n > 0)
        os_process_wait(running, n, 100);
}

void run_plan(const struct run_options *o, struct plan *plan)
{
    struct slot slots[JOBS_MAX] = {{0}};
    const unsigned count = o->jobs > JOBS_MAX ? JOBS_MAX : o->jobs;
    size_t told = 0;
    while (told < plan->count) {
        for (unsigned i = 0; i < count; i++)
            if (!slots[i].process)
                fill(&slots[i], o, plan, told);
        wait_any(slots, count);
        for (unsigned i = 0; i < count; i++)
            empty(&slots[i], o);
        for (; told < plan->count && plan->cases[told].verdict != VERDICT_OF_NOTHING; told++)
            o->done(o->user, &plan->cases[told], told + 1);
    }
}

void run_probe(const struct run_options *o, struct run_probe *probe)
{
    struct planned planned = {.name = "probe"};
    struct slot slot = {.cases = {&planned}, .count = 1};
    *probe = (struct run_probe){.testable = false};
    if (!start(&slot, o, RUN_PROBE_OPTION)) {
        snprintf(probe->reason, sizeof probe->reason, "this program can't start itself again");
        return;
    }
    do
        os_process_wait(&slot.process, 1, 100);
    while (!empty(&slot, o));
    probe->unusable = slot.reader.unusable;
    probe->drivers = slot.reader.drivers;
    probe->lacks = slot.reader.lacks;
    memcpy(probe->library, slot.reader.library, sizeof probe->library);
    probe->testable = !probe->unusable && planned.verdict == PASSED;
    if (probe->unusable) /* why a driver can't be loaded the runtime has said */
        snprintf(probe->reason, sizeof probe->reason, "%s%.*s", slot.reader.reason,
                 o->subject.driver && planned.output ? (int)strcspn(planned.output, "\n") : 0,
                 planned.output ? planned.output : "");
    else if (!probe->testable)
        snprintf(probe->reason, sizeof probe->reason, "%s%s",
                 planned.verdict == SKIPPED ? "" : "the first device: ",
                 planned.reason ? planned.reason : "failed");
    free(planned.reason);
    free(planned.output);
}

/* ---- inside the processes ---- */

/* The user's own settings are none of the suite's business. */
static void forget_settings(void)
{
    static const char *const variables[] = {"EMU_DRIVER",  "EMU_DRIVER_PATH",  "EMU_DUMP",
                                            "EMU_ORDER",   "EMU_FRESH_MEMORY", "EMU_SEED",
                                            "EMU_WARP_LOG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        os_set_environment(variables[i], NULL);
    os_set_environment("ANNOT_CONFIG", NULL);
    os_set_environment("XDG_CONFIG_HOME", "/nowhere");
}

/* Exit code 2 is for people who run a case by hand. */
static void load(struct run_subject subject)
{
    char error[1024];
    if (!runtime_load(subject.runtime, error, sizeof error) ||
        (subject.driver && !runtime_load_driver(subject.driver, error, sizeof error))) {
        channel_send("unusable", error);
        _Exit(2);
    }
    channel_send("loaded", NULL);
}

static void run_one(const char *name, const char *driver, bool is_last)
{
    const struct plan_options options = {.driver = driver,
                                         .drivers = the_runtime.configure != NULL};
    struct planned planned;
    if (!plan_find(name, &options, &planned)) {
        fprintf(stderr, "annot-conformance: no case has this name; see --list: %s\n", name);
        _Exit(2);
    }
    const char *missing = runtime_reason(runtime_lacks(plan_needs(&planned)));
    const unsigned drivers = planned.test->drivers;
    if (missing)
        case_skip(missing);
    if (!planned.driver && drivers && !(drivers & REFERENCE))
        case_skip("needs a choice of drivers: the runtime exports no emu_configure");
    if (planned.driver && !the_runtime.driver_annotation(planned.driver))
        case_skip("the runtime has no driver with this name");
    spy_forget();
    case_run(planned.test, planned.row, planned.driver, is_last);
}

_Noreturn void run_cases(struct run_subject subject, const char *const *names, unsigned count)
{
    load(subject);
    forget_settings();
    for (unsigned i = 0; i < count; i++)
        run_one(names[i], subject.driver, i + 1 == count);
    _Exit(2); /* the last one leaves the process itself */
}

_Noreturn void run_the_probe(struct run_subject subject)
{
    load(subject);
    char library[VERDICT_LINE_MAX / 2];
    if (the_runtime.configure)
        channel_send("drivers", NULL);
    if (runtime_library(library, sizeof library))
        channel_send("library", library);
    forget_settings();
    const char *reason = runtime_probe();
    char lacks[16];
    if (reason)
        case_skip(reason);
    snprintf(lacks, sizeof lacks, "%u", runtime_lacks((1u << CASE_NEEDS) - 1));
    channel_send("lacks", lacks);
    channel_send("passed", NULL);
    exit(0);
}
