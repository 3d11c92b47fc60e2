/* The same loop over LIMIT (limit.h) and over the library, so that only the callee differs. */
#pragma once

#include "bench.h"
#include "limit.h"
#include "world.h"

/* Marker memory of the figures called "reused": two chunks, which stay in a second-level cache. */
#define BENCH_REUSED_BYTES ((size_t)128 << 10)

struct bench_lane {
    struct limit_library limit;
    struct bench_world world;
    uint64_t payload[128]; /* 1 KiB */
    uint32_t size;
    uint64_t count; /* calls in one turn */
};

/* Makes a lane with memory for `bytes` of markers with payloads of `size`; `count` follows. */
void bench_lane_init(struct bench_lane *lane, uint32_t size, size_t bytes);
void bench_lane_finish(struct bench_lane *lane);

/* For bench_contestant.prepare. */
void bench_lane_rewind_limit(void *lane);
void bench_lane_rewind(void *lane);

/* For bench_contestant.run: `count` calls, or pairs of begin and end. */
void bench_lane_limit_begin(void *lane);
void bench_lane_limit_set(void *lane);
void bench_lane_limit_pair(void *lane);
void bench_lane_begin(void *lane);
void bench_lane_set(void *lane);
void bench_lane_pair(void *lane);

/* A contestant that makes all the lane's calls in a turn. */
struct bench_contestant bench_lane_contestant(struct bench_lane *lane, void (*prepare)(void *),
                                              void (*run)(void *));
