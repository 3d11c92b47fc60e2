/* Handles of shared objects. Replay knows the handles that the runtime gave the program. */
#pragma once

#include <stdint.h>

/* Notes the handle that the runtime wrote to the address `place`. Any thread, as below. */
void shared_note(uint64_t place);

/* The runtime's own handle, if `handle` is this handle or a duplicate of it. Any other handle is
 * recorded unchanged (UINT64_MAX: none), with a line in the trace. */
uint64_t shared_original(uint64_t handle);
