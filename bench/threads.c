/*
 * Many threads, each with a list and allocator of its own on one device. A turn starts its threads
 * together, each on a CPU of its own, and its figure is the mean of what they measured themselves.
 */
#include "lane.h"

#include "driver.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ROUNDS      15u
#define FRAMES      40u
#define THREADS_MAX 64u

struct crew {
    struct bench_lane *lanes;
    void (*rewind)(void *);
    void (*run)(void *);
    uint32_t threads;
    atomic_uint ready;
    double ns[THREADS_MAX]; /* an operation, by thread */
};

struct crew_member {
    struct crew *crew;
    uint32_t index;
};

static void *work(void *argument)
{
    struct crew_member *member = argument;
    struct crew *it = member->crew;
    struct bench_lane *lane = &it->lanes[member->index];
    bench_pin(member->index);
    it->rewind(lane);
    it->run(lane); /* warm */
    atomic_fetch_add(&it->ready, 1);
    while (atomic_load(&it->ready) < it->threads)
        ;
    uint64_t spent = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        it->rewind(lane);
        uint64_t begin = bench_now();
        it->run(lane);
        spent += bench_now() - begin;
    }
    it->ns[member->index] = ((double)spent - FRAMES * bench_machine_now.timer_ns) /
                            ((double)FRAMES * (double)lane->count);
    return NULL;
}

static double turn(struct crew *it)
{
    pthread_t threads[THREADS_MAX];
    struct crew_member members[THREADS_MAX];
    double sum = 0;
    atomic_store(&it->ready, 0);
    for (uint32_t i = 0; i < it->threads; i++) {
        members[i] = (struct crew_member){it, i};
        if (pthread_create(&threads[i], NULL, work, &members[i]) != 0)
            abort();
    }
    for (uint32_t i = 0; i < it->threads; i++) {
        pthread_join(threads[i], NULL);
        sum += it->ns[i];
    }
    return sum / it->threads;
}

static struct bench_row row_of(const char *name, uint32_t threads, double value, const char *unit,
                               double spread)
{
    return (struct bench_row){.name = name,
                              .size = 32,
                              .threads = threads,
                              .value = value,
                              .unit = unit,
                              .spread = spread};
}

static void measure(struct bench_lane *lanes, uint32_t threads)
{
    enum { LIMIT_MANY, ONE, MANY, CREWS };
    struct crew crews[CREWS] = {
        {.lanes = lanes, .rewind = bench_lane_rewind_limit, .run = bench_lane_limit_begin},
        {.lanes = lanes, .rewind = bench_lane_rewind, .run = bench_lane_begin, .threads = 1},
        {.lanes = lanes, .rewind = bench_lane_rewind, .run = bench_lane_begin},
    };
    static double samples[CREWS][ROUNDS], by_limit[ROUNDS], by_one[ROUNDS];
    uint32_t rounds = bench_options_now.quick ? 3 : ROUNDS;
    double spread;
    crews[LIMIT_MANY].threads = crews[MANY].threads = threads;
    for (uint32_t round = 0; round < rounds; round++) {
        for (size_t c = 0; c < CREWS; c++)
            samples[c][round] = turn(&crews[c]);
        by_limit[round] = samples[MANY][round] / samples[LIMIT_MANY][round];
        by_one[round] = samples[MANY][round] / samples[ONE][round];
    }
    double ns = bench_median(samples[MANY], rounds, &spread);
    struct bench_row row = row_of("threads", threads, ns, "ns", spread);
    row.limit = bench_median(samples[LIMIT_MANY], rounds, NULL);
    row.ratio = bench_median(by_limit, rounds, &row.ratio_spread);
    bench_file(&row);
    double times = bench_median(by_one, rounds, &spread);
    row = row_of("threads.by-one", threads, times, "x", spread);
    row.limit = 1;
    row.ratio = times;
    row.ratio_spread = spread;
    bench_file(&row);
}

void bench_suite_threads(void)
{
    uint32_t cpus = bench_machine_now.cpus < THREADS_MAX ? bench_machine_now.cpus : THREADS_MAX;
    struct bench_lane *lanes = calloc(THREADS_MAX, sizeof *lanes);
    if (!lanes)
        abort();
    for (uint32_t i = 0; i < cpus; i++) {
        bench_lane_init(&lanes[i], 32, BENCH_REUSED_BYTES);
        if (i == 0)
            continue;
        bench_world_finish(&lanes[i].world);
        bench_world_join(&lanes[i].world, lanes[0].world.device);
    }
    if (cpus >= 2)
        measure(lanes, 2);
    else
        bench_note("no rows for two threads: there is one CPU");
    if (cpus > 2)
        measure(lanes, cpus);
    for (uint32_t i = cpus; i-- > 0;) {
        if (i == 0)
            bench_world_finish(&lanes[0].world);
        else
            bench_world_leave(&lanes[i].world);
        limit_finish(&lanes[i].limit);
    }
    free(lanes);
    bench_pin(0);
}
