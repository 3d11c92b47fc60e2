/* The calls that recorded the lists of the submissions that hung, from the trace of the dump's run,
 * for a page. */
#pragma once

#include "json_writer.h"

#include <annot/reader.h>
#include <capture/trace/read.h>

enum trace_calls { TRACE_CALLS_SAID, TRACE_CALLS_INCOMPLETE, TRACE_CALLS_FAILED };

/* Writes elements of a JSON array, one for each list: its recording's number in the dump, and how
 * many calls come before and after those that are told. Each call has its number, its text, what
 * the GPU did, and the dump's entry if it is a marker. At most 64 lists and 400 calls of each,
 * around the place where the GPU stopped. INCOMPLETE: the dump has no such list, or calls are
 * damaged; stderr says so. FAILED: out of memory, or no temporary file, which errno says. */
enum trace_calls trace_calls_say(struct annot__json *out, const annot_reader *reader,
                                 struct trace *trace);
