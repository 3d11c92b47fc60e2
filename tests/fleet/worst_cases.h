/* Dumps of a given size, made so that work or output would grow with the product of two of their
 * numbers wherever one is walked per element of the other [ANN-SEC-04]. */
#pragma once

#include "../unit/dump_builder.h"

struct worst_case {
    const char *name;
    void (*fill)(struct dump *dump, size_t size); /* `size`: bytes of the file, about */
};

/* The first is the plain one, what a game writes: all others are compared with it. The last one's
 * `fill` is NULL. */
extern const struct worst_case worst_cases[];
