/*
 * The properties of the machine that a marker's cost depends on: each row is one small experiment,
 * and BENCHMARKS.md says which rows of the other suites it explains. The reference is a dependent
 * addition, which takes one cycle nearly everywhere, so the ratios are about cycles.
 */
#include "bench.h"

#include "driver.h"

#include <string.h>

#define ROUNDS 200u
#define STEPS  20000u

/* So often in a loop that the loop itself is not measured. */
#define EIGHT_TIMES(step) step step step step step step step step
#define LOOP              for (uint32_t i = STEPS / 8; i != 0; i--)

/* Keeps a value in a register, and the compiler from knowing it. */
#define HIDE(value) __asm__ volatile("" : "+r"(value))

static void additions(void *state)
{
    uint64_t sum = *(uint64_t *)state;
    LOOP
    {
        EIGHT_TIMES(sum += 3; HIDE(sum);)
    }
    bench_keep(sum);
}

/* A load that waits for the one before, in the first-level cache: an End's way from scope to
 * scope. */
static void loads(void *state)
{
    void *volatile *at = state;
    LOOP
    {
        EIGHT_TIMES(at = *at;)
    }
    bench_keep((uint64_t)(uintptr_t)at);
}

/* A value through memory: stored, loaded again with the same size and incremented; so an open
 * scope's EventID goes from call to call. */
static void forwards(void *state)
{
    volatile uint64_t *at = state;
    uint64_t value = 1;
    LOOP
    {
        EIGHT_TIMES(*at = value; value = *at + 1;)
    }
    bench_keep(value);
}

/* Two stores of 8 bytes, one load of 16 that needs both: a payload that was just encoded, and its
 * copy. */
static void wide_loads(void *state)
{
    volatile uint64_t *from = state;
    uint64_t value = 1;
    for (uint32_t i = STEPS; i != 0; i--) {
        from[0] = value;
        from[1] = value;
        char copy[16] __attribute__((aligned(16)));
        __asm__ volatile("" : : : "memory");
        memcpy(copy, (const void *)(uintptr_t)from, 16);
        __asm__ volatile("" : : "r"(copy) : "memory");
        memcpy(&value, copy, sizeof value);
        value++;
    }
    bench_keep(value);
}

/* A call through a pointer that is always the same, and back: what forwarding costs at least. */
static void indirect_calls(void *state)
{
    D3D12DDI_HCOMMANDLIST handle = {NULL};
    PFND3D12DDI_COMMAND_LIST_END_EVENT target = bench_driver_empty.annotation->pfnCmdListEndEvent;
    (void)state;
    LOOP
    {
        EIGHT_TIMES(HIDE(target); target(handle, i);)
    }
}

/* Places in the first-level cache that refer to each other in a circle. */
static void *circle[64];

void bench_suite_architecture(void)
{
    static uint64_t memory[4] __attribute__((aligned(64)));
    for (uint32_t i = 0; i < 64; i++)
        circle[i] = &circle[(i + 7) % 64];
    const struct bench_contestant contestants[] = {
        {NULL, additions, memory, STEPS},      {NULL, loads, circle, STEPS},
        {NULL, forwards, memory, STEPS},       {NULL, wide_loads, memory, STEPS},
        {NULL, indirect_calls, memory, STEPS},
    };
    static const char *const names[] = {"machine.addition", "machine.load", "machine.forward",
                                        "machine.forward-wide", "machine.indirect-call"};
    struct bench_figure figures[5];
    bench_measure(contestants, 5, ROUNDS, figures);
    for (size_t i = 0; i < 5; i++)
        bench_file_figure(names[i], 0, 1, 0, &figures[i], &figures[0]);
}
