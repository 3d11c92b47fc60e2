/* Finds objects by their first address in memory, or by the handle of their first descriptor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
    uint64_t value, object;
};

enum { BASES_ADDRESS, BASES_CPU, BASES_GPU, BASES_KINDS };

/* Returns which BASES_ kind a value of this schema kind belongs to; -1: none. */
int bases_kind(uint8_t kind);

/* A sorted array: the address or handle at which each object begins. The struct starts as zeros;
 * free(at) frees it. */
struct bases {
    struct base *at; /* the bases (where objects begin), in ascending order */
    size_t count, capacity;
};

/* Returns how many of the objects begin at `value` or below. */
size_t bases_up_to(const struct bases *bases, uint64_t value);
/* Adds an object that begins at `value`, in place of an object with the same begin. Returns false
 * if memory runs out. */
bool bases_add(struct bases *bases, uint64_t value, uint64_t object);
