/* The usual design for comparison: a malloc'd block for each marker, found by EventID in a hash
 * table. */
#pragma once

#include "lane.h"

struct bench_hashed {
    struct bench_lane *lane; /* `count` markers of its payload, forwarded to its driver */
    uint64_t count;
    struct hashed_marker *table;
    uint64_t next_id;
};

/* For bench_contestant: adds `count` markers; frees all markers. */
void bench_hashed_run(void *hashed);
void bench_hashed_clear(void *hashed);
/* For bench_contestant.prepare: frees all markers, then adds `count` markers. */
void bench_hashed_fill(void *hashed);
