/* The memory that the GPU may write to. Recorded calls tell this memory: destinations of copies,
 * resources with writable views, addresses that shaders get. The GPU writes only to this memory. */
#pragma once

#include "../../intercept/object.h"

/* Call it once, before the other functions. */
void reach_open(void);

/* For each enum schema_method: whether the method can give the GPU memory to write. */
extern bool reach_methods[];

/* Notes the program's arguments; call it before a call of a method in reach_methods. Any thread may
 * call any function of this header. */
void reach_note(uint16_t method, const uint64_t *args);

/* Returns a number that grows whenever more memory becomes writable. */
uint64_t reach_version(void);

struct reach_range {
    uint64_t first, end; /* two offsets in bytes; if they are equal, the range is empty */
    uint64_t row, pitch; /* only the first `row` of each `pitch` bytes; pitch 0: all bytes */
};

/* Returns the part of a buffer with this address and size that the GPU may write. */
struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size);

/* Forgets an object that the runtime destroys. Later calls with the object are ignored. */
void reach_forget(const struct object *object);
