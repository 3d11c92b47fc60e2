/* What the modules libannot-bench-shared.so and -static.so export to annot-bench: a recording list
 * of their library's, called as any application calls it. */
#ifndef BENCH_SHARED_LANE_H
#define BENCH_SHARED_LANE_H

#include <stdint.h>

/* One list, with an empty driver. NULL: no memory. Closed with the process. */
typedef void *(*bench_shared_open_fn)(uint32_t mode, const void *driver);
typedef void (*bench_shared_rewind_fn)(void *lane);
typedef void (*bench_shared_run_fn)(void *lane, uint64_t calls, const void *data, uint32_t size);

#endif
