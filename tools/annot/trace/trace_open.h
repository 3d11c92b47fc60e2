/* Opening a trace by its path. */
#pragma once

#include <capture/trace/read.h>

/* How many times as large as the file its records may be, without another limit. */
#define TRACE_EXPANSION 100u

/* If it fails, standard error has the reason. A trace with more than 256 MiB of records, which are
 * more than `expansion` times the file, is refused before any of it is read; 0: no limit. */
struct trace *trace_open_limited(const char *command, const char *path, uint64_t expansion);
