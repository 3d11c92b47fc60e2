/* Mapped memory. The program's writes are recorded before the GPU can read them: when work is
 * submitted, when the CPU signals a fence, and when memory is unmapped. Readable memory is recorded
 * as a hash: when it is mapped, and when a fence says that work has ended. */
#pragma once

#include "recorded.h"

/* Gives the call its number, and records the current values of fences. The calls that signaled
 * these values have lower numbers. */
void memory_number(struct recorded *call);
void memory_before(struct recorded *call, const uint64_t *args);
void memory_after(const struct recorded *call, const uint64_t *args, uint64_t result);
