/* The memory that the GPU may write to, found from the recorded calls: destinations of copies,
 * resources with writable views, addresses that shaders get. The GPU doesn't write to other memory.
 */
#pragma once

#include "../../intercept/object.h"

/* Call it once, before the other functions. */
void reach_open(void);

/* Whether the method can give the GPU memory to write to. Indexed by enum schema_method. */
extern bool reach_methods[];

/* Called before a call of such a method, with the program's arguments. Any thread may call any
 * function of this header. */
void reach_note(uint16_t method, const uint64_t *args);

/* A number that grows whenever more memory becomes writable. */
uint64_t reach_version(void);

struct reach_range {
    uint64_t first, end; /* bytes; equal: none */
};

/* The part that the GPU may write, of a buffer with this address and size. */
struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size);

/* Forgets an object that ends. Its later calls are ignored. */
void reach_forget(const struct object *object);
