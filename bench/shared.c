/* A loop of markers in a module that is linked against libannot.so, as most applications are, by
 * the same module with libannot.a inside. */
#include "shared_lane.h"

#include "driver.h"
#include "lane.h"
#include "module.h"

#include <dlfcn.h>

#define ROUNDS 400u
#define BYTES  32u

struct module {
    bench_shared_open_fn open;
    bench_shared_rewind_fn rewind;
    bench_shared_run_fn set, pair;
};

struct module_lane {
    const struct module *module;
    bench_shared_run_fn run;
    void *lane;
    uint64_t calls;
};

static void run(void *state)
{
    static const uint64_t payload[BYTES / 8];
    struct module_lane *it = state;
    it->run(it->lane, it->calls, payload, BYTES);
}

static void rewind_lane(void *state)
{
    struct module_lane *it = state;
    it->module->rewind(it->lane);
}

static bool module_load(const char *name, struct module *module)
{
    void *handle = bench_module_open(name);
    if (!handle)
        return false;
    *(void **)&module->open = dlsym(handle, "bench_shared_open");
    *(void **)&module->rewind = dlsym(handle, "bench_shared_rewind");
    *(void **)&module->set = dlsym(handle, "bench_shared_set");
    *(void **)&module->pair = dlsym(handle, "bench_shared_pair");
    return module->open && module->rewind && module->set && module->pair;
}

/* modules[0] has the static library. */
static void measure(const struct module modules[2])
{
    const uint64_t calls = BENCH_REUSED_BYTES / (BYTES + 16u);
    struct module_lane lanes[2];
    struct bench_contestant contestants[2];
    struct bench_figure figures[2];
    for (size_t i = 0; i < 2; i++) {
        lanes[i] =
            (struct module_lane){&modules[i], modules[i].pair,
                                 modules[i].open(ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty),
                                 calls};
        contestants[i] = (struct bench_contestant){rewind_lane, run, &lanes[i], calls};
    }
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("shared.pair", BYTES, 1, 0, &figures[1], &figures[0]);
}

bool bench_shared_reference(uint64_t calls, struct bench_contestant *set)
{
    static struct module module;
    static struct module_lane lane;
    if (!module_load("libannot-bench-static.so", &module))
        return false;
    lane = (struct module_lane){&module, module.set,
                                module.open(ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty), calls};
    *set = (struct bench_contestant){rewind_lane, run, &lane, calls};
    return true;
}

void bench_suite_shared(void)
{
    struct module modules[2];
    if (!module_load("libannot-bench-static.so", &modules[0]) ||
        !module_load("libannot-bench-shared.so", &modules[1]))
        return;
    measure(modules);
}
