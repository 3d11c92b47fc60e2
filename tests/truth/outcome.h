/* The files and counters that a program leaves. */
#pragma once

#include "truth.h"

enum { NODES_MAX = 256, NODE_OPS = ITEMS_MAX, NODE_CONTEXTS = ITEMS_MAX };

/* A node of D3D12's breadcrumbs, as the program gets it. */
struct dred_node {
    uint8_t queue; /* QUEUES: none of the program's */
    uint32_t done, count;
    uint32_t list_name, queue_name; /* 0: none */
    uint8_t ops[NODE_OPS];          /* D3D12_AUTO_BREADCRUMB_OP, `count` of them */
    uint32_t context_count;
    struct {
        uint32_t op, name;
    } contexts[NODE_CONTEXTS];
};

struct outcome {
    struct truth truth;
    bool has_dred;
    uint32_t node_count;
    struct dred_node nodes[NODES_MAX];
    char path[200];        /* that is asked for */
    char dump[256];        /* path of the dump; "": there is none */
    bool is_removed;       /* or a dump of it alive was taken: the program ends */
    char other[256];       /* a dump that came behind that one, to be removed; or "" */
    char late[256];        /* another one of the device, made behind the stop; or "" */
    bool has_failed;       /* an allocation has */
    unsigned lost_lookups; /* EventIDs that were unknown to the library when the driver got them */
};
