/* The uses of a trace's calls: their objects and arguments, the objects that they create, and the
 * memory that the GPU may write for them. */
#pragma once

#include "bases.h"

#include <capture/trace/read.h>

enum trim_node_kind {
    NODE_OBJECT,
    NODE_MEMORY,      /* a resource, a heap or a query heap, which has contents */
    NODE_DESCRIPTORS, /* a descriptor heap, which leads to the resources of its views */
    NODE_RECORDING    /* a list's recording between two Resets, which is no object */
};

/* A node of the graph: one number of an object in the trace, or one recording. */
struct trim_node {
    uint64_t number;
    enum trim_node_kind kind;
    uint32_t alias;      /* leads to the common node of the object's interfaces */
    uint32_t memory;     /* leads to the node of the object's memory */
    uint32_t recording;  /* a list's current recording; 0: none */
    uint32_t first_edge; /* first edge to the nodes that a use of this node touches; 0: none */
    uint32_t stamp;
    uint32_t spare_releases;
    bool is_needed, is_memory_needed;
    bool is_seen;     /* the range writes or reads this memory, or waits for it */
    bool touches_all; /* the recording uses addresses in buffers, which may lead to any memory */
};

struct trim_edge {
    uint32_t to, next;
};

/* The reason why a call before the range is needed. */
enum trim_rule {
    RULE_NEVER,
    RULE_ALWAYS,
    RULE_SELF,      /* the call's object is needed */
    RULE_CREATION,  /* the object that the call created is needed */
    RULE_RETURN,    /* the call returned a known object, and the call's own object is needed */
    RULE_RECORDED,  /* the call's recording is needed */
    RULE_EXECUTION, /* the call may have written to needed memory */
    RULE_VIEW,      /* one of the call's descriptor heaps is needed */
    RULE_ARGUMENTS, /* one of the call's arguments is needed */
    RULE_SIGNAL     /* the call's queue or fence is needed */
};

struct trim_call {
    uint64_t number;
    uint32_t first, created, end; /* offsets in the pool, of the arguments and of the results */
    uint32_t heaps;               /* number of descriptor heaps at the begin of the arguments */
    uint32_t self, recording;     /* nodes; 0: none */
    uint16_t method;
    uint8_t rule;
    bool is_close, has_unknown; /* has_unknown: an address or handle belongs to no known object */
    bool is_kept;
};

enum { TRIM_RANGES = 3 };

struct trim_survey {
    struct trim_node *nodes; /* nodes[0] means no node */
    struct trim_edge *edges;
    struct trim_call *calls;
    uint32_t *pool;
    size_t node_count, edge_count, call_count, pool_count;
    size_t node_capacity, edge_capacity, call_capacity, pool_capacity;
    struct trim_number *numbers;
    struct bases ranges[TRIM_RANGES]; /* tables that lead from handles and addresses to nodes, one
                                         table for each kind */
    bool was_removed;                 /* a call said that the device is removed */
    bool has_failed;                  /* memory ran out */
};

bool trim_survey(struct trim_survey *s, struct trace *trace, uint64_t from, uint64_t to);
void trim_survey_free(struct trim_survey *s);

uint32_t trim_alias(const struct trim_survey *s, uint32_t node);
uint32_t trim_memory(const struct trim_survey *s, uint32_t node);
/* Returns the node of an object's number; 0: the object is not known. */
uint32_t trim_node_of(const struct trim_survey *s, uint64_t number);
/* Returns the call with this number, or NULL. */
struct trim_call *trim_call_of(const struct trim_survey *s, uint64_t number);
