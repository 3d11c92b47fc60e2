/* Notes what the calls of a trace use: their objects and arguments, the objects that they create,
 * and the memory that the GPU may write for them. */
#pragma once

#include "bases.h"

#include <capture/trace/read.h>

enum trim_node_kind {
    NODE_OBJECT,
    NODE_MEMORY,      /* a resource, heap or query heap; calls can change its contents */
    NODE_DESCRIPTORS, /* a descriptor heap; it leads to the resources of its views */
    NODE_RECORDING    /* not an object: a list's recording, from one Reset to the next */
};

/* A node of the graph: an object's number in the trace, or a list's recording. */
struct trim_node {
    uint64_t number;
    enum trim_node_kind kind;
    uint32_t alias;      /* next node towards the node that all interfaces of the object share */
    uint32_t memory;     /* next node towards the node with the object's memory */
    uint32_t recording;  /* node of the list's current recording; 0: none */
    uint32_t first_edge; /* first edge to nodes that are touched when this node is used; 0: none */
    uint32_t stamp;
    uint32_t spare_releases;
    bool is_needed, is_memory_needed;
    bool is_seen;     /* whether calls in the range write, read or await this memory */
    bool touches_all; /* whether addresses in buffers are used, which may lead to any object */
};

struct trim_edge {
    uint32_t to, next;
};

/* The reason why a trimmed trace needs a call from before its range. */
enum trim_rule {
    RULE_NEVER,
    RULE_ALWAYS,
    RULE_SELF,      /* the trace needs the object that the call is made on */
    RULE_CREATION,  /* the trace needs the object that the call created */
    RULE_RETURN,    /* the trace needs the call's object, and the call returned a known object */
    RULE_RECORDED,  /* the trace needs the recording that the call is part of */
    RULE_EXECUTION, /* the call may have written to memory that the trace needs */
    RULE_VIEW,      /* the trace needs a descriptor heap that the call uses */
    RULE_ARGUMENTS, /* the trace needs an object that is the call's argument */
    RULE_SIGNAL     /* the trace needs a queue or fence that the call uses */
};

struct trim_call {
    uint64_t number;
    uint32_t first, created, end; /* offsets in the pool: arguments' nodes, then results' nodes */
    uint32_t heaps;               /* how many descriptor heaps come first among the arguments */
    uint32_t self, recording;     /* nodes; 0: none */
    uint16_t method;
    uint8_t rule;
    bool is_close, has_unknown; /* has_unknown: some address or handle belongs to no known object */
    bool is_kept;
};

struct trim_survey {
    struct trim_node *nodes; /* the graph's nodes; nodes[0] stands for no node */
    struct trim_edge *edges;
    struct trim_call *calls;
    uint32_t *pool;
    size_t node_count, edge_count, call_count, pool_count;
    size_t node_capacity, edge_capacity, call_capacity, pool_capacity;
    struct trim_number *numbers;
    /* For each kind of handle or address, a table that finds the node of the object. */
    struct bases ranges[BASES_KINDS];
    bool was_removed; /* whether a call returned that the device is removed */
    bool has_failed;  /* memory ran out */
};

bool trim_survey(struct trim_survey *s, struct trace *trace, uint64_t from, uint64_t to);
void trim_survey_free(struct trim_survey *s);

uint32_t trim_alias(const struct trim_survey *s, uint32_t node);
uint32_t trim_memory(const struct trim_survey *s, uint32_t node);
/* Returns the node of the object with this number, or 0 if the object is not known. */
uint32_t trim_node_of(const struct trim_survey *s, uint64_t number);
/* Returns the trace's call with this number, or NULL. */
struct trim_call *trim_call_of(const struct trim_survey *s, uint64_t number);
