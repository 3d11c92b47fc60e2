/*
 * From EventID to marker, from cold: the IDs of many millions of markers are shuffled and asked for
 * once each, so that hardly any of what a lookup reads is in a cache; the next one can't begin
 * before the answer is there.
 */
#include "bench.h"

#include "driver.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

#define LIVE    10000000u
#define PROBES  2000u /* in one turn */
#define ROUNDS  50u
#define PAYLOAD 32u

typedef struct probe {
    annot_device *device;
    const uint64_t *ids;
    uint64_t count;
    uint64_t next;   /* of ids */
    uint64_t offset; /* added to each ID */
    annot_lookup expected;
} probe;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t next_probe(probe *it)
{
    it->next = it->next + 1 < it->count ? it->next + 1 : 0;
    return it->next;
}

static void shuffle(uint64_t *ids, uint64_t count)
{
    uint64_t random = 88172645463325252u;
    for (uint64_t i = count - 1; i > 0; i--) {
        uint64_t other = next_random(&random) % (i + 1), id = ids[i];
        ids[i] = ids[other];
        ids[other] = id;
    }
}

static void look_up(void *state)
{
    probe *it = state;
    char buffer[PAYLOAD];
    uint64_t answer_bit = 0;
    for (uint32_t i = 0; i < PROBES; i++) {
        annot_marker_info info = {0};
        uint64_t id = it->ids[next_probe(it) + answer_bit] + it->offset;
        annot_lookup answer = annot_device_lookup(it->device, id, &info, buffer, sizeof buffer);
        if (answer != it->expected)
            abort();
        answer_bit = info.size & 1; /* 0, but only the marker knows */
    }
}

static void measure(probe *it, const char *name, uint64_t offset, annot_lookup expected)
{
    it->offset = offset;
    it->expected = expected;
    bench_contestant contestant = {NULL, look_up, it, PROBES};
    bench_figure figure;
    bench_measure_by_cpu(&contestant, 1, ROUNDS, &figure);
    bench_file_figure(name, PAYLOAD, 1, it->count, &figure, NULL);
}

static void record(bench_world *world, uint64_t *ids, uint64_t count)
{
    static const char payload[PAYLOAD];
    bench_driver_collect(ids, ids ? count : 0);
    for (uint64_t i = 0; i < count; i++)
        annot_context_set_marker(world->list, 2, payload, PAYLOAD);
}

void bench_suite_lookup(void)
{
    bench_world world;
    uint64_t count = bench_options_now.quick ? LIVE / 100 : LIVE;
    uint64_t *ids = calloc(count + 1, sizeof *ids);
    if (!ids) {
        bench_note("no lookup rows: no memory for %llu EventIDs", (unsigned long long)count);
        return;
    }
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_collecting, NULL);
    record(&world, ids, count);
    probe it = {.device = world.device, .ids = ids, .count = count};
    shuffle(ids, count);
    measure(&it, "lookup.live", 0, ANNOT_LOOKUP_LIVE);
    /* The same places in a use of their chunks that has not been yet; and, below, no longer is. */
    measure(&it, "lookup.never-issued", (uint64_t)1 << 32, ANNOT_LOOKUP_NEVER_ISSUED);
    bench_world_rewind(&world);
    record(&world, NULL, count);
    measure(&it, "lookup.expired", 0, ANNOT_LOOKUP_EXPIRED);
    bench_world_finish(&world);
    free(ids);
}
