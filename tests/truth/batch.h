/* Many programs in several processes. */
#pragma once

#include "judge.h"

enum { FAILURES_MAX = 4096, KINDS_MAX = 64, DRIVERS_MAX = 6 };
extern const char *const batch_drivers[DRIVERS_MAX];

struct failure {
    uint64_t seed;
    char kind[96], text[256];
};

/* The output that all processes write to. */
struct batch {
    uint64_t first, count; /* seeds */
    char folder[128];
    const char *const *allowed; /* kinds that are no failures, `allowed_count` of them */
    unsigned allowed_count;
    _Atomic uint64_t next, passed, failed, allowed_programs;
    _Atomic uint32_t failure_count; /* one of each kind for each program; more than are kept */
    struct failure failures[FAILURES_MAX];
    /* Programs by operations in flight (a power of 2), DRED, driver, the others' fate, and how many
     * operations are named. */
    _Atomic uint32_t named[4][DRED_KINDS][DRIVERS_MAX][2][NAMED_WAYS];
};

/* In memory that child processes share. */
struct batch *batch_create(void);

/* Plays all programs, `jobs` at a time. */
void batch_run(struct batch *batch, unsigned jobs);
