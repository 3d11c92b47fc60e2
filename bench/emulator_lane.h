/* What the module libannot-bench-emulator.so offers to annot-bench. */
#ifndef BENCH_EMULATOR_LANE_H
#define BENCH_EMULATOR_LANE_H

#include <annot/ddi.h>

/* A recording command list under DRIVER_RETAIL; `annotation` takes the markers in place of the
 * reference driver, NULL: the reference driver. NULL when the emulator refuses. */
void *bench_emulator_open(const annot_driver *annotation);
void bench_emulator_close(void *lane);

/* Close, reset the allocator, reset the list. */
void bench_emulator_rewind(void *lane);
void bench_emulator_markers(void *lane, uint32_t calls, const void *data, uint32_t size);

#endif
