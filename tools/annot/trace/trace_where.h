/* Performs the command annot trace where: finds the calls in which the GPU stopped. */
#pragma once

#include <annot/reader.h>
#include <capture/trace/read.h>

/* For each list that is in progress in the dump, prints the calls of the trace at which the GPU
 * stopped. Returns the exit code: 0 if a call was found; 1 if the dump names no call of this trace,
 * or the trace lacks the call; 2 if the dump can't be used. */
int trace_where(struct trace *trace, const char *dump, bool is_json);

/* Whether the GPU can stop in a call of this method, because the call gives the GPU work. */
bool trace_is_work(int method);
