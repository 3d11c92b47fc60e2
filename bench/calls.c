/* The cost for an application whose device is in RUNTIME_ONLY, and a lower bound of it. */
#include "lane.h"

#include "driver.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define ROUNDS 400u
#define CALLS  5000u

static void empty_calls(void *state)
{
    struct bench_lane *lane = state;
    for (uint32_t i = CALLS; i != 0; i--)
        limit_call(&lane->limit, 2, lane->payload, 32);
}

/* The indirect call alone, made by the loop itself. */
static void empty_indirect(void *state)
{
    struct bench_lane *lane = state;
    D3D12DDI_HCOMMANDLIST handle = {NULL};
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT target = lane->limit.begin;
    __asm__ volatile("" : "+r"(target));
    for (uint32_t i = CALLS; i != 0; i--)
        target(handle, 2, lane->payload, 32, 0);
}

static void runtime_only(void *state)
{
    struct bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint32_t i = CALLS; i != 0; i--)
        annot_context_set_marker(list, 2, lane->payload, 32);
}

/* As an application would write it: the payload isn't even made. */
static void inline_test(void *state)
{
    struct bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint32_t i = CALLS; i != 0; i--) {
        __asm__ volatile("" : : : "memory"); /* the mode is read each time */
        if (annot_context_forwards(list))
            annot_context_set_marker(list, 2, lane->payload, 32);
    }
}

/* The least that a test of a mode costs. Something lies behind the branch: with nothing there gcc
 * jumps to the next instruction, which costs a cycle. */
static void load_and_branch(void *state)
{
    struct bench_lane *lane = state;
    static const volatile uint32_t mode = 0;
    for (uint32_t i = CALLS; i != 0; i--) {
        __asm__ volatile("" : : : "memory");
        if (mode)
            limit_call(&lane->limit, 2, lane->payload, 32);
    }
}

/* The least where a pointer leads to the mode, or is NULL. */
static void null_load_and_branch(void *state)
{
    struct bench_lane *lane = state;
    static const volatile uint32_t none = 0;
    const volatile uint32_t *mode = &none;
    __asm__ volatile("" : "+r"(mode));
    for (uint32_t i = CALLS; i != 0; i--) {
        __asm__ volatile("" : : : "memory");
        if (mode && *mode)
            limit_call(&lane->limit, 2, lane->payload, 32);
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

void bench_suite_calls(void)
{
    struct bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    bench_world_finish(&lane.world);
    bench_world_init(&lane.world, ANNOT_MODE_RUNTIME_ONLY, &bench_driver_empty, NULL);
    struct bench_contestant contestants[] = {
        {NULL, empty_indirect, &lane, CALLS},
        {NULL, runtime_only, &lane, CALLS},
        {NULL, empty_calls, &lane, CALLS},
        {NULL, timestamps, &lane, CALLS},
    };
    struct bench_figure figures[4];
    bench_measure(contestants, 4, ROUNDS, figures);
    bench_file_figure("empty-call", 0, 1, 0, &figures[0], NULL);
    bench_file_figure("runtime-only", 32, 1, 0, &figures[1], &figures[0]);
    bench_file_figure("call-and-empty-call", 0, 1, 0, &figures[2], &figures[0]);
    bench_file_figure("timestamp", 0, 1, 0, &figures[3], NULL);
    struct bench_contestant tests[] = {{NULL, load_and_branch, &lane, CALLS},
                                       {NULL, inline_test, &lane, CALLS},
                                       {NULL, null_load_and_branch, &lane, CALLS},
                                       {NULL, empty_loop, &lane, CALLS}};
    bench_measure(tests, 4, ROUNDS, figures);
    bench_file_figure("load-and-branch", 0, 1, 0, &figures[0], NULL);
    bench_file_figure("inline-test", 0, 1, 0, &figures[1], &figures[0]);
    bench_file_figure("null-load-and-branch", 0, 1, 0, &figures[2], &figures[0]);
    bench_file_figure("empty-loop", 0, 1, 0, &figures[3], NULL);
    bench_lane_finish(&lane);
}
