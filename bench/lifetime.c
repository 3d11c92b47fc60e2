/* Reset, memory a marker, and many frames: what happens to marker memory after the markers. */
#include "lane.h"

#include "driver.h"
#include "hashed.h"

#include <sys/resource.h>

#define MILLION 1000000u

static uint64_t minor_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt;
}

static void record(annot_context *list, uint64_t count)
{
    static const char payload[32];
    for (uint64_t i = 0; i < count; i++)
        annot_context_set_marker(list, 2, payload, sizeof payload);
}

static void file_value(const char *name, uint64_t count, double value, const char *unit)
{
    bench_file(&(struct bench_row){
        .name = name, .size = 32, .threads = 1, .count = count, .value = value, .unit = unit});
}

/* ---- reset ---- */

static void fill_million(void *state)
{
    struct bench_world *world = state;
    if (annot_context_open(world->list, world->arena) == ANNOT_OK)
        record(world->list, MILLION);
    annot_context_close(world->list);
}

static void reset(void *state)
{
    struct bench_world *world = state;
    annot_arena_reset(world->arena);
}

void bench_suite_reset(void)
{
    struct bench_world world;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    annot_context_close(world.list);
    struct bench_lane lane;
    bench_lane_init(&lane, 32, BENCH_REUSED_BYTES);
    struct bench_hashed hashed = {.lane = &lane,
                                  .count = bench_options_now.quick ? MILLION / 100 : MILLION};
    struct bench_contestant contestants[] = {{bench_hashed_fill, bench_hashed_clear, &hashed, 1},
                                             {fill_million, reset, &world, 1}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, 4, figures);
    bench_file_figure("reset", 32, 1, hashed.count, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
    uint64_t before = minor_faults();
    fill_million(&world);
    file_value("reset.faults", MILLION, (double)(minor_faults() - before), "faults");
    bench_world_finish(&world);
}

/* ---- bytes a marker ---- */

static void measure_bytes(void)
{
    struct bench_world world;
    annot_device_stats stats;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    record(world.list, MILLION);
    annot_device_get_stats(world.device, &stats);
    file_value("memory.marker", MILLION, (double)stats.reserved_bytes / MILLION, "bytes");
    bench_world_finish(&world);
}

/* A frame of no fixed length: 500 to 1499 markers, the longest ones early. */
static uint64_t frame_length(uint32_t frame)
{
    return frame < 16 ? 1499 : 500 + (uint64_t)frame * 7919 % 1000;
}

static void measure_frames(void)
{
    enum { FRAMES = 10000, SETTLED = 100 };
    struct bench_world world;
    annot_device_stats stats = {0};
    uint64_t reserved = 0;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        bench_world_rewind(&world);
        record(world.list, frame_length(frame));
        if (frame != SETTLED)
            continue;
        annot_device_get_stats(world.device, &stats);
        reserved = stats.reserved_bytes;
    }
    annot_device_get_stats(world.device, &stats);
    file_value("memory.growth", FRAMES, (double)(stats.reserved_bytes - reserved), "bytes");
    bench_world_finish(&world);
}

void bench_suite_memory(void)
{
    measure_bytes();
    measure_frames();
}
