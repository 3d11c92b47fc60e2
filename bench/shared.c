/* The same operations through libannot.so, as most applications will call it, and through
 * libannot.a. */
#include "shared_lane.h"

#include "driver.h"
#include "lane.h"
#include "module.h"

#include <dlfcn.h>

#define ROUNDS 400u
#define CALLS  5000u
#define BYTES  32u

struct shared {
    bench_shared_open_fn open;
    bench_shared_rewind_fn rewind;
    bench_shared_run_fn set, pair;
};

static struct shared module;

struct shared_lane {
    void *lane;
    uint64_t calls;
    bench_shared_run_fn run;
};

static void run(void *state)
{
    static const uint64_t payload[BYTES / 8];
    struct shared_lane *it = state;
    it->run(it->lane, it->calls, payload, BYTES);
}

static void rewind_shared(void *state)
{
    struct shared_lane *it = state;
    module.rewind(it->lane);
}

static bool module_load(void)
{
    void *handle = bench_module_open("libannot-bench-shared.so");
    if (!handle)
        return false;
    *(void **)&module.open = dlsym(handle, "bench_shared_open");
    *(void **)&module.rewind = dlsym(handle, "bench_shared_rewind");
    *(void **)&module.set = dlsym(handle, "bench_shared_set");
    *(void **)&module.pair = dlsym(handle, "bench_shared_pair");
    return module.open && module.rewind && module.set && module.pair;
}

static void runtime_only(void *state)
{
    struct bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint32_t i = CALLS; i != 0; i--)
        annot_context_set_marker(list, 2, lane->payload, BYTES);
}

static void measure_off(void)
{
    struct bench_lane lane;
    bench_lane_init(&lane, BYTES, BENCH_REUSED_BYTES);
    bench_world_finish(&lane.world);
    bench_world_init(&lane.world, ANNOT_MODE_RUNTIME_ONLY, &bench_driver_empty, NULL);
    struct shared_lane off = {module.open(ANNOT_MODE_RUNTIME_ONLY, &bench_driver_empty), CALLS,
                              module.set};
    struct bench_contestant contestants[] = {{NULL, runtime_only, &lane, CALLS},
                                             {NULL, run, &off, CALLS}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("shared.runtime-only", BYTES, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

static void measure_on(const char *name, void (*run_static)(void *), bench_shared_run_fn run_shared)
{
    struct bench_lane lane;
    bench_lane_init(&lane, BYTES, BENCH_REUSED_BYTES);
    struct shared_lane on = {module.open(ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty), lane.count,
                             run_shared};
    struct bench_contestant contestants[] = {bench_lane_contestant(&lane, bench_lane_rewind,
                                                                   run_static),
                                             {rewind_shared, run, &on, lane.count}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure(name, BYTES, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

void bench_suite_shared(void)
{
    if (!module_load())
        return;
    measure_off();
    measure_on("shared.set", bench_lane_set, module.set);
    measure_on("shared.pair", bench_lane_pair, module.pair);
}
