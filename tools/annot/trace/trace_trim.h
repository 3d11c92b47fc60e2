/* A part of a trace that replays by itself: the calls of a range, and the earlier calls that they
 * depend on. */
#pragma once

#include <capture/trace/read.h>

struct trim_order {
    const char *path; /* path of the trimmed trace */
    uint64_t from, to;
    bool is_plain; /* whether it is written without compression */
    bool is_json;  /* form of the printed summary */
};

/* Writes the part, and prints a summary. Returns the exit code. */
int trace_trim(struct trace *trace, const struct trim_order *order);
