/* Writes a part of a trace that replays by itself: the calls of a range, and the earlier calls that
 * the range needs. */
#pragma once

#include <capture/trace/read.h>

struct trim_order {
    const char *path; /* the trimmed trace's path */
    uint64_t from, to;
    bool is_plain; /* whether to write the trace without compression */
    bool is_json;  /* whether to print the summary as JSON */
};

/* Writes the trimmed trace, and prints its summary. Returns the exit code. */
int trace_trim(struct trace *trace, const struct trim_order *order);
