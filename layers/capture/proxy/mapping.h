/* Memory that the program and the GPU share: mapped buffers, and heaps over the program's own
 * memory. watch.h finds changed pages, or the memory is hashed; changes are recorded page by
 * page. */
#pragma once

#include "../../intercept/object.h"

/* A flag of the recorder for resources in a heap of the program, where resources may overlap. */
#define MAPPING_PLACED 1u

/* Chooses how writes to memory are found, and returns the choice, an enum trace_watch. Call this
 * function first. */
uint32_t mapping_open(void);

/* Notes that `call` has mapped the resource. If the GPU is idle, a hash of the readable memory is
 * recorded. Any thread may call any function of this header. */
void mapping_map(const struct object *resource, const uint8_t *memory, uint64_t call);
/* Call it before `call` unmaps the resource. Returns a new number for `call`; calls of other
 * threads that begin later have higher numbers. */
uint64_t mapping_unmap(const struct object *resource, uint64_t call);
/* Notes a heap over `size` bytes of the program's memory, until mapping_forget gets the heap. */
void mapping_add_heap(const struct object *heap, const uint8_t *memory, uint64_t size);
/* Forgets an object that the runtime destroys. Its memory may already be gone. */
void mapping_forget(const struct object *object);

/* Notes that the GPU got work, which may write to the memory that reach.h knows. */
void mapping_submitted(void);

/* Records the bytes that the program wrote to mapped memory of these kinds (enum resource_kind)
 * since the last time, before `call`. Returns a new number for `call`, as mapping_unmap does. */
uint64_t mapping_record_writes(uint64_t call, uint32_t kinds);
/* Records hashes of the mapped memory that the program can read, if this memory changed. */
void mapping_record_reads(uint64_t call, uint32_t kinds);
