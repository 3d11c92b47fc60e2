/* Records data that a runtime reads in addition to the calls' arguments: environment variables, a
 * settings file, adapters of other libraries. Changes are recorded, so that replay can restore
 * them. */
#pragma once

#include <stdint.h>

/* Called before `call`, with the `adapter` that the program passes. `adapter` is NULL if the call
 * has no adapter, or the trace already has the adapter. */
void surroundings_record(uint64_t call, void *adapter);
