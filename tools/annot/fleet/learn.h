/* Names that are instances of one place: learned from the shapes of many dumps.
 *
 * A context is a place in the common tree of all shapes' scopes. The names in a context are
 * compared:
 *
 *   - A name in nearly every instance of its context is an anchor, and merges with no other name. -
 * If two names come in either order in one scope, they are objects that a loop draws. The steps of
 * a frame have a fixed order. - Eight or more names are one free place if hardly any two dumps
 * share one of them. - Two names that never come together, although chance predicts it, are
 * alternatives if their neighbours are alike. This does not hold between two programs with the same
 * name. Alternatives with the same scopes, or with the same first word, are one place; other
 * alternatives perhaps.
 *
 * Names that are one place share a token, and their scopes are one context. The result depends on
 * the set of shapes, not on their order. Time: O(shapes * nodes^2).
 */
#pragma once

#include "shape.h"

#include <stdlib.h>

static inline int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Sorts as qsort does, but accepts NULL for an empty array. */
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
    uint32_t inside; /* context of the scopes inside this name */
    uint64_t name;
    uint64_t token;   /* the smallest hash of the names that are one place here */
    uint64_t perhaps; /* the same, but also with names that are perhaps one place */
};

struct learned {
    struct learn_step *steps; /* steps by context and name */
    uint32_t count, capacity, contexts;
    uint64_t *ambiguous; /* tokens of several contexts, ascending */
    uint32_t ambiguous_count;
};

/* Returns the text of a name, for its first word; NULL: not known. */
typedef const char *learn_text(void *user, uint64_t name);
/* Whether this name may merge with others. */
typedef bool learn_may(void *user, uint64_t name);

/* Learns from shapes. False means out of memory; `out` is then empty. */
bool learn(const struct learn_shape *shapes, uint32_t count, learn_text *text, learn_may *may,
           void *user, struct learned *out);
void learned_free(struct learned *learned);

enum { LEARN_ROOT = 0 };

/* What was learned of a name in a context; NULL: nothing. */
const struct learn_step *learned_step(const struct learned *learned, uint32_t context,
                                      uint64_t name);
bool learned_is_ambiguous(const struct learned *learned, uint64_t token);
