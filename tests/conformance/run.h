/* Runs planned cases, each in a process of its own that is this program again. The runner itself
 * loads no runtime. */
#ifndef CONFORMANCE_RUN_H
#define CONFORMANCE_RUN_H

#include "plan.h"

struct run_options {
    const char *program; /* this program */
    const char *runtime; /* the library */
    unsigned jobs;       /* processes at once */
    unsigned timeout_ms; /* for each step: loading the runtime, the case, unloading the runtime */
    void (*done)(void *user, const struct planned *planned,
                 size_t number); /* in the plan's order */
    void *user;
};

/* Fills in what became of every case that has no verdict yet. */
void run_plan(const struct run_options *options, struct plan *plan);

struct run_probe {
    bool unusable;  /* it is no runtime: `reason` says what to do */
    bool testable;  /* its device has what the suite is about; else `reason` says what it lacks */
    bool drivers;   /* it lets its driver be chosen */
    unsigned lacks; /* enum case_need */
    char reason[VERDICT_LINE_MAX + 64];
};

/* Asks a process that loads the runtime and makes a device. */
void run_probe(const struct run_options *options, struct run_probe *probe);

/* Hidden options: the channel to the runner; run one case, or the probe, in this process. */
#define RUN_CHANNEL_OPTION "--channel"
#define RUN_TOKEN_OPTION   "--token"
#define RUN_CASE_OPTION    "--run-case"
#define RUN_PROBE_OPTION   "--run-probe"
_Noreturn void run_one(const char *runtime, const char *name);
_Noreturn void run_the_probe(const char *runtime);

#endif
