/* Records what a runtime reads in addition to the calls' arguments: environment variables, a
 * settings file, adapters of other libraries. The trace has changes of this data, so that replay
 * can restore the data. */
#pragma once

#include <stdint.h>

/* Records the data before `call`. `adapter` is the adapter that the program passes. It is NULL if
 * the call has none, or if the trace already has the adapter. */
void surroundings_record(uint64_t call, void *adapter);
