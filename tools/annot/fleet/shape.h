/* The shape of a dump: the nesting of the dump's scopes, by folded names, in the order in which
 * they first appear. From many shapes learn.h finds names that belong to one place. */
#pragma once

#include <annot/fleet.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    SHAPE_NODES = 256,
    SHAPE_ROOT = 0xffff,
    SHAPE_TEXTS = 8192,
    SHAPE_NODE_BYTES = 13, /* number of bytes of a node in a database */
    SHAPE_LOOPS = 1        /* a flag: in one parent, the name comes again after another name */
};

struct shape_node {
    uint64_t name;     /* a shape_name_hash */
    uint16_t parent;   /* index of an earlier node, or SHAPE_ROOT */
    uint16_t instance; /* number of the parent's instance in which the name first came; the order of
                          names is compared in this instance */
    uint8_t flags;
};

struct shape {
    uint32_t count;
    struct shape_node nodes[SHAPE_NODES];
    char texts[SHAPE_TEXTS]; /* the folded names of the first nodes, with a NUL after each name */
};

uint64_t shape_name_hash(const char *name, size_t size);

/* Makes the shape of a dump's first scopes. The shape has as many different scopes as fit into
 * `out`. */
void shape_of(const annot_reader *reader, struct shape *out);
/* Returns a hash of the shape without texts. */
uint64_t shape_hash(const struct shape *shape);

/* Writes SHAPE_NODE_BYTES for each node, and returns the number of bytes. */
size_t shape_pack(const struct shape *shape, uint8_t *bytes);
/* Reads the nodes, without texts. False means that the bytes are not a shape. */
bool shape_unpack(const uint8_t *bytes, size_t size, struct shape_node *nodes, uint32_t *count);
