/*
 * The whole path of a marker: COM call, emulator, library, reference driver. The same path with an
 * empty driver separates the driver's cost from the emulator's. And the same calls into any other
 * D3D12 runtime, with the emulator beside it.
 */
#include "bench.h"

#include "driver.h"
#include "runtime_lane.h"
#include "shared_lane.h"

#define ROUNDS 400u
#define BYTES  32u

static void measure(struct bench_runtime_lane *reference, struct bench_runtime_lane *empty)
{
    struct bench_contestant contestants[] = {
        {0},
        {bench_runtime_rewind, bench_runtime_set, empty, BENCH_RUNTIME_CALLS},
        {bench_runtime_rewind, bench_runtime_set, reference, BENCH_RUNTIME_CALLS},
    };
    struct bench_figure figures[3];
    if (!bench_shared_reference(BENCH_RUNTIME_CALLS, &contestants[0]))
        return;
    bench_measure(contestants, 3, ROUNDS, figures);
    bench_file_figure("emulator.no-driver", BYTES, 1, 0, &figures[1], &figures[0]);
    bench_file_figure("emulator", BYTES, 1, 0, &figures[2], &figures[0]);
}

void bench_suite_emulator(void)
{
    struct bench_runtime *emulator = bench_runtime_load_emulator();
    if (!emulator)
        return;
    struct bench_runtime_lane *reference = bench_runtime_open(emulator, true, NULL, NULL);
    struct bench_runtime_lane *empty =
        bench_runtime_open(emulator, true, NULL, &bench_driver_empty);
    if (reference && empty)
        measure(reference, empty);
    bench_runtime_close(reference);
    bench_runtime_close(empty);
}

/* ---- another runtime ---- */

static void measure_beside(const char *name, const char *emulators, void (*run)(void *),
                           struct bench_runtime_lane *emulator, struct bench_runtime_lane *runtime)
{
    struct bench_contestant contestants[] = {
        {bench_runtime_rewind, run, emulator, BENCH_RUNTIME_CALLS},
        {bench_runtime_rewind, run, runtime, BENCH_RUNTIME_CALLS},
    };
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure(emulators, BYTES, 1, 0, &figures[0], NULL);
    bench_file_figure(name, BYTES, 1, 0, &figures[1], &figures[0]);
}

static void measure_runtime(struct bench_runtime *emulator, struct bench_runtime *runtime,
                            bool is_retail)
{
    struct bench_runtime_lane *its = bench_runtime_open(emulator, is_retail, NULL, NULL);
    struct bench_runtime_lane *theirs =
        bench_runtime_open(runtime, is_retail, bench_options_now.driver, NULL);
    if (its && theirs && is_retail) {
        measure_beside("runtime.set", "runtime.emulator.set", bench_runtime_set, its, theirs);
        measure_beside("runtime.pair", "runtime.emulator.pair", bench_runtime_pair, its, theirs);
    } else if (its && theirs) {
        measure_beside("runtime.off", "runtime.emulator.off", bench_runtime_set, its, theirs);
    }
    bench_runtime_close(theirs);
    bench_runtime_close(its);
}

void bench_suite_runtime(void)
{
    if (!bench_options_now.runtime)
        return;
    struct bench_runtime *emulator = bench_runtime_load_emulator();
    struct bench_runtime *runtime = bench_runtime_load(bench_options_now.runtime);
    if (!emulator || !runtime)
        return;
    if (bench_options_now.driver && !bench_runtime_has_controls(runtime)) {
        bench_note("this runtime has no drivers to choose from, leave out --driver");
        return;
    }
    measure_runtime(emulator, runtime, false);
    measure_runtime(emulator, runtime, true);
}
