/* Handles of shared objects. For a shared object, the trace has only the first handle that the
 * runtime gave, because replay knows this handle. */
#pragma once

#include <stdint.h>

/* Notes the handle that the runtime wrote to the address `place`. Any thread may call it. */
void shared_note(uint64_t place);

/* If `handle` is the runtime's first handle of an object, or a duplicate, returns it. Returns any
 * other handle unchanged, with a line in the trace. UINT64_MAX: there is no handle. */
uint64_t shared_original(uint64_t handle);
