/* The data that a runtime reads in addition to calls: environment variables, a settings file,
 * adapters of other libraries. Changes are recorded, so that replay can restore the data. */
#pragma once

#include <stdint.h>

/* Called before `call`, with the `adapter` that the program passes. NULL: the call has no adapter,
 * or the trace already has it. */
void surroundings_record(uint64_t call, void *adapter);
