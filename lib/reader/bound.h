/* Describes the resources of an operation and their states. */
#pragma once

#include "reader/ask.h"
#include "reader/part.h"

enum {
    ANNOT__BARRIERS_LOOKED = 8192, /* most records that are read before an operation */
    ANNOT__BARRIERS_SHOWN = 32,    /* most barriers that are shown: the last ones */
    ANNOT__STATES = 8              /* most states that parts of one object have */
};

/* Describes a resource: "buffer, 4096 bytes", "1024 x 1024, D32_FLOAT". False: the dump has no
 * description. */
bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size);

/* The state that a barrier, or another call, gives to a resource. */
struct annot__bound_state {
    uint32_t kind; /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t role; /* ANNOT_BOUND_BARRIER or ANNOT_BOUND_ACCESS */
    uint32_t value;
};

/* "COPY_DEST", "INDEX_BUFFER | COPY_SOURCE", "GENERAL". */
void annot__state_text(const annot_reader *reader, struct annot__bound_state of, char *text,
                       size_t size);

/* The states of those parts of an object that the operation uses. */
struct annot__states {
    struct {
        struct annot__part part;
        struct annot__bound_state state;
        bool is_known; /* false: a split barrier has begun the change to this state */
    } of[ANNOT__STATES];
    uint32_t count;
    bool is_all; /* false: the states of other parts are not known */
    bool is_cut; /* there are too many states, or a barrier doesn't name its part */
};

/* The states of the operation's object number `index` when the operation begins: those that the
 * operation names, or those that the last barriers in this recording set. */
void annot__states_at(const annot_reader *reader, const annot_reader_operation *operation,
                      uint32_t index, struct annot__states *out);
/* Whether all used parts are in the same state. */
bool annot__states_are_one(const struct annot__states *states);
/* Gets the object's state at its creation. False: the dump doesn't have it. */
bool annot__state_created(const annot_reader *reader, uint64_t object,
                          struct annot__bound_state *state);

/* The kind of a barrier from its `after` flags; NULL: a transition. */
const char *annot__barrier_kind(int64_t after);
/* Which half of a split barrier it is; NULL: it is whole. */
const char *annot__barrier_half(int64_t after);

/* The barriers after the previous operation that does work, in reader->operations. If the operation
 * is a barrier itself, its own barriers are included. */
struct annot__barriers {
    struct annot__range shown;
    uint32_t left_out; /* number of earlier barriers, which are left out */
    uint32_t looked;   /* records and entries that were read, ANNOT__BARRIERS_LOOKED at most */
    bool is_cut;       /* there may be more earlier barriers */
};
void annot__barriers_before(const annot_reader *reader, const annot_reader_operation *operation,
                            struct annot__barriers *out);
