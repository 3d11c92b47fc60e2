/* The cost of a marker, of a pair and of an operation. */
#include "lane.h"

#define ROUNDS 400u

static const uint32_t sizes[] = {32, 256};
#define SIZES (sizeof sizes / sizeof sizes[0])

static void measure(const char *name, uint32_t size, void (*limit_run)(void *), void (*run)(void *))
{
    struct bench_lane lane;
    bench_lane_init(&lane, size, BENCH_REUSED_BYTES);
    struct bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, limit_run),
        bench_lane_contestant(&lane, bench_lane_rewind, run),
    };
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure(name, size, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

/* ---- an operation, by a marker that takes as many bytes of the list's memory ---- */

enum { OPERATION_BYTES = 48 };

static void note(void *state)
{
    static const int64_t groups[3] = {128, 1, 1};
    static const annot_bound_object pipeline = {77, ANNOT_BOUND_PIPELINE, 0};
    static const annot_operation dispatch = {6, 0, 3, 1, groups, &pipeline};
    const struct bench_lane *lane = state;
    annot_context *it = lane->world.list;
    for (uint64_t i = lane->count; i != 0; i--)
        annot_context_note_operation(it, &dispatch);
}

static void measure_operation(void)
{
    struct bench_lane lane;
    bench_lane_init(&lane, OPERATION_BYTES, BENCH_REUSED_BYTES);
    struct bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        bench_lane_contestant(&lane, bench_lane_rewind, note),
    };
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("operation", lane.size, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

void bench_suite_markers(void)
{
    for (size_t s = 0; s < SIZES; s++) {
        measure("set", sizes[s], bench_lane_limit_set, bench_lane_set);
        measure("pair", sizes[s], bench_lane_limit_pair, bench_lane_pair);
    }
    measure_operation();
}
