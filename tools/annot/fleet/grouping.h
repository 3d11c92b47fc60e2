/*
 * Groups signatures that are one hang.
 *
 * Signatures with the same error, operation, shader and resource are compared by their places.
 * Only what learn.h calls one place counts as one. Of a path only the shortest end counts that
 * begins at a name with a single place:
 *
 *     View A / Post / Bloom / Blur       Bloom / Blur
 *     View B / Post / Bloom HQ / Blur    Bloom / Blur
 *
 * A shader that differs keeps signatures apart; one that is the same lets those be one whose
 * innermost scope is the same, or whose places are perhaps. A pair that the evidence can't tell
 * apart is said to be probably one, and stays apart. Every merge is an edge with a reason; the
 * groups depend on the set of signatures, shapes, rules and edits, not on an order.
 */
#pragma once

#include "learn.h"
#include "rules.h"

enum group_reason {
    GROUP_ALONE,
    GROUP_SAME_PLACE,    /* the same end of the path */
    GROUP_LEARNED,       /* after names that are one place */
    GROUP_SHADER,        /* the same shader, and innermost scope */
    GROUP_SHADER_NAMES,  /* the same shader, and perhaps the same place */
    GROUP_SHADER_AROUND, /* the same shader, which no other place holds */
    GROUP_BY_HAND,
    /* probably */
    GROUP_PERHAPS,     /* the places are perhaps one */
    GROUP_NO_SHADER,   /* the only group of this place, whose shader isn't known here */
    GROUP_NO_OPERATION /* the same for the operation */
};

struct group_class {
    char *signature, *application, *names; /* names: a line each */
    uint64_t parts[ANNOT_IDENTITY_PARTS];
    uint64_t dumps;
    /* results: numbers of classes */
    uint32_t group;  /* the signature that its group is named after */
    uint32_t likely; /* of a group that it probably belongs to; its own group: none */
    enum group_reason reason, likely_reason;
};

struct group_edge {
    uint32_t a, b; /* classes */
    enum group_reason reason;
    unsigned confidence; /* of 100 */
};

struct grouping {
    struct group_class *classes; /* by signature, once it is computed */
    struct group_edge *edges;
    uint32_t count, edge_count;
};

/* The rules stay the caller's. NULL: no memory. */
struct grouping *grouping_create(const struct rules *rules);
void grouping_free(struct grouping *grouping);

/* Add everything before grouping_compute, in any order. Texts are copied. False means out of
 * memory. */
bool grouping_add_name(struct grouping *grouping, uint64_t hash, const char *text);
/* Bytes that are no shape are left out. */
bool grouping_add_shape(struct grouping *grouping, const char *application, const uint8_t *bytes,
                        size_t size);
bool grouping_add_class(struct grouping *grouping, const struct group_class *of);
/* A person's edit, which overrides what was learned. With `b`: `a` and `b` are one. `b` NULL: no
 * learned rule merges `a`. */
bool grouping_add_edit(struct grouping *grouping, const char *a, const char *b);

bool grouping_compute(struct grouping *grouping);
/* By its signature; NULL: there is none. */
const struct group_class *grouping_find(const struct grouping *grouping, const char *signature);

/* "the same shader and innermost scope". Static. */
const char *group_reason_text(enum group_reason reason);
