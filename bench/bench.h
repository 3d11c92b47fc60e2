/*
 * The harness: contestants take turns in short slices of time, so that other load on the machine
 * affects all of them alike. A sitting's figures are medians over its rounds. The ratio to the
 * reference is taken within each round, before the median.
 *
 *     suite       a function that measures one subject and files rows
 *     contestant  one thing measured; the first of its round is what the others are compared with
 *     sitting     a suite run once, in a process of its own, with new random addresses and pages
 *     row         a figure under a name, as it stands in the table, in the JSON and in goals.c: the
 *                 median over the sittings, between the least and the greatest of them
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suites.h"

struct bench_options {
    bool quick;            /* fewer rounds and smaller worlds: a check that all of it works */
    bool silent;           /* notes were given by an earlier sitting */
    const char *directory; /* where the dump suite writes its file */
    const char *runtime;   /* a D3D12 runtime to measure; NULL: none was asked for */
    const char *driver;    /* that runtime's driver, for one that has the emulator's controls */
};

extern struct bench_options bench_options_now;

/* ---- time ---- */

uint64_t bench_now(void); /* nanoseconds, monotonic */

/* Keeps a value alive that only the measured work makes. */
static inline void bench_keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value));
}

struct bench_contestant {
    void (*prepare)(void *state); /* before each turn, not timed; NULL: nothing to do */
    void (*run)(void *state);     /* timed: `operations` operations */
    void *state;
    uint64_t operations;
};

struct bench_figure {
    double ns;     /* an operation; median over the rounds */
    double spread; /* half the distance of the quartiles as a part of the median */
    double ratio;  /* to contestant 0, median of the rounds' own ratios */
    double ratio_spread;
};

#define BENCH_CONTESTANTS_MAX 8u

/* A quarter of `rounds` turns of each contestant in each sitting, after a tenth as many to warm up;
 * --quick takes a tenth of that. figures[0].ratio is 1. */
void bench_measure(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                   struct bench_figure *figures);

/* The same by the CPU time of the thread and of the programs that it ran, for turns so long that
 * other programs get theirs meanwhile. */
void bench_measure_by_cpu(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                          struct bench_figure *figures);

/* The middle of `count` values, which are sorted in place; *spread as above, may be NULL. */
double bench_median(double *values, size_t count, double *spread);

/* ---- rows ---- */

struct bench_interval {
    double low, high;
};

#define BENCH_SITTINGS_MAX 32u

struct bench_row {
    const char *name; /* docs of each in BENCHMARKS.md */
    uint32_t size;    /* payload bytes; 0: does not apply */
    uint32_t threads;
    uint64_t count;   /* markers or depth of the world it was measured in; 0: does not apply */
    double value;     /* in `unit` */
    const char *unit; /* "ns", or what value is */
    double spread;    /* within a sitting, as a part of value; 0: measured once */
    double limit;     /* what it is compared with, same unit; 0: nothing */
    double ratio;
    double ratio_spread;
    /* Filled in by the sittings: the least and the greatest. */
    struct bench_interval values, ratios;
    /* The two speeds that the sittings fell into, and how many ran at the first; 0: there was
     * one. */
    double states[2];
    uint32_t in_first_state;
};

void bench_file(const struct bench_row *row);
size_t bench_row_count(void);
const struct bench_row *bench_row_at(size_t index);
/* NULL when its suite was not run. */
const struct bench_row *bench_row_find(const char *name, uint32_t size, uint32_t threads,
                                       uint64_t count);

/* Files one row in nanoseconds; limit is contestant 0 of the same rounds, or NULL. */
void bench_file_figure(const char *name, uint32_t size, uint32_t threads, uint64_t count,
                       const struct bench_figure *figure, const struct bench_figure *limit);

/* A line for people on stderr: why a row is missing, what was fallen back to. */
void bench_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- suites ---- */

struct bench_suite {
    const char *name;
    const char *about;
    void (*run)(void);
};

#define BENCH_DECLARE_SUITE(name, about) void bench_suite_##name(void);
BENCH_SUITES(BENCH_DECLARE_SUITE)

/* ---- sittings ---- */

/* Runs the suites that match in `sittings` processes each, one sitting of all suites after the
 * other, and files their rows. `arguments` are this program's own: the sittings get the same.
 * False: no suite matches, or none could be run. */
bool bench_sittings_run(char **arguments, const struct bench_suite *suites, size_t count,
                        const char *filter, uint32_t sittings);

/* In such a process: the suite's rows as lines on stdout. */
void bench_sitting_print(void);

/* ---- the machine ---- */

struct bench_machine {
    char cpu[96];
    char system[96];
    char compiler[64];
    uint32_t cpus;
    bool pinned;
    double load;     /* one-minute load average before the run */
    double jitter;   /* of an empty loop: 95th percentile / median - 1 */
    double timer_ns; /* what two clock readings cost; taken off every slice */
    bool quiet;      /* before the run, and before each sitting */
    uint32_t sittings;
};

extern struct bench_machine bench_machine_now;

/* Pins the thread to a CPU of those allowed; false where the system won't. */
bool bench_pin(uint32_t index);
/* To all CPUs that the program was allowed at its start. */
void bench_unpin(void);
void bench_machine_look(void);
/* Measures the empty loop until it is quiet, at most for `seconds`. */
void bench_machine_wait_quiet(double seconds);
/* Nothing but this program wants a CPU at the moment. */
bool bench_machine_is_idle(void);

/* ---- results ---- */

void bench_report_table(void); /* stdout */
void bench_report_json(void);
/* Rows whose sittings fell into two speeds. */
void bench_report_states(void);
/* Compares with an earlier --output json. The number of rows that got slower beyond noise, -1 when
 * the file is unusable (said on stderr). */
int bench_compare(const char *path);
/* Each goal with its interval and verdict. */
void bench_report_goals(void);
