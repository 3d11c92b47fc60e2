/* A part of a trace that replays by itself: the calls of a range, and the earlier calls that this
 * range needs. */
#pragma once

#include <capture/trace/read.h>

struct trim_order {
    const char *path; /* path of the trimmed trace */
    uint64_t from, to;
    bool is_plain; /* whether the trace is written without compression */
    bool is_json;  /* whether the printed summary is JSON */
};

/* Writes the part of the trace, and prints a summary. Returns the exit code. */
int trace_trim(struct trace *trace, const struct trim_order *order);
