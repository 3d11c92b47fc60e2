/* The memory that the GPU may write to. It is found from the recorded calls: destinations of
 * copies, resources with writable views, addresses that shaders get. The GPU writes to no other
 * memory. */
#pragma once

#include "../../intercept/object.h"

/* Call it once, before the other functions. */
void reach_open(void);

/* Whether a method can give the GPU memory for writes; the index is an enum schema_method. */
extern bool reach_methods[];

/* Notes the program's arguments; call it before a call of a method in reach_methods. Any thread may
 * call any function of this header. */
void reach_note(uint16_t method, const uint64_t *args);

/* Returns a number that grows whenever more memory becomes writable. */
uint64_t reach_version(void);

struct reach_range {
    uint64_t first, end; /* a range of bytes; equal: an empty range */
};

/* Returns the part of a buffer with this address and size that the GPU may write. */
struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size);

/* Forgets an object that ends. Later calls with it are ignored. */
void reach_forget(const struct object *object);
