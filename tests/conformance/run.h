/* Runs planned cases in processes that are this program again: each in its own, or several that set
 * nothing, one after the other. One that fails beside others is run again alone. The runner itself
 * loads no runtime. */
#pragma once

#include "plan.h"

struct run_subject {
    const char *runtime; /* the library */
    const char *driver;  /* a driver's file, for it to load; NULL: the cases name their drivers */
};

struct run_options {
    const char *program; /* this program */
    struct run_subject subject;
    unsigned jobs;       /* processes at once */
    unsigned together;   /* cases of a process at most, from 1 on */
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
    char library[VERDICT_LINE_MAX]; /* the file with D3D12CreateDevice; "": not known */
};

/* Asks a process that loads the runtime and makes a device. */
void run_probe(const struct run_options *options, struct run_probe *probe);

/* Hidden options: the channel to the runner; run the cases of those names, or the probe, in this
 * process. */
#define RUN_CHANNEL_OPTION "--channel"
#define RUN_TOKEN_OPTION   "--token"
#define RUN_DRIVER_OPTION  "--driver"
#define RUN_CASE_OPTION    "--run-case"
#define RUN_PROBE_OPTION   "--run-probe"
enum { RUN_TOGETHER_MAX = 64 };
_Noreturn void run_cases(struct run_subject subject, const char *const *names, unsigned count);
_Noreturn void run_the_probe(struct run_subject subject);
