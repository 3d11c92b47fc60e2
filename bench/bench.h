/*
 * The harness: contestants take turns in short slices of time, so that other load on the machine
 * affects all contestants alike. The figures of a sitting are medians over its rounds. The ratio to
 * the reference is calculated within each round, before the median.
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
    bool quick;            /* fewer rounds and smaller worlds, to check that the suites work */
    bool silent;           /* an earlier sitting has printed the notes */
    const char *directory; /* where the dump suite writes its file */
    const char *runtime;   /* the D3D12 runtime to measure, or NULL */
    const char *driver;    /* the runtime's driver, if the runtime has the emulator's controls */
};

extern struct bench_options bench_options_now;

/* ---- time ---- */

uint64_t bench_now(void); /* nanoseconds, monotonic */

/* Makes the compiler keep a value that only the measured work makes. */
static inline void bench_keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value));
}

struct bench_contestant {
    void (*prepare)(void *state); /* called before each turn, not timed; may be NULL */
    void (*run)(void *state);     /* timed: `operations` operations */
    void *state;
    uint64_t operations;
};

struct bench_figure {
    double ns;     /* ns of an operation: the median over the rounds */
    double spread; /* half the distance of the quartiles, divided by the median */
    double ratio;  /* ratio to contestant 0: the median of the rounds' ratios */
    double ratio_spread;
};

#define BENCH_CONTESTANTS_MAX 8u

/* A quarter of `rounds` turns of each contestant in each sitting, after a tenth as many to warm up;
 * --quick takes a tenth of that. figures[0].ratio is 1. */
void bench_measure(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                   struct bench_figure *figures);

/* Does the same with the CPU time of the thread and of the programs that it ran, for long turns in
 * which other programs get CPU time, too. */
void bench_measure_by_cpu(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                          struct bench_figure *figures);

/* Returns the median of `count` values, which are sorted in place. *spread is as in bench_figure;
 * `spread` may be NULL. */
double bench_median(double *values, size_t count, double *spread);

/* ---- rows ---- */

struct bench_interval {
    double low, high;
};

#define BENCH_SITTINGS_MAX 32u

struct bench_row {
    const char *name; /* docs of each in BENCHMARKS.md */
    uint32_t size;    /* payload bytes, or 0 */
    uint32_t threads;
    uint64_t count;   /* markers or depth of the measured world, or 0 */
    double value;     /* in `unit` */
    const char *unit; /* "ns", or what value is */
    double spread;    /* spread within a sitting, as a part of value; 0: measured once */
    double limit;     /* the value to compare with, in the same unit, or 0 */
    double ratio;
    double ratio_spread;
    /* Filled in by the sittings: the least and the greatest. */
    struct bench_interval values, ratios;
    /* The two speeds of the sittings, and the number of sittings at the first speed; 0: there was
     * one speed. */
    double states[2];
    uint32_t in_first_state;
};

void bench_file(const struct bench_row *row);
size_t bench_row_count(void);
const struct bench_row *bench_row_at(size_t index);
/* Finds a row; NULL if the row's suite was not run. */
const struct bench_row *bench_row_find(const char *name, uint32_t size, uint32_t threads,
                                       uint64_t count);

/* Files one row in nanoseconds; limit is contestant 0 of the same rounds, or NULL. */
void bench_file_figure(const char *name, uint32_t size, uint32_t threads, uint64_t count,
                       const struct bench_figure *figure, const struct bench_figure *limit);

/* Prints a line for people on stderr: why a row is missing, or which fallback was used. */
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
 * other, and files their rows. The sittings get `arguments`, the arguments of this program. Returns
 * false if no suite matches or could be run. */
bool bench_sittings_run(char **arguments, const struct bench_suite *suites, size_t count,
                        const char *filter, uint32_t sittings);

/* Prints the suite's rows as lines on stdout, in a sitting's process. */
void bench_sitting_print(void);

/* ---- the machine ---- */

struct bench_machine {
    char cpu[96];
    char system[96];
    char compiler[64];
    uint32_t cpus;
    bool pinned;
    double load;     /* one-minute load average before the run */
    double jitter;   /* jitter of an empty loop: 95th percentile / median - 1 */
    double timer_ns; /* ns of two clock readings, subtracted from every slice */
    bool quiet;      /* the machine was quiet before the run and each sitting */
    uint32_t sittings;
};

extern struct bench_machine bench_machine_now;

/* Pins the thread to one of the allowed CPUs. Returns false if the system refuses. */
bool bench_pin(uint32_t index);
/* Allows the thread all CPUs that the program had at its start. */
void bench_unpin(void);
void bench_machine_look(void);
/* Measures the empty loop until the machine is quiet, at most for `seconds`. */
void bench_machine_wait_quiet(double seconds);
/* Returns true if only this program wants a CPU at the moment. */
bool bench_machine_is_idle(void);

/* ---- results ---- */

void bench_report_table(void); /* stdout */
void bench_report_json(void);
/* Prints rows whose sittings had two speeds. */
void bench_report_states(void);
/* Compares with an earlier --output json. Returns the number of rows that got slower beyond noise,
 * or -1, with a message on stderr, if the file can't be used. */
int bench_compare(const char *path);
/* Prints each goal with its interval and verdict. */
void bench_report_goals(void);
