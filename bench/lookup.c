/*
 * From EventID to marker, from cold: the IDs of many millions of markers are shuffled and asked for
 * once each, so that hardly any of what a lookup reads is in a cache; the next one can't begin
 * before the answer is there. The reference reads a word of the same markers in the same order,
 * with the same dependency: the cost of any access that knows their addresses.
 */
#include "bench.h"

#include "driver.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

#define LIVE    10000000u
#define PROBES  2000u /* in one turn */
#define ROUNDS  100u
#define PAYLOAD 32u

struct probe {
    annot_device *device;
    const struct bench_driver_marker *markers;
    uint64_t count;
    uint64_t next; /* of markers */
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t next_probe(struct probe *it)
{
    it->next = it->next + 1 < it->count ? it->next + 1 : 0;
    return it->next;
}

static void shuffle(struct bench_driver_marker *markers, uint64_t count)
{
    uint64_t random = 88172645463325252u;
    for (uint64_t i = count - 1; i > 0; i--) {
        uint64_t other = next_random(&random) % (i + 1);
        struct bench_driver_marker marker = markers[i];
        markers[i] = markers[other];
        markers[other] = marker;
    }
}

static void read_randomly(void *state)
{
    struct probe *it = state;
    uint64_t answer_bit = 0;
    for (uint32_t i = 0; i < PROBES; i++) {
        const volatile uint8_t *data = it->markers[next_probe(it) + answer_bit].data;
        answer_bit = data[0] & 1; /* 0, but only the marker knows */
    }
    bench_keep(answer_bit);
}

static void look_up(void *state)
{
    struct probe *it = state;
    char buffer[PAYLOAD];
    uint64_t answer_bit = 0;
    for (uint32_t i = 0; i < PROBES; i++) {
        annot_marker_info info = {0};
        uint64_t id = it->markers[next_probe(it) + answer_bit].id;
        annot_lookup answer = annot_device_lookup(it->device, id, &info, buffer, sizeof buffer);
        if (answer != ANNOT_LOOKUP_LIVE)
            abort();
        answer_bit = info.size & 1; /* 0, but only the marker knows */
    }
}

static void measure(struct probe *it)
{
    struct bench_contestant contestants[] = {{NULL, read_randomly, it, PROBES},
                                             {NULL, look_up, it, PROBES}};
    struct bench_figure figures[2];
    bench_measure_by_cpu(contestants, 2, ROUNDS, figures);
    bench_file_figure("lookup.live", PAYLOAD, 1, it->count, &figures[1], &figures[0]);
}

static void record(struct bench_world *world, struct bench_driver_marker *markers, uint64_t count)
{
    static const char payload[PAYLOAD];
    bench_driver_collect(markers, count);
    for (uint64_t i = 0; i < count; i++)
        annot_context_set_marker(world->list, 2, payload, PAYLOAD);
}

void bench_suite_lookup(void)
{
    struct bench_world world;
    uint64_t count = bench_options_now.quick ? LIVE / 100 : LIVE;
    struct bench_driver_marker *markers = calloc(count + 1, sizeof *markers);
    if (!markers) {
        bench_note("no lookup rows: no memory for %llu EventIDs", (unsigned long long)count);
        return;
    }
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_collecting, NULL);
    record(&world, markers, count);
    struct probe it = {.device = world.device, .markers = markers, .count = count};
    shuffle(markers, count);
    measure(&it);
    bench_world_finish(&world);
    free(markers);
}
