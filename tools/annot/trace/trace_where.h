/* The calls that the GPU stopped in; annot trace where. */
#pragma once

#include <annot/reader.h>
#include <capture/trace/read.h>

/* Prints, for each list that the dump calls in progress, the calls of the trace that the GPU
 * stopped at. Returns the exit code: 0 found, 1 the dump names no call of this trace, or the trace
 * lacks it, 2 the dump can't be read. */
int trace_where(struct trace *trace, const char *dump, bool is_json);

/* A list that was in progress: its recording and its submission among the dump's, and calls of the
 * trace, 0 for none. */
struct trace_stop {
    uint32_t stream, submission;
    uint64_t marker;      /* set the last marker that was reached */
    uint64_t first, last; /* operations that the GPU may have stopped in */
};

/* How many there are, up to 64. */
size_t trace_stops(struct trace *trace, const annot_reader *reader, struct trace_stop *stops,
                   size_t capacity);

/* Says on stderr why a dump has none. */
void trace_say_no_call(const char *command, const annot_reader *reader);

/* Whether a GPU can stop in what the method records. */
bool trace_is_work(int method);
