/* Does a marker cost the same when there are many of them, or when it lies deep? */
#include "lane.h"

#include "driver.h"

#include <stdlib.h>

#define ROUNDS 40u

/* ---- markers ---- */

static const uint64_t totals[] = {1000, 10000, 100000, 1000000, 10000000};
#define TOTALS (sizeof totals / sizeof totals[0])

/* `total` markers, the memory of which is reset whenever BENCH_REUSED_BYTES are full. */
typedef struct marathon {
    bench_lane *lane;
    uint64_t total;
    bool limit;
} marathon;

static void run_marathon(void *state)
{
    marathon *it = state;
    bench_lane *lane = it->lane;
    uint64_t frame = lane->count;
    for (uint64_t left = it->total; left > 0; left -= lane->count) {
        lane->count = left < frame ? left : frame;
        (it->limit ? bench_lane_rewind_limit : bench_lane_rewind)(lane);
        (it->limit ? bench_lane_limit_set : bench_lane_set)(lane);
    }
    lane->count = frame;
}

static void measure(const bench_contestant *contestants, uint64_t total, bench_figure *figures)
{
    if (total > 100000)
        bench_measure_by_cpu(contestants, 2, total > 1000000 ? 10 : ROUNDS, figures);
    else
        bench_measure(contestants, 2, ROUNDS, figures);
}

static double measure_total(bench_lane *lane, uint64_t total)
{
    marathon runs[] = {{lane, total, true}, {lane, total, false}};
    bench_contestant contestants[] = {{NULL, run_marathon, &runs[0], total},
                                      {NULL, run_marathon, &runs[1], total}};
    bench_figure figures[2];
    measure(contestants, total, figures);
    bench_file_figure("growth", 32, 1, total, &figures[1], &figures[0]);
    return figures[1].ns;
}

/* All of them live at a time, in memory that was touched before. */
static void measure_live(uint64_t total)
{
    bench_lane lane;
    bench_lane_init(&lane, 32, total * 48);
    bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, bench_lane_limit_set),
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
    };
    bench_figure figures[2];
    measure(contestants, total, figures);
    bench_file_figure("growth.live", 32, 1, total, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

static void file_flatness(const char *name, uint64_t count, double least, double most)
{
    bench_file(&(bench_row){.name = name,
                            .size = 32,
                            .threads = 1,
                            .count = count,
                            .value = most / least,
                            .unit = "x"});
}

static void measure_growth(void)
{
    double least = 0, most = 0;
    bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    size_t last = bench_options_now.quick ? TOTALS - 2 : TOTALS;
    for (size_t i = 0; i < last; i++) {
        double ns = measure_total(&lane, totals[i]);
        least = i == 0 || ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    bench_lane_finish(&lane);
    file_flatness("growth.flatness", totals[last - 1], least, most);
    for (size_t i = 0; i < last; i++)
        measure_live(totals[i]);
}

/* ---- depth ---- */

static const uint64_t depths[] = {1, 10, 100, 1000, 10000, 100000};
#define DEPTHS (sizeof depths / sizeof depths[0])

typedef struct dive {
    bench_lane *lane;
    uint64_t depth;
} dive;

static void descend(void *state)
{
    dive *it = state;
    bench_lane_rewind(it->lane);
    for (uint64_t i = 0; i < it->depth; i++)
        annot_context_begin_event(it->lane->world.list, 2, it->lane->payload, it->lane->size);
}

static void pairs_there(void *state)
{
    dive *it = state;
    bench_lane_pair(it->lane);
}

static double measure_depth(bench_lane *lane, uint64_t depth)
{
    dive it = {lane, depth};
    bench_contestant contestant = {descend, pairs_there, &it, lane->count};
    bench_figure figure;
    bench_measure(&contestant, 1, 60, &figure);
    bench_file_figure("depth", 32, 1, depth, &figure, NULL);
    return figure.ns;
}

static void measure_depths(void)
{
    double least = 0, most = 0;
    bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    for (size_t i = 0; i < DEPTHS; i++) {
        double ns = measure_depth(&lane, depths[i]);
        least = i == 0 || ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    bench_lane_finish(&lane);
    file_flatness("depth.flatness", depths[DEPTHS - 1], least, most);
}

void bench_suite_growth(void)
{
    measure_growth();
    measure_depths();
}
