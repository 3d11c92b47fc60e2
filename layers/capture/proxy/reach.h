/*
 * The memory that a GPU may write to, by the calls that were recorded so far: destinations of
 * copies, resources that have views to write through, addresses that shaders are given. Only the
 * CPU writes to memory that no call names, whatever kind of heap it lies in.
 */
#pragma once

#include "../../intercept/object.h"

/* Called once, before any other. */
void reach_open(void);

/* Whether the method can give the GPU memory to write to. Indexed by enum schema_method. */
extern bool reach_methods[];

/* Before such a call, with what the program gave it. Any thread, like all of these. */
void reach_note(uint16_t method, const uint64_t *args);

/* Grows whenever something becomes writable. */
uint64_t reach_version(void);

struct reach_range {
    uint64_t first, end; /* bytes; equal: none */
};

/* The part that the GPU may write of a buffer that has this address and size. */
struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size);

/* The object ends. */
void reach_forget(const struct object *object);
