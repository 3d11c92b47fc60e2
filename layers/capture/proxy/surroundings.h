/* Records what a runtime reads in addition to the calls' arguments: environment variables, a
 * settings file, adapters of other libraries. The trace has changes of this data, so that replay
 * can restore the data. */
#pragma once

#include <stdint.h>

/* Records what the runtime reads in addition to arguments, before `call`. `adapter` is the adapter
 * that the program passes; NULL: it passes none, or the trace already has it. */
void surroundings_record(uint64_t call, void *adapter);
