/* The command annot trace diff. */
#pragma once

#include <capture/trace/read.h>

/* Prints the differences between the calls of two traces. Returns the exit code: 0 no difference, 1
 * some, 2 not compared. */
int trace_diff(struct trace *a, struct trace *b, bool is_json);
