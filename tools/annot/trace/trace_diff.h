/* annot trace diff. */
#ifndef ANNOT_TOOL_TRACE_DIFF_H
#define ANNOT_TOOL_TRACE_DIFF_H

#include <capture/trace/read.h>

/* Prints the first difference between two traces. Returns the exit code: 0 none, 1 one, 2 not
 * compared. */
int trace_diff(struct trace *a, struct trace *b, bool is_json);

#endif
