/*
 * What the D3D12 crash layer costs: a method that it doesn't want, by the same call without it, and
 * a pair of markers that the GPU doesn't mark, by libannot's own begin and end of the same payload.
 */
#include "bench.h"

#ifdef EMU_STATIC
#include "driver.h"
#include "runtime_lane.h"
#include "world.h"

#include <annot/annot.h>
#include <stdint.h>

enum { ROUNDS = 40, BYTES = 32 };

static const uint64_t payload[BYTES / 8];

static void prepare_core(void *state)
{
    bench_world_rewind(state);
}

static void run_core(void *state)
{
    const struct bench_world *world = state;
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--) {
        annot_context_begin_event(world->list, 2, payload, BYTES);
        annot_context_end_event(world->list);
    }
}

static void measure_copy(struct bench_runtime_lane *bare, struct bench_runtime_lane *layered)
{
    const struct bench_contestant contestants[] = {
        {bench_runtime_rewind, bench_runtime_copy, bare, BENCH_RUNTIME_CALLS},
        {bench_runtime_rewind, bench_runtime_copy, layered, BENCH_RUNTIME_CALLS}};
    struct bench_figure figures[2];
    bench_measure_by_cpu(contestants, 2, ROUNDS, figures);
    bench_file_figure("d3d12_layer.copy", 4, 1, 0, &figures[1], &figures[0]);
}

static void measure_pair(struct bench_runtime_lane *bare, struct bench_runtime_lane *layered)
{
    struct bench_world world;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    const struct bench_contestant by_core[] = {
        {prepare_core, run_core, &world, BENCH_RUNTIME_CALLS},
        {bench_runtime_rewind, bench_runtime_pair, layered, BENCH_RUNTIME_CALLS}};
    const struct bench_contestant by_runtime[] = {
        {bench_runtime_rewind, bench_runtime_pair, bare, BENCH_RUNTIME_CALLS},
        {bench_runtime_rewind, bench_runtime_pair, layered, BENCH_RUNTIME_CALLS}};
    struct bench_figure figures[2];
    bench_measure_by_cpu(by_core, 2, ROUNDS, figures);
    bench_file_figure("d3d12_layer.pair", BYTES, 1, 0, &figures[1], &figures[0]);
    bench_measure_by_cpu(by_runtime, 2, ROUNDS, figures);
    bench_file_figure("d3d12_layer.pair.by-runtime", BYTES, 1, 0, &figures[1], &figures[0]);
    bench_world_finish(&world);
}

void bench_suite_d3d12_layer(void)
{
    const struct bench_runtime *emulator = bench_runtime_load_emulator();
    const struct bench_runtime *layer = emulator ? bench_runtime_load_layer() : NULL;
    struct bench_runtime_lane *bare =
        layer ? bench_runtime_open_watched(emulator, BENCH_WATCH_NOTHING) : NULL;
    struct bench_runtime_lane *layered =
        bare ? bench_runtime_open_watched(layer, BENCH_WATCH_NOTHING) : NULL;
    if (layered) {
        measure_copy(bare, layered);
        measure_pair(bare, layered);
    }
    bench_runtime_close(layered);
    bench_runtime_close(bare);
}

#else

void bench_suite_d3d12_layer(void)
{
    bench_note("no rows of the D3D12 layer: built without DirectX-Headers");
}

#endif
