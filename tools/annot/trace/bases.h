/* The begin of objects: of their memory in addresses, of their descriptors in handles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
    uint64_t value, object;
};

/* Sorted begins. A struct of zeros is empty; free(at) ends it. */
struct bases {
    struct base *at; /* bases in the order of their values */
    size_t count, capacity;
};

/* How many objects begin at or before the value. */
size_t bases_up_to(const struct bases *bases, uint64_t value);
/* Adds an object that begins at `value`. It replaces an object that began there. False means out of
 * memory. */
bool bases_add(struct bases *bases, uint64_t value, uint64_t object);
