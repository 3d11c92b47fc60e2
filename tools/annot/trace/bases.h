/* Where objects begin: their memory among addresses, their descriptors among handles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
    uint64_t value, object;
};

/* Zeros are an empty one; free(at) ends it. */
struct bases {
    struct base *at; /* by value */
    size_t count, capacity;
};

/* How many begin at the value or in front of it. */
size_t bases_up_to(const struct bases *bases, uint64_t value);
/* The object takes the place of one that begins there. False: out of memory. */
bool bases_add(struct bases *bases, uint64_t value, uint64_t object);
