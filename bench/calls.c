/* What it costs an application whose device is in RUNTIME_ONLY, and what bounds it from below. */
#include "lane.h"

#include "driver.h"
#include "module.h"

#include <dlfcn.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define ROUNDS 400u
#define CALLS  5000u

static void empty_calls(void *state)
{
    bench_lane *lane = state;
    for (uint32_t i = CALLS; i != 0; i--)
        limit_call(&lane->limit, 2, lane->payload, 32);
}

/* The indirect call alone, made by the loop itself. */
static void empty_indirect(void *state)
{
    bench_lane *lane = state;
    D3D12DDI_HCOMMANDLIST handle = {NULL};
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT target = lane->limit.begin;
    __asm__ volatile("" : "+r"(target));
    for (uint32_t i = CALLS; i != 0; i--)
        target(handle, 2, lane->payload, 32, 0);
}

static void runtime_only(void *state)
{
    bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint32_t i = CALLS; i != 0; i--)
        annot_context_set_marker(list, 2, lane->payload, 32);
}

/* As an application would write it: the payload isn't even made. */
static void inline_test(void *state)
{
    bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint32_t i = CALLS; i != 0; i--) {
        __asm__ volatile("" : : : "memory"); /* the mode is read each time */
        if (annot_context_forwards(list))
            annot_context_set_marker(list, 2, lane->payload, 32);
    }
}

static void empty_loop(void *state)
{
    (void)state;
    for (uint32_t i = CALLS; i != 0; i--)
        __asm__ volatile("" : : : "memory");
}

#if defined(__x86_64__)
static void timestamps(void *state)
{
    (void)state;
    for (uint32_t i = CALLS; i != 0; i--)
        bench_keep(__rdtsc());
}
#else
static void timestamps(void *state)
{
    (void)state;
    for (uint32_t i = CALLS; i != 0; i--)
        bench_keep(bench_now());
}
#endif

/* ---- through libannot's shared library ---- */

typedef struct shared_lane {
    void *module;
    void (*runtime_only)(uint32_t calls);
} shared_lane;

static bool shared_open(shared_lane *shared)
{
    shared->module = bench_module_open("libannot-bench-shared.so");
    if (!shared->module)
        return false;
    *(void **)&shared->runtime_only = dlsym(shared->module, "bench_shared_runtime_only");
    return shared->runtime_only;
}

static void shared_runtime_only(void *state)
{
    shared_lane *shared = state;
    shared->runtime_only(CALLS);
}

static void measure_shared(bench_lane *lane)
{
    shared_lane shared;
    if (!shared_open(&shared))
        return;
    bench_contestant contestants[] = {
        {NULL, empty_indirect, lane, CALLS},
        {NULL, shared_runtime_only, &shared, CALLS},
    };
    bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("runtime-only.shared", 32, 1, 0, &figures[1], &figures[0]);
    dlclose(shared.module);
}

void bench_suite_calls(void)
{
    bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    bench_world_finish(&lane.world);
    bench_world_init(&lane.world, ANNOT_MODE_RUNTIME_ONLY, &bench_driver_empty, NULL);
    bench_contestant contestants[] = {
        {NULL, empty_indirect, &lane, CALLS}, {NULL, runtime_only, &lane, CALLS},
        {NULL, empty_calls, &lane, CALLS},    {NULL, inline_test, &lane, CALLS},
        {NULL, empty_loop, &lane, CALLS},     {NULL, timestamps, &lane, CALLS},
    };
    bench_figure figures[6];
    bench_measure(contestants, 6, ROUNDS, figures);
    bench_file_figure("empty-call", 0, 1, 0, &figures[0], NULL);
    bench_file_figure("runtime-only", 32, 1, 0, &figures[1], &figures[0]);
    bench_file_figure("call-and-empty-call", 0, 1, 0, &figures[2], &figures[0]);
    bench_file_figure("inline-test", 0, 1, 0, &figures[3], NULL);
    bench_file_figure("empty-loop", 0, 1, 0, &figures[4], NULL);
    bench_file_figure("timestamp", 0, 1, 0, &figures[5], NULL);
    measure_shared(&lane);
    bench_lane_finish(&lane);
}
