/* annot trace diff. */
#pragma once

#include <capture/trace/read.h>

/* Prints in what the calls of two traces differ. Returns the exit code: 0 nothing, 1 something, 2
 * not compared. */
int trace_diff(struct trace *a, struct trace *b, bool is_json);
