/* The memory that the GPU may write to. Recorded calls show which memory it is: destinations of
 * copies, resources with writable views, addresses that shaders get. */
#pragma once

#include "../../intercept/object.h"

/* Prepares reach_methods. Call this function once, before the other functions of this header. */
void reach_open(void);

/* reach_methods[m] says whether method m (enum schema_method) can give the GPU memory to write. */
extern bool reach_methods[];

/* Notes the arguments of a call on `self`; use it before each call of a method in reach_methods.
 * Any thread may call any function of this header. */
void reach_note(uint16_t method, const struct object *self, const uint64_t *args);

/* Whether the GPU may write such memory when it executes these lists. */
bool reach_is_written(uint64_t count, void *const *lists);

/* Returns a number that grows when the GPU may write to more memory than before. */
uint64_t reach_version(void);

struct reach_range {
    uint64_t first, end; /* two byte offsets; if they are equal, the range is empty */
    uint64_t row, pitch; /* of each `pitch` bytes, only the first `row` bytes; pitch 0: all bytes */
};

/* Returns which part of the buffer at `address`, with `size` bytes, the GPU may write to. */
struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size);

/* Forgets an object that the runtime destroys. Later calls with this object are ignored. */
void reach_forget(const struct object *object);
