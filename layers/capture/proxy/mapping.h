/* Memory that the program and the GPU share: mapped buffers, and heaps over the program's own
 * memory. watch.h finds changed pages, or all pages are hashed. Changed pages are recorded. */
#pragma once

#include "../../intercept/object.h"

/* The flag of a resource in a heap of the program; such resources may overlap. */
#define MAPPING_PLACED 1u

/* Chooses how the recorder finds writes to memory. Returns the choice, an enum trace_watch. Call
 * this function first. */
uint32_t mapping_open(void);

/* Notes that `call` has mapped the resource. If the GPU is idle, the function records a hash of the
 * readable memory. Any thread may call any function of this header. */
void mapping_map(const struct object *resource, const uint8_t *memory, uint64_t call);
/* Notes that `call` will unmap the resource. Returns a new number for `call`; calls of other
 * threads that begin later have higher numbers. */
uint64_t mapping_unmap(const struct object *resource, uint64_t call);
/* Notes a heap over `size` bytes of the program's memory; mapping_forget ends this. */
void mapping_add_heap(const struct object *heap, const uint8_t *memory, uint64_t size);
/* Forgets an object that the runtime destroys. The object's memory may already be freed. */
void mapping_forget(const struct object *object);

/* Notes that the GPU got work, which may write to the memory that reach.h finds. */
void mapping_submitted(void);

/* Before `call`, records what the program has written to mapped memory of these kinds (enum
 * resource_kind) since the last such record. Returns a new number as mapping_unmap does. If
 * `is_check`, records a hash of each readable piece instead, if the hash has changed. Looks at
 * `resource` alone, if it was mapped before and shares its memory with no other; NULL: at all. */
uint64_t mapping_record(const struct object *resource, uint64_t call, bool is_check,
                        uint32_t kinds);
