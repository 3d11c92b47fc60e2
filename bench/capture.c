/*
 * Measures the cost of recording a D3D12 program: a call of a command list, by an event of
 * LTTng-UST while a session records it, and a page of mapped memory that was written, by hashing
 * the page.
 */
#include "bench.h"

#ifdef EMU_STATIC
#include "runtime_lane.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ROUNDS = 40, PAGE = 4096, LTTNG_BYTES = 32 };

#ifdef BENCH_LTTNG
bool bench_lttng_is_recording(void);
void bench_lttng_marker(uint32_t metadata, const void *data, uint32_t size);

static void run_lttng(void *state)
{
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--)
        bench_lttng_marker(2, state, LTTNG_BYTES);
}

static bool has_lttng(void)
{
    return bench_lttng_is_recording();
}
#else
static void run_lttng(void *state)
{
    (void)state;
}

static bool has_lttng(void)
{
    return false;
}
#endif

static void measure_call(struct bench_runtime_lane *lane)
{
    static uint64_t payload[LTTNG_BYTES / 8];
    const struct bench_contestant contestants[] = {{NULL, run_lttng, payload, BENCH_RUNTIME_CALLS},
                                                   {bench_runtime_rewind, bench_runtime_copy, lane,
                                                    BENCH_RUNTIME_CALLS}};
    struct bench_figure figures[2];
    const bool has_reference = has_lttng();
    if (!has_reference)
        bench_note("no capture.call: no LTTng-UST session records");
    bench_measure_by_cpu(has_reference ? contestants : contestants + 1, has_reference ? 2 : 1,
                         ROUNDS, figures);
    bench_file_figure(has_reference ? "capture.call" : "capture.call.alone", 4, 1, 0,
                      &figures[has_reference], has_reference ? &figures[0] : NULL);
}

static void hash_pages(void *state)
{
    const char *memory = state;
    for (uint32_t i = 0; i < BENCH_RUNTIME_PAGES; i++)
        bench_keep(XXH64(memory + (size_t)i * PAGE, PAGE, i));
}

static void measure_pages(struct bench_runtime_lane *lane)
{
    char *memory = bench_runtime_map(lane);
    if (!memory)
        return;
    const struct bench_contestant contestants[] = {{NULL, hash_pages, memory, BENCH_RUNTIME_PAGES},
                                                   {NULL, bench_runtime_submit_pages, lane,
                                                    BENCH_RUNTIME_PAGES}};
    struct bench_figure figures[2];
    bench_measure_by_cpu(contestants, 2, ROUNDS, figures);
    bench_file_figure("capture.page", PAGE, 1, 0, &figures[1], &figures[0]);
}

void bench_suite_capture(void)
{
    char folder[512], trace[600];
    snprintf(folder, sizeof folder, "%s/annot-bench-XXXXXX", bench_options_now.directory);
    if (!mkdtemp(folder)) {
        bench_note("no capture rows: cannot write to %s; give --directory",
                   bench_options_now.directory);
        return;
    }
    snprintf(trace, sizeof trace, "%s/recorded.annottrace", folder);
    const struct bench_runtime *recorder = bench_runtime_load_recorder(trace);
    struct bench_runtime_lane *lane = recorder ? bench_runtime_open_buffers(recorder) : NULL;
    if (lane) {
        measure_call(lane);
        measure_pages(lane);
    }
    bench_runtime_close(lane);
    /* The recorder packs its trace when the process ends; without the folder it leaves none. */
    unlink(trace);
    rmdir(folder);
}

#else

void bench_suite_capture(void)
{
    bench_note("no capture rows: built without DirectX-Headers");
}

#endif
