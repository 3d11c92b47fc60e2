/* Opening a trace by its path. */
#pragma once

#include <capture/trace/read.h>

/* The limit of the records' size, as a multiple of the file's size, if no option sets another
 * limit. */
#define TRACE_EXPANSION 100u

/* If it fails, standard error has the reason. A trace with more than 256 MiB of records, which are
 * more than `expansion` times the file, is refused before any of it is read; 0: no limit. */
struct trace *trace_open_limited(const char *command, const char *path, uint64_t expansion);
