/* The command annot trace diff. */
#pragma once

#include <capture/trace/read.h>

/* Prints the differences between the calls of two traces. Returns the exit code: 0 without
 * differences, 1 with differences, 2 after an error. */
int trace_diff(struct trace *a, struct trace *b, bool is_json);
