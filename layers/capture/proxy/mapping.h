/*
 * Memory that the program and the GPU share: buffers that are mapped, and heaps over the program's
 * own memory. watch.h finds changes in it, or a hash of all of it does; they are recorded by pages.
 */
#pragma once

#include "../../intercept/object.h"

/* The recorder's note of a resource that lies in a heap of the program's: other resources may lie
 * over it. */
#define MAPPING_PLACED 1u

/* Chooses how writes are found: enum trace_watch. Called once, before anything else. */
uint32_t mapping_open(void);

/* The resource was mapped by `call`: what can be read there is recorded as a hash, if the GPU is
 * idle. Any thread, like all of these. */
void mapping_map(const struct object *resource, const uint8_t *memory, uint64_t call);
/* It is about to be unmapped by `call`. Returns the number that the call has from here on: what
 * threads see later has a higher one. */
uint64_t mapping_unmap(const struct object *resource, uint64_t call);
/* A heap lies over `size` bytes of the program's memory, until its end. */
void mapping_add_heap(const struct object *heap, const uint8_t *memory, uint64_t size);
/* The object ends: its memory may be gone. */
void mapping_forget(const struct object *object);

/* The GPU was given work: it may write what calls have named (reach.h). */
void mapping_submitted(void);

/* Before `call`: what the program wrote to mapped memory of these kinds (enum resource_kind) since
 * the trace knew it. Returns the call's number as mapping_unmap does. */
uint64_t mapping_record_writes(uint64_t call, uint32_t kinds);
/* The memory that the program can read there, as hashes, where it changed. */
void mapping_record_reads(uint64_t call, uint32_t kinds);
