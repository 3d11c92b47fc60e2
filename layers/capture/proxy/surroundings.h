/*
 * Inputs of a runtime other than its calls: environment variables, a settings file, the adapters of
 * other libraries. Changes are recorded, so that replay can restore them.
 */
#pragma once

#include <stdint.h>

/* Before `call`, with what the program gives it as an adapter (NULL: none, or one that the trace
 * has). */
void surroundings_record(uint64_t call, void *adapter);
