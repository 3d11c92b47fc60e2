/* Groups signatures that are one hang.
 *
 * Signatures with the same error, operation, shader and resource are compared by their places.
 * learn.h decides which names are one place. Only the last part of a path is compared: the shortest
 * one that begins at a name with a single place.
 *
 *     View A / Post / Bloom / Blur       Bloom / Blur
 *     View B / Post / Bloom HQ / Blur    Bloom / Blur
 *
 * Signatures with different shaders stay separate. Signatures with the same shader are one if they
 * have the same innermost scope, or places that may be one. If a pair can't be decided, it stays
 * separate, but is called probably one. Every merge is an edge with a reason. The groups depend on
 * the set of signatures, shapes, rules and edits, not on their order.
 */
#pragma once

#include "learn.h"
#include "rules.h"

enum group_reason {
    GROUP_ALONE,
    GROUP_SAME_PLACE,    /* the same end of the path */
    GROUP_LEARNED,       /* the same path after learned names are merged */
    GROUP_SHADER,        /* the same shader, and innermost scope */
    GROUP_SHADER_NAMES,  /* the same shader, and perhaps the same place */
    GROUP_SHADER_AROUND, /* the same shader, which is used in no other place */
    GROUP_BY_HAND,
    /* probably */
    GROUP_PERHAPS,     /* the places are perhaps one */
    GROUP_NO_SHADER,   /* the only group of this place; the shader isn't known here */
    GROUP_NO_OPERATION /* the only group of this place; the operation isn't known here */
};

struct group_class {
    char *signature, *application, *names; /* names: a line each */
    uint64_t parts[ANNOT_IDENTITY_PARTS];
    uint64_t dumps;
    /* results: numbers of classes */
    uint32_t group;  /* the signature that gives its group the name */
    uint32_t likely; /* the group that it probably belongs to; its own group: none */
    enum group_reason reason, likely_reason;
};

struct group_edge {
    uint32_t a, b; /* classes */
    enum group_reason reason;
    unsigned confidence; /* confidence, of 100 */
};

struct grouping {
    struct group_class *classes; /* classes by signature, after grouping_compute */
    struct group_edge *edges;
    uint32_t count, edge_count;
};

/* Makes a grouping. The caller keeps the rules. NULL: out of memory. */
struct grouping *grouping_create(const struct rules *rules);
void grouping_free(struct grouping *grouping);

/* Add everything before grouping_compute, in any order. Texts are copied. False means out of
 * memory. */
bool grouping_add_name(struct grouping *grouping, uint64_t hash, const char *text);
/* Adds a shape; bytes that are no shape are ignored. */
bool grouping_add_shape(struct grouping *grouping, const char *application, const uint8_t *bytes,
                        size_t size);
bool grouping_add_class(struct grouping *grouping, const struct group_class *of);
/* Adds a person's edit, which overrides what was learned: `a` and `b` are one, or with `b` NULL
 * nothing learned merges `a`. */
bool grouping_add_edit(struct grouping *grouping, const char *a, const char *b);

bool grouping_compute(struct grouping *grouping);
/* Finds a class by its signature; NULL: there is none. */
const struct group_class *grouping_find(const struct grouping *grouping, const char *signature);

/* A reason as text: "the same shader and innermost scope". Static. */
const char *group_reason_text(enum group_reason reason);
