/* A trace in the form that `annot trace diff` compares: the calls of each thread, without the
 * numbers that differ in every run. The objects of a call are kept separately. Two runs can be
 * compared when the corresponding objects are known. */
#pragma once

#include <capture/trace/read.h>

#define DIFF_NONE UINT32_MAX /* no call */

/* An object or a value of a call. Addresses and descriptor handles are stored as places in an
 * object. */
struct diff_ref {
    uint64_t value; /* an object's number, or another value of the kind `kind` */
    uint16_t kind;  /* an enum schema_kind */
    bool is_new;    /* whether this call made the object, or gave the value a new meaning */
};

/* A piece of mapped memory that the program had written when its thread submitted work. */
struct diff_page {
    uint64_t object, offset, hash;
    bool is_shared; /* whether the GPU, or several threads, may have written this memory */
};

/* Mapped memory that the program could read. */
struct diff_read {
    uint64_t object, offset, size, hash;
};

struct diff_call {
    uint64_t number;
    uint64_t token;  /* hash of the method and its arguments */
    uint64_t answer; /* hash of the returned and written results; 0: the trace has no results */
    uint64_t scope;  /* hash of the names of the scopes around the call; 0: no scope */
    int32_t method;
    uint32_t refs, ref_count; /* the arguments' references come before the results' references */
    uint32_t argument_refs;
    uint32_t pages, page_count;
    uint32_t reads, read_count;
    uint32_t next; /* the next call of the thread; DIFF_NONE: no further call */
};
struct diff_thread {
    uint32_t first, last, count;
};

#define DIFF_ARRAY(type)                                                                           \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t count, capacity;                                                                  \
    }

struct diff_side {
    DIFF_ARRAY(struct diff_call) calls; /* calls in the order in which they began */
    DIFF_ARRAY(struct diff_ref) refs;
    DIFF_ARRAY(struct diff_page) pages;
    DIFF_ARRAY(struct diff_read) reads;
    DIFF_ARRAY(struct diff_thread) threads; /* threads in the order of their first calls */
    bool is_odd;                            /* whether a record could not be printed completely */
};

/* Reads a trace. False means out of memory. Call diff_side_free in both cases. */
bool diff_side_read(struct diff_side *side, struct trace *trace);
void diff_side_free(struct diff_side *side);
