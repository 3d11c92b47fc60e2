/* annot trace diff --first. */
#pragma once

#include <capture/trace/read.h>

/* Prints the first record in which two traces differ. Returns the exit code: 0 none, 1 one, 2 not
 * compared. */
int trace_first(struct trace *a, struct trace *b, bool is_json);
