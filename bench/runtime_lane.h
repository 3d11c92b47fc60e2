/* A D3D12 runtime in a shared object, the emulator or another: a command list of it, called through
 * its COM interface. The runtime brings its own libannot, if it has one. */
#pragma once

#include <annot/ddi.h>

#include <stdbool.h>

struct bench_runtime;
struct bench_runtime_lane;

/* NULL, with a note for people, when it can't be loaded or exports no D3D12CreateDevice. Stays
 * loaded. */
struct bench_runtime *bench_runtime_load(const char *path);
/* The emulator that was built beside the program. */
struct bench_runtime *bench_runtime_load_emulator(void);
/* The emulator behind the recorder of annot capture, which leaves its trace at `path`. */
struct bench_runtime *bench_runtime_load_recorder(const char *path);
/* The emulator behind the crash layer of annot d3d12, which marks nothing on the GPU: fences. */
struct bench_runtime *bench_runtime_load_layer(void);
bool bench_runtime_has_controls(const struct bench_runtime *runtime);

/* A recording list. `annotation` takes the markers in place of the driver, and `driver` is its
 * name: both for a runtime with the emulator's controls, NULL for the runtime's own. NULL, with a
 * note, when the runtime refuses. */
struct bench_runtime_lane *bench_runtime_open(const struct bench_runtime *runtime, bool is_retail,
                                              const char *driver, const annot_driver *annotation);
/* The same of the emulator with its own driver, and with buffers to copy between. */
struct bench_runtime_lane *bench_runtime_open_buffers(const struct bench_runtime *runtime);
void bench_runtime_close(struct bench_runtime_lane *lane);

/* Close, reset the allocator, reset the list. */
void bench_runtime_rewind(void *lane);
/* A turn's calls, with 32 bytes each. */
#define BENCH_RUNTIME_CALLS 2000u
void bench_runtime_set(void *lane);
void bench_runtime_pair(void *lane);
/* A copy of four bytes: the smallest operation with work in it. Of a lane with buffers. */
void bench_runtime_copy(void *lane);
/* The same behind the methods of a library that does nothing but forward; of pairs it notes 48
 * bytes each, a header and the payload: the least that a layer can do. */
void bench_runtime_copy_forwarded(void *lane);
void bench_runtime_pair_noted(void *lane);

#define BENCH_RUNTIME_PAGES 1024u
/* Maps an upload buffer of so many pages; NULL, with a note: it can't be had. */
char *bench_runtime_map(struct bench_runtime_lane *lane);
/* Writes a word into each page and submits an empty list. */
void bench_runtime_submit_pages(void *lane);
