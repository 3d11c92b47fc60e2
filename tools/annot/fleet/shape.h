/* The shape of a dump: the nesting of its scopes, by folded names, in the order of their first
 * appearance. From many shapes learn.h finds the names that are instances of one place.
 *
 *     Frame 1 { Blur { } View A { Sky { } } View B { Sky { } } }     Frame # > Blur, View # > Sky
 */
#pragma once

#include <annot/fleet.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    SHAPE_NODES = 256,
    SHAPE_ROOT = 0xffff,
    SHAPE_TEXTS = 8192,
    SHAPE_NODE_BYTES = 13, /* in a database */
    SHAPE_LOOPS = 1        /* flag: the name comes again in one parent, after another name */
};

struct shape_node {
    uint64_t name;     /* shape_name_hash */
    uint16_t parent;   /* a node in front of it, or SHAPE_ROOT */
    uint16_t instance; /* number of the parent in which the name came first; its order is compared
                          there */
    uint8_t flags;
};

struct shape {
    uint32_t count;
    struct shape_node nodes[SHAPE_NODES];
    char texts[SHAPE_TEXTS]; /* folded names of the first nodes, with a NUL after each */
};

uint64_t shape_name_hash(const char *name, size_t size);

/* Makes the shape of a dump's first scopes, as many different ones as fit. */
void shape_of(const annot_reader *reader, struct shape *out);
/* A hash of the shape without its texts. */
uint64_t shape_hash(const struct shape *shape);

/* Writes SHAPE_NODE_BYTES for each node, and returns the number of bytes. */
size_t shape_pack(const struct shape *shape, uint8_t *bytes);
/* Reads the nodes, without texts. False means that the bytes are no shape. */
bool shape_unpack(const uint8_t *bytes, size_t size, struct shape_node *nodes, uint32_t *count);
