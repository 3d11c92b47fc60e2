/* What a runtime reads in addition to calls: environment variables, a settings file, adapters of
 * other libraries. Changes are recorded, so that replay can restore them. */
#pragma once

#include <stdint.h>

/* Called before `call`. `adapter`: the adapter that the program passes; NULL if there is none, or
 * the trace has it. */
void surroundings_record(uint64_t call, void *adapter);
