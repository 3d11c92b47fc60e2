/* Opens a trace by its path. */
#pragma once

#include <capture/trace/read.h>

/* The default limit of the records' size, as a multiple of the file's size, if no option sets
 * another limit. */
#define TRACE_EXPANSION 100u

/* Opens a trace. If it fails, it prints the reason. It refuses a trace whose records have more than
 * 256 MiB and more than `expansion` times the file's size. If `expansion` is 0, there is no limit.
 */
struct trace *trace_open_limited(const char *command, const char *path, uint64_t expansion);

/* Prints the damaged and missing parts. Returns true if there are such parts, for EXIT_DAMAGED. */
bool trace_print_findings(const char *command, const struct trace *trace);
