/* Handles of shared objects, recorded as the runtime first gave them, because replay knows these.
 */
#pragma once

#include <stdint.h>

/* Notes the handle that the runtime wrote to the address `place`. Any thread, as below. */
void shared_note(uint64_t place);

/* Finds the runtime's own handle from it or a duplicate. Returns any other handle unchanged, with a
 * line in the trace. UINT64_MAX: none. */
uint64_t shared_original(uint64_t handle);
