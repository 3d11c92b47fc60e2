/*
 * Other ways to do it, in the same run. malloc + uthash is a design that people write; the two
 * models have the shape of designs in the field, the cost of which grows with something, and none
 * of their code.
 */
#include "lane.h"

#include "driver.h"
#include "hashed.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define ROUNDS 60u
#define BYTES  32u

/* ---- model: every marker keeps a copy of the stack of open scopes ---- */

struct stack_rival {
    struct bench_lane *lane;
    uint64_t stack[64];
    uint64_t depth;
    void **copies;
    uint64_t count;
};

static void stack_marker(struct stack_rival *it, uint32_t metadata, const void *data, uint32_t size)
{
    size_t bytes = it->depth * sizeof *it->stack;
    char *copy = malloc(bytes + size);
    if (!copy)
        abort();
    memcpy(copy, it->stack, bytes);
    memcpy(copy + bytes, data, size);
    it->copies[it->count++] = copy;
    limit_call(&it->lane->limit, metadata, copy + bytes, size);
}

static void stack_clear(void *state)
{
    struct stack_rival *it = state;
    while (it->count > 0)
        free(it->copies[--it->count]);
}

static void stack_run(void *state)
{
    struct stack_rival *it = state;
    for (uint64_t i = it->lane->count; i != 0; i--)
        stack_marker(it, 2, it->lane->payload, BYTES);
}

/* ---- model: an array that grows by one marker at a time ---- */

struct grow_rival {
    struct bench_lane *lane;
    struct {
        uint32_t metadata, size;
        char payload[BYTES];
    } * markers;
    uint64_t count;
};

static void grow_marker(struct grow_rival *it, uint32_t metadata, const void *data, uint32_t size)
{
    it->markers = realloc(it->markers, (it->count + 1) * sizeof *it->markers);
    if (!it->markers)
        abort();
    it->markers[it->count].metadata = metadata;
    it->markers[it->count].size = size;
    memcpy(it->markers[it->count].payload, data, size);
    limit_call(&it->lane->limit, metadata, it->markers[it->count++].payload, size);
}

static void grow_clear(void *state)
{
    struct grow_rival *it = state;
    free(it->markers);
    it->markers = NULL;
    it->count = 0;
}

static void grow_run(void *state)
{
    struct grow_rival *it = state;
    for (uint64_t i = it->lane->count; i != 0; i--)
        grow_marker(it, 2, it->lane->payload, BYTES);
}

/* ---- model: events in a ring buffer, as ETW and kernels' tracers keep them ---- */

#define RING_BYTES ((size_t)128 << 10)

struct ring_event {
    uint64_t time, id;
    uint32_t metadata, size;
    char payload[];
};

struct ring_rival {
    struct bench_lane *lane;
    atomic_size_t reserved; /* bytes, by whoever records */
    char *memory;
};

#if defined(__x86_64__)
#define TIMESTAMP() __rdtsc()
#else
#define TIMESTAMP() bench_now()
#endif

static void ring_run(void *state)
{
    struct ring_rival *it = state;
    const size_t bytes = sizeof(struct ring_event) + BYTES;
    for (uint64_t i = it->lane->count; i != 0; i--) {
        size_t at = atomic_fetch_add(&it->reserved, bytes);
        struct ring_event *event =
            (struct ring_event *)(void *)(it->memory + at % (RING_BYTES - bytes) / 8 * 8);
        event->time = TIMESTAMP();
        event->id = i;
        event->metadata = 2;
        event->size = BYTES;
        memcpy(event->payload, it->lane->payload, BYTES);
        __asm__ volatile("" : : "r"(event) : "memory");
    }
}

/* ---- model: a user-space probe that nobody listens to, as USDT has them: a semaphore, a branch
 * ---- */

static void probe_run(void *state)
{
    static const volatile uint16_t semaphore = 0;
    struct bench_lane *lane = state;
    for (uint64_t i = lane->count; i != 0; i--) {
        __asm__ volatile("" : : : "memory");
        if (semaphore)
            limit_call(&lane->limit, 2, lane->payload, BYTES);
    }
}

static void measure_tracers(struct bench_lane *lane, const struct bench_contestant *limit)
{
    struct ring_rival ring = {.lane = lane, .memory = calloc(1, RING_BYTES)};
    if (!ring.memory)
        abort();
    struct bench_contestant contestants[] = {
        *limit, {NULL, ring_run, &ring, lane->count}, {NULL, probe_run, lane, lane->count}};
    struct bench_figure figures[3];
    bench_measure(contestants, 3, ROUNDS, figures);
    bench_file_figure("rival.model.ring-buffer", BYTES, 1, 0, &figures[1], &figures[0]);
    bench_file_figure("rival.model.probe-off", BYTES, 1, 0, &figures[2], &figures[0]);
    free(ring.memory);
}

/* ---- LTTng-UST, when it was installed where this was built ---- */

#ifdef BENCH_LTTNG
bool bench_lttng_is_recording(void);
void bench_lttng_marker(uint32_t metadata, const void *data, uint32_t size);

static void lttng_run(void *state)
{
    struct bench_lane *lane = state;
    for (uint64_t i = lane->count; i != 0; i--)
        bench_lttng_marker(2, lane->payload, BYTES);
}

static void measure_lttng(struct bench_lane *lane, const struct bench_contestant *limit)
{
    struct bench_contestant contestants[] = {*limit, {NULL, lttng_run, lane, lane->count}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure(bench_lttng_is_recording() ? "rival.lttng-ust" : "rival.lttng-ust.disabled",
                      BYTES, 1, 0, &figures[1], &figures[0]);
}
#else
static void measure_lttng(struct bench_lane *lane, const struct bench_contestant *limit)
{
    (void)lane, (void)limit;
    bench_note("no LTTng-UST row: it was not installed where this was built");
}
#endif

static void clear_all(struct bench_hashed *hash, struct stack_rival *stack, struct grow_rival *grow)
{
    bench_hashed_clear(hash);
    stack_clear(stack);
    free(stack->copies);
    grow_clear(grow);
}

void bench_suite_rivals(void)
{
    struct bench_lane lane;
    bench_lane_init(&lane, BYTES, BENCH_REUSED_BYTES);
    struct bench_hashed hash = {.lane = &lane, .count = lane.count};
    struct stack_rival stack = {.lane = &lane, .depth = 1};
    struct stack_rival deep = {.lane = &lane, .depth = 32};
    struct grow_rival grow = {.lane = &lane};
    stack.copies = calloc(lane.count, sizeof *stack.copies);
    deep.copies = calloc(lane.count, sizeof *deep.copies);
    if (!stack.copies || !deep.copies)
        abort();
    struct bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, bench_lane_limit_set),
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        {bench_hashed_clear, bench_hashed_run, &hash, lane.count},
        {bench_hashed_fill, bench_hashed_clear, &hash, lane.count},
        {stack_clear, stack_run, &stack, lane.count},
        {stack_clear, stack_run, &deep, lane.count},
        {grow_clear, grow_run, &grow, lane.count},
    };
    static const char *const names[] = {NULL,
                                        "rival.libannot",
                                        "rival.malloc-uthash",
                                        "rival.malloc-uthash.reset",
                                        "rival.model.stack-copy-1",
                                        "rival.model.stack-copy-32",
                                        "rival.model.grow-by-one"};
    struct bench_figure figures[7];
    bench_measure(contestants, 7, ROUNDS, figures);
    for (size_t i = 1; i < 7; i++)
        bench_file_figure(names[i], BYTES, 1, 0, &figures[i], &figures[0]);
    measure_tracers(&lane, &contestants[0]);
    measure_lttng(&lane, &contestants[0]);
    clear_all(&hash, &stack, &grow);
    stack_clear(&deep);
    free(deep.copies);
    bench_lane_finish(&lane);
}
