/* Taking turns, and the rows that come of it. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct bench_options bench_options_now = {.directory = "/tmp"};

static uint64_t cpu_now(void)
{
    struct timespec now;
    struct rusage children;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    getrusage(RUSAGE_CHILDREN, &children);
    return ((uint64_t)now.tv_sec + (uint64_t)children.ru_utime.tv_sec +
            (uint64_t)children.ru_stime.tv_sec) *
               1000000000u +
           (uint64_t)now.tv_nsec +
           (uint64_t)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1000u;
}

static double turn(const struct bench_contestant *contestant, uint64_t (*now)(void))
{
    if (contestant->prepare)
        contestant->prepare(contestant->state);
    uint64_t begin = now();
    contestant->run(contestant->state);
    double ns = (double)(now() - begin) - bench_machine_now.timer_ns;
    return (ns > 0 ? ns : 0) / (double)contestant->operations;
}

static void measure(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                    struct bench_figure *figures, uint64_t (*now)(void))
{
    rounds = bench_options_now.quick ? rounds / 40 + 3 : rounds / 4 + 3;
    double *samples = malloc(sizeof(double) * 2 * count * rounds);
    if (!samples || count > BENCH_CONTESTANTS_MAX)
        abort();
    for (uint32_t i = 0; i < rounds / 10 + 1; i++)
        for (size_t c = 0; c < count; c++)
            turn(&contestants[c], now);
    double *ratios = samples + count * rounds;
    for (uint32_t i = 0; i < rounds; i++)
        for (size_t c = 0; c < count; c++) {
            samples[c * rounds + i] = turn(&contestants[c], now);
            ratios[c * rounds + i] = samples[i] > 0 ? samples[c * rounds + i] / samples[i] : 0;
        }
    for (size_t c = 0; c < count; c++) {
        figures[c].ns = bench_median(samples + c * rounds, rounds, &figures[c].spread);
        figures[c].ratio = bench_median(ratios + c * rounds, rounds, &figures[c].ratio_spread);
    }
    free(samples);
}

void bench_measure(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                   struct bench_figure *figures)
{
    measure(contestants, count, rounds, figures, bench_now);
}

void bench_measure_by_cpu(const struct bench_contestant *contestants, size_t count, uint32_t rounds,
                          struct bench_figure *figures)
{
    measure(contestants, count, rounds, figures, cpu_now);
}

void bench_note(const char *format, ...)
{
    va_list arguments;
    if (bench_options_now.silent)
        return;
    va_start(arguments, format);
    fputs("annot-bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* ---- rows ---- */

static struct bench_row *rows;
static size_t row_count;

void bench_file(const struct bench_row *row)
{
    struct bench_row *more = realloc(rows, (row_count + 1) * sizeof *rows);
    if (!more)
        abort();
    rows = more;
    rows[row_count++] = *row;
}

size_t bench_row_count(void)
{
    return row_count;
}

const struct bench_row *bench_row_at(size_t index)
{
    return &rows[index];
}

const struct bench_row *bench_row_find(const char *name, uint32_t size, uint32_t threads,
                                       uint64_t count)
{
    for (size_t i = 0; i < row_count; i++)
        if (!strcmp(rows[i].name, name) && rows[i].size == size && rows[i].threads == threads &&
            rows[i].count == count)
            return &rows[i];
    return NULL;
}

void bench_file_figure(const char *name, uint32_t size, uint32_t threads, uint64_t count,
                       const struct bench_figure *figure, const struct bench_figure *limit)
{
    bench_file(&(struct bench_row){
        .name = name,
        .size = size,
        .threads = threads,
        .count = count,
        .value = figure->ns,
        .unit = "ns",
        .spread = figure->spread,
        .limit = limit ? limit->ns : 0,
        .ratio = limit ? figure->ratio : 0,
        .ratio_spread = limit ? figure->ratio_spread : 0,
    });
}
