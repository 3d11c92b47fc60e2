/* Opens a trace by its path, unless its records are too large. */
#pragma once

#include <capture/trace/read.h>

/* Without an option, the records may be this many times as large as the trace's file. */
#define TRACE_EXPANSION 100u

/* Opens a trace. Prints the reason of a failure. Refuses a trace whose records have more than 256
 * MiB and more than `expansion` times the file's size. If `expansion` is 0, there is no limit. */
struct trace *trace_open_limited(const char *command, const char *path, uint64_t expansion);

/* Prints which parts are damaged or missing. Returns true if any are, for EXIT_DAMAGED. */
bool trace_print_findings(const char *command, const struct trace *trace);
