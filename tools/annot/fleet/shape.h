/* The shape of a dump: the tree of its scopes, with folded names, in the order in which they first
 * appear. learn.h compares many shapes to find names that belong to one place. */
#pragma once

#include <annot/fleet.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    SHAPE_NODES = 256,
    SHAPE_ROOT = 0xffff,
    SHAPE_TEXTS = 8192,
    SHAPE_NODE_BYTES = 13, /* size of a shape's node in the database, in bytes */
    /* flags */
    SHAPE_LOOPS = 1, /* the name occurs again in one parent, after another name */
    SHAPE_MARKS = 2, /* the scope itself has markers of different folded names */
    SHAPE_AGAIN = 4, /* the name is in several scopes with the parent's folded name, in one scope */
    SHAPE_NAMES = 8, /* times this: how many names in one parent are folded to this name, less 1 */
    SHAPE_NAMES_MAX = 4 /* more names than 1 + this are not counted */
};

struct shape_node {
    uint64_t name;     /* a shape_name_hash */
    uint16_t parent;   /* index of the parent (an earlier node), or SHAPE_ROOT */
    uint16_t instance; /* number of the parent's instance in which the name came first. The names in
                          this instance are compared by their order */
    uint8_t flags;
};

struct shape {
    uint32_t count;
    struct shape_node nodes[SHAPE_NODES];
    char texts[SHAPE_TEXTS]; /* folded names of the first nodes, each with a NUL */
};

uint64_t shape_name_hash(const char *name, size_t size);

/* Makes a dump's shape from its first scopes, as many different scopes as fit into `out`. */
void shape_of(const annot_reader *reader, struct shape *out);
/* Returns a hash of the shape. The texts have no effect on the hash. */
uint64_t shape_hash(const struct shape *shape);

/* Writes all nodes, SHAPE_NODE_BYTES for each. Returns the number of written bytes. */
size_t shape_pack(const struct shape *shape, uint8_t *bytes);
/* Reads a shape's nodes, without texts. Returns false if the bytes are not a shape. */
bool shape_unpack(const uint8_t *bytes, size_t size, struct shape_node *nodes, uint32_t *count);
