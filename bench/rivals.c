/*
 * Other ways to do it, in the same run. malloc + uthash is a design that people write; the two
 * models have the shape of designs in the field, the cost of which grows with something, and none
 * of their code.
 */
#include "lane.h"

#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define ROUNDS 60u
#define BYTES  32u

/* ---- malloc + uthash: a block a marker, found by ID in a table ---- */

typedef struct hashed {
    uint64_t id;
    uint32_t metadata, size;
    UT_hash_handle hh;
    char payload[];
} hashed;

typedef struct hash_rival {
    bench_lane *lane;
    hashed *table;
    uint64_t next_id;
} hash_rival;

static void hash_marker(hash_rival *it, uint32_t metadata, const void *data, uint32_t size)
{
    hashed *marker = malloc(sizeof *marker + size);
    if (!marker)
        abort();
    marker->id = ++it->next_id;
    marker->metadata = metadata;
    marker->size = size;
    memcpy(marker->payload, data, size);
    HASH_ADD(hh, it->table, id, sizeof marker->id, marker);
    limit_call(&it->lane->limit, metadata, marker->payload, size);
}

static void hash_clear(void *state)
{
    hash_rival *it = state;
    hashed *marker, *next;
    HASH_ITER(hh, it->table, marker, next)
    {
        HASH_DEL(it->table, marker);
        free(marker);
    }
}

static void hash_run(void *state)
{
    hash_rival *it = state;
    for (uint64_t i = it->lane->count; i != 0; i--)
        hash_marker(it, 2, it->lane->payload, BYTES);
}

static void hash_fill(void *state)
{
    hash_clear(state);
    hash_run(state);
}

/* ---- model: every marker keeps a copy of the stack of open scopes ---- */

typedef struct stack_rival {
    bench_lane *lane;
    uint64_t stack[64];
    uint64_t depth;
    void **copies;
    uint64_t count;
} stack_rival;

static void stack_marker(stack_rival *it, uint32_t metadata, const void *data, uint32_t size)
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
    stack_rival *it = state;
    while (it->count > 0)
        free(it->copies[--it->count]);
}

static void stack_run(void *state)
{
    stack_rival *it = state;
    for (uint64_t i = it->lane->count; i != 0; i--)
        stack_marker(it, 2, it->lane->payload, BYTES);
}

/* ---- model: an array that grows by one marker at a time ---- */

typedef struct grow_rival {
    bench_lane *lane;
    struct {
        uint32_t metadata, size;
        char payload[BYTES];
    } * markers;
    uint64_t count;
} grow_rival;

static void grow_marker(grow_rival *it, uint32_t metadata, const void *data, uint32_t size)
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
    grow_rival *it = state;
    free(it->markers);
    it->markers = NULL;
    it->count = 0;
}

static void grow_run(void *state)
{
    grow_rival *it = state;
    for (uint64_t i = it->lane->count; i != 0; i--)
        grow_marker(it, 2, it->lane->payload, BYTES);
}

/* ---- LTTng-UST, when it was installed where this was built ---- */

#ifdef BENCH_LTTNG
bool bench_lttng_is_recording(void);
void bench_lttng_marker(uint32_t metadata, const void *data, uint32_t size);

static void lttng_run(void *state)
{
    bench_lane *lane = state;
    for (uint64_t i = lane->count; i != 0; i--)
        bench_lttng_marker(2, lane->payload, BYTES);
}

static void measure_lttng(bench_lane *lane, const bench_contestant *limit)
{
    bench_contestant contestants[] = {*limit, {NULL, lttng_run, lane, lane->count}};
    bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure(bench_lttng_is_recording() ? "rival.lttng-ust" : "rival.lttng-ust.disabled",
                      BYTES, 1, 0, &figures[1], &figures[0]);
}
#else
static void measure_lttng(bench_lane *lane, const bench_contestant *limit)
{
    (void)lane, (void)limit;
    bench_note("no LTTng-UST row: it was not installed where this was built");
}
#endif

static void clear_all(hash_rival *hash, stack_rival *stack, grow_rival *grow)
{
    hash_clear(hash);
    stack_clear(stack);
    free(stack->copies);
    grow_clear(grow);
}

void bench_suite_rivals(void)
{
    bench_lane lane;
    bench_lane_init(&lane, BYTES, BENCH_REUSED_BYTES);
    hash_rival hash = {.lane = &lane};
    stack_rival stack = {.lane = &lane, .depth = 1};
    stack_rival deep = {.lane = &lane, .depth = 32};
    grow_rival grow = {.lane = &lane};
    stack.copies = calloc(lane.count, sizeof *stack.copies);
    deep.copies = calloc(lane.count, sizeof *deep.copies);
    if (!stack.copies || !deep.copies)
        abort();
    bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, bench_lane_limit_set),
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        {hash_clear, hash_run, &hash, lane.count},
        {hash_fill, hash_clear, &hash, lane.count},
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
    bench_figure figures[7];
    bench_measure(contestants, 7, ROUNDS, figures);
    for (size_t i = 1; i < 7; i++)
        bench_file_figure(names[i], BYTES, 1, 0, &figures[i], &figures[0]);
    measure_lttng(&lane, &contestants[0]);
    clear_all(&hash, &stack, &grow);
    stack_clear(&deep);
    free(deep.copies);
    bench_lane_finish(&lane);
}
