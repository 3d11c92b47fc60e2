/* annot trace diff --first. */
#ifndef ANNOT_TOOL_TRACE_FIRST_H
#define ANNOT_TOOL_TRACE_FIRST_H

#include <capture/trace/read.h>

/* Prints the first record in which two traces differ. Returns the exit code: 0 none, 1 one, 2 not
 * compared. */
int trace_first(struct trace *a, struct trace *b, bool is_json);

#endif
