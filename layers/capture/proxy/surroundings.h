/*
 * Inputs of a runtime in addition to calls: environment variables, a settings file, adapters of
 * other libraries. Their changes are recorded, so that replay can restore them.
 */
#pragma once

#include <stdint.h>

/* Called before `call`, with the adapter that the program passes to it. NULL means no adapter, or
 * one that the trace already has. */
void surroundings_record(uint64_t call, void *adapter);
