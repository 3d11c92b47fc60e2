/* Learns from the shapes of many dumps which names belong to one place.
 *
 * A context is a place in the common tree of all shapes' scopes. These rules compare the names in a
 * context:
 *
 *   - A name in nearly every instance of its context is an anchor. It merges with no other name.
 *   - If two names come in either order in one scope, they are objects that a loop draws, unless
 *     both have literal words of their own, or one nearly never comes without the other. The steps
 *     of a frame have a fixed order.
 *   - Eight or more rare names are one place if they have the same literal words: words that eight
 *     rare names have. Without literal words, they are perhaps one place.
 *   - Two names that never come together, although chance predicts it, are alternatives if their
 *     neighbours are alike. This does not hold between two programs with the same name.
 *   - Alternatives with the same scopes, or with the same first word, are one place. Other
 *     alternatives are perhaps one place.
 *   - A scope is several places if a tenth of its shapes have different markers in it.
 *   - Scopes with one folded name are passes, such as "Pass 1" and "Pass 2", if a scope is nearly
 *     always in only one of them. A scope that is in several of them is several places.
 *   - Scopes with one folded name, such as "Blur X" and "Blur Y", are several places if nearly all
 *     shapes have the same small number of them.
 *
 * Names that are one place share a token, and their scopes are one context. The result depends on
 * the set of shapes, not on their order. Time: O(shapes * nodes^2). */
#pragma once

#include "shape.h"

#include <stdlib.h>

static inline int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Sorts an array as qsort does, but an empty array may be NULL. */
static inline void learn_sort(void *rows, size_t count, size_t size,
                              int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(rows, count, size, compare);
}

enum { LEARN_SHAPES = 1024 }; /* more shapes don't show that two places are different */

struct learn_shape {
    const struct shape_node *nodes;
    uint32_t count;
    uint8_t sender; /* the shape's sender, modulo 64 */
};

/* The shapes that have a context, as bits. */
struct learn_seen {
    uint64_t bits[LEARN_SHAPES / 64];
};

struct learn_step {
    uint32_t context;
    uint32_t inside; /* the context of the scopes inside the scope with this name */
    uint64_t name;
    uint64_t token;   /* smallest hash of all names that are one place with this name */
    uint64_t perhaps; /* smallest hash of all names that are, or may be, one place with this name */
    bool is_several;  /* hangs in the scope may be in different places of the program */
};

struct learned {
    struct learn_step *steps; /* what was learned about names, sorted by context, then by name */
    uint32_t count, capacity, contexts;
    uint64_t *ambiguous; /* tokens in several contexts, ascending: they don't tell a context */
    uint32_t ambiguous_count;
    struct learn_seen *seen; /* by context */
    uint32_t seen_capacity;
    uint8_t senders[LEARN_SHAPES]; /* by shape */
};

/* A callback that returns the text of a name, or NULL if the text is not known. learn compares the
 * text's first word. */
typedef const char *learn_text(void *user, uint64_t name);
/* A callback that says whether a name may merge with other names. */
typedef bool learn_may(void *user, uint64_t name);

/* Learns from the shapes. Returns false if memory runs out; `out` is then empty. */
bool learn(const struct learn_shape *shapes, uint32_t count, learn_text *text, learn_may *may,
           void *user, struct learned *out);
void learned_free(struct learned *learned);

enum { LEARN_ROOT = 0 };

/* Returns what was learned about a name in a context (place in the scope tree), or NULL. */
const struct learn_step *learned_step(const struct learned *learned, uint32_t context,
                                      uint64_t name);
bool learned_is_ambiguous(const struct learned *learned, uint64_t token);
/* Returns the senders of the shapes that have both contexts, and so show that these are different
 * places. Each sender sets one of 64 bits. */
uint64_t learned_apart(const struct learned *learned, uint32_t a, uint32_t b);
