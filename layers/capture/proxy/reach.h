/*
 * The memory that the GPU may write to, by the calls that were recorded so far: destinations of
 * copies, resources with writable views, addresses that shaders get. If no call names some memory,
 * only the CPU writes to it, in any kind of heap.
 */
#pragma once

#include "../../intercept/object.h"

/* Call it once, before the other functions. */
void reach_open(void);

/* Whether the method can give the GPU memory to write to. Indexed by enum schema_method. */
extern bool reach_methods[];

/* Called before such a call, with the program's arguments. Any thread may call any function of this
 * header. */
void reach_note(uint16_t method, const uint64_t *args);

/* A number that grows whenever more memory becomes writable. */
uint64_t reach_version(void);

struct reach_range {
    uint64_t first, end; /* bytes; equal: none */
};

/* The part of a buffer with this address and size that the GPU may write. */
struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size);

/* Forgets an object that ends. Its later calls are ignored. */
void reach_forget(const struct object *object);
