/* Where objects begin: the addresses of their memory, or the handles of their first descriptors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
    uint64_t value, object;
};

/* The sorted begins. It starts as zeros; free(at) frees it. */
struct bases {
    struct base *at; /* the objects' begins in ascending order */
    size_t count, capacity;
};

/* How many objects begin at or before the value. */
size_t bases_up_to(const struct bases *bases, uint64_t value);
/* Adds an object that begins at `value`. It replaces an object that began there. False means out of
 * memory. */
bool bases_add(struct bases *bases, uint64_t value, uint64_t object);
