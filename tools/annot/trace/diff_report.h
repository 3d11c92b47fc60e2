/* Prints the differences of two runs in groups, as text or JSON. */
#pragma once

#include "diff_side.h"
#include "table.h"

enum diff_what {
    DIFF_ALIKE,
    DIFF_ARGUMENTS,
    DIFF_RESULT,
    DIFF_MEMORY,
    DIFF_READ_BACK,
    DIFF_ORDER,
    DIFF_ONLY_FIRST,
    DIFF_ONLY_SECOND,
    DIFF_WAIT,
    DIFF_CHANCE, /* another recording of the first run also differs here */
    DIFF_WHATS
};

struct diff_pair {
    uint32_t first, second; /* index of the call in each run; DIFF_NONE: this run lacks the call */
    enum diff_what what;
    uint64_t object, offset; /* MEMORY and READ_BACK: object and offset of the first difference */
};

/* Differences (pairs of calls) with the same reason and method. If only one run has the calls,
 * these also have the same scope. */
struct diff_group {
    struct {
        uint64_t scope;
        uint32_t what;
        int32_t method;
    } key;
    uint64_t count;
    struct diff_pair pair; /* the first two calls with this difference */
    UT_hash_handle hh;
};

struct diff_result {
    struct trace *traces[2];
    const struct diff_side *sides; /* the two runs */
    struct diff_group *groups;
    uint64_t counts[DIFF_WHATS];
};

/* Adds a pair of differing calls to the result. Returns false if memory runs out. */
bool diff_result_add(struct diff_result *result, const struct diff_pair *pair);
void diff_result_free(struct diff_result *result);

/* Prints the differences in the order that docs/CAPTURE.md names. Returns the exit code: 0 if there
 * is no difference, otherwise 1. */
int diff_report(struct diff_result *result, bool is_json);
