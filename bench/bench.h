/*
 * The harness: contestants take turns in short slices of time, so that whatever else the machine
 * does hits all of them alike; the figures are medians over many rounds, and the ratio to LIMIT is
 * taken within each round before its median is.
 *
 *     suite       a function that measures one subject and files rows
 *     contestant  one thing measured; the first of its round is what the others are compared with
 *     row         a figure under a name, as it stands in the table, in the JSON and in goals.c
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_options {
    bool quick;            /* fewer rounds and smaller worlds: a check that all of it works */
    const char *directory; /* where the dump suite writes its file */
} bench_options;

extern bench_options bench_options_now;

/* ---- time ---- */

uint64_t bench_now(void); /* nanoseconds, monotonic */

/* Keeps a value alive that only the measured work makes. */
static inline void bench_keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value));
}

typedef struct bench_contestant {
    void (*prepare)(void *state); /* before each turn, not timed; NULL: nothing to do */
    void (*run)(void *state);     /* timed: `operations` operations */
    void *state;
    uint64_t operations;
} bench_contestant;

typedef struct bench_figure {
    double ns;     /* an operation; median over the rounds */
    double spread; /* half the distance of the quartiles as a part of the median */
    double ratio;  /* to contestant 0, median of the rounds' own ratios */
    double ratio_spread;
} bench_figure;

#define BENCH_CONTESTANTS_MAX 8u

/* `rounds` turns of each contestant after a tenth as many to warm up; --quick takes a tenth. */
void bench_measure(const bench_contestant *contestants, size_t count, uint32_t rounds,
                   bench_figure *figures);

/* The same by the thread's CPU time, for turns so long that other programs get theirs meanwhile. */
void bench_measure_by_cpu(const bench_contestant *contestants, size_t count, uint32_t rounds,
                          bench_figure *figures);

/* The middle of `count` values, which are sorted in place; *spread as above, may be NULL. */
double bench_median(double *values, size_t count, double *spread);

/* ---- rows ---- */

typedef struct bench_row {
    const char *name; /* static; docs of each in BENCHMARKS.md */
    uint32_t size;    /* payload bytes; 0: does not apply */
    uint32_t threads;
    uint64_t count;   /* markers or depth of the world it was measured in; 0: does not apply */
    double value;     /* in `unit` */
    const char *unit; /* "ns", or what value is */
    double spread;    /* as a part of value; 0: measured once */
    double limit;     /* what it is compared with, same unit; 0: nothing */
    double ratio;
    double ratio_spread;
} bench_row;

void bench_file(const bench_row *row);
size_t bench_row_count(void);
const bench_row *bench_row_at(size_t index);
/* NULL when its suite was not run. */
const bench_row *bench_row_find(const char *name, uint32_t size, uint32_t threads, uint64_t count);

/* Files one row in nanoseconds; limit may be NULL. */
void bench_file_figure(const char *name, uint32_t size, uint32_t threads, uint64_t count,
                       const bench_figure *figure, const bench_figure *limit);

/* A line for people on stderr: why a row is missing, what was fallen back to. */
void bench_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- suites ---- */

typedef struct bench_suite {
    const char *name;
    const char *about;
    void (*run)(void);
} bench_suite;

extern const bench_suite bench_suites[];
extern const size_t bench_suite_count;

void bench_suite_calls(void);
void bench_suite_markers(void);
void bench_suite_sources(void);
void bench_suite_memory_kinds(void);
void bench_suite_threads(void);
void bench_suite_rivals(void);
void bench_suite_reset(void);
void bench_suite_lookup(void);
void bench_suite_memory(void);
void bench_suite_growth(void);
void bench_suite_dump(void);
void bench_suite_pix(void);
void bench_suite_emulator(void);

/* ---- the machine ---- */

typedef struct bench_machine {
    char cpu[96];
    char system[96];
    char compiler[64];
    uint32_t cpus;
    bool pinned;
    double load;     /* one-minute load average before the run */
    double jitter;   /* of an empty loop: 95th percentile / median - 1 */
    double timer_ns; /* what two clock readings cost; taken off every slice */
    bool quiet;
} bench_machine;

extern bench_machine bench_machine_now;

/* Pins the thread to a CPU of those allowed; false where the system won't. */
bool bench_pin(uint32_t index);
void bench_machine_look(void);
/* Measures the empty loop until it is quiet, at most for `seconds`. */
void bench_machine_wait_quiet(double seconds);

/* ---- results ---- */

void bench_report_table(void); /* stdout */
void bench_report_json(void);
/* Compares with an earlier --output json. The number of rows that got slower beyond noise, -1 when
 * the file is unusable (said on stderr). */
int bench_compare(const char *path);
void bench_report_goals(void);

#endif
