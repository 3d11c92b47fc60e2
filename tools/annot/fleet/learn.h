/*
 * Names that are instances of one place: learned from the shapes of many dumps.
 *
 * A context is a place in the tree of scopes that all shapes make together. Names in it are looked
 * at together:
 *
 *   - One that stands in nearly every instance of its context is an anchor, and merges with
 * nothing.
 *   - Two that come in either order in one scope are what a loop draws: the order of what a frame
 *     does is fixed, that of what it draws is not.
 *   - Eight and more that hardly any two dumps share are one free place.
 *   - Two that never meet where chance would have let them are alternatives, if what stands beside
 *     them is alike: of two programs with one name it isn't. If they hold the same scopes, or begin
 *     with the same word, they are one place; otherwise perhaps.
 *
 * Names that are one place share a token, and what they hold is one context. The result depends on
 * the set of shapes, not on their order. O(shapes * nodes^2).
 */
#pragma once

#include "shape.h"

#include <stdlib.h>

/* qsort, which takes no NULL of an array without members. */
static inline void learn_sort(void *rows, size_t count, size_t size,
                              int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(rows, count, size, compare);
}

struct learn_shape {
    const struct shape_node *nodes;
    uint32_t count;
};

struct learn_step {
    uint32_t context;
    uint32_t inside; /* context of what this name holds */
    uint64_t name;
    uint64_t token;   /* of names that are one place here: the smallest of their hashes */
    uint64_t perhaps; /* the same with those that are perhaps */
};

struct learned {
    struct learn_step *steps; /* by context and name */
    uint32_t count, capacity, contexts;
    uint64_t *ambiguous; /* tokens that stand in several contexts, ascending */
    uint32_t ambiguous_count;
};

/* Text of a name, for its first word; NULL: not known. */
typedef const char *learn_text(void *user, uint64_t name);
/* Whether this name may merge with others. */
typedef bool learn_may(void *user, uint64_t name);

/* False means out of memory, and `out` is empty. */
bool learn(const struct learn_shape *shapes, uint32_t count, learn_text *text, learn_may *may,
           void *user, struct learned *out);
void learned_free(struct learned *learned);

enum { LEARN_ROOT = 0 };

/* NULL: nothing is known of this name there. */
const struct learn_step *learned_step(const struct learned *learned, uint32_t context,
                                      uint64_t name);
bool learned_is_ambiguous(const struct learned *learned, uint64_t token);
