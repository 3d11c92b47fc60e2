/* Functions that the modules libannot-bench-shared.so and -static.so export for annot-bench: a
 * recording list of their library, called as applications call it. */
#pragma once

#include "bench.h"

/* Opens a list with an empty driver, for the process's life. Returns NULL without memory. */
typedef void *(*bench_shared_open_fn)(uint32_t mode, const void *driver);
typedef void (*bench_shared_rewind_fn)(void *lane);
typedef void (*bench_shared_run_fn)(void *lane, uint64_t calls, const void *data, uint32_t size);

/* shared.c: markers of 32 bytes into libannot.a inside a module, from which the empty driver is as
 * far as a driver is from a runtime. False, and a note, where it can't be loaded. Once a process.
 */
bool bench_shared_reference(uint64_t calls, struct bench_contestant *set);
