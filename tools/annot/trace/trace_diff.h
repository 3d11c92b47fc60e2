/* annot trace diff. */
#pragma once

#include <capture/trace/read.h>

/* Prints in what the calls of two traces differ. Returns the exit code: 0 nothing, 1 something, 2
 * not compared. */
int trace_diff(struct trace *a, struct trace *b, bool is_json);

/* After both were read to their ends: nothing of them is damaged or missing. */
bool trace_diff_is_whole(struct trace *const *both);
