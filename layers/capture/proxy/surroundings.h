/* The data that a runtime reads in addition to calls: environment variables, a settings file,
 * adapters of other libraries. Changes are recorded, so that replay can restore the data. */
#pragma once

#include <stdint.h>

/* Called before `call`. `adapter` is the adapter that the program passes; it is NULL if there is
 * none, or if the trace already has it. */
void surroundings_record(uint64_t call, void *adapter);
