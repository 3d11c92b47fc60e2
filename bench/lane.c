#include "lane.h"

#include "driver.h"

#include <string.h>

void bench_lane_init(struct bench_lane *lane, uint32_t size, size_t bytes)
{
    size_t record = (size + 31u) & ~(size_t)15;
    lane->size = size;
    lane->count = bytes / record;
    memset(lane->payload, 0x5A, sizeof lane->payload);
    limit_init(&lane->limit, bytes);
    bench_world_init(&lane->world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
}

void bench_lane_finish(struct bench_lane *lane)
{
    bench_world_finish(&lane->world);
    limit_finish(&lane->limit);
}

void bench_lane_rewind_limit(void *state)
{
    struct bench_lane *lane = state;
    limit_rewind(&lane->limit);
}

void bench_lane_rewind(void *state)
{
    struct bench_lane *lane = state;
    bench_world_rewind(&lane->world);
}

/* Everything that the loop needs is in registers: the compiler can't know what the callee
 * writes. */
#define LANE_LOOP(name, object, call)                                                              \
    void name(void *state)                                                                         \
    {                                                                                              \
        struct bench_lane *lane = state;                                                           \
        object;                                                                                    \
        const void *data = lane->payload;                                                          \
        uint32_t size = lane->size;                                                                \
        (void)data, (void)size;                                                                    \
        for (uint64_t i = lane->count; i != 0; i--)                                                \
            call;                                                                                  \
    }

LANE_LOOP(bench_lane_limit_begin, struct limit_library *it = &lane->limit,
          limit_begin(it, 2, data, size))
LANE_LOOP(bench_lane_limit_set, struct limit_library *it = &lane->limit,
          limit_set(it, 2, data, size))
LANE_LOOP(bench_lane_limit_pair, struct limit_library *it = &lane->limit,
          (limit_begin(it, 2, data, size), limit_end(it)))
LANE_LOOP(bench_lane_begin, annot_context *it = lane->world.list,
          annot_context_begin_event(it, 2, data, size))
LANE_LOOP(bench_lane_set, annot_context *it = lane->world.list,
          annot_context_set_marker(it, 2, data, size))
LANE_LOOP(bench_lane_pair, annot_context *it = lane->world.list,
          (annot_context_begin_event(it, 2, data, size), annot_context_end_event(it)))

struct bench_contestant bench_lane_contestant(struct bench_lane *lane, void (*prepare)(void *),
                                              void (*run)(void *))
{
    return (struct bench_contestant){
        .prepare = prepare, .run = run, .state = lane, .operations = lane->count};
}
