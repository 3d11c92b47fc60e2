/* Replay of any trace on the emulator does no harm [ANN-HOST-01, ANN-TRACE-03]: whatever its
 * records say, calls are made with objects, memory and counts that are there, or refused.
 *
 * An input is a trace's file, or what mutate.h makes of one. The emulator takes its steps in a
 * fixed order, so that a finding is one each time. */
#include "trace/frame.h"
#include "trace/mutate.h"

#include <capture/replay/replay.h>

#include <unknwn.h>
#include <directx/d3d12.h>
#include <annot/d3d12.h>
#include <emu/dxcore.h>
#include <emu/emu.h>

#include <capture/trace/schema.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE (1u << 22)
#define MEMORY     ((uint64_t)1 << 24)

int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_other; /* the runtime is not known to be the emulator */

/* ---- the emulator ---- */

static annot_result configure(const emu_config *config)
{
    emu_config seeded = config ? *config : (emu_config)EMU_CONFIG_INIT;
    seeded.order = EMU_ORDER_SEEDED;
    return emu_configure(&seeded);
}

typedef void (*function)(void);

static void *find_export(const char *name)
{
#define ROW(none, export, ...) {#export, (function) export},
    static const struct {
        const char *name;
        function function;
    } rows[] = {D3D12_EXPORTS(ROW){"emu_dxcore_factory", (function)emu_dxcore_factory}};
    function found = NULL;
    void *pointer = NULL;
    if (is_other && strncmp(name, "emu_", 4) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            found = rows[i].function == (function)emu_configure ? (function)configure
                                                                : rows[i].function;
    memcpy(&pointer, &found, sizeof pointer);
    return pointer;
}

/* ---- the target ---- */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    setenv("EMU_ORDER", "seeded", 1);
    setenv("EMU_WARP_LOG", "/dev/null", 1);
    setenv("ANNOT_CONFIG", "/dev/null", 1);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (size > 8 && memcmp(data, TRACE_MAGIC, 8) == 0)
        size = mutate_flatten(data, size, max_size);
    return mutate_trace(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct frame frame;
    struct replay_outcome outcome;
    const char *why;
    uint8_t *flat = NULL;
    uint64_t lane;
    if (size < 16 || size > CHUNK_SIZE / 2)
        return 0;
    if (memcmp(data, TRACE_MAGIC, 8) == 0) {
        flat = malloc(CHUNK_SIZE);
        if (flat)
            memcpy(flat, data, size);
        size = flat ? mutate_flatten(flat, size, CHUNK_SIZE / 2) : 0;
        data = flat;
    }
    if (size <= sizeof lane) {
        free(flat);
        return 0;
    }
    memcpy(&lane, data, sizeof lane);
    is_other = lane & 1;
    size -= sizeof lane;
    frame_put(&frame, data + sizeof lane, size, lane < size ? (size_t)lane : size, CHUNK_SIZE);
    struct trace *trace = trace_open(frame_read, &frame, frame_size(&frame), &why);
    if (trace) {
        configure(NULL);
        (void)replay_run(trace,
                         &(struct replay_options){.exports = find_export,
                                                  .release = true,
                                                  .call_memory = MEMORY,
                                                  .wait = 2,
                                                  .log = getenv("REPLAY_LOG") ? stderr : NULL},
                         &outcome, &why);
        configure(NULL);
    }
    trace_close(trace);
    free(flat);
    return 0;
}
