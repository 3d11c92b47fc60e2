/*
 * Mapped memory. The program's writes there are recorded before the GPU can read them: when work is
 * submitted, when a fence is signalled from the CPU, when the memory is unmapped. The memory that
 * the program can read is recorded as a hash when it maps the memory, and when a fence tells it
 * that work has ended.
 */
#pragma once

#include "recorded.h"

/* Takes a number for the call, and records the values that fences have reached by then. What they
 * waited for has a lower number. */
void memory_number(struct recorded *call);
void memory_before(struct recorded *call, const uint64_t *args);
void memory_after(const struct recorded *call, const uint64_t *args, uint64_t result);
