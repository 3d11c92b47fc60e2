/* Performs the command annot trace diff. */
#pragma once

#include <capture/trace/read.h>

/* Prints the differences between the calls of two traces. What differs in `noise`, another
 * recording of the first run, differs by chance and is only counted; NULL: there is none. Returns
 * the exit code: 0 without differences, 1 with differences, 2 after an error. */
int trace_diff(struct trace *first, struct trace *second, struct trace *noise, bool is_json);
