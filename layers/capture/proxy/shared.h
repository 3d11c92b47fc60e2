/* Handles of shared objects: replay knows those that the runtime gave the program. */
#pragma once

#include <stdint.h>

/* Notes the handle that the runtime wrote to the address `place`. Any thread, as below. */
void shared_note(uint64_t place);

/* The runtime's own handle, if this one is that or a duplicate of it. Otherwise the handle is
 * recorded as it is, UINT64_MAX for none, and the trace says so. */
uint64_t shared_original(uint64_t handle);
