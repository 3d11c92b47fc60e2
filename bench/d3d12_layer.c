/*
 * Measures the cost of the D3D12 crash layer: a method that it doesn't want, by the same call
 * behind a library that does nothing but forward, and without one; a pair of markers that the GPU
 * doesn't mark, by libannot's own begin and end of the same payload, and by a library that forwards
 * and notes 48 bytes; an OpenGL program on Mesa's
 * d3d12 driver, by the same program without the layer.
 */
#include "bench.h"

#ifdef EMU_STATIC
#include "driver.h"
#include "module.h"
#include "runtime_lane.h"
#include "world.h"

#include <annot/annot.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 40, PROGRAM_ROUNDS = 24, BYTES = 32 };

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

static void measure_by(const char *name, uint32_t size, const struct bench_contestant *reference,
                       const struct bench_contestant *layered, struct bench_figure figures[2])
{
    const struct bench_contestant contestants[] = {*reference, *layered};
    bench_measure_by_cpu(contestants, 2, ROUNDS, figures);
    bench_file_figure(name, size, 1, 0, &figures[1], &figures[0]);
}

static struct bench_contestant calls_of(struct bench_runtime_lane *lane, void (*run)(void *))
{
    return (struct bench_contestant){bench_runtime_rewind, run, lane, BENCH_RUNTIME_CALLS};
}

static void measure_copy(struct bench_runtime_lane *bare, struct bench_runtime_lane *layered)
{
    const struct bench_contestant forwarded = calls_of(bare, bench_runtime_copy_forwarded);
    const struct bench_contestant under = calls_of(layered, bench_runtime_copy);
    struct bench_figure figures[2];
    measure_by("d3d12_layer.copy", 4, &forwarded, &under, figures);
}

static void measure_pair(struct bench_runtime_lane *bare, struct bench_runtime_lane *layered)
{
    struct bench_world world;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    const struct bench_contestant by_core = {prepare_core, run_core, &world, BENCH_RUNTIME_CALLS};
    const struct bench_contestant under = calls_of(layered, bench_runtime_pair);
    struct bench_figure figures[2];
    const struct bench_contestant least = calls_of(bare, bench_runtime_pair_noted);
    measure_by("d3d12_layer.pair", BYTES, &by_core, &under, figures);
    measure_by("d3d12_layer.pair-by-least", BYTES, &least, &under, figures);
    bench_world_finish(&world);
}

/* ---- a program ---- */

struct program {
    char path[PATH_MAX], libraries[2 * PATH_MAX], runtime[PATH_MAX], trace[PATH_MAX];
    const char *arguments[2]; /* the second may be NULL */
    const char *front;        /* what tells our library in front of the runtime; NULL: none is */
    const char *level;
    bool has_failed;
};

static bool find_program(struct program *program, const char *name, const char *front,
                         const char *level)
{
    char in_front[PATH_MAX], lib[PATH_MAX];
    *program = (struct program){.front = front, .level = level};
    if (!bench_module_path(name, program->path, sizeof program->path) ||
        !bench_module_path("lib/capture", in_front, sizeof in_front) ||
        !bench_module_path("lib", lib, sizeof lib) ||
        !bench_module_path("lib/libd3d12.so", program->runtime, sizeof program->runtime))
        return false;
    snprintf(program->trace, sizeof program->trace, "%s/annot-bench-%d.annottrace",
             bench_options_now.directory, (int)getpid());
    snprintf(program->libraries, sizeof program->libraries, "%s%s%s", front ? in_front : "",
             front ? ":" : "", lib);
    return access(program->path, X_OK) == 0;
}

/* Mesa's driver, which would give a message, and the shaders that it compiled last time, are the
 * same for both. */
static void set_environment(const struct program *program)
{
    const char *const variables[][2] = {{"LD_LIBRARY_PATH", program->libraries},
                                        {"LIBGL_ALWAYS_SOFTWARE", "1"},
                                        {"GALLIUM_DRIVER", "d3d12"},
                                        {"MESA_SHADER_CACHE_DISABLE", "true"},
                                        {"EMU_DRIVER", "legacy"},
                                        {"ANNOT_CAPTURE_FILE", program->trace},
                                        {"ANNOT_D3D12_LEVEL", program->level},
                                        {"ANNOT_D3D12_QUIET", "1"}};
    const char *const defaults[] = {"ANNOT_D3D12_EVIDENCE", "ANNOT_D3D12_PROBE",
                                    "ANNOT_D3D12_TIMEOUT", "ANNOT_D3D12_RUNTIME",
                                    "ANNOT_CAPTURE_RUNTIME"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i][0], variables[i][1], 1);
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        unsetenv(defaults[i]);
    if (program->front)
        setenv(program->front, program->runtime, 1);
}

static void run_program(void *state)
{
    struct program *program = state;
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        bench_unpin(); /* it has threads */
        set_environment(program);
        if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execl(program->path, program->path, program->arguments[0], program->arguments[1],
                  (char *)NULL);
        _exit(127);
    }
    program->has_failed |= child < 0 || waitpid(child, &status, 0) != child || status != 0;
    unlink(program->trace);
}

static void measure_program(void)
{
    const char *const frames = bench_options_now.quick ? "10" : "4000",
                      *name = "bin/annot-bench-opengl";
    struct program bare, layered;
    struct bench_figure figures[2];
    if (!find_program(&bare, name, NULL, "low") ||
        !find_program(&layered, name, "ANNOT_D3D12_RUNTIME", "low")) {
        bench_note("no row of an OpenGL program: built without EGL (Debian: libegl-dev)");
        return;
    }
    bare.arguments[0] = layered.arguments[0] = "--frames";
    bare.arguments[1] = layered.arguments[1] = frames;
    run_program(&bare);
    if (bare.has_failed) {
        bench_note("no row of an OpenGL program: Mesa has no d3d12 driver here (Debian: "
                   "libgl1-mesa-dri)");
        return;
    }
    const struct bench_contestant contestants[] = {{NULL, run_program, &bare, 1},
                                                   {NULL, run_program, &layered, 1}};
    bench_measure_by_cpu(contestants, 2, PROGRAM_ROUNDS, figures);
    if (bare.has_failed || layered.has_failed)
        bench_note("no row of an OpenGL program: it fails under the layer");
    else
        bench_file_figure("d3d12_layer.program", 0, 0, 0, &figures[1], &figures[0]);
}

/* A frame of an engine, and what its markers add to it: CPU time of all threads, of a frame's time
 * at 60 a second. */
static void measure_frame(void)
{
    static const struct {
        const char *row, *front;
        bool is_marked;
    } rows[] = {{NULL, NULL, false},
                {"frame.emulator", NULL, true},
                {"frame.d3d12_layer", "ANNOT_D3D12_RUNTIME", true},
                {"frame.capture", "ANNOT_CAPTURE_RUNTIME", true}};
    enum { ROWS = sizeof rows / sizeof *rows, MARKERS = 400, THREADS = 8 };
    const uint64_t frames = bench_options_now.quick ? 2 : 200;
    static struct program programs[ROWS];
    struct bench_contestant contestants[ROWS];
    struct bench_figure figures[ROWS];
    const double share = 60 / 1e9 * 100;
    for (size_t i = 0; i < ROWS; i++) {
        struct program *it = &programs[i];
        if (!find_program(it, "bin/annot-bench-frame", rows[i].front, "labels"))
            return;
        it->arguments[0] = bench_options_now.quick ? "2" : "200";
        it->arguments[1] = rows[i].is_marked ? "with" : NULL;
        contestants[i] = (struct bench_contestant){NULL, run_program, it, frames};
    }
    bench_measure_by_cpu(contestants, ROWS, PROGRAM_ROUNDS, figures);
    for (size_t i = 1; i < ROWS; i++) {
        if (programs[0].has_failed || programs[i].has_failed) {
            bench_note("no row %s: the program fails", rows[i].row);
            continue;
        }
        bench_file(&(struct bench_row){.name = rows[i].row,
                                       .threads = THREADS,
                                       .count = MARKERS,
                                       .value = (figures[i].ns - figures[0].ns) * share,
                                       .unit = "% of a frame",
                                       .limit = figures[0].ns * share,
                                       .ratio = figures[i].ratio,
                                       .ratio_spread = figures[i].ratio_spread});
    }
}

void bench_suite_d3d12_layer(void)
{
    const struct bench_runtime *emulator = bench_runtime_load_emulator();
    const struct bench_runtime *layer = emulator ? bench_runtime_load_layer() : NULL;
    struct bench_runtime_lane *bare = layer ? bench_runtime_open_buffers(emulator) : NULL;
    struct bench_runtime_lane *layered = bare ? bench_runtime_open_buffers(layer) : NULL;
    if (layered) {
        measure_copy(bare, layered);
        measure_pair(bare, layered);
    }
    bench_runtime_close(layered);
    bench_runtime_close(bare);
    measure_frame();
    measure_program();
}

#else

void bench_suite_d3d12_layer(void)
{
    bench_note("no rows of the D3D12 layer: built without DirectX-Headers");
}

#endif
