/* Finds objects by where they begin: addresses of memory, or handles of first descriptors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
    uint64_t value, object;
};

/* A sorted array of the addresses or handles at which objects begin. The struct starts as zeros;
 * free(at) frees it. */
struct bases {
    struct base *at; /* the objects' begins in ascending order */
    size_t count, capacity;
};

/* Returns how many objects begin at or before `value`. */
size_t bases_up_to(const struct bases *bases, uint64_t value);
/* Adds an object that begins at `value`; it replaces an object with the same begin. False means out
 * of memory. */
bool bases_add(struct bases *bases, uint64_t value, uint64_t object);
