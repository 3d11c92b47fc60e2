/*
 * Mapped memory. What the program writes there is recorded before the GPU can read it: when work is
 * submitted, when a fence is signalled from the CPU, when the memory is unmapped. What the program
 * can read there is recorded as a hash: when it maps, and when a fence tells it that work has
 * ended.
 */
#ifndef CAPTURE_MEMORY_H
#define CAPTURE_MEMORY_H

#include "recorded.h"

/* Takes the call's number. What fences had reached by then is recorded with it: whatever they
 * waited for has a lower one. */
void memory_number(struct recorded *call);
void memory_before(struct recorded *call, const uint64_t *args);
void memory_after(const struct recorded *call, const uint64_t *args, uint64_t result);

#endif
