/* Handles of shared objects. The trace has only the first handle that the runtime gave for an
 * object, because replay knows this handle. */
#pragma once

#include <stdint.h>

/* Notes the handle that the runtime wrote at the address `place`. Any thread may call it. */
void shared_note(uint64_t place);

/* Returns the runtime's first handle of the object, if `handle` is this handle or a duplicate.
 * Otherwise returns `handle`, and writes a line into the trace. UINT64_MAX means no handle. */
uint64_t shared_original(uint64_t handle);
