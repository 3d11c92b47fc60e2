/* The calls that the GPU stopped in; annot trace where. */
#pragma once

#include <annot/reader.h>
#include <capture/trace/read.h>

/* Prints, for each list that the dump calls in progress, the calls of the trace that the GPU
 * stopped at. Returns the exit code: 0 found, 1 the dump names no call of this trace, or the trace
 * lacks it, 2 the dump can't be read. */
int trace_where(struct trace *trace, const char *dump, bool is_json);

/* Whether a GPU can stop in what the method records. */
bool trace_is_work(int method);
