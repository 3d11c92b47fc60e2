/* Describes the resources that an operation uses, and their states. */
#pragma once

#include "reader/part.h"

enum {
    ANNOT__BARRIERS_LOOKED = 8192, /* at most this many records before an operation are read */
    ANNOT__BARRIERS_SHOWN = 32,    /* a report shows at most this many barriers */
    ANNOT__STATES = 8              /* one object's parts have at most this many states */
};

/* Describes a resource: "buffer, 4096 bytes", "1024 x 1024, D32_FLOAT". Returns false if the dump
 * lacks its description. */
bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size);

/* A state that a barrier, or another call, gives to a part of a resource. */
struct annot__bound_state {
    uint32_t kind; /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t role; /* ANNOT_BOUND_BARRIER or ANNOT_BOUND_ACCESS */
    uint32_t value;
};

/* Writes the words of a state: "INDEX_BUFFER | COPY_SOURCE", "GENERAL". */
void annot__state_text(const annot_reader *reader, struct annot__bound_state of, char *text,
                       size_t size);

/* The states of one object's parts that an operation uses. */
struct annot__states {
    struct {
        struct annot__part part;
        struct annot__bound_state state;
        bool is_known; /* false: unknown, because a split barrier has begun and not ended */
    } of[ANNOT__STATES];
    uint32_t count;
    bool is_all; /* false: for some parts, no state is known */
    bool is_cut; /* states are missing: there are too many, or a barrier has an unknown part */
};

/* Finds the states of the operation's object `index` when the operation begins. Either the
 * operation itself names the states, or the recording's last barriers set the states. */
void annot__states_at(const annot_reader *reader, const annot_reader_operation *operation,
                      uint32_t index, struct annot__states *out);
/* Returns true if all parts that the operation uses have the same state. */
bool annot__states_are_one(const struct annot__states *states);
/* Gets the state that an object was created with. Returns false if the dump lacks this state. */
bool annot__state_created(const annot_reader *reader, uint64_t object,
                          struct annot__bound_state *state);

/* Returns the barrier's kind from its `after` flags, or NULL for a transition. */
const char *annot__barrier_kind(int64_t after);
/* Returns "begins" or "ends" for a half of a split barrier, or NULL for a whole barrier. */
const char *annot__barrier_half(int64_t after);

/* The barriers in reader->operations between an operation and the GPU work before it. If the
 * operation is itself a barrier, its own barriers are included. */
struct annot__barriers {
    struct annot__range shown;
    uint32_t left_out; /* number of earlier barriers that the report does not show */
    uint32_t looked;   /* number of records and entries that this search for barriers has read */
    bool is_cut;       /* the search stopped early, so more barriers may exist */
};
void annot__barriers_before(const annot_reader *reader, const annot_reader_operation *operation,
                            struct annot__barriers *out);
