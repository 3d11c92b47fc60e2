/* Does a marker cost the same when there are many of them, or when it lies deep? */
#include "lane.h"

#include "driver.h"

#include <stdlib.h>

#define ROUNDS 40u

/* ---- markers ---- */

static const uint64_t totals[] = {1000, 10000, 100000, 1000000, 10000000};
#define TOTALS (sizeof totals / sizeof totals[0])

/* `total` markers, the memory of which is reset whenever BENCH_REUSED_BYTES are full. */
struct marathon {
    struct bench_lane *lane;
    uint64_t total;
    bool limit;
};

static void run_marathon(void *state)
{
    struct marathon *it = state;
    struct bench_lane *lane = it->lane;
    uint64_t frame = lane->count;
    for (uint64_t left = it->total; left > 0; left -= lane->count) {
        lane->count = left < frame ? left : frame;
        (it->limit ? bench_lane_rewind_limit : bench_lane_rewind)(lane);
        (it->limit ? bench_lane_limit_set : bench_lane_set)(lane);
    }
    lane->count = frame;
}

static void measure(const struct bench_contestant *contestants, uint64_t total,
                    struct bench_figure *figures)
{
    if (total > 100000)
        bench_measure_by_cpu(contestants, 2, total > 1000000 ? 10 : ROUNDS, figures);
    else
        bench_measure(contestants, 2, ROUNDS, figures);
}

/* By LIMIT. */
static double measure_total(struct bench_lane *lane, uint64_t total)
{
    struct marathon runs[] = {{lane, total, true}, {lane, total, false}};
    struct bench_contestant contestants[] = {{NULL, run_marathon, &runs[0], total},
                                             {NULL, run_marathon, &runs[1], total}};
    struct bench_figure figures[2];
    measure(contestants, total, figures);
    bench_file_figure("growth", 32, 1, total, &figures[1], &figures[0]);
    return figures[1].ratio;
}

/* All of them live at a time, in memory that was touched before. */
static void measure_live(uint64_t total)
{
    struct bench_lane lane;
    bench_lane_init(&lane, 32, total * 48);
    struct bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, bench_lane_limit_set),
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
    };
    struct bench_figure figures[2];
    measure(contestants, total, figures);
    bench_file_figure("growth.live", 32, 1, total, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

/* How much more than LIMIT's a marker's cost grows from the first count to the worst one. */
static void file_by_limit(const char *name, uint64_t count, double first, double most)
{
    bench_file(&(struct bench_row){.name = name,
                                   .size = 32,
                                   .threads = 1,
                                   .count = count,
                                   .value = most / first,
                                   .unit = "x",
                                   .limit = 1,
                                   .ratio = most / first});
}

static void measure_growth(void)
{
    double first = 0, most = 0;
    struct bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    size_t last = bench_options_now.quick ? TOTALS - 2 : TOTALS;
    for (size_t i = 0; i < last; i++) {
        double ratio = measure_total(&lane, totals[i]);
        first = i == 0 ? ratio : first;
        most = ratio > most ? ratio : most;
    }
    bench_lane_finish(&lane);
    file_by_limit("growth.by-limit", totals[last - 1], first, most);
    for (size_t i = 0; i < last; i++)
        measure_live(totals[i]);
}

/* ---- depth ---- */

static const uint64_t depths[] = {1, 10, 100, 1000, 10000, 100000};
#define DEPTHS (sizeof depths / sizeof depths[0])

struct dive {
    struct bench_lane *lane;
    struct limit_library *deep; /* memory for the open scopes and the pairs */
    uint64_t depth;
};

static void descend(void *state)
{
    struct dive *it = state;
    bench_lane_rewind(it->lane);
    for (uint64_t i = 0; i < it->depth; i++)
        annot_context_begin_event(it->lane->world.list, 2, it->lane->payload, it->lane->size);
}

static void pairs_there(void *state)
{
    struct dive *it = state;
    bench_lane_pair(it->lane);
}

static void descend_limit(void *state)
{
    struct dive *it = state;
    limit_rewind(it->deep);
    for (uint64_t i = 0; i < it->depth; i++)
        limit_begin(it->deep, 2, it->lane->payload, it->lane->size);
}

static void limit_pairs_there(void *state)
{
    struct dive *it = state;
    for (uint64_t i = it->lane->count; i != 0; i--) {
        limit_begin(it->deep, 2, it->lane->payload, it->lane->size);
        limit_end(it->deep);
    }
}

static double measure_depth(struct bench_lane *lane, struct limit_library *deep, uint64_t depth)
{
    struct dive it = {lane, deep, depth};
    struct bench_contestant contestants[] = {{descend_limit, limit_pairs_there, &it, lane->count},
                                             {descend, pairs_there, &it, lane->count}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, 120, figures);
    bench_file_figure("depth", 32, 1, depth, &figures[1], &figures[0]);
    return figures[1].ratio;
}

static void measure_depths(void)
{
    double first = 0, most = 0;
    struct bench_lane lane;
    struct limit_library deep;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    limit_init(&deep, BENCH_REUSED_BYTES + depths[DEPTHS - 1] * 48);
    for (size_t i = 0; i < DEPTHS; i++) {
        double ratio = measure_depth(&lane, &deep, depths[i]);
        first = i == 0 ? ratio : first;
        most = ratio > most ? ratio : most;
    }
    limit_finish(&deep);
    bench_lane_finish(&lane);
    file_by_limit("depth.by-limit", depths[DEPTHS - 1], first, most);
}

void bench_suite_growth(void)
{
    measure_growth();
    measure_depths();
}
