/* Groups the signatures that belong to one hang.
 *
 * Signatures with the same error, operation, shader and resource are compared by their places
 * (paths of marker names). learn.h decides which names are one place. Only the last part of a path
 * is compared: the shortest part that begins at a name with a single place.
 *
 *     View A / Post / Bloom / Blur       Bloom / Blur
 *     View B / Post / Bloom HQ / Blur    Bloom / Blur
 *
 * Signatures with different shaders stay separate. A shader of many places tells nothing.
 * Signatures with the same shader are one group if they have the same innermost scope, or places
 * that may be one place. If enough dumps have two places, these places are different, and their
 * signatures are never one group. If a pair can't be decided, its signatures stay separate, but are
 * called probably one. Every merge is an edge with a reason. The groups depend on the set of
 * signatures, shapes, rules and edits, not on their order.
 */
#pragma once

#include "learn.h"
#include "rules.h"

enum group_reason {
    GROUP_ALONE,
    GROUP_SAME_PLACE,   /* the paths have the same last part */
    GROUP_LEARNED,      /* the last parts of the paths are equal if learned names are merged */
    GROUP_SHADER,       /* the shader is the same, and so is the innermost scope */
    GROUP_SHADER_NAMES, /* the same shader; the paths may mean one place of the program */
    GROUP_BY_HAND,
    /* these and later reasons make a group only probable */
    GROUP_PERHAPS,      /* the two paths may mean the same place in the program */
    GROUP_NO_OPERATION, /* one signature has no operation, and no other group has its path */
    /* the group may have different hangs */
    GROUP_SEVERAL /* the scope stands for several places, with one shader or none */
};

struct group_class {
    char *signature, *application, *names; /* `names`: one name in each line */
    uint64_t parts[ANNOT_IDENTITY_PARTS];
    uint64_t dumps;
    uint64_t senders; /* each sender of the dumps sets one of 64 bits */
    uint64_t place;   /* equal if the ends of the paths are, and the parts that are compared */
    /* results: indices of classes */
    uint32_t group;  /* index of the class whose signature names the group */
    uint32_t likely; /* another group that probably includes this class, or its own group */
    enum group_reason reason, likely_reason;
    unsigned confidence; /* of `reason`, in percent */
};

struct group_edge {
    uint32_t a, b; /* indices of classes */
    enum group_reason reason;
    unsigned confidence; /* confidence in percent */
};

struct grouping {
    struct group_class *classes; /* the classes; grouping_compute sorts them by signature */
    struct group_edge *edges;
    uint32_t count, edge_count;
};

/* Makes a grouping, or returns NULL if memory runs out. `rules` must live longer. */
struct grouping *grouping_create(const struct rules *rules);
void grouping_free(struct grouping *grouping);

/* Call the functions grouping_add_... in any order, before grouping_compute. They copy texts, and
 * return false if memory runs out. */
bool grouping_add_name(struct grouping *grouping, uint64_t hash, const char *text);
/* Adds an application's shape. Ignores bytes that are not a shape. */
bool grouping_add_shape(struct grouping *grouping, const char *application, uint64_t sender,
                        const uint8_t *bytes, size_t size);
bool grouping_add_class(struct grouping *grouping, const struct group_class *of);
/* Adds a person's edit, which overrides learned names. Without `b`, neither learned names nor
 * earlier edits merge `a` with other groups; with `b`, `a` and `b` are one group. */
bool grouping_add_edit(struct grouping *grouping, const char *a, const char *b);

bool grouping_compute(struct grouping *grouping);
/* Returns the class of dumps with this signature, or NULL if no dump has it. */
const struct group_class *grouping_find(const struct grouping *grouping, const char *signature);

/* Returns a static text for the reason: "the same shader and innermost scope". */
const char *group_reason_text(enum group_reason reason);
