/* Handles of shared objects: replay knows those that the runtime gave the program. */
#pragma once

#include <stdint.h>

/* The runtime wrote one to where `place`, an address, leads. Any thread, as below. */
void shared_note(uint64_t place);

/* The handle that the runtime gave of which this one is a duplicate, or is itself. Without one the
 * handle is recorded as it is, UINT64_MAX for none, and the trace says so. */
uint64_t shared_original(uint64_t handle);
