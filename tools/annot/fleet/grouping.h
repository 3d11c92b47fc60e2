/* Groups the signatures that belong to one hang.
 *
 * Signatures with the same error, operation, shader and resource are compared by their places.
 * learn.h decides which names are one place. Only the last part of a path is compared: the shortest
 * part that begins at a name with a single place.
 *
 *     View A / Post / Bloom / Blur       Bloom / Blur
 *     View B / Post / Bloom HQ / Blur    Bloom / Blur
 *
 * Signatures with different shaders stay separate. Signatures with the same shader are one if they
 * have the same innermost scope, or places that may be one. If a pair can't be decided, its
 * signatures stay separate, but are called probably one. Every merge is an edge with a reason. The
 * groups depend on the set of signatures, shapes, rules and edits, not on their order. */
#pragma once

#include "learn.h"
#include "rules.h"

enum group_reason {
    GROUP_ALONE,
    GROUP_SAME_PLACE,    /* the last parts of the paths are the same */
    GROUP_LEARNED,       /* the last parts are the same after learned names are merged */
    GROUP_SHADER,        /* the shader and the innermost scope are the same */
    GROUP_SHADER_NAMES,  /* the shaders are the same, and perhaps the places are the same */
    GROUP_SHADER_AROUND, /* the shaders are the same, and no other place uses this shader */
    GROUP_BY_HAND,
    /* reasons from here on give only a probable group */
    GROUP_PERHAPS,     /* the places are perhaps one place */
    GROUP_NO_SHADER,   /* for a signature without a shader: the only group of this place */
    GROUP_NO_OPERATION /* for a signature without an operation: the only group of this place */
};

struct group_class {
    char *signature, *application, *names; /* `names` has one name in each line */
    uint64_t parts[ANNOT_IDENTITY_PARTS];
    uint64_t dumps;
    /* results: indices of classes */
    uint32_t group;  /* index of the class whose signature names the group */
    uint32_t likely; /* the other group to which this class probably belongs; its own group if there
                        is none */
    enum group_reason reason, likely_reason;
};

struct group_edge {
    uint32_t a, b; /* indices of classes */
    enum group_reason reason;
    unsigned confidence; /* confidence in percent */
};

struct grouping {
    struct group_class *classes; /* the classes, which grouping_compute sorts by signature */
    struct group_edge *edges;
    uint32_t count, edge_count;
};

/* Makes a grouping. The caller keeps `rules` alive. NULL: out of memory. */
struct grouping *grouping_create(const struct rules *rules);
void grouping_free(struct grouping *grouping);

/* These functions add names, shapes, classes and edits, in any order, before grouping_compute. They
 * copy texts. False means out of memory. */
bool grouping_add_name(struct grouping *grouping, uint64_t hash, const char *text);
/* Adds a shape. Ignores bytes that are not a shape. */
bool grouping_add_shape(struct grouping *grouping, const char *application, const uint8_t *bytes,
                        size_t size);
bool grouping_add_class(struct grouping *grouping, const struct group_class *of);
/* Adds a person's edit, which overrides learned names: `a` and `b` are one group. If `b` is NULL,
 * learned names don't merge `a` with other groups. */
bool grouping_add_edit(struct grouping *grouping, const char *a, const char *b);

bool grouping_compute(struct grouping *grouping);
/* Finds a class by its signature. NULL: no class has the signature. */
const struct group_class *grouping_find(const struct grouping *grouping, const char *signature);

/* Returns a reason as static text: "the same shader and innermost scope". */
const char *group_reason_text(enum group_reason reason);
