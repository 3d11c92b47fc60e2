/*
 * A marker all the way: COM call, emulator, library, reference driver. With an empty driver in the
 * reference driver's place the same way shows what is the driver's and what the emulator's.
 */
#include "lane.h"

#include "driver.h"
#include "emulator_lane.h"
#include "module.h"

#include <dlfcn.h>

#define ROUNDS 200u
#define CALLS  2000u
#define BYTES  32u

typedef struct emulator_module {
    void *handle;
    void *(*open)(const annot_driver *);
    void (*close)(void *);
    void (*rewind)(void *);
    void (*markers)(void *, uint32_t, const void *, uint32_t);
} emulator_module;

static emulator_module module;

static bool module_load(void)
{
    module.handle = bench_module_open("libannot-bench-emulator.so");
    if (!module.handle)
        return false;
    *(void **)&module.open = dlsym(module.handle, "bench_emulator_open");
    *(void **)&module.close = dlsym(module.handle, "bench_emulator_close");
    *(void **)&module.rewind = dlsym(module.handle, "bench_emulator_rewind");
    *(void **)&module.markers = dlsym(module.handle, "bench_emulator_markers");
    return module.open && module.close && module.rewind && module.markers;
}

static void rewind_list(void *lane)
{
    module.rewind(lane);
}

static void markers(void *lane)
{
    static const uint64_t payload[BYTES / 8];
    module.markers(lane, CALLS, payload, BYTES);
}

static void measure(void *reference, void *empty)
{
    bench_lane lane;
    bench_lane_init(&lane, BYTES, BENCH_REUSED_BYTES);
    bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, bench_lane_limit_set),
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        {rewind_list, markers, reference, CALLS},
        {rewind_list, markers, empty, CALLS},
    };
    bench_figure figures[4];
    bench_measure(contestants, 4, ROUNDS, figures);
    bench_file_figure("emulator", BYTES, 1, 0, &figures[2], &figures[0]);
    bench_file_figure("emulator.no-driver", BYTES, 1, 0, &figures[3], &figures[0]);
    bench_figure share = {.ns = figures[3].ns - figures[1].ns, .spread = figures[3].spread};
    bench_file_figure("emulator.own-share", BYTES, 1, 0, &share, NULL);
    share = (bench_figure){.ns = figures[2].ns - figures[3].ns, .spread = figures[2].spread};
    bench_file_figure("emulator.driver-share", BYTES, 1, 0, &share, NULL);
    bench_lane_finish(&lane);
}

void bench_suite_emulator(void)
{
    if (!module_load())
        return;
    void *reference = module.open(NULL);
    void *empty = module.open(&bench_driver_empty);
    if (reference && empty)
        measure(reference, empty);
    else
        bench_note("no emulator rows: it made no device or list");
    if (reference)
        module.close(reference);
    if (empty)
        module.close(empty);
}
