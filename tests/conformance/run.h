/* Runs planned cases, each in a process of its own that is this program again. */
#ifndef CONFORMANCE_RUN_H
#define CONFORMANCE_RUN_H

#include "plan.h"

struct run_options {
    const char *program; /* this program */
    const char *runtime; /* the library */
    unsigned jobs;       /* processes at once */
    unsigned timeout_ms; /* per case */
    void (*done)(void *user, const struct planned *planned,
                 size_t number); /* in the plan's order */
    void *user;
};

/* Fills in what became of every case that has no verdict yet. */
bool run_plan(const struct run_options *options, struct plan *plan);

/* Asks a process whether a device of the runtime has what the suite is about; NULL, or why nothing can be tested. */
const char *run_probe(const struct run_options *options);

/* Hidden options: run one case, or the probe, in this process. */
#define RUN_CASE_OPTION  "--run-case"
#define RUN_PROBE_OPTION "--run-probe"
_Noreturn void run_one(const struct planned *planned);
_Noreturn void run_the_probe(void);

#endif
