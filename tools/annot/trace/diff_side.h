/* A trace as `annot trace diff` compares it: the calls of each thread, without the numbers that
 * differ in every run. The objects of a call are kept separately. Two runs can be compared when
 * their corresponding objects are known. */
#pragma once

#include <capture/trace/read.h>

#define DIFF_NONE UINT32_MAX /* no call */

/* An object, a root constant or another value of a call. Addresses, descriptor handles and values
 * of fences are stored as places in an object. */
struct diff_ref {
    uint64_t value;     /* number of an object, or another value (see `kind`) */
    uint32_t piece;     /* hash of the set element that has the reference; 0: no set */
    uint16_t kind;      /* an enum schema_kind */
    bool is_new : 1;    /* whether this call made the object, or newly defined the value */
    bool is_place : 1;  /* whether the value is an offset in the previous reference's object */
    bool is_chance : 1; /* whether chance decides the value, or another recording has another value
                         */
};

/* A piece of mapped memory that the program had written when its thread submitted work, or that the
 * program could read. */
struct diff_page {
    uint64_t object, offset, hash;
    uint32_t size;
    bool is_shared; /* whether the GPU, or several threads, may have written this memory */
    bool is_chance; /* whether this memory differs even in a second recording of the same run */
};

struct diff_call {
    uint64_t number;
    uint64_t plain;  /* hash of the method, and of its arguments that are not objects */
    uint64_t token;  /* a hash like `plain`, with the classes of the objects that the call names */
    uint64_t answer; /* a hash like `plain`, of the call's results; 0: the trace has no results */
    uint64_t scope;  /* hash of the marker names around the call; 0: outside of markers */
    int32_t method;
    uint32_t chances; /* bits of enum diff_what: how another recording of this run differs */
    uint32_t refs, ref_count; /* references to objects: of the arguments, then of the results */
    uint32_t argument_refs;
    uint32_t pages, page_count;
    uint32_t reads, read_count;
    uint32_t next; /* index of the same thread's next call; DIFF_NONE: there is none */
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
    DIFF_ARRAY(struct diff_call) calls; /* the calls in the order in which they began */
    DIFF_ARRAY(struct diff_ref) refs;
    DIFF_ARRAY(struct diff_page) pages;
    DIFF_ARRAY(struct diff_page) reads;
    DIFF_ARRAY(struct diff_thread) threads; /* threads in the order of their first calls */
    bool is_odd;                            /* whether a record could not be printed completely */
};

/* Mixes a number into a hash. */
static inline uint64_t diff_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + b * 0x9e3779b97f4a7c15u + 1;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Reads a trace. False means out of memory. Call diff_side_free in both cases. */
bool diff_side_read(struct diff_side *side, struct trace *trace);
void diff_side_free(struct diff_side *side);
