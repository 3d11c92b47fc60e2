/* The design that people write: a block from malloc for each marker, found by EventID in a hash
 * table. */
#pragma once

#include "lane.h"

struct bench_hashed {
    struct bench_lane *lane; /* `count` markers of its payload, forwarded to its driver */
    uint64_t count;
    struct hashed_marker *table;
    uint64_t next_id;
};

/* For bench_contestant: `count` markers more; all markers gone. */
void bench_hashed_run(void *hashed);
void bench_hashed_clear(void *hashed);
/* For bench_contestant.prepare: `count` markers and no others. */
void bench_hashed_fill(void *hashed);
