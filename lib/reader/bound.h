/* Describes the resources of an operation and their states. */
#pragma once

#include "reader/part.h"

enum {
    ANNOT__BARRIERS_LOOKED = 8192, /* limit of the records that are read before an operation */
    ANNOT__BARRIERS_SHOWN = 32,    /* limit of the barriers that are shown */
    ANNOT__STATES = 8              /* limit of the states of an object's parts */
};

/* Describes a resource: "buffer, 4096 bytes", "1024 x 1024, D32_FLOAT". Returns false if the dump
 * has no description. */
bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size);

/* The state that a barrier or another call gives a resource. */
struct annot__bound_state {
    uint32_t kind; /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t role; /* ANNOT_BOUND_BARRIER or ANNOT_BOUND_ACCESS */
    uint32_t value;
};

/* Writes the words of a state: "INDEX_BUFFER | COPY_SOURCE", "GENERAL". */
void annot__state_text(const annot_reader *reader, struct annot__bound_state of, char *text,
                       size_t size);

/* The states of the parts of an object that an operation uses. */
struct annot__states {
    struct {
        struct annot__part part;
        struct annot__bound_state state;
        bool is_known; /* false: a split barrier has begun the change of state, but not ended it */
    } of[ANNOT__STATES];
    uint32_t count;
    bool is_all; /* false: the states of other parts are not known */
    bool is_cut; /* an object has too many states, or a barrier has an unknown part */
};

/* Finds the states of the operation's object `index` when the operation begins: the states that the
 * operation names, or that the recording's last barriers set. */
void annot__states_at(const annot_reader *reader, const annot_reader_operation *operation,
                      uint32_t index, struct annot__states *out);
/* Returns true if all used parts are in the same state. */
bool annot__states_are_one(const struct annot__states *states);
/* Gets the object's state at its creation. Returns false if the dump lacks the state. */
bool annot__state_created(const annot_reader *reader, uint64_t object,
                          struct annot__bound_state *state);

/* Returns the kind of a barrier from its `after` flags; NULL for a transition. */
const char *annot__barrier_kind(int64_t after);
/* Returns which half of a split barrier a barrier is; NULL for a whole barrier. */
const char *annot__barrier_half(int64_t after);

/* The barriers in reader->operations between an operation and the previous work. If the operation
 * is a barrier, its barriers are included. */
struct annot__barriers {
    struct annot__range shown;
    uint32_t left_out; /* number of earlier barriers that the output leaves out */
    uint32_t looked;   /* number of records and entries that were read */
    bool is_cut;       /* whether there may be more earlier barriers */
};
void annot__barriers_before(const annot_reader *reader, const annot_reader_operation *operation,
                            struct annot__barriers *out);
