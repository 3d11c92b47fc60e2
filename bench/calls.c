/* The cost for an application whose device is in RUNTIME_ONLY, and a lower bound of it. */
#include "lane.h"

#include "driver.h"

#define ROUNDS 400u
#define CALLS  5000u

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

void bench_suite_calls(void)
{
    struct bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    bench_world_finish(&lane.world);
    bench_world_init(&lane.world, ANNOT_MODE_RUNTIME_ONLY, &bench_driver_empty, NULL);
    struct bench_contestant calls[] = {{NULL, empty_indirect, &lane, CALLS},
                                       {NULL, runtime_only, &lane, CALLS}};
    struct bench_contestant tests[] = {{NULL, load_and_branch, &lane, CALLS},
                                       {NULL, inline_test, &lane, CALLS}};
    struct bench_figure figures[2];
    bench_measure(calls, 2, ROUNDS, figures);
    bench_file_figure("runtime-only", 32, 1, 0, &figures[1], &figures[0]);
    bench_measure(tests, 2, ROUNDS, figures);
    bench_file_figure("inline-test", 0, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}
