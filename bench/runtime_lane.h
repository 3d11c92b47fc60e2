/* Measures a D3D12 runtime in a shared object, for example the emulator: a command list is called
 * through its COM interface. The runtime uses its own libannot, if it has one. */
#pragma once

#include <annot/ddi.h>

#include <stdbool.h>

struct bench_runtime;
struct bench_runtime_lane;

/* Loads a runtime, which stays loaded. Returns NULL, with a note for people, if the file can't be
 * loaded or exports no D3D12CreateDevice. */
struct bench_runtime *bench_runtime_load(const char *path);
/* Loads the emulator that was built beside the program. */
struct bench_runtime *bench_runtime_load_emulator(void);
/* Loads the emulator behind the recorder of annot capture, which writes its trace to `path`. */
struct bench_runtime *bench_runtime_load_recorder(const char *path);
/* Loads the emulator behind the crash layer of annot d3d12 with fences only, without GPU marks. */
struct bench_runtime *bench_runtime_load_layer(void);
bool bench_runtime_has_controls(const struct bench_runtime *runtime);

/* Opens a recording list. `annotation` gets the markers instead of the driver, and `driver` is the
 * driver's name. Both need the emulator's controls; NULL means the runtime's own. Returns NULL,
 * with a note, if the runtime refuses. */
struct bench_runtime_lane *bench_runtime_open(const struct bench_runtime *runtime, bool is_retail,
                                              const char *driver, const annot_driver *annotation);
/* Does the same for the emulator with its own driver, and with two buffers for copies. */
struct bench_runtime_lane *bench_runtime_open_buffers(const struct bench_runtime *runtime);
void bench_runtime_close(struct bench_runtime_lane *lane);

/* Closes the list, resets the allocator, resets the list. */
void bench_runtime_rewind(void *lane);
/* The number of calls in a turn; each call has 32 bytes. */
#define BENCH_RUNTIME_CALLS 2000u
void bench_runtime_set(void *lane);
void bench_runtime_pair(void *lane);
/* Copies four bytes, the smallest operation with work, in a lane with buffers. */
void bench_runtime_copy(void *lane);
/* Does the same through a library that only forwards calls. Of pairs it notes 48 bytes each, a
 * header and the payload: the least work of a layer. */
void bench_runtime_copy_forwarded(void *lane);
void bench_runtime_pair_noted(void *lane);

#define BENCH_RUNTIME_PAGES 1024u
/* Maps an upload buffer of `pages` pages. Returns NULL, with a note, on failure. */
char *bench_runtime_map(struct bench_runtime_lane *lane);
/* Writes a word into each page and submits an empty list. */
void bench_runtime_submit_pages(void *lane);
