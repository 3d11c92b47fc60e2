/* The cost of a marker: by size, by where its payload comes from, by the state of the memory it
 * goes to. */
#include "lane.h"

#include <stdlib.h>

#define ROUNDS 400u

static const uint32_t sizes[] = {16, 32, 64, 256};
#define SIZES (sizeof sizes / sizeof sizes[0])

struct act {
    const char *name;
    void (*limit_prepare)(void *);
    void (*limit_run)(void *);
    void (*prepare)(void *);
    void (*run)(void *);
};

static const struct act begin = {"begin", bench_lane_rewind_limit, bench_lane_limit_begin,
                                 bench_lane_rewind, bench_lane_begin};
static const struct act set = {"set", bench_lane_rewind_limit, bench_lane_limit_set,
                               bench_lane_rewind, bench_lane_set};
static const struct act end = {"end", bench_lane_rewind_limit_full, bench_lane_limit_end,
                               bench_lane_rewind_full, bench_lane_end};
static const struct act pair = {"pair", bench_lane_rewind_limit, bench_lane_limit_pair,
                                bench_lane_rewind, bench_lane_pair};

static void measure(const char *name, const struct act *it, struct bench_lane *lane,
                    uint32_t rounds)
{
    struct bench_contestant contestants[] = {
        bench_lane_contestant(lane, it->limit_prepare, it->limit_run),
        bench_lane_contestant(lane, it->prepare, it->run),
    };
    struct bench_figure figures[2];
    (lane->count > 100000 ? bench_measure_by_cpu : bench_measure)(contestants, 2, rounds, figures);
    bench_file_figure(name, lane->size, 1, 0, &figures[1], &figures[0]);
}

/* ---- an operation, by a marker that takes as many bytes of the list's memory ---- */

enum { OPERATION_BYTES = 48 };

static void note(void *state)
{
    static const int64_t groups[3] = {128, 1, 1};
    static const annot_bound_object pipeline = {77, ANNOT_BOUND_PIPELINE, 0};
    static const annot_operation dispatch = {6, 0, 3, 1, groups, &pipeline};
    const struct bench_lane *lane = state;
    annot_context *it = lane->world.list;
    for (uint64_t i = lane->count; i != 0; i--)
        annot_context_note_operation(it, &dispatch);
}

static void measure_operation(void)
{
    struct bench_lane lane;
    bench_lane_init(&lane, OPERATION_BYTES, BENCH_REUSED_BYTES);
    struct bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        bench_lane_contestant(&lane, bench_lane_rewind, note),
    };
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("operation", lane.size, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

/* 512 scopes inside each other, which one chunk holds; "end.far" has to look up the chunk. */
#define END_BYTES ((size_t)24 << 10)

void bench_suite_markers(void)
{
    const struct act *acts[] = {&begin, &set, &end, &pair};
    for (size_t a = 0; a < sizeof acts / sizeof acts[0]; a++)
        for (size_t s = 0; s < SIZES; s++) {
            if (acts[a] == &end && sizes[s] != 32)
                continue; /* an End knows no payload */
            struct bench_lane lane;
            bench_lane_init(&lane, sizes[s], acts[a] == &end ? END_BYTES : BENCH_REUSED_BYTES);
            measure(acts[a]->name, acts[a], &lane, ROUNDS);
            bench_lane_finish(&lane);
        }
    struct bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    measure("end.far", &end, &lane, ROUNDS);
    bench_lane_finish(&lane);
    measure_operation();
}

/* ---- payloads that were just written ---- */

/* An encoder leaves the payload in 8-byte stores, which a wider load can't take from the store
 * buffer. */
static inline void write_payload(volatile uint64_t *payload, uint32_t words, uint64_t value)
{
    for (uint32_t i = 0; i < words; i++)
        payload[i] = value;
}

#define FRESH_LOOP(name, object, call)                                                             \
    static void name(void *state)                                                                  \
    {                                                                                              \
        struct bench_lane *lane = state;                                                           \
        object;                                                                                    \
        volatile uint64_t *words = lane->payload;                                                  \
        const void *data = lane->payload;                                                          \
        uint32_t size = lane->size;                                                                \
        for (uint64_t i = lane->count; i != 0; i--) {                                              \
            write_payload(words, size / 8, i);                                                     \
            call;                                                                                  \
        }                                                                                          \
        (void)data;                                                                                \
    }

FRESH_LOOP(fresh_nothing, , )
FRESH_LOOP(fresh_limit, struct limit_library *it = &lane->limit, limit_set(it, 2, data, size))
FRESH_LOOP(fresh_annot, annot_context *it = lane->world.list,
           annot_context_set_marker(it, 2, data, size))

void bench_suite_sources(void)
{
    for (size_t s = 0; s < SIZES; s++) {
        struct bench_lane lane;
        bench_lane_init(&lane, sizes[s], BENCH_REUSED_BYTES);
        struct bench_contestant contestants[] = {
            bench_lane_contestant(&lane, bench_lane_rewind_limit, fresh_limit),
            bench_lane_contestant(&lane, bench_lane_rewind, fresh_annot),
            bench_lane_contestant(&lane, NULL, fresh_nothing),
        };
        struct bench_figure figures[3];
        bench_measure(contestants, 3, ROUNDS, figures);
        bench_file_figure("set.fresh", sizes[s], 1, 0, &figures[1], &figures[0]);
        bench_file_figure("write-payload", sizes[s], 1, 0, &figures[2], NULL);
        bench_lane_finish(&lane);
    }
}

/* ---- states of the memory ---- */

/* More than the caches hold, and all of it touched by the warm-up. */
#define STREAMING_BYTES ((size_t)128 << 20)
#define FIRST_BYTES     ((size_t)8 << 20)

/* Memory that no turn has used: the page faults are part of the figure. */
static void renew_limit(void *state)
{
    struct bench_lane *lane = state;
    limit_finish(&lane->limit);
    limit_init(&lane->limit, FIRST_BYTES);
}

static void renew(void *state)
{
    struct bench_lane *lane = state;
    uint32_t size = lane->size;
    bench_lane_finish(lane);
    bench_lane_init(lane, size, FIRST_BYTES);
}

void bench_suite_memory_kinds(void)
{
    static const struct act first = {"set.first-touch", renew_limit, bench_lane_limit_set, renew,
                                     bench_lane_set};
    for (size_t s = 0; s < SIZES; s++) {
        struct bench_lane lane;
        bench_lane_init(&lane, sizes[s], FIRST_BYTES);
        measure(first.name, &first, &lane, 30);
        bench_lane_finish(&lane);

        bench_lane_init(&lane, sizes[s], STREAMING_BYTES);
        measure("set.streaming", &set, &lane, 10);
        bench_lane_finish(&lane);
    }
}
